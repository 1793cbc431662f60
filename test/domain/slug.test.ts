import fc, { anyCharacter, runs } from "../helpers/fast-check.ts";
import { describe, expect, it } from "vitest";
import { isUuid, newId } from "../../src/lib/ids.ts";
import { LIMITS } from "../../src/domain/limits.ts";
import { makeSlug, makeTermSlug } from "../../src/domain/derived-names.ts";
import { isSlug } from "../../src/domain/slug.ts";

/** Titles of all kinds: any Unicode, many scripts, and what looks like a slug already. */
const title = fc.oneof(
  fc.string({ unit: "grapheme", maxLength: 300 }),
  fc.string({ unit: anyCharacter, maxLength: 300 }),
  // Letters of another script where a slug is cut off.
  fc
    .tuple(
      fc.string({ unit: fc.constantFrom(...Array.from("aé-ß")), minLength: 180, maxLength: 190 }),
      fc.string({ unit: fc.constantFrom(...Array.from("aжй日")), maxLength: 20 }),
    )
    .map((parts) => parts.join("")),
  fc.string({
    unit: fc.constantFrom(...Array.from("aB-_ '’.éÉßİıŁœÆ日本語Жжѐ́नि한ﬁΣσς𐐀𐐨①Ⅷ\u0301\u0323\u200d\u00ad😀")),
    maxLength: 300,
  }),
);

describe("slugOf", () => {
  it.each([
    ["ﬁrst ﬂight", "first-flight"],
    ["Ａｂｃ １２", "abc-12"],
    ["½ cup, ① ㎏ and m²", "1-2-cup-1-kg-and-m2"],
    ["ze\u200bro\u00ad wi\u2060dth\ufeff", "zero-width"],
    ["Foo™ Łódź, Ŋorð", "foo-lodz-nord"],
    ["می\u200cخواهم", "می-خواهم"],
  ])("contract 3.5: reads %j as people do", (title, slug) => {
    expect([makeSlug(title), makeTermSlug(title)]).toEqual([slug, slug]);
  });

  it("makes a slug of every title", () => {
    fc.assert(
      fc.property(title, (text) => {
        expect(isSlug(makeSlug(text))).toBe(true);
      }),
      runs(200),
    );
  });

  it("leaves room for a suffix of the longest kind, in the units that a slug is measured in", () => {
    fc.assert(
      fc.property(title, (text) => {
        expect(`${makeSlug(text)}-1000`.length).toBeLessThanOrEqual(LIMITS.slug);
      }),
      runs(200),
    );
  });

  it("makes a slug that is the same in its composed form: readers may send either", () => {
    fc.assert(
      fc.property(title, (text) => {
        const slug = makeSlug(text);
        expect(slug.normalize("NFC")).toBe(slug);
        expect(slug.normalize("NFD").normalize("NFC")).toBe(slug);
      }),
      runs(200),
    );
  });

  it("makes the same slug of a title in composed and in decomposed form", () => {
    fc.assert(
      fc.property(title, (text) => {
        fc.pre(text.isWellFormed());
        expect(makeSlug(text.normalize("NFD"))).toBe(makeSlug(text.normalize("NFC")));
      }),
      runs(200),
    );
  });

  it("takes a slug as it is, unless it is too long for a suffix", () => {
    fc.assert(
      fc.property(title, (text) => {
        const slug = makeSlug(text);
        expect(makeSlug(slug)).toBe(slug);
      }),
      runs(200),
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
    [`${"é".repeat(187)}ж`, "e".repeat(187)],
    [`${"é".repeat(186)}ж`, `${"é".repeat(186)}ж`],
  ])("%s is %s", (text, slug) => {
    expect(makeSlug(text)).toBe(slug);
  });

  it("never cuts a character in two", () => {
    for (let letters = 0; letters < 10; letters++) {
      const slug = makeSlug(`${"б".repeat(letters)}${"𐐨".repeat(300)}`);
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

  /** Letters of one size, digits and marks that compose with nothing before them, of several scripts. */
  const words = fc.array(
    fc.string({ unit: fc.constantFrom(...Array.from("az09éß日語жй\u0903𐐨")), minLength: 1, maxLength: 30 }),
    { minLength: 1, maxLength: 6 },
  );

  it("is true for words of letters and digits, with single hyphens between them", () => {
    fc.assert(
      fc.property(words, (parts) => {
        expect(isSlug(parts.join("-"))).toBe(true);
      }),
      runs(100),
    );
  });

  it("is false with spaces, punctuation, symbols or capitals anywhere, and with hyphens that separate nothing", () => {
    const wrong = [...Array.from(" _./?#%&'\"<\0\n\u00a0\u00ad\u200d\u202e\ud800😀+AÉЖΣ𐐀"), "--", "e\u0301"];
    fc.assert(
      fc.property(words, fc.constantFrom(...wrong), fc.nat(), (parts, bad, at) => {
        const characters = Array.from(parts.join("-"));
        const place = at % (characters.length + 1);
        expect(isSlug(characters.toSpliced(place, 0, bad).join(""))).toBe(false);
        expect([isSlug(`-${parts.join("-")}`), isSlug(`${parts.join("-")}-`)]).toEqual([false, false]);
      }),
      runs(200),
    );
  });

  it("takes no time on long hostile texts", () => {
    // A pattern that backtracks would not come back from these.
    for (const text of [`${"a-".repeat(50_000)}-`, `${"a".repeat(100_000)}!`, "-".repeat(100_000)]) {
      expect(isSlug(text)).toBe(false);
    }
  });
});

describe("termSlugOf", () => {
  it.each([
    ["Slow travel", "slow-travel"],
    ["Café", "café"],
    ["C", "c"],
    ["C++", "c-plus-plus"],
    ["C#", "c-sharp"],
    ["Rock+Pop", "rock-plus-pop"],
    ["#travel", "travel"],
    ["Untitled", "untitled"],
    ["++", null],
  ])("%s: %s", (name, slug) => {
    expect(makeTermSlug(name)).toBe(slug);
  });
});
