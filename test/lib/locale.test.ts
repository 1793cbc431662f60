import fc from "../helpers/fast-check.ts";
import { describe, expect, it } from "vitest";
import { canonicalLocale } from "../../src/lib/locale.ts";
import { locale } from "../../src/operations/fields.ts";

const part = fc.string({ unit: fc.constantFrom(...Array.from("abcdeuxtzALN0129")), minLength: 1, maxLength: 9 });
const tag = fc.oneof(
  fc.array(part, { minLength: 1, maxLength: 6 }).map((parts) => parts.join("-")),
  fc
    .tuple(
      fc.constantFrom("en", "DE", "zh", "iw", "sr", "art-lojban", "cmn", "en-a-bcdefgh-bcdefg"),
      fc.constantFrom("", "-Latn", "-hans", "-US", "-419", "-1996", "-u-ca-islamicc", "-x-abc", "-u-kn-true", "-t-de"),
    )
    .map((parts) => parts.join("")),
  fc.string({ unit: "binary", maxLength: 40 }),
);

describe("canonicalLocale", () => {
  it("has one form for a tag, whatever its case, and leaves that form as it is", () => {
    fc.assert(
      fc.property(tag, (text) => {
        const canonical = canonicalLocale(text);
        fc.pre(canonical !== null);
        expect(canonicalLocale(canonical ?? "")).toBe(canonical);
        expect(canonicalLocale(text.toUpperCase())).toBe(canonical);
        expect(canonicalLocale(text.toLowerCase())).toBe(canonical);
      }),
      { numRuns: 3000 },
    );
  });

  it("never throws", () => {
    fc.assert(
      fc.property(fc.string({ unit: "binary" }), (text) => {
        expect(["string", "object"]).toContain(typeof canonicalLocale(text));
      }),
    );
  });

  it.each([
    ["EN-us", "en-US"],
    ["zh-hant-tw", "zh-Hant-TW"],
    ["iw", "he"],
    ["art-lojban", "jbo"],
    ["en_US", null],
    ["", null],
    ["*", null],
    ["en-", null],
    ["x-private", null],
  ])("%s is %s", (text, canonical) => {
    expect(canonicalLocale(text)).toBe(canonical);
  });
});

describe("the locale of an input", () => {
  it("is accepted again as it was stored", () => {
    fc.assert(
      fc.property(tag, (text) => {
        const first = locale.safeParse(text);
        fc.pre(first.success);
        expect(locale.safeParse(first.data)).toEqual(first);
      }),
      { numRuns: 3000 },
    );
  });
});
