import { describe, expect, it } from "vitest";
import type { CheckName } from "../../src/ai/generation/brief.ts";
import { checkArticle, type Draft } from "../../src/ai/generation/checks.ts";
import { mentionsKeyword } from "../../src/ai/generation/checks.ts";
import { judgeLanguage } from "../../src/ai/generation/language.ts";
import { getLanguageName } from "../../src/domain/language-name.ts";
import { findPlaceholders } from "../../src/ai/generation/placeholders.ts";
import { PROSE } from "../helpers/prose.ts";

const draftOf = (changes: Partial<Draft> = {}): Draft => ({
  title: "City bicycle: how to choose one",
  description: "How to choose a city bicycle: which frame fits, which tyres roll well, and what a good one costs.",
  content: `A city bicycle is ridden every day.\n\n## The frame\n\n${PROSE.en}\n\n### Steel\n\nSee [locks](/locks).`,
  locale: "en",
  keyword: "city bicycle",
  links: { removed: 0, offered: ["/locks"] },
  words: { wanted: 70, least: 50, most: 90 },
  avoid: [],
  source: null,
  ...changes,
});

function outcome(name: CheckName, changes: Partial<Draft>): string {
  const check = checkArticle(draftOf(changes)).find((check) => check.name === name);
  return check === undefined ? "missing" : `${check.passed ? "passed" : "failed"} ${check.detail}`.trim();
}

it("a good article passes all, each once", () => {
  const checks = checkArticle(draftOf());
  expect(checks.filter(({ passed, detail }) => !passed || detail !== "")).toEqual([]);
  expect(checks.map(({ name }) => name)).toEqual([
    "title",
    "headings",
    "description",
    "keyword_in_title",
    "keyword_in_first_paragraph",
    "placeholders",
    "locale",
    "length",
    "links",
    "style",
  ]);
});

it.each<[CheckName, Partial<Draft>, string]>([
  ["title", { title: " " }, "failed The article has no title."],
  [
    "title",
    { content: "# One\n\nText" },
    "failed The content has 1 heading of the first level in addition to the title.",
  ],
  ["headings", { content: "## One\n\n### Two\n\n## Three\n\n### Four\n\n#### Five" }, "passed"],
  [
    "headings",
    { content: "## One\n\n#### Two" },
    "failed The heading “Two” is at level 4 directly below one at level 2.",
  ],
  ["headings", { content: "### One" }, "failed The heading “One” is at level 3 directly below one at level 1."],
  ["headings", { content: "Text." }, "failed The text has no headings."],
  ["headings", { content: "### Uno\n\n## Dos", source: "### One\n\n## Two" }, "passed"],
  [
    "headings",
    { content: "## Uno", source: "## One\n\n## Two" },
    "failed The translation has 1 heading, its source 2.",
  ],
  [
    "headings",
    { content: "# Uno", source: "## One" },
    "failed The headings are not at the same levels as those of the source.",
  ],
  ["description", { description: "x".repeat(50) }, "passed"],
  ["description", { description: "🚲".repeat(160) }, "passed"],
  ["description", { description: "毎日の街乗りに合う自転車を、フレームとタイヤと値段から選ぶ方法。" }, "passed"],
  [
    "description",
    { description: "x".repeat(49) },
    "failed The description has 49 characters; 50 to 160 are shown in full.",
  ],
  [
    "description",
    { description: "x".repeat(161) },
    "failed The description has 161 characters; 50 to 160 are shown in full.",
  ],
  ["keyword_in_title", { title: "How to choose" }, "failed The title does not name the keyword “city bicycle”."],
  ["keyword_in_title", { keyword: "" }, "failed There is no primary keyword."],
  [
    "keyword_in_first_paragraph",
    { content: "## City bicycle\n\nText.\n\nA city bicycle." },
    "failed The first paragraph does not name the keyword “city bicycle”.",
  ],
  [
    "placeholders",
    { content: "See [insert link here] and {{name}}." },
    "failed Placeholders were left in the text: [insert link here], {{name}}.",
  ],
  ["placeholders", { content: "Write `{{ name }}`:\n\n```\n// TODO: [insert code]\n<keyword>\n```" }, "passed"],
  [
    "placeholders",
    { title: "Best \\<keyword>", description: "Lorem ipsum" },
    "failed Placeholders were left in the text: Lorem ipsum, <keyword>.",
  ],
  ["length", { words: { wanted: 300, least: 225, most: 375 } }, "failed The text has 68 words; 300 were asked for."],
  [
    "length",
    { words: { wanted: 10, least: 5, most: 20 }, source: "x" },
    "failed The text has 68 words; its source has 10.",
  ],
  [
    "links",
    { links: { removed: 2, offered: [] } },
    "failed 2 links were removed: they led to addresses that nobody provided.",
  ],
  [
    "links",
    { content: "See [x](https://x.example/locks)." },
    "failed The text links to none of the blog's other articles.",
  ],
  ["links", { content: "Text.", links: { removed: 0, offered: [] } }, "passed"],
  ["links", { content: "[a](/a)", source: "[a](/a) [b](/b)" }, "failed The translation has 1 link, its source 2."],
  ["locale", { locale: "de" }, "failed The section “The frame” is English, not German."],
  [
    "locale",
    { content: `${PROSE.en}\n\n## Die Reifen\n\n${PROSE.de}` },
    "failed The section “Die Reifen” is German, not English.",
  ],
  ["locale", { content: "Ein kurzer Text." }, "passed It could not be checked whether the text is English."],
  ["locale", { content: PROSE.de }, "failed The text is German, not English."],
  ["locale", { locale: "he" }, "failed The section “The frame” is in a different script from Hebrew."],
  [
    "locale",
    { locale: "nb", content: PROSE.da },
    "passed It could not be checked whether the text is Norwegian Bokmål.",
  ],
])("%s: %j", (name, changes, expected) => {
  expect(outcome(name, changes)).toBe(expected);
});

