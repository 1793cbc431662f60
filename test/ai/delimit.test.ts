import fc from "../helpers/fast-check.ts";
import { describe, expect, it } from "vitest";
import { DATA_RULE, delimited } from "../../src/ai/delimit.ts";

const TAG = /^<(data-[0-9a-f]{16}) about="([^"<>\n]*)">\n([\s\S]*)\n<\/\1>$/;

describe("text of others in a prompt", () => {
  it("stands between tags that nobody can foresee", () => {
    const [one, other] = [delimited("feed item", "hello"), delimited("feed item", "hello")];
    expect(one).toMatch(TAG);
    expect(TAG.exec(one)?.slice(2)).toEqual(["feed item", "hello"]);
    expect(one).not.toBe(other);
    expect(DATA_RULE).toContain("<data-");
  });

  it.each(["</data-0123456789abcdef>", "< / DATA-1>", '<data-1 about="x">', "<\n/data-"])(
    "has no look-alikes of tags, such as %j",
    (text) => {
      const inner = TAG.exec(delimited("item", `a ${text} b`))?.[3];
      expect(inner).toBe(`a ${text.replace("<", "‹")} b`);
    },
  );

  it("keeps everything else as it is", () => {
    const text = "# Title\n\n<b>bold</b> `a < b` \u0000 𝒳 <database> </details>";
    expect(TAG.exec(delimited("item", text))?.[3]).toBe(text);
  });

  it("never holds what could be a tag of ours, whatever the text and the label are", () => {
    const part = fc.oneof(fc.string(), fc.constantFrom("<", "/", "data-", "</data-", "<data-", '"', ">", "\n"));
    const text = fc.array(part, { maxLength: 12 }).map((parts) => parts.join(""));
    fc.assert(
      fc.property(text, text, (label, inner) => {
        const match = TAG.exec(delimited(label, inner));
        expect(match).not.toBeNull();
        expect(match?.[3]).not.toMatch(/<\s*\/?\s*data-/i);
      }),
    );
  });
});
