/** Contract 8.14: which figures and quotations of an article are found, and what backs them. */
import { describe, expect, it } from "vitest";
import { traceClaims } from "../../src/ai/generation/claims.ts";
import { traceArticle } from "../../src/ai/generation/source-prompts.ts";

const trace = (content: string, source: string, { locale = "en", own = "", title = "", description = "" } = {}) =>
  traceClaims(
    { title, description, content, locale },
    [
      { url: "https://first.example/", title: "", text: "Nothing to see.", isCut: false },
      { url: "https://source.example/", title: "", text: source, isCut: false },
    ],
    own,
  );

/** The claims of a text, with `!` before those that nothing backs. */
const list = (...given: Parameters<typeof trace>): string[] =>
  trace(...given).map(({ text, backedBy }) => `${backedBy === "nothing" ? "!" : ""}${text}`);

describe("a figure", () => {
  it.each([
    // [article, source, locale of the article]
    ["1,234.5 boats", "1.234,5 Boote", "en"],
    ["1.234,5 Boote", "1 234,5 bateaux", "de"],
    ["1 234,5 bateaux", "1,234.5 boats", "fr"],
    ["1’234.5 Boote", "1234.5", "de-CH"],
    ["１２３４人", "1,234 people", "ja"],
    ["1,00,000 riders", "100000 riders", "en-IN"],
    ["3.5 million riders", "3,500,000 riders", "en"],
    ["3,5 Mio. Fahrgäste", "3.5 million riders", "de"],
    ["350万人", "3,500,000 people", "ja"],
    ["1億2000万円", "120,000,000 yen", "ja"],
    ["2 Milliarden Euro", "€2bn", "de"],
    ["1億2千万円", "120,000,000円", "ja"],
    ["2兆3億4万5", "2,000,300,040,005", "ja"],
    ["$5m of it", "5 million dollars", "en"],
    ["5M users", "5 million users", "en"],
    ["３割", "30 %", "ja"],
    ["5千米", "5 km", "zh"],
    ["12 pct", "12%", "en"],
    ["99 pounds", "£99", "en"],
    ["99 pounds", "99 lb", "en"],
    ["-5 °C", "−5 ℃", "en"],
    [".5 mm", "0.5 mm", "en"],
    ["HK$45", "45 HKD", "en"],
    ["5 square kilometres", "5 km²", "en"],
    ["48 kilo\u00admetres", "48 km", "en"],
    ["12 %", "12 percent of them", "fr"],
    ["12 Prozent", "12%", "de"],
    ["12％", "12 per cent", "ja"],
    ["10€-12€ and 10 € -12 €", "€10 to €12", "en"],
    ["10 to 12 percent", "10–12 %", "en"],
    ["€45", "45,00 EUR", "en"],
    ["45 euros", "45 €", "en"],
    ["48 km", "48 kilometres", "en"],
    ["48-kilometre path", "48 km", "en"],
    ["3½ hours", "3.5 h", "en"],
    ["in 2026", "on 30 November 2026", "en"],
    ["November 2026", "2026-11-30", "en"],
    ["November 30, 2026", "30. November 2026", "en"],
    ["le 30 novembre 2026", "Nov 30, 2026", "fr"],
    ["30.11.2026", "2026年11月30日", "de"],
    ["2026年11月30日", "30 November 2026", "ja"],
    ["30 ноября 2026", "30 November 2026", "ru"],
    ["11/30/2026", "30 November 2026", "en"],
    ["at 6:15 pm", "um 18:15 Uhr", "en"],
    ["at 6:15 PM", "um 18:15 Uhr", "en"],
    ["10時30分", "10:30", "ja"],
    ["午後6時15分", "18:15", "ja"],
    ["version 3.12.1", "3.12.1 is out", "en"],
    ["٤٥ كيلومترا", "45 km", "ar"],
  ])("%s is what this says: %s", (content, source, locale) => {
    const claims = trace(content, source, { locale });
    expect(claims.map(({ backedBy }) => backedBy)).not.toContain("nothing");
    expect(claims.length).toBeGreaterThan(0);
  });

  it.each([
    ["1,235 boats", "1,234 boats", "en"],
    ["3,500 km", "3.5 km", "en"],
    ["3.500 Einwohner", "3.5 Einwohner and 35", "de"],
    ["12 %", "12 people", "en"],
    ["12 people", "12 %", "en"],
    ["€45", "$45", "en"],
    ["48 km", "48 minutes", "en"],
    ["5 million riders", "5 riders", "en"],
    ["30 November 2026", "30 November 2025", "en"],
    ["30 November 2026", "November 2026", "en"],
    ["at 6:15", "at 6:45", "en"],
    ["at 6:15 PM", "at 6:15 am", "en"],
    ["at 12:30 am", "at 12:30 pm", "en"],
    ["-5 °C", "5 °C", "en"],
    ["$-45", "45 boats, $45", "en"],
    [".5 mm", "5 mm", "en"],
    ["$45", "HK$45", "en"],
    ["R$45", "$45", "pt"],
    ["₩45", "₽45", "en"],
    ["5 km²", "5 km", "en"],
    ["5 m/s", "5 m", "en"],
    ["5 ft", "5 m", "en"],
    ["5 lb", "5 kg", "en"],
    ["99 pounds", "99", "en"],
    ["2,000人", "2千万人", "ja"],
    ["2万人と3億人", "300020000", "ja"],
    ["2026", "2,026.5", "en"],
  ])("%s is not what this says: %s", (content, source, locale) => {
    expect(trace(content, source, { locale }).map(({ backedBy }) => backedBy)).toContain("nothing");
  });

  it.each([
    ["CO2, A4, F-16 and MP3"],
    ["## 3. Begin at the river\n\nText."],
    ["## Step 2: The tram\n\nText."],
    ["1. First\n2. Second"],
    ["Call `f(42)` or\n\n```\n42\n```"],
    ["[words](https://example.com/42) and https://example.com/43"],
    ["two or three hundred"],
  ])("is not in: %s", (content) => {
    expect(trace(content, "")).toEqual([]);
  });

  it("stands in titles, descriptions, lists, tables and quotations, too, and is told once", () => {
    const content = "- 12 boats\n- 12 boats\n\n| a | b |\n|---|---|\n| 13 | 14 % |\n\n> 15 boats";
    expect(list(content, "12 boats, 14 %", { title: "9 boats", description: "10 boats" })).toEqual([
      "!9",
      "!10",
      "12",
      "!13",
      "14 %",
      "!15",
    ]);
  });

  it("of another unit is another one, and the sign before it is a part of it", () => {
    expect(list("€45, 45 euros, then $45 and -$45.", "€45")).toEqual(["€45", "!$45", "!-$45"]);
  });

  it("has the words around it, and the source that has it first", () => {
    const [claim] = trace(`The ferry is slow. It takes 48 minutes. ${"And so on. ".repeat(20)}`, "48 min");
    expect(claim).toMatchObject({ kind: "figure", text: "48 minutes", source: "https://source.example/" });
    expect(claim?.context).toMatch(/^The ferry is slow\. It takes 48 minutes\. And so on.*…$/);
  });

  it("that the request names is its own", () => {
    expect(trace("48 km", "", { own: "A walk of 48 kilometres" })).toMatchObject([
      { backedBy: "request", source: null },
    ]);
  });
});

