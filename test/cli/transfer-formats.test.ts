/**
 * Exports of Ghost and WordPress: what becomes of their posts, and what malformed and hostile files come to. The
 * fixtures are written after https://ghost.org/docs/migration/custom/ ("JSON file structure"), with documents of
 * both editors, and after https://developer.wordpress.org/reference/functions/export_wp/.
 */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import type { Article } from "../../packages/import/article.ts";
import { detect } from "../../packages/cli/transfer/detect.ts";
import { Remarks } from "../../packages/import/remarks.ts";
import type { Wishes } from "../../packages/import/source.ts";
import { htmlToMarkdown } from "../../packages/import/html.ts";
import { addParagraphs } from "../../packages/import/wordpress-html.ts";

const FIXTURES = path.resolve(import.meta.dirname, "../fixtures/transfer");
const root = mkdtempSync(path.join(tmpdir(), "edgepress formats-"));
afterAll(() => rmSync(root, { recursive: true, force: true }));
let count = 0;
function fileOf(content: string | Uint8Array): string {
  const file = path.join(root, String(++count));
  writeFileSync(file, content);
  return file;
}

async function all(file: string, more: Partial<Wishes> = {}) {
  const wishes: Wishes = { locale: "en", publication: "source", pages: false, siteUrl: "", ...more };
  const remarks = new Remarks();
  const found = await detect(file, undefined);
  const source = await found.open(found.path, wishes, remarks);
  const articles: Record<string, Article> = {};
  const failed: Record<string, string> = {};
  for await (const { key, load } of source.entries()) {
    await load().then(
      (article) => (articles[`${article.slug} ${article.locale}`] = article),
      (error: Error) => (failed[key] = error.message),
    );
  }
  const said = remarks.list().map(({ what, times }) => `${times} ${what}`);
  return { format: source.format, total: source.keys.size, articles, failed, said };
}

describe("an export of WordPress", () => {
  const wordpress = path.join(FIXTURES, "wordpress.xml");

  it("has bare lines made paragraphs, captions, embeds and galleries kept", async () => {
    const { articles } = await all(wordpress);
    expect(articles["tea-time en"]).toEqual({
      title: "Tea & time",
      description: "About tea.",
      slug: "tea-time",
      locale: "en",
      coverUrl: "https://old.example.com/pot.jpg",
      published: true,
      extras: { publishTime: "2020-03-02T09:00:00.000Z", tags: ["drinks", "tea"], authors: ["ada"] },
      redirects: ["/?p=10"],
      content: `The first line\\
and a second one.

<figure>

![A pot](https://old.example.com/pot.jpg)

<figcaption>

The **pot**.

</figcaption>
</figure>

A **bold** word, and [a link](https://example.com/a_b).

- one
- two

\`\`\`
line 1

line 2
\`\`\`

<https://video.example.com/watch?v=1>

![](https://old.example.com/pot.jpg) ![](https://old.example.com/cup.jpg)

\\[contact-form id="3"]

The end.
`,
    });
    expect(articles["tea-time de"]?.content).toBe("Ein Absatz ]]> mit Ende.\n");
    expect(articles["blocks en"]?.content).toBe(
      "## A heading\n\nOne paragraph.\n\n| a | b |\n| - | - |\n| 1 | 2 |\n\n<https://player.example.com/7>\n",
    );
  });

  it("says what is not carried over, each with its number", async () => {
    const { said } = await all(wordpress);
    for (const each of [
      "2 comments",
      "1 pages",
      "1 posts in the trash",
      "1 shortcodes [contact-form]",
      "3 articles that stay drafts",
      "1 translations that now have the slug",
    ]) {
      expect(said.join("\n")).toContain(each);
    }
    expect(Object.keys((await all(wordpress, { pages: true })).articles)).toContain("about en");
  });

  const NOT_XML = /is not well-formed XML: line 1:\d+: .*[^.]$/;
  const start =
    '<?xml version="1.0"?><rss xmlns:wp="w" xmlns:content="c"><channel><wp:wxr_version>1.2</wp:wxr_version>';
  it.each([
    [
      "entities of its own",
      `<?xml version="1.0"?><!DOCTYPE rss [<!ENTITY a "x"><!ENTITY b "&a;&a;">]><rss>&b;</rss>`,
      "DOCTYPE",
    ],
    ["an external entity", `<?xml version="1.0"?><!DOCTYPE rss SYSTEM "file:///etc/passwd"><rss/>`, "DOCTYPE"],
    ["a tag that is not closed", `${start}<item><title>x</item></channel></rss>`, NOT_XML],
    ["an end that is missing", `${start}<item>`, NOT_XML],
    ["no version", `<?xml version="1.0"?><rss><channel/></rss>`, "wxr_version"],
    ["an entity of HTML", `${start}<item><title>&nbsp;</title></item></channel></rss>`, NOT_XML],
    [
      "a text without end",
      `${start}<item><title>${"x".repeat(20 * 1024 * 1024)}</title></item></channel></rss>`,
      "16 MiB",
    ],
  ])("with %s is refused before anything is read of it", async (_, content, reason) => {
    await expect(all(fileOf(content))).rejects.toThrow(reason);
  });
});

