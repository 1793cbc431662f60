import fc, { runs } from "../helpers/fast-check.ts";
import { describe, expect, it } from "vitest";
import { vanityIdOf } from "../../src/domain/derived-names.ts";
import { isVanityId } from "../../src/domain/vanity.ts";

const name = fc.oneof(
  fc.string({ unit: "grapheme", minLength: 1, maxLength: 300 }),
  fc.string({ unit: fc.constantFrom(...Array.from("aBz09-_ .éß日Ж😀")), minLength: 1, maxLength: 300 }),
);

describe("vanityIdOf", () => {
  it("makes a vanityId of every name, with room for the longest suffix", () => {
    fc.assert(
      fc.property(name, (text) => {
        const vanityId = vanityIdOf(text);
        expect(isVanityId(vanityId)).toBe(true);
        for (const suffix of [2, 99, 10_000]) expect(isVanityId(`${vanityId}-${suffix}`)).toBe(true);
      }),
      runs(300),
    );
  });

  it.each([
    ["Field Notes", "field-notes"],
    ["Admin", "admin-blog"],
    ["a", "a-blog"],
    ["日本", "blog-site"],
    ["Xn--Köln", "xn-koeln"],
    ["-", "untitled"],
  ])("%s is %s", (text, vanityId) => {
    expect(vanityIdOf(text)).toBe(vanityId);
  });
});

describe("isVanityId", () => {
  it("is true only for what may be the first label of a host name", () => {
    fc.assert(
      fc.property(fc.string({ unit: fc.constantFrom(...Array.from("abz09-.Z")), maxLength: 70 }), (text) => {
        if (!isVanityId(text)) return;
        expect(new URL(`https://${text}.example.com/`).hostname).toBe(`${text}.example.com`);
        expect(text.length).toBeGreaterThanOrEqual(3);
        expect(text.length).toBeLessThanOrEqual(63);
      }),
      runs(500),
    );
  });

  it.each(["ab", "-ab", "ab-", "aB1", "a.b", "a_b", "a b", "abc\n", "xn--abc", "www", "api", "mcp", "a".repeat(64)])(
    "refuses %j",
    (text) => {
      expect(isVanityId(text)).toBe(false);
    },
  );

  it("refuses what looks like an identifier: GET /blogs would never find it", () => {
    expect(isVanityId("019a9d3c-8f5e-7c2a-9b1d-3e4f5a6b7c8d")).toBe(false);
  });

  it.each(["abc", "a1b", "123", "a--b", "a".repeat(63), "field-notes"])("accepts %s", (text) => {
    expect(isVanityId(text)).toBe(true);
  });
});
