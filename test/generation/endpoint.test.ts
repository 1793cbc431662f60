/** The pipeline over HTTP, with a model that is a server. */
import { describe, expect, it } from "vitest";
import { openModels } from "../../src/ai/open.ts";
import type { Brief, Step } from "../../src/ai/generation/brief.ts";
import { writeArticle } from "../../src/ai/generation/write.ts";
import { articleOf, briefOf, ideaOf, toolsOf } from "../helpers/generation.ts";
import { endpoint, layReady, refusalOf, seenBy } from "../helpers/models.ts";

/** Tools whose models are those of the test server, which behaves as is named. */
async function toolsAt(behaviour: string, signal = new AbortController().signal) {
  const { settings, name } = endpoint(behaviour);
  const { text, image } = await openModels(settings, undefined);
  if (text === null) throw new Error("no text model");
  const kept: string[] = [];
  const keepImage = async ({ mediaType }: { mediaType: string }) => {
    kept.push(mediaType);
    return `https://cdn.example/${kept.length}.png`;
  };
  return { ...toolsOf(text, { image, keepImage, signal }), kept, name };
}

const outline = {
  title: "Stadtrad",
  primaryKeyword: "Stadtrad",
  sections: ["Eins", "Zwei", "Drei"].map((heading) => ({ heading, points: [], words: 220 })),
};

const chats = async (name: string) => {
  const seen = await seenBy(name);
  return seen.filter(({ path }) => path.endsWith("/chat/completions")).map(({ body }) => body);
};

const germanBrief: Brief = briefOf({
  subject: ideaOf(),
  locale: "de",
  keywords: ["Stadtrad"],
  coverImage: true,
  inlineImages: true,
});

describe("an article over HTTP", () => {
  it("passes the checks, with its images and costs", async () => {
    const { tools, steps, kept, name } = await toolsAt("ok");
    const { article, checks, degradations, images, repairs } = await writeArticle(germanBrief, tools);
    expect(checks.filter(({ passed }) => !passed)).toEqual([]);
    expect(degradations).toEqual([]);
    expect(article.title).toContain("Stadtrad");
    expect(article.content.match(/^## /gm)).toHaveLength(3);
    expect(kept).toEqual(["image/png", "image/png"]);
    expect(images.map(({ role }) => role)).toEqual(["cover", "inline"]);
    expect(await chats(name)).toHaveLength(6);
    expect(repairs).toBe(0);
    expect(steps.map(({ step }) => step).join(" ")).toBe(
      "outline section section section description image image checks",
    );
  });

  it("is translated", async () => {
    const { tools } = await toolsAt("ok");
    const source = articleOf("Text on bicycles.\n\n## One\n\n```js\nx\n```\n\n## Two\n\nText.", { locale: "en" });
    const brief = briefOf({ subject: { kind: "translation", article: source, keepsImages: true }, locale: "fr" });
    const { article, checks } = await writeArticle(brief, tools);
    expect(checks.find(({ name }) => name === "locale")?.passed).toBe(true);
    expect(article.slug).toBe("");
  });

  it("is asked for again where its description is too long", async () => {
    const { tools, name } = await toolsAt("ok");
    const tooLong = { description: "Too long. ".repeat(17), slug: "stadtrad", keywords: [] };
    await layReady(name, [{ match: "that search engines and lists show", answer: tooLong }]);
    const { article, repairs } = await writeArticle(briefOf(), tools);
    expect(article.description.length).toBeLessThanOrEqual(160);
    expect(repairs).toBe(1);
    expect((await chats(name)).at(-1)).toContain("Too long.");
  });

  it("is asked for again where a line would be nothing but markup", async () => {
    const { tools, name } = await toolsAt("ok");
    const answer = { ...outline, title: "<b>https://evil.example/</b>" };
    await layReady(name, [{ match: "Plan an article", answer }]);
    const { article, repairs } = await writeArticle(briefOf(), tools);
    expect([article.title.length > 0, repairs]).toEqual([true, 1]);
  });

  it("survives images that fail", async () => {
    const { tools } = await toolsAt("image-status-503");
    const { images, degradations } = await writeArticle(germanBrief, tools);
    expect(images).toEqual([]);
    expect(degradations).toHaveLength(2);
    expect(degradations[0]).toMatch(/^The cover image could not be made: ./);
  });

  it("fails as its model fails", async () => {
    const { tools, steps } = await toolsAt("refusal");
    expect((await refusalOf(writeArticle(briefOf(), tools))).code).toBe("ai_refused");
    expect(steps).toEqual([{ step: "outline" }]);
  });
});

describe("an end that nobody waits for", () => {
  // The step has reached the server with that request to that path; the next ones may go out beside it.
  it.each<[string, Step["step"], string, number]>([
    ["hang", "outline", "/chat/completions", 1],
    ["trickle-200", "section", "/chat/completions", 2],
    ["image-hang", "image", "/images/generations", 1],
  ])("closes the connection: %s in %s", async (behaviour, at, path, count) => {
    const end = new AbortController();
    const { tools, steps, name } = await toolsAt(behaviour, end.signal);
    if (at === "section") await layReady(name, [{ match: "Plan an article", answer: outline }]);
    const ended = expect(writeArticle(germanBrief, tools)).rejects.toBe("nobody waits");
    const asked = async () => (await seenBy(name)).filter((seen) => seen.path === path).length;
    await expect.poll(asked).toBeGreaterThanOrEqual(count);
    end.abort("nobody waits");
    await ended;
    expect(steps.at(-1)?.step).toBe(at);
    await expect.poll(async () => (await seenBy(name)).some(({ gone }) => gone)).toBe(true);
  });
});
