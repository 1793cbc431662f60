/** Posts of Ghost: which of the forms that an export has of a post is read, and what becomes of its cards. */
import { describe, expect, it } from "vitest";
import { ghostFile, readSource, useFiles } from "./source-files.ts";

const files = useFiles();

describe("a post with a card of Markdown", () => {
  const text = "# Kept\n\n*as* it is";
  const markdown = [10, 0];
  const paragraph = (...markers: unknown[]) => [1, "p", markers];
  const contentOf = async (...sections: unknown[]) => {
    const cards = [
      ["markdown", { markdown: text }],
      ["video", { src: "https://g.example/v.mp4" }],
      ["poll", {}],
    ];
    const mobiledoc = JSON.stringify({ version: "0.3.1", cards, atoms: [["soft-return", "", {}]], sections });
    const { articles } = await readSource(files.file(ghostFile([{ id: 1, mobiledoc, html: "<p>rendered</p>" }])));
    return articles["post-1"]?.content;
  };

  it.each([
    ["alone", [markdown]],
    ["and the empty paragraph that the editor adds", [markdown, paragraph()]],
    ["and a paragraph of white space", [markdown, paragraph([0, [], 0, " "])]],
  ])("%s keeps it as it was written", async (_, sections) => {
    expect(await contentOf(...sections)).toBe(text);
  });

  it.each([
    ["a card that is not known", [markdown, [10, 2]]],
    ["another card", [markdown, [10, 1], paragraph()]],
    ["a card that is missing", [markdown, [10, 7]]],
    ["a section that is not known", [markdown, [4]]],
    ["words", [markdown, paragraph([0, [], 0, "more"])]],
    ["a line break", [markdown, paragraph([1, [], 0, 0])]],
    ["another one of Markdown", [markdown, markdown]],
  ])("and %s is read as Ghost has rendered it", async (_, sections) => {
    expect(await contentOf(...sections)).toBe("rendered\n");
  });
});

it("a post whose editor's document is not JSON is read from its HTML", async () => {
  const broken = { mobiledoc: "{not JSON", lexical: "not JSON" };
  const posts = [
    { id: 1, ...broken, html: "<p>rendered</p>" },
    { id: 2, mobiledoc: "{not JSON" },
    { id: 3, lexical: "not JSON" },
  ];
  const { articles, failed } = await readSource(files.file(ghostFile(posts)));
  expect(articles).toMatchObject({ "post-1": { content: "rendered\n" } });
  expect(failed).toEqual({ "post-2": "its document is not JSON", "post-3": "its document is not JSON" });
});

it("texts for search engines are shortened between characters, and that is said", async () => {
  const data = {
    posts: [{ id: 1, title: "T", custom_excerpt: "E" }],
    posts_meta: [{ post_id: 1, meta_title: `${"x".repeat(298)}🌊y`, meta_description: `a\ud83c ${"🌊".repeat(1000)}` }],
  };
  const { articles, remarks } = await readSource(files.file(JSON.stringify({ data })));
  expect(articles["post-1"]?.extras?.seo).toMatchObject({
    title: `${"x".repeat(298)}…`,
    description: `a\ufffd ${"🌊".repeat(998)}…`,
  });
  expect(remarks).toEqual(["2 texts for search engines shortened"]);
});
