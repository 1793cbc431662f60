import fc, { runs } from "../helpers/fast-check.ts";
import { describe, expect, it } from "vitest";
import type { SourceItem } from "../../src/background/topics/item.ts";
import { computeScore } from "../../src/background/topics/score.ts";
import { toWordSet } from "../../src/background/topics/words.ts";
import { decodeScoreCursor, encodeScoreCursor } from "../../src/domain/cursor.ts";
import { newId } from "../../src/lib/ids.ts";
import { itemOf } from "../helpers/ideas.ts";

const NOW = new Date("2026-11-20T12:00:00.000Z");
const VOCABULARY = toWordSet("Field Notes: slow ferries, night trains, island walks");
const score = (fields: Partial<SourceItem>) => computeScore(itemOf(fields), VOCABULARY, NOW);

describe("the score of an item", () => {
  it("is its day, where nothing else is known", () => {
    expect(score({ title: "Unrelated words", time: "2020-01-02T12:00:00.000Z" })).toBe(1.5);
  });

  it("newer passes older, whatever the votes of a few days ago", () => {
    const old = score({ title: "Unrelated words", time: "2026-11-01T00:00:00.000Z", engagement: 5000 });
    expect(score({ title: "Unrelated words", time: "2026-11-19T00:00:00.000Z" })).toBeGreaterThan(old);
  });

  it("without a time it is as of now", () => {
    expect(score({ time: null })).toBe(score({ time: NOW.toISOString() }));
  });

  it("rises with votes, ten times as many being worth two days", () => {
    const at = (engagement: number) => score({ engagement });
    expect(at(9) - at(0)).toBeCloseTo(2, 3);
    expect(at(99) - at(9)).toBeCloseTo(2, 3);
    expect(at(10_100)).toBeGreaterThan(at(10_000));
  });

  it("rises with the part of its words that the blog uses, by four days at most", () => {
    const of = (title: string, keywords: string[] = []) => score({ title, keywords });
    const none = of("Unrelated words entirely");
    expect(of("Slow ferries") - none).toBeCloseTo(4, 3);
    expect(of("Slow ferries entirely unrelated") - none).toBeCloseTo(2, 3);
    expect(of("Unrelated words", ["ferries", "trains"]) - none).toBeCloseTo(2, 3);
  });

  it("takes no notice of short words, but of the short words of other scripts", () => {
    expect(score({ title: "An ox is on it" })).toBe(score({ title: "Unrelated words" }));
    const vocabulary = toWordSet("東京 旅行");
    const of = (title: string) => computeScore(itemOf({ title }), vocabulary, NOW);
    expect(of("東京 旅行") - of("大阪 料理")).toBeCloseTo(4, 3);
  });

  it("of an item without words is a number", () => {
    expect(score({ title: "!!!" })).toBeGreaterThan(0);
    expect(computeScore(itemOf({ title: "Slow ferries" }), new Set(), NOW)).toBeGreaterThan(0);
  });

  it("has three decimals, so that a cursor can name it", () => {
    // Scores count from the beginning of 2020: around it they are nearly 0, on both sides.
    const date = fc.oneof(
      fc.date({ min: new Date(0), max: NOW, noInvalidDate: true }),
      fc.integer({ min: -100_000, max: 100_000 }).map((after) => new Date(Date.UTC(2020, 0, 1) + after)),
    );
    const time = date.map((published) => published.toISOString());
    const votes = fc.oneof(fc.constant(0), fc.nat(10_000_000));
    fc.assert(
      fc.property(time, votes, fc.string({ maxLength: 40 }), (published, engagement, title) => {
        const found = score({ time: published, engagement, title });
        const place = { score: found, id: newId() };
        expect(decodeScoreCursor(encodeScoreCursor(place))).toEqual(place);
      }),
      runs(50),
    );
  });
});