describe("a quotation", () => {
  const SOURCE =
    'The mayor said: "We\'ll open   the bridge in spring, and not before." 市長は「橋は春に開通する予定です」と述べた。' +
    `${" Much else was said.".repeat(20)} Dann wird die Brücke eröffnet, sagte er.`;

  it.each([
    ["“we’ll open the bridge in spring,” she said"],
    ['"We\'ll open the bridge in spring"'],
    ["„We'll open the bridge in spring“"],
    ["„We'll open the bridge in spring\""],
    ["‚We’ll open the bridge in spring‘"],
    ["〝橋は春に開通する予定です〟"],
    ["«We'll open the bridge in spring»"],
    ["»We'll open the bridge in spring«"],
    ["« We'll open the bridge in spring »"],
    ["‘We’ll open the bridge in spring’, she said"],
    ["”We'll open the bridge in spring”"],
    ["> We'll open the *bridge* in spring.\n>\n> — The mayor"],
    ["> We'll open the bridge\n> in spring.\n> — The mayor"],
    ["> > We'll open the bridge in spring."],
    ["“[W]e’ll open thé bridge”"],
    ["“We’ll open the bridge … and not before”"],
    ["“We’ll open [it] […] in spring”"],
    ["「橋は春に開通する予定です」"],
    ["『春に開通する』"],
  ])("is found: %s", (content) => {
    expect(trace(content, SOURCE).filter(({ kind }) => kind === "quotation")).toMatchObject([
      { backedBy: "source", source: "https://source.example/" },
    ]);
  });

  it.each([
    ["“We will open the bridge soon”"],
    ["“ll open the bridge in spr”"],
    ["“and not before … open the bridge”"],
    ["“[We will never pay]”"],
    ["“The … mayor … open … spring … not”"],
    ["> [Nobody said any of this]"],
    ["“We’ll open … wird die Brücke”"],
    ["> We open the tunnel in spring."],
    ["「橋は夏に開通する予定です」"],
  ])("is nobody's: %s", (content) => {
    expect(trace(content, SOURCE)).toMatchObject([{ kind: "quotation", backedBy: "nothing", source: null }]);
  });

  it.each([
    ["a “slow” ferry"],
    ["「春」の"],
    ['a 27" and a 32" screen of 5'],
    ["> [!NOTE]\n> This is a callout and no quotation."],
  ])("is not: %s", (content) => {
    expect(trace(content, SOURCE).filter(({ kind }) => kind === "quotation")).toEqual([]);
  });
});

