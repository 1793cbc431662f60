import fc from "../helpers/fast-check.ts";
import { describe, expect, it } from "vitest";
import { DomainError } from "../../src/errors.ts";
import { decodeCursor, decodeSlugCursor, encodeCursor, encodeSlugCursor } from "../../src/lib/cursor.ts";
import { newId } from "../../src/lib/ids.ts";
import { LIMITS } from "../../src/lib/limits.ts";
import { isSlug } from "../../src/lib/slug.ts";

const time = fc
  .date({ min: new Date("0000-01-01T00:00:00Z"), max: new Date("9999-12-31T23:59:59.999Z"), noInvalidDate: true })
  .map((date) => date.toISOString());
const place = fc.record({ time, id: fc.uuid({ version: 7 }) });

const codeOf = (work: () => unknown): string => {
  try {
    work();
    return "nothing was thrown";
  } catch (error) {
    return error instanceof DomainError ? error.code : String(error);
  }
};

describe("a cursor", () => {
  it("names the place that it was made of", () => {
    fc.assert(
      fc.property(place, (given) => {
        expect(decodeCursor(encodeCursor(given))).toEqual(given);
      }),
    );
  });

  it("needs no escaping in a URL", () => {
    fc.assert(
      fc.property(place, (given) => {
        const cursor = encodeCursor(given);
        expect(encodeURIComponent(cursor)).toBe(cursor);
        expect(new URLSearchParams({ cursor }).toString()).toBe(`cursor=${cursor}`);
      }),
    );
  });

  it("is refused by its code where it is anything else, and nothing else is thrown", () => {
    fc.assert(
      fc.property(fc.oneof(fc.string({ unit: "binary" }), fc.base64String(), fc.string().map(btoaSafe)), (text) => {
        expect(codeOf(() => decodeCursor(text))).toBe("invalid_cursor");
      }),
      { numRuns: 2000 },
    );
  });

  it("is refused where its time or its id has another form", () => {
    const { time: good, id } = { time: "2026-11-20T09:52:59.123Z", id: newId() };
    for (const text of [
      `${good}~${id}~`,
      `${good}~${id.toUpperCase()}`,
      `${good}~${id} `,
      good,
      `~${id}`,
      `2026-11-20~${id}`,
      `${good}\n~${id}`,
      `${good.replace("Z", "+00:00")}~${id}`,
    ]) {
      expect(codeOf(() => decodeCursor(btoa(text)))).toBe("invalid_cursor");
    }
  });
});

describe("a cursor of a list of slugs", () => {
  const slug = fc.string({ unit: "grapheme", minLength: 1, maxLength: 200 }).filter(isSlug);
  const any = fc.oneof(slug, fc.constantFrom("a", "porto-2", "日本", "𐐨-𐐨", "é".repeat(200)));

  it("names the slug that it was made of, and needs no escaping in a URL", () => {
    fc.assert(
      fc.property(any, (given) => {
        const cursor = encodeSlugCursor(given);
        expect(decodeSlugCursor(cursor)).toBe(given);
        expect(encodeURIComponent(cursor)).toBe(cursor);
        expect(cursor.length).toBeLessThanOrEqual(LIMITS.slug * 4 + 8);
      }),
    );
  });

  it("is refused by its code where it is anything else, and nothing else is thrown", () => {
    const text = fc.oneof(fc.string({ unit: "binary" }), fc.base64String(), fc.string().map(btoaSafe));
    fc.assert(
      fc.property(text, (given) => {
        expect(codeOf(() => decodeSlugCursor(given))).toBe("invalid_cursor");
      }),
      { numRuns: 2000 },
    );
    for (const bytes of ["slug~", "slug~\0", "slug~\xff", "slug~\xed\xa0\x80", "slug", "Slug~a", "~a", "a"]) {
      expect(codeOf(() => decodeSlugCursor(btoa(bytes).replaceAll("=", "")))).toBe("invalid_cursor");
    }
  });

  it("and one of a list by time are not taken for each other", () => {
    fc.assert(
      fc.property(any, place, (given, time) => {
        expect(codeOf(() => decodeCursor(encodeSlugCursor(given)))).toBe("invalid_cursor");
        expect(codeOf(() => decodeSlugCursor(encodeCursor(time)))).toBe("invalid_cursor");
      }),
    );
  });
});

function btoaSafe(text: string): string {
  return btoa(String.fromCharCode(...new TextEncoder().encode(text)));
}
