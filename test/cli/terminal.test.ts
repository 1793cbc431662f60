import { stripVTControlCharacters } from "node:util";
import fc, { anyCharacter } from "../helpers/fast-check.ts";
import { describe, expect, it } from "vitest";
import { createProgress, formatDuration, type Shown } from "../../packages/cli/progress.ts";
import { formatTable } from "../../packages/cli/table.ts";
import {
  truncateLine,
  toPrintable,
  toPrintableJson,
  toPrintableLine,
  measureWidth,
} from "../../packages/cli/terminal.ts";

const plain = (_style: string, text: string) => text;

describe("what reaches a terminal", () => {
  const trouble =
    '\x1b|\x07|\x7f|\x9b|\r|\n|\t|\u061c|\u200e|\u2028|\u2029|\u202e|\u2066|\u{e0001}|\u{e0041}|\u{e007f}|\\|"';
  const anything = fc.string({
    unit: fc.oneof({ weight: 3, arbitrary: anyCharacter }, fc.constantFrom(...trouble.split("|"))),
    maxLength: 200,
  });
  const obeyed =
    /[^\P{Cc}\n\t]|[\u061c\u200e\u200f\u2028\u2029\u202a-\u202e\u2066-\u2069\u{e0000}-\u{e007f}]|\p{Surrogate}/u;

  it("has no characters that it obeys", () => {
    fc.assert(
      fc.property(anything, (text) => {
        expect(obeyed.test(toPrintable(text))).toBe(false);
        expect(/[\n\t]/.test(toPrintableLine(text)) || obeyed.test(toPrintableLine(text))).toBe(false);
        expect(obeyed.test(toPrintableJson({ text }))).toBe(false);
        expect(JSON.parse(toPrintableJson({ text }))).toEqual({ text });
      }),
    );
  });

  it("leaves what people write as it is", () => {
    const text = "Zażółć gęślą jaźń\n\t日本語 한국어 ไทย עברית 👩‍👩‍👧 é";
    expect(toPrintable(text)).toBe(text);
  });
});

describe("widths", () => {
  it.each([
    ["abc", 3],
    ["日本", 4],
    ["한국", 4],
    ["e\u0301", 1],
    ["👍", 2],
    ["", 0],
  ])("%j takes %i columns", (text, width) => expect(measureWidth(text)).toBe(width));

  it("cuts a line so that it fits", () => {
    fc.assert(
      fc.property(fc.string({ unit: "grapheme" }), fc.nat(40), (text, most) => {
        const line = toPrintableLine(text);
        expect(measureWidth(truncateLine(line, most))).toBeLessThanOrEqual(most);
        if (measureWidth(line) <= most) expect(truncateLine(line, most)).toBe(line);
      }),
    );
  });
});

describe("tables", () => {
  it("may have any number of rows", () => {
    const rows = Array.from({ length: 200_000 }, (_, n) => n);
    const lines = formatTable([{ head: "N", cell: String }], rows, { paint: plain, width: 80 }).split("\n");
    expect(lines).toHaveLength(rows.length + 1);
  });

  const columns = [
    { head: "ID", cell: ([id = ""]: string[]) => id },
    { head: "TITLE", cell: ([, title = ""]: string[]) => title, shrinks: true },
    { head: "EDITED", cell: () => "2026-01-01 00:00", drops: true },
  ];

  it("fit any terminal", () => {
    const row = fc.tuple(fc.string({ maxLength: 36 }), fc.string({ unit: "grapheme", maxLength: 80 }));
    fc.assert(
      fc.property(fc.array(row, { maxLength: 5 }), fc.integer({ min: 20, max: 120 }), (rows, width) => {
        const lines = formatTable(columns, rows, { paint: plain, width }).split("\n");
        expect(lines).toHaveLength(rows.length + 1);
        for (const line of lines) expect(measureWidth(line)).toBeLessThanOrEqual(width);
      }),
    );
  });

  it("take from titles and leave out times before they cut an identifier", () => {
    const id = "019a9d3c-8f5e-7c2a-9b1d-3e4f5a6b7c8d";
    const drawn = formatTable(columns, [[id, "A title that is rather long for this"]], { paint: plain, width: 60 });
    expect(drawn).toContain(id);
    expect(drawn).not.toContain("EDITED");
  });

  it("are as wide as they are where there is no terminal", () => {
    const title = "x".repeat(500);
    expect(formatTable(columns, [["1", title]], { paint: plain, width: undefined })).toContain(title);
  });
});

it.each([
  [0, "0s"],
  [59.4, "59s"],
  [65, "1m 05s"],
  [3725, "1h 02m"],
])("%d seconds are spelled %s", (seconds, text) => expect(formatDuration(seconds)).toBe(text));

describe("progress", () => {
  /** A stream that keeps what is written to it. */
  function streamOf(isTTY: boolean) {
    const written: string[] = [];
    const write = (text: string) => written.push(text) > 0;
    return { written, stream: { isTTY, columns: 60, write } as unknown as NodeJS.WriteStream };
  }

  it("is one line of a terminal, which goes when it ends", () => {
    const { written, stream } = streamOf(true);
    const shown: Shown = { current: null };
    const progress = createProgress({ stream, shown, title: "Reading \u001b[31mfiles", total: 4 });
    progress.advance(2);
    progress.say("a".repeat(100));
    shown.current?.draw();
    expect(stripVTControlCharacters(written.at(-1) ?? "")).toMatch(/^\r.*2\/4.*…$/);
    for (const line of written) expect(measureWidth(stripVTControlCharacters(line).replace("\r", ""))).toBeLessThan(60);
    expect(written.join("")).not.toContain("\u001b[31m");
    progress.end("All read.");
    expect([written.at(-2), written.at(-1), shown.current]).toEqual(["\r\u001b[K", "All read.\n", null]);
  });

  it("is plain lines elsewhere, and not one for each step", () => {
    const { written, stream } = streamOf(false);
    const progress = createProgress({ stream, shown: { current: null }, title: "Reading", total: 1000 });
    for (let at = 0; at < 1000; at++) progress.advance();
    progress.end();
    expect(written.length).toBeLessThan(5);
    expect(written.join("")).not.toMatch(/\p{Cc}(?<!\n)/u);
  });
});
