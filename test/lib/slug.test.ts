import fc from "../helpers/fast-check.ts";
import { describe, expect, it } from "vitest";
import { isUuid, newId } from "../../src/lib/ids.ts";
import { LIMITS } from "../../src/lib/limits.ts";
import { slugOf } from "../../src/lib/derived-names.ts";
import { isSlug } from "../../src/lib/slug.ts";

/** Titles of all kinds: any Unicode, many scripts, and what looks like a slug already. */
const title = fc.oneof(
  fc.string({ unit: "grapheme", maxLength: 300 }),
  fc.string({ unit: "binary", maxLength: 300 }),
  fc.string({
    unit: fc.constantFrom(...Array.from("aB-_ '’.éÉßİıŁœÆ日本語Жжѐ́नि한ﬁΣσς𐐀𐐨①Ⅷ\u0301\u0323\u200d\u00ad😀")),
    maxLength: 300,
  }),
);

describe("slugOf", () => {
  it("makes a slug of every title", () => {
    fc.assert(
      fc.property(title, (text) => {
        expect(isSlug(slugOf(text))).toBe(true);
      }),
      { numRuns: 2000 },
    );
  });

  it("leaves room for a suffix of the longest kind, in the units that a slug is measured in", () => {
    fc.assert(
      fc.property(title, (text) => {
        expect(`${slugOf(text)}-1000`.length).toBeLessThanOrEqual(LIMITS.slug);
      }),
      { numRuns: 2000 },
    );
  });

  it("makes a slug that is the same in its composed form: readers may send either", () => {
    fc.assert(
      fc.property(title, (text) => {
        const slug = slugOf(text);
        expect(slug.normalize("NFC")).toBe(slug);
        expect(slug.normalize("NFD").normalize("NFC")).toBe(slug);
      }),
      { numRuns: 2000 },
    );
  });

  it("makes the same slug of a title in composed and in decomposed form", () => {
    fc.assert(
      fc.property(title, (text) => {
        fc.pre(text.isWellFormed());
        expect(slugOf(text.normalize("NFD"))).toBe(slugOf(text.normalize("NFC")));
      }),
      { numRuns: 2000 },
    );
  });

  it("takes a slug as it is, unless it is too long for a suffix", () => {
    fc.assert(
      fc.property(title, (text) => {
        const slug = slugOf(text);
        expect(slugOf(slug)).toBe(slug);
      }),
      { numRuns: 2000 },
    );
  });

  it.each([
    ["Slow mornings in Porto", "slow-mornings-in-porto"],
    ["Crème brûlée", "creme-brulee"],
    ["Don't panic: it's 2026!", "dont-panic-its-2026"],
    ["fooBar HTTPServer", "foobar-httpserver"],
    ["日本の朝", "日本の朝"],
    ["Новости дня", "новости-дня"],
    ["हिन्दी में", "हिन्दी-में"],
    ["  --spaces--  ", "spaces"],
    ["a/b\\c?d#e", "a-b-c-d-e"],
    ["", "untitled"],
    ["😀", "untitled"],
    ["!!!", "untitled"],
    ["019a9d3c-8f5e-7c2a-9b1d-3e4f5a6b7c8d", "untitled"],
  ])("%s is %s", (text, slug) => {
    expect(slugOf(text)).toBe(slug);
  });

  it("never cuts a character in two", () => {
    for (let letters = 0; letters < 10; letters++) {
      const slug = slugOf(`${"б".repeat(letters)}${"𐐨".repeat(300)}`);
      expect(slug.isWellFormed()).toBe(true);
      expect(slug).not.toBe("untitled");
    }
  });
});

describe("isSlug", () => {
  it("is false for every UUID, in any case", () => {
    fc.assert(
      fc.property(fc.uuid(), (uuid) => {
        expect([isSlug(uuid), isSlug(uuid.toUpperCase()), isUuid(uuid)]).toEqual([false, false, true]);
      }),
    );
    expect(isSlug(newId())).toBe(false);
  });

  it("is true only for texts without spaces, punctuation, symbols and what has a lower case", () => {
    fc.assert(
      fc.property(fc.string({ unit: "binary", maxLength: 20 }), (text) => {
        fc.pre(isSlug(text));
        expect(text).not.toMatch(/[\p{Z}\p{Cc}\p{Cf}\p{Cs}\p{S}]|(?!-)\p{P}|^-|-$|--/u);
        expect(text.toLowerCase()).toBe(text);
        expect(encodeURIComponent(text)).not.toMatch(/%2F|%3F|%23/);
      }),
      { numRuns: 5000 },
    );
  });

  it("takes no time on long hostile texts", () => {
    // A pattern that backtracks would not come back from these.
    for (const text of [`${"a-".repeat(50_000)}-`, `${"a".repeat(100_000)}!`, "-".repeat(100_000)]) {
      expect(isSlug(text)).toBe(false);
    }
  });
});
