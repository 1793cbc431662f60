/** Contract 21.2: a site's own words, as people write them in their language. */
import { describe, expect, it } from "vitest";
import { subscribingWords } from "../../src/domain/subscribing-words.ts";
import { dateOf, readingTimeOf, wordsOf } from "../../src/surfaces/site/words.ts";

const NOVEMBER = "2026-11-05T12:00:00.000Z";

describe("the words of a site", () => {
  it("have the digits of the dates beside them", () => {
    expect([dateOf(NOVEMBER, "ar-EG"), readingTimeOf(5, "ar-EG")]).toEqual(["٥ نوفمبر ٢٠٢٦", "٥ د قراءة"]);
    expect(readingTimeOf(5, "ar-MA")).toBe("5 د قراءة");
    // English words have English digits.
    expect(readingTimeOf(5, "fa")).toBe("5 min read");
  });

  it("in French have no space at which a line could break before a mark, nor within quotation marks", () => {
    const { words } = wordsOf("fr-CA");
    const texts = [words, subscribingWords("fr").words].flatMap((each) => Object.values(each));
    expect(texts.filter((text) => / [?!:;»]|« /.test(text))).toEqual([]);
    expect(words.found).toBe("Articles avec «\u00a0{q}\u00a0»");
  });

  it("in Portuguese are at home in Brazil as well as in Portugal", () => {
    const texts = [wordsOf("pt-BR").words, subscribingWords("pt-BR").words].flatMap((each) => Object.values(each));
    expect(texts.filter((text) => /subscr|eletrónic|introduza|demasiad/i.test(text))).toEqual([]);
  });

  it("in Hebrew speak to readers as the mails of a blog do", () => {
    const { words } = wordsOf("he");
    expect([words.email, words.missingHelp].join(" ")).toMatch(/שלכם.*חיפשתם/);
    expect(subscribingWords("he").words.full).toContain("שלכם");
  });
});