it("of too many claims, those that nothing backs come first, and the first 1,000 are traced", () => {
  const count = (from: number, to: number) =>
    Array.from({ length: to - from }, (_, n) => `${n + from} boats.`).join(" ");
  const claims = trace(count(1000, 1400), count(1000, 1350));
  expect(claims).toHaveLength(100);
  expect(claims.slice(0, 50).every(({ backedBy }) => backedBy === "nothing")).toBe(true);
  expect(trace(count(1000, 2100), count(1000, 2000)).every(({ backedBy }) => backedBy === "source")).toBe(true);
});

it("of a long text, the first 100,000 characters are looked at", () => {
  const line = "And so on, and so on.\n";
  const long = line.repeat(Math.ceil(100_000 / line.length));
  expect(list(`7 boats.\n${long}8 boats.`, "")).toEqual(["!7"]);
});

it.each([
  "橋",
  "1,",
  "1.",
  "“",
  "1 ",
  "« ",
  "January ",
  "1万",
  "1兆1億",
  "1m ",
  "111,",
  "1,11",
  ">",
  "> a\n\n",
  "“a … b … ",
  "[",
  "$",
  "— \n> ",
])("long texts are traced: %s", (odd) => {
  const text = odd.repeat(40_000 / odd.length);
  trace(`${text}1`, `${text}1`);
});

it("which fails loses nothing that is paid for", () => {
  const told: string[] = [];
  const backing = { sources: [null as never], locale: "en", ownWords: "" };
  const article = { title: "", description: "", content: "5 boats" };
  expect(traceArticle(article, backing, (sentence) => told.push(sentence))).toBeUndefined();
  expect(told).toEqual(["What backs the figures and quotations could not be looked up."]);
});
