/** Contract 9.2: which words of a query are searched as they are, and which as the beginning of longer ones. */
import { describe, expect, it } from "vitest";
import { limitWords, parsePhrases } from "../../src/domain/search-query.ts";

describe("the last word of a query", () => {
  it.each([
    ["fe", true],
    ["ferry", true],
    ["f", false],
    ["책", true],
    ["本", false],
    ['"ferry"', false],
    ["wi-fi", false],
  ])("is a beginning: %s, %s", (query, open) => {
    expect(parsePhrases(query).at(-1)?.open).toBe(open);
  });
});

describe("the first words of a query", () => {
  it("are so many, however they are divided into phrases", () => {
    const wordsOf = (query: string) => limitWords(parsePhrases(query), 3).map(({ words }) => words.join(" "));
    expect(wordsOf('a "b c d e" f')).toEqual(["a", "b c"]);
    expect(wordsOf('"a b c d"')).toEqual(["a b c"]);
    expect(wordsOf("a b")).toEqual(["a", "b"]);
  });
});
