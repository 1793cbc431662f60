import fc, { runs } from "../helpers/fast-check.ts";
import { describe, expect, it } from "vitest";
import { DomainError } from "../../src/domain/errors.ts";
import { decodeCursor, decodeSlugCursor, encodeCursor, encodeSlugCursor } from "../../src/domain/cursor.ts";
import { newId } from "../../src/lib/ids.ts";
import { LIMITS } from "../../src/domain/limits.ts";
import { isSlug } from "../../src/domain/slug.ts";

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

/** Bytes, one a character, of which one is another, one is too many or one is missing. */
const near = (bytes: fc.Arbitrary<string>) =>
  fc
    .tuple(bytes, fc.nat(), fc.nat(1), fc.constantFrom(..."~|0|a|A|Z|-|_|.| |\n|\0|\xc3|\xff|".split("|")))
    .map(([text, at, taken, put]) =>
      Array.from(text)
        .toSpliced(at % (text.length + 1), taken, put)
        .join(""),
    );

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
      fc.property(
        fc.oneof(
          fc.string({ unit: "binary", maxLength: 60 }),
          fc.base64String({ maxLength: 80 }),
          fc.string({ maxLength: 60 }).map(btoaSafe),
        ),
        (text) => {
          expect(codeOf(() => decodeCursor(text))).toBe("invalid_cursor");
        },
      ),
      runs(200),
    );
  });

  it("that is nearly one is refused, or is that of exactly the place that it says", () => {
    let refused = 0;
    const times = runs(200);
    fc.assert(
      fc.property(near(place.map(({ time, id }) => `${time}~${id}`)), (text) => {
        const code = codeOf(() => {
          const found = decodeCursor(btoa(text));
          expect(`${found.time}~${found.id}`).toBe(text);
          expect([found.time.length, found.id]).toEqual([
            24,
            expect.stringMatching(/^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/),
          ]);
        });
        expect(["invalid_cursor", "nothing was thrown"]).toContain(code);
        if (code === "invalid_cursor") refused++;
      }),
      times,
    );
    expect(refused).toBeGreaterThan(times.numRuns / 2);
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
  const word = fc.string({ unit: fc.constantFrom(...Array.from("az09é日語жкि𐐨")), minLength: 1, maxLength: 30 });
  const slug = fc.array(word, { minLength: 1, maxLength: 3 }).map((words) => words.join("-").normalize("NFC"));
  const longest = ["é".repeat(200), "日".repeat(200), "𐐨".repeat(100)];
  const any = fc.oneof(slug, fc.constantFrom("a", "porto-2", "日本", "𐐨-𐐨", ...longest));

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
    const text = fc.oneof(
      fc.string({ unit: "binary", maxLength: 60 }),
      fc.base64String({ maxLength: 80 }),
      fc.string({ maxLength: 60 }).map(btoaSafe),
    );
    fc.assert(
      fc.property(text, (given) => {
        expect(codeOf(() => decodeSlugCursor(given))).toBe("invalid_cursor");
      }),
      runs(200),
    );
    for (const bytes of ["slug~", "slug~\0", "slug~\xff", "slug~\xed\xa0\x80", "slug", "Slug~a", "~a", "a"]) {
      expect(codeOf(() => decodeSlugCursor(btoa(bytes).replaceAll("=", "")))).toBe("invalid_cursor");
    }
  });

  it("that is nearly one is refused, or is that of exactly the slug that it says", () => {
    let refused = 0;
    const times = runs(200);
    fc.assert(
      fc.property(near(any.map((given) => `slug~${bytesOf(given)}`)), (bytes) => {
        const code = codeOf(() => {
          const found = decodeSlugCursor(btoa(bytes));
          expect(`slug~${bytesOf(found)}`).toBe(bytes);
          expect(isSlug(found)).toBe(true);
        });
        expect(["invalid_cursor", "nothing was thrown"]).toContain(code);
        if (code === "invalid_cursor") refused++;
      }),
      times,
    );
    expect(refused).toBeGreaterThan(times.numRuns / 2);
  });

  it.each(["A", "a b", "-a", "a-", "a--b", "a\n", "\ufeffa", "e\u0301", "019a9d3c-8f5e-7c2a-9b1d-3e4f5a6b7c8d"])(
    "is refused where it names what is no slug: %j",
    (text) => {
      expect(codeOf(() => decodeSlugCursor(encodeSlugCursor(text)))).toBe("invalid_cursor");
    },
  );

  it("and one of a list by time are not taken for each other", () => {
    fc.assert(
      fc.property(any, place, (given, time) => {
        expect(codeOf(() => decodeCursor(encodeSlugCursor(given)))).toBe("invalid_cursor");
        expect(codeOf(() => decodeSlugCursor(encodeCursor(time)))).toBe("invalid_cursor");
      }),
    );
  });
});

/** The bytes of a text in UTF-8, one a character. */
const bytesOf = (text: string): string => String.fromCharCode(...new TextEncoder().encode(text));

const btoaSafe = (text: string): string => btoa(bytesOf(text));
