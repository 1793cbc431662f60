/** Contract 21.2: a site's own words, as people write them in their language. */
import { describe, expect, it } from "vitest";
import { getSubscribingWords } from "../../src/domain/subscribing-words.ts";
import { formatDate, formatReadingTime, getSiteWords } from "../../src/surfaces/site/words.ts";

const NOVEMBER = "2026-11-05T12:00:00.000Z";

describe("the words of a site", () => {
  it("have the digits of the dates beside them", () => {
    expect([formatDate(NOVEMBER, "ar-EG"), formatReadingTime(5, "ar-EG")]).toEqual(["٥ نوفمبر ٢٠٢٦", "٥ د قراءة"]);
    expect(formatReadingTime(5, "ar-MA")).toBe("5 د قراءة");
    // English words have English digits.
    expect(formatReadingTime(5, "fa")).toBe("5 min read");
  });

  it("in French have no space at which a line could break before a mark, nor within quotation marks", () => {
    const { words } = getSiteWords("fr-CA");
    const texts = [words, getSubscribingWords("fr").words].flatMap((each) => Object.values(each));
    expect(texts.filter((text) => / [?!:;»]|« /.test(text))).toEqual([]);
    expect(words.found).toBe("Articles avec «\u00a0{q}\u00a0»");
  });

  it("in Portuguese are at home in Brazil as well as in Portugal", () => {
    const texts = [getSiteWords("pt-BR").words, getSubscribingWords("pt-BR").words].flatMap((each) =>
      Object.values(each),
    );
    expect(texts.filter((text) => /subscr|eletrónic|introduza|demasiad/i.test(text))).toEqual([]);
  });

  it("in Hebrew speak to readers as the mails of a blog do", () => {
    const { words } = getSiteWords("he");
    expect([words.email, words.missingHelp].join(" ")).toMatch(/שלכם.*חיפשתם/);
    expect(getSubscribingWords("he").words.full).toContain("שלכם");
  });
});
