import { describe, expect, it } from "vitest";
import { DomainError } from "../../src/domain/errors.ts";
import { writeArticle } from "../../src/ai/generation/write.ts";
import { ANSWERS, briefOf, drawing, scripted, toolsOf, write } from "../helpers/generation.ts";

describe("images", () => {
  const brief = briefOf({ coverImage: true, inlineImages: true, words: 900 });
  const sections = ["One", "Two", "Three", "Four"].map((heading) => ({ heading, points: [], words: 225 }));
  const answers = { outline: { ...(ANSWERS["outline"] as object), sections } };
  const illustrated = async (fail?: Parameters<typeof drawing>[0], changes: object = {}) => {
    const { text, asked } = scripted(answers);
    let kept = 0;
    const keepImage = async () => `https://cdn.example/${++kept}.png`;
    const { tools, steps } = toolsOf(text, { image: drawing(fail), keepImage, ...changes });
    return { ...(await writeArticle(brief, tools)), asked, steps };
  };

  it("are a cover and some at the end of sections", async () => {
    const { article, images, steps, degradations } = await illustrated();
    expect(images).toEqual([
      { role: "cover", url: "https://cdn.example/1.png", alt: "Bicycle a" },
      { role: "inline", url: "https://cdn.example/2.png", alt: "Bicycle b" },
      { role: "inline", url: "https://cdn.example/3.png", alt: "Bicycle c" },
    ]);
    expect(article.coverUrl).toBe("https://cdn.example/1.png");
    expect(article.content).toContain("light.\n\n![Bicycle b](https://cdn.example/2.png)\n\n## Two");
    expect(article.content).toContain("roads.\n\n![Bicycle c](https://cdn.example/3.png)\n\n## Four");
    expect(steps.slice(5)).toEqual([
      { step: "description", done: 5, total: 11 },
      { step: "image", image: 1, of: 3, done: 7, total: 11 },
      { step: "image", image: 2, of: 3, done: 7, total: 11 },
      { step: "image", image: 3, of: 3, done: 7, total: 11 },
      { step: "checks", done: 10, total: 11 },
    ]);
    expect(degradations).toEqual([]);
  });

  it.each([
    ["a", "The cover image could not be made: Busy.", ["inline", "inline"]],
    ["b", "The image at the end of section 1 could not be made: Busy.", ["cover", "inline"]],
    ["c", "The image at the end of section 3 could not be made: Busy.", ["cover", "inline"]],
  ])("fail one by one: %s", async (failing, sentence, roles) => {
    const busy = new DomainError("ai_rate_limited", "Busy.");
    const { article, images, degradations } = await illustrated((prompt) =>
      prompt === `A drawing of ${failing}` ? busy : undefined,
    );
    expect(degradations).toEqual([sentence]);
    expect(images.map(({ role }) => role)).toEqual(roles);
    expect(article.coverUrl === "").toBe(failing === "a");
    expect(article.content.match(/!\[/g)).toHaveLength(roles.filter((role) => role === "inline").length);
  });

  it("may all fail, and what went wrong inside is not shown", async () => {
    const { images, degradations } = await illustrated(() => undefined, {
      keepImage: () => Promise.reject(new Error("R2 secret")),
    });
    expect(images).toEqual([]);
    expect(degradations).toHaveLength(3);
    expect(degradations[0]).toBe("The cover image could not be made: an unexpected error.");
  });

  it("are left out where their plan fails", async () => {
    const failing = { ...answers, images: () => Promise.reject(new DomainError("ai_refused", "No.")) };
    const { text } = scripted(failing);
    const { article, degradations, images } = await writeArticle(brief, toolsOf(text, { image: drawing() }).tools);
    expect(degradations).toEqual(["3 images could not be planned: No."]);
    expect([images, article.coverUrl]).toEqual([[], ""]);
  });

  it("are a degradation where there is no model for them", async () => {
    const { images, degradations, asked } = await illustrated(undefined, { image: null });
    expect(images).toEqual([]);
    expect(degradations).toEqual(["No image model is configured, so there are no images."]);
    expect(asked.map(({ name }) => name)).not.toContain("images");
  });

  it("are not asked for where none are wished", async () => {
    const { asked, degradations } = await write(briefOf());
    expect(asked.map(({ name }) => name)).toEqual(["outline", "opening", "section", "section", "description"]);
    expect(degradations).toEqual([]);
  });
});
