/** Contract 8.14: which figures and quotations of an article are found, and what backs them. */
import { describe, expect, it } from "vitest";
import { traceClaims } from "../../src/ai/generation/claims.ts";

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
    ["$5m of it", "5 million dollars", "en"],
    ["12 %", "12 percent of them", "fr"],
    ["12 Prozent", "12%", "de"],
    ["12％", "12 per cent", "ja"],
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
    'The mayor said: "We\'ll open   the bridge in spring, and not before." 市長は「橋は春に開通する予定です」と述べた。';

  it.each([
    ["“we’ll open the bridge in spring,” she said"],
    ['"We\'ll open the bridge in spring"'],
    ["„We'll open the bridge in spring“"],
    ["«We'll open the bridge in spring»"],
    ["»We'll open the bridge in spring«"],
    ["« We'll open the bridge in spring »"],
    ["‘We’ll open the bridge in spring’, she said"],
    ["”We'll open the bridge in spring”"],
    ["> We'll open the *bridge* in spring.\n>\n> — The mayor"],
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

it("of too many claims, those that nothing backs come first, and long texts take little time", () => {
  const content = Array.from({ length: 400 }, (_, n) => `${n + 1000} boats.`).join(" ");
  const claims = trace(content, Array.from({ length: 350 }, (_, n) => n + 1000).join(" a "));
  expect(claims).toHaveLength(100);
  expect(claims.slice(0, 50).every(({ backedBy }) => backedBy === "nothing")).toBe(true);
  for (const odd of ["橋", "a", "1", "1,", "1.", "“", "1 ", "« ", "January "])
    trace(odd.repeat(60_000 / odd.length), odd.repeat(60_000 / odd.length));
});
