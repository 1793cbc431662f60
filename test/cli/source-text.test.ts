/** The bytes of sources as text: encodings, and reads that give less than was asked for. */
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { open } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { describe, expect, it, onTestFinished, vi } from "vitest";
import { readText } from "../../packages/cli/transfer/markdown-folder.ts";
import { ghostFile, readSource, useFiles, wordpressFile, wordpressItem } from "./source-files.ts";

const files = useFiles();

async function titlesOf(content: Uint8Array) {
  const { articles } = await readSource(files.file(content));
  return Object.values(articles).map(({ title }) => title);
}

const declared = (encoding: string) => `<?xml version="1.0" encoding="${encoding}"?>`;
const named = (title: string, declaration?: string) =>
  wordpressFile([wordpressItem({ id: "1", name: "x", title })], declaration);
const utf16 = (text: string) => Buffer.from(text, "utf16le");

describe("an export of WordPress", () => {
  it.each([
    ["ISO-8859-1, as it says", Buffer.from(named("Café Zürich", declared("ISO-8859-1")), "latin1"), "Café Zürich"],
    ["Windows-1251", Buffer.from(named("\xd7\xe0\xe9", declared("windows-1251")), "latin1"), "Чай"],
    ["Shift_JIS", Buffer.from(named("\x93\xfa\x96\x7b", declared("Shift_JIS")), "latin1"), "日本"],
    ["UTF-8 without a declaration", Buffer.from(named("Café", "")), "Café"],
    ["UTF-8 with a byte order mark", Buffer.from(`\ufeff${named("Café", declared("utf-8"))}`), "Café"],
    ["UTF-16 with a byte order mark", utf16(`\ufeff${named("Café 🌊", declared("UTF-16"))}`), "Café 🌊"],
    ["UTF-16, the other way round", utf16(`\ufeff${named("Café 🌊", declared("UTF-16"))}`).swap16(), "Café 🌊"],
    ["UTF-16 without a mark", utf16(named("Café", declared("UTF-16"))), "Café"],
    ["UTF-8 that was UTF-16 before", Buffer.from(named("Café", declared("utf-16"))), "Café"],
  ])("is read in %s", async (_, content, title) => {
    expect(await titlesOf(content)).toEqual([title]);
  });

  it("is read in its encoding wherever a chunk of the file ends", async () => {
    const title = "é🌊".repeat(100);
    const items = Array.from({ length: 300 }, (_, id) => wordpressItem({ id: String(id), name: "x", title }));
    const text = wordpressFile(items);
    for (const content of [
      Buffer.from(text),
      utf16(`\ufeff${text}`),
      utf16(`\ufeff ${text}`.replace(/<\?.*?\?>/, "")),
    ]) {
      expect(new Set(await titlesOf(content))).toEqual(new Set([title]));
    }
  });

  it.each([
    ["another encoding than it says", Buffer.from(named("Café", declared("UTF-8")), "latin1"), "is not valid UTF-8"],
    ["another encoding without saying so", Buffer.from(named("Café"), "latin1"), "is not valid UTF-8"],
    ["an encoding that nobody knows", Buffer.from(named("x", declared("x-klingon"))), 'not known: "x-klingon"'],
    ["an end within a character", Buffer.concat([Buffer.from(named("x")), Buffer.of(0xc3)]), "is not valid UTF-8"],
  ])("in %s is refused as a whole", async (_, content, reason) => {
    await expect(readSource(files.file(content))).rejects.toThrow(reason);
  });
});

describe("an export of Ghost", () => {
  const named = (title: string) => ghostFile([{ id: 1, title }]);

  it("is read in UTF-8, with a byte order mark or without", async () => {
    expect(await titlesOf(Buffer.from(named("Café")))).toEqual(["Café"]);
    expect(await titlesOf(Buffer.from(`\ufeff${named("Café")}`))).toEqual(["Café"]);
  });

  it.each([
    ["Latin-1", Buffer.from(named("Café"), "latin1")],
    ["UTF-16", utf16(`\ufeff${named("Café")}`)],
  ])("in %s is refused as a whole", async (_, content) => {
    await expect(readSource(files.file(content))).rejects.toThrow("is not valid UTF-8");
  });
});

describe("a file", () => {
  it("is read to its end where every read gives only a part", async () => {
    const folder = mkdtempSync(path.join(tmpdir(), "edgepress text-"));
    onTestFinished(() => rmSync(folder, { recursive: true }));
    const file = path.join(folder, "a.md");
    const text = "é, ".repeat(5000);
    writeFileSync(file, text);
    await withShortReads(async () => {
      expect(await readText(file, 1_000_000)).toBe(text);
      expect(await readText(file, 3001, "head")).toBe(Buffer.from(text).subarray(0, 3001).toString());
    });
  });
});

/** Lets every read of a file give 100 bytes at most. */
async function withShortReads(work: () => Promise<void>): Promise<void> {
  const handle = await open(import.meta.filename);
  const prototype = Object.getPrototypeOf(handle) as typeof handle;
  await handle.close();
  // oxlint-disable-next-line typescript/unbound-method -- it is called with a handle
  const read = prototype.read as (...args: unknown[]) => ReturnType<typeof handle.read>;
  const short = vi.spyOn(prototype, "read").mockImplementation(function (this: unknown, ...args: unknown[]) {
    const [buffer, offset, length, position] = args;
    return read.call(this, buffer, offset, Math.min(Number(length), 100), position);
  } as never);
  await work().finally(() => short.mockRestore());
}
