/** How far texts are read for their words: so far that nobody notices, and no further. */
import { expect, it } from "vitest";
import { LIMITS } from "../../src/domain/limits.ts";
import { parsePhrases } from "../../src/domain/search-query.ts";
import { makeWordReader } from "../../src/domain/search-text.ts";
import { makeSnippet } from "../../src/domain/snippet.ts";

const read = (most: number, ...texts: string[]): number[] => {
  const wordsOf = makeWordReader(most);
  return texts.map((text) => [...wordsOf(text)].length);
};

it("words are counted over all texts of a reader", () => {
  expect(read(1000, "a ".repeat(600), "b ".repeat(600), "c")).toEqual([600, 400, 0]);
});

it("one letter that stands for several words counts as them", () => {
  expect(read(1000, "\ufdfa ".repeat(100_000))[0]).toBeLessThanOrEqual(1000);
});

it("folding counts, the first time that a word is met", () => {
  const distinct = Array.from({ length: 500 }, (_, n) => `é${n}`).join(" ");
  const [first = 0, again = 0] = read(4000, distinct, distinct);
  expect(first).toBeLessThan(500);
  expect(again).toBe(0);
  expect(read(10_000, distinct, distinct)).toEqual([500, 500]);
});

it("contract 9.1: letters that have no accent to take off are what people type for them", () => {
  const words = (text: string) => [...makeWordReader(100)(text)].map(({ word }) => word).join(" ");
  expect(words("Đà Nẵng Łódź SØREN Þór œuvre Straße ħı Ŋ")).toBe("da nang lodz soren thor oeuvre strasse hi n");
});

it("the same text gives the same words, whatever was read before", () => {
  const text = Array.from({ length: 900 }, (_, n) => `é${n % 300}`).join(" ");
  expect(read(2000, text)).toEqual(read(2000, text));
});

it("a page of results reads a bounded number of words, and shows the beginning of what it does not read", () => {
  const wordsOf = makeWordReader(LIMITS.searchPassageWords);
  const phrases = parsePhrases("last");
  const texts = Array.from({ length: 20 }, () => `Beginning ${"\ufdfa".repeat(40_000)} last`);
  const snippets = texts.map((text) => makeSnippet([text], phrases, wordsOf));
  expect(snippets.every((snippet) => snippet.startsWith("Beginning"))).toBe(true);
  expect(makeSnippet(["before the last one"], phrases, makeWordReader(100))).toBe("before the **last** one");
});
