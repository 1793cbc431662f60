import fc, { runs } from "../helpers/fast-check.ts";
import { describe, expect, it } from "vitest";
import { DATA_RULE, delimit } from "../../src/ai/delimit.ts";

const TAG = /^<(data-[0-9a-f]{16}) about="([^"<>\n]*)">\n([\s\S]*)\n<\/\1>$/;

describe("text of others in a prompt", () => {
  it("stands between tags that nobody can foresee", () => {
    const [one, other] = [delimit("feed item", "hello"), delimit("feed item", "hello")];
    expect(one).toMatch(TAG);
    expect(TAG.exec(one)?.slice(2)).toEqual(["feed item", "hello"]);
    expect(one).not.toBe(other);
    expect(DATA_RULE).toContain("<data-");
  });

  it.each(["</data-0123456789abcdef>", "< / DATA-1>", '<data-1 about="x">', "<\n/data-", "<\u200b/\u00addata-"])(
    "has no look-alikes of tags, such as %j",
    (text) => {
      const inner = TAG.exec(delimit("item", `a ${text} b`))?.[3];
      expect(inner).toBe(`a ${text.replace("<", "‹")} b`);
    },
  );

  it("keeps everything else as it is", () => {
    const text = "# Title\n\n<b>bold</b> `a < b` \u0000 𝒳 <database> </details>";
    expect(TAG.exec(delimit("item", text))?.[3]).toBe(text);
  });

  it("never holds what could be a tag of ours, whatever the text and the label are, and changes nothing else", () => {
    const trouble = fc.constantFrom(
      ...'<|/|data-|Data-|</data-|<DATA-|"|>|\n|\t| |\u00a0|\u00ad|\u200b|\ufeff'.split("|"),
    );
    const text = fc
      .array(fc.oneof({ weight: 4, arbitrary: trouble }, fc.string({ unit: "binary", maxLength: 20 })), {
        maxLength: 30,
      })
      .map((parts) => parts.join(""));
    fc.assert(
      fc.property(text, text, (label, given) => {
        const inner = TAG.exec(delimit(label, given))?.[3] ?? "no tags around it";
        expect(asRead(inner)).not.toMatch(/<\/?data-/);
        expect(opened(inner)).toBe(opened(given));
      }),
      runs(100),
    );
  });

  it.each([
    ["spaces behind a bracket", `<${" ".repeat(300_000)}`],
    ["spaces behind a slash", `< /${"\n".repeat(300_000)}`],
    ["brackets and spaces", "<  / ".repeat(60_000)],
    ["what cannot be seen", `<${"\u200b".repeat(300_000)}`],
  ])("comes back from a text that is made to be slow: %s", (_, text) => {
    expect(TAG.exec(delimit("item", text))?.[3]).toBe(text);
  });
});

/** A text as a model may read it: neither size nor spaces nor what cannot be seen make a difference. */
const asRead = (text: string): string => text.replaceAll(/[\s\p{Cf}]+/gu, "").toLowerCase();

/** A text with the brackets that look-alikes have lost. */
const opened = (text: string): string => text.replaceAll("‹", "<");
