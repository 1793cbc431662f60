import { describe, expect, it } from "vitest";
import { ANSWERS, briefOf, checkOf, write } from "../helpers/generation.ts";
import { refusalOf } from "../helpers/models.ts";

describe("an article", () => {
  it("has its lead, then its sections below their headings", async () => {
    const { article, outline, words } = await write(briefOf());
    expect(article).toEqual({
      title: "City bicycle: how to choose one that lasts",
      description: "How to choose a city bicycle: which frame fits, which tyres roll well, and what a good one costs.",
      content: [
        "A city bicycle is ridden every day.",
        "## The frame",
        "Steel forgives, aluminium is light.",
        "## The tyres",
        "Wide tyres roll well over bad roads.",
        "## The price",
        "Wide tyres roll well over bad roads.",
      ].join("\n\n"),
      slug: "choose-city-bicycle",
      coverUrl: "",
      keywords: ["city bicycle", "tyres"],
    });
    expect(outline[0]).toEqual({ heading: "The frame", points: ["A point"] });
    expect(words).toBe(32);
  });

  it("is told of step by step, with its repairs", async () => {
    const { steps, repairs } = await write(briefOf());
    expect(steps).toEqual([
      { step: "outline", done: 0, total: 6 },
      { step: "section", section: 1, of: 3, done: 1, total: 6 },
      { step: "section", section: 2, of: 3, done: 1, total: 6 },
      { step: "section", section: 3, of: 3, done: 1, total: 6 },
      { step: "description", done: 4, total: 6 },
      { step: "checks", done: 5, total: 6 },
    ]);
    expect(repairs).toBe(5);
  });

  it("has as many sections as its length asks for, with lengths that add up", async () => {
    for (const [words, sections] of [
      [300, 2],
      [660, 3],
      [3000, 14],
    ] as const) {
      const planned = Array.from({ length: sections }, (_, index) => ({
        heading: `Heading ${index}`,
        points: [],
        words: index === 0 ? 5000 : 1,
      }));
      const outline = { ...(ANSWERS["outline"] as object), sections: planned };
      const { asked } = await write(briefOf({ words }), { outline });
      expect(asked[0]?.prompt).toContain(`about ${sections} sections`);
      const lengths = asked.flatMap(({ prompt }) => /in about (\d+) words/.exec(prompt)?.[1] ?? []).map(Number);
      expect(lengths).toHaveLength(sections);
      expect(Math.max(...lengths)).toBeLessThanOrEqual(1.5 * (words / sections) + 10);
      expect(Math.min(...lengths)).toBeGreaterThanOrEqual(0.5 * (words / sections) - 10);
    }
  });

  it("keeps fences and tables, and sections in their order however long each takes", async () => {
    const table = "| a | b |\n| - | -: |\n| 1 | 2 |";
    const fence = "```ts\nconst a: Map<string, `x`> = {{b}};\n```";
    let pending = 4;
    const section = async ({ prompt }: { prompt: string }) => {
      const number = Number(/section (\d)/.exec(prompt)?.[1]);
      for (let turn = pending--; turn > 0; turn--) await Promise.resolve();
      return { content: `Number ${number}.\n\n${number === 2 ? table : fence}` };
    };
    const { article } = await write(briefOf(), { section });
    expect(article.content).toContain(`## The tyres\n\nNumber 2.\n\n${table}\n\n## The price\n\nNumber 3.\n\n${fence}`);
  });

  it("has the slug of its title where the model's is none", async () => {
    const { article } = await write(briefOf(), {
      description: { ...(ANSWERS["description"] as object), slug: " -/- " },
    });
    expect(article.slug).toBe("city-bicycle-how-to-choose-one-that-lasts");
  });

  it("begins its keywords with those that were asked for", async () => {
    const { article, asked, ...rest } = await write(briefOf({ keywords: ["Commuting", "city bicycle"] }));
    expect(article.keywords).toEqual(["Commuting", "city bicycle", "tyres"]);
    expect(checkOf(rest, "keyword_in_title")).toMatchObject({ passed: false });
    expect(asked[0]?.prompt).toContain("Keywords: Commuting, city bicycle");
  });

  it("is left without a section that came out empty, and fails where all did", async () => {
    const empty = { content: "<script>x</script>" };
    const { article, degradations } = await write(briefOf(), { section: empty });
    expect(article.content).toBe(
      "A city bicycle is ridden every day.\n\n## The frame\n\nSteel forgives, aluminium is light.",
    );
    expect(degradations).toEqual([
      "Section 2 came out empty and was left out.",
      "Section 3 came out empty and was left out.",
      "2 pieces of HTML were removed.",
    ]);
    const nothing = write(briefOf(), { section: empty, opening: { lead: "x", ...empty } });
    expect((await refusalOf(nothing)).code).toBe("ai_invalid_answer");
  });
});

describe("what is asked of the model", () => {
  it("has the caller's wishes in the prompt, labelled, and the language in both", async () => {
    const wishes = { instructions: "Mention the rain.", tone: "dry", keywords: ["rain"] };
    const { asked } = await write(briefOf({ ...wishes, locale: "pt-BR" }));
    for (const { system, prompt } of asked) {
      expect(system).toContain("Portuguese (Brazil) (pt-BR)");
      for (const wish of Object.values(wishes).flat()) expect(system).not.toContain(wish);
      expect(prompt).toContain("Topic: Choosing a bicycle for the city");
      expect(prompt).toContain("Tone: dry");
      expect(prompt).toContain("Instructions:\nMention the rain.");
    }
  });

  it("gives lengths in characters too where words are not parted", async () => {
    const { asked } = await write(briefOf({ locale: "ja" }));
    expect(asked[0]?.prompt).toContain("about 660 words (1320 characters)");
  });
});