describe("the language of a text", () => {
  it.each([
    ["en", "en-GB"],
    ["de", "de-CH-1996"],
    ["es", "es-419"],
    ["pt", "pt-BR"],
    ["fr", "fr"],
    ["hr", "hr"],
    ["hr", "bs"],
    ["hr", "sr-Latn"],
    ["id", "ms"],
    ["ru", "ru"],
    ["uk", "uk"],
    ["ar", "ar-EG"],
    ["hi", "hi"],
    ["th", "th"],
    ["ja", "ja"],
    ["zh", "zh-Hans"],
    ["zh", "cmn"],
    ["ko", "ko"],
  ] as const)("fits: %s text as %s", (text, locale) => {
    expect(judgeLanguage(PROSE[text], locale)).toEqual({ kind: "fits" });
  });

  it.each([
    ["pt", "es", "Portuguese"],
    ["es", "pt-BR", "Spanish"],
    ["ru", "uk", "Russian"],
    ["uk", "ru", "Ukrainian"],
    ["hr", "sr-Cyrl", ""],
    ["en", "ja", "English"],
    ["zh", "ja", "Chinese"],
    ["ja", "zh", "Japanese"],
    ["ar", "fa", "Arabic"],
    ["ru", "nb", ""],
    ["en", "yue", ""],
  ] as const)("differs: %s text as %s", (text, locale, found) => {
    expect(judgeLanguage(PROSE[text], locale)).toEqual({ kind: "differs", found });
  });

  it.each([
    ["da", "da"],
    ["da", "nn"],
    ["fi", "fi"],
    ["he", "he"],
    ["zh", "yue"],
    ["en", "tlh"],
    ["en", "en-Zmth"],
  ] as const)("is not told: %s text as %s", (text, locale) => {
    expect(judgeLanguage(PROSE[text], locale).kind).toBe(locale === "en-Zmth" ? "fits" : "unknown");
  });

  it("is Chinese although it quotes a Japanese word", () => {
    expect(judgeLanguage(`${PROSE.zh}日语叫の。`, "zh")).toEqual({ kind: "fits" });
  });

  it.each([
    ["pt-BR", "Portuguese (Brazil)"],
    ["zh-Hant-TW", "Chinese (Traditional, Taiwan)"],
    ["sl-rozaj", "Slovenian"],
    ["en-x-ignore-all", "English"],
  ])("%s is called %s", (locale, name) => {
    expect(getLanguageName(locale)).toBe(name);
  });
});

describe("a keyword", () => {
  it.each([
    ["City Bicycles for beginners", "city bicycle"],
    ["Bicycles for your city", "city bicycle"],
    ["When to visit Lisbon: the best time", "best time to visit Lisbon"],
    ["E-mail marketing", "email marketing"],
    ["Cafés in Zürich", "cafe zurich"],
    ["Straßenräder", "STRASSENRAD"],
    ["Günstige Wohnungen", "Wohnung"],
    ["Webhosting für Vereine", "Hosting"],
    ["Аренда квартиры в Москве", "аренда квартир"],
    ["İstanbul'da kahvaltı", "istanbul kahvalti"],
    ["دليل التسويق الرقمي", "تسويق رقمي"],
    ["街乗り自転車の選び方", "自転車"],
    ["วิธีเลือกจักรยาน", "จักรยาน"],
    ["如何选择自行车", "自行车"],
    ["서울 자전거를 고르는 법", "자전거"],
    ["Asunnon ostaminen", "asunto"],
    ["SEO tips", "seo"],
  ])("%j names %j", (text, keyword) => {
    expect(mentionsKeyword(text, keyword)).toBe(true);
  });

  it.each([
    ["Electric cars", "city bicycle"],
    ["A visit to the museo", "seo"],
    ["Bicycles", "city bicycle"],
    ["A category of things", "cat"],
    ["Start well", "art"],
    ["電車の選び方", "自転車"],
    ["Anything", ""],
    ["Anything", "!?"],
  ])("%j does not name %j", (text, keyword) => {
    expect(mentionsKeyword(text, keyword)).toBe(false);
  });
});

describe("placeholders", () => {
  it.each([
    "[Insert your company here]",
    "[your name]",
    "[hier einfügen]",
    "[insérez le lien]",
    "[nombre de la empresa]",
    "【ここに挿入】",
    "[TODO]",
    "TBD: prices",
    "{{keyword}}",
    "<keyword>",
    "<your city>",
    "Section title here",
    "As an AI language model, I",
    "Als KI-Sprachmodell kann ich",
    "En tant que modèle de langage",
    "作为一个AI语言模型",
    "AI言語モデルとして",
  ])("%j is one", (text) => {
    expect(findPlaceholders(`Text ${text} text.`)).toHaveLength(1);
  });

  it.each([
    "Hotel con TODO incluido",
    "a list [1] with [inserted] notes",
    "Map<String, Key> and Array<Item>",
    "if 1 < 2 and 3 > 2",
    "the model of AI languages",
    "{one} brace",
  ])("%j is none", (text) => {
    expect(findPlaceholders(text)).toEqual([]);
  });
});