describe("an export of Ghost", () => {
  const ghost = path.join(FIXTURES, "ghost.json");
  const siteUrl = "https://old.example.com";

  it("has its HTML as Markdown, with covers and excerpts", async () => {
    const { articles } = await all(ghost, { siteUrl });
    expect(articles["salt-and-pepper en"]).toEqual({
      title: "Salt & <pepper>",
      description: "All you need: < 2 things",
      slug: "salt-and-pepper",
      locale: "en",
      coverUrl: "https://old.example.com/content/images/cover.jpg",
      published: true,
      extras: { publishTime: "2021-01-02T00:00:00.000Z", tags: ["Kitchen"], authors: ["Ada"] },
      content:
        "Some **HTML**.\n\nraw\n\n![Salt](https://old.example.com/content/images/salt.jpg)\n\n<https://video.example.com/embed/1>\n\n## End\n",
    });
  });

  it("has Lexical and mobiledoc read where there is no HTML, and Markdown left as it was written", async () => {
    const { articles } = await all(ghost, { siteUrl });
    const lexical = articles["lexical en"]?.content ?? "";
    for (const part of [
      "Plain, **_bold & \\<italic>_**\\\n[a link](https://example.com)",
      "### A heading",
      "- one\n- `two`",
      "```js\nlet a = 1 < 2;\n```",
      "Some *Markdown* as it is.",
      "> 💡 Mind the gap",
    ]) {
      expect(lexical).toContain(part);
    }
    expect(articles["mobiledoc en"]).toMatchObject({
      description: "From the search engine's field.",
      content:
        "Start **bold [both](https://example.com/?a=1&b=2)**\\\nnext line\n\n---\n\n![y](https://old.example.com/y.png)\n\n1. first\n2. second\n\n## Head\n",
    });
    expect(articles["markdown en"]?.content).toBe(
      "# Kept\n\nas *it* is\n\n![p](https://old.example.com/content/images/p.png)",
    );
  });

  it("says what is not carried over, each with its number", async () => {
    const { said, articles } = await all(ghost);
    for (const each of [
      "1 newsletters",
      "1 pages",
      '1 Ghost cards "email"',
      "2 articles that stay drafts",
      "old site",
      "covers left out",
    ]) {
      expect(said.join("\n")).toContain(each);
    }
    expect(articles["salt-and-pepper en"]?.coverUrl).toBe("");
    expect(Object.keys((await all(ghost, { pages: true })).articles)).toContain("about en");
  });

  it.each([
    ["an end that is missing", '{"db":[{"data":{"posts":[{"id":"1"}', "ends too early"],
    ["brackets that do not match", '{"db":[{"data":{"posts":[{"id":"1"]}}]}', "JSON"],
    ["a depth without end", `{"a":${"[".repeat(100_000)}`, "nested too deeply"],
    ["a post without end", `{"data":{"posts":[{"id":"${"x".repeat(20 * 1024 * 1024)}"}]}}`, "16 MiB"],
  ])("with %s is refused before anything is read of it", async (_, content, reason) => {
    await expect(all(fileOf(content))).rejects.toThrow(reason);
  });
});

describe("the format", () => {
  it("is told by the content; what is none is named with what would be", async () => {
    await expect(detect(fileOf("PK\u0003\u0004…"), undefined)).rejects.toThrow("cannot be imported");
    await expect(detect(fileOf("plain text"), undefined)).rejects.toThrow("cannot be imported");
    await expect(detect(path.join(root, "missing"), undefined)).rejects.toThrow("There is no");
    await expect(detect(root, "ghost")).rejects.toThrow("is a file, not a folder");
    const marked = fileOf(`\ufeff${readFileSync(path.join(FIXTURES, "ghost.json"), "utf8")}`);
    expect((await detect(marked, undefined)).format).toBe("ghost");
    expect((await all(marked)).total).toBe(8);
  });
});

describe("HTML", () => {
  it.each([
    ["one\n\ntwo<br>three", "one\n\ntwo\\\nthree\n"],
    ["a <b>b</b>\n\n\n<div>in\n\nside</div>after", "a **b**\n\nin\n\nside\n\nafter\n"],
    ["<pre>a\n\nb</pre>", "```\na\n\nb\n```\n"],
    ["<!-- hidden -->text<script>alert(1)</script>", "text\n"],
    ["  \n\n ", ""],
  ])("%j of the classic editor becomes %j", (html, markdown) => {
    expect(htmlToMarkdown(html, new Remarks(), addParagraphs)).toBe(markdown);
  });
});
