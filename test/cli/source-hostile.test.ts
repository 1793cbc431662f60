/** Posts that no person writes: each fails for itself, and none keeps the others waiting. */
import { describe, expect, inject, it } from "vitest";
import { parseHtml } from "../../packages/import/html-tree.ts";
import { Remarks } from "../../packages/import/remarks.ts";
import { addParagraphs } from "../../packages/import/wordpress-html.ts";
import { expandShortcodes } from "../../packages/import/wordpress-shortcodes.ts";
import { spread } from "../helpers/sample.ts";
import { ghostFile, readSource, useFiles, wordpressFile, wordpressItem } from "./source-files.ts";

const files = useFiles();
const MIB = 1024 * 1024;

describe("nesting without end", () => {
  const deep = "<b>".repeat(20_000);
  const language = (name: string, group: string) =>
    `<category domain="language" nicename="${name}"/><category domain="post_translations" nicename="${group}"/>`;

  it.each([
    ["title", { name: "x", title: deep }],
    ["title that has to be its slug", { title: deep }],
    ["title of translations", { title: deep, more: language("en", "group") }],
    ["excerpt", { name: "x", excerpt: deep }],
    ["content", { name: "x", content: "<div>".repeat(60_000) }],
  ])("in the %s of a post of WordPress is said of that post, and the others are read", async (_, members) => {
    const items = [wordpressItem({ id: "1", ...members }), wordpressItem({ id: "2", name: "fine", title: "Fine" })];
    const { keys, articles, failed } = await readSource(files.file(wordpressFile(items)));
    expect(keys).toEqual(["post-1", "post-2"]);
    expect(failed).toEqual({ "post-1": "is nested too deeply" });
    expect(articles["post-2"]?.title).toBe("Fine");
  });

  it("in a Lexical document is said of its post, and the others are read", async () => {
    const depth = 8000;
    const lexical = `{"root":${'{"children":['.repeat(depth)}${"]}".repeat(depth)}}`;
    const posts = [
      { id: "1", title: "Deep", lexical },
      { id: "2", title: "Fine" },
    ];
    const { articles, failed } = await readSource(files.file(ghostFile(posts)));
    expect(failed).toEqual({ "post-1": "is nested too deeply" });
    expect(articles["post-2"]?.title).toBe("Fine");
  });
});

it("a translation in a language that is none fails alone", async () => {
  const item = (id: string, language: string) =>
    wordpressItem({
      id,
      name: `post-${id}`,
      more: `<category domain="language" nicename="${language}"/><category domain="post_translations" nicename="group"/>`,
    });
  const { articles, failed } = await readSource(files.file(wordpressFile([item("1", "no tag!"), item("2", "de")])));
  expect(failed).toEqual({ "post-1": expect.stringContaining("language") });
  expect(Object.keys(articles)).toEqual(["post-2"]);
});

describe("shortcodes", () => {
  const url = `https://old.example.com/${"x".repeat(4000)}.jpg`;
  const attachments = new Map([["1", { url, title: "", caption: "", alt: "", parent: "", order: 0 }]]);
  const expand = (html: string) =>
    expandShortcodes(html, { attachments, children: new Map(), postId: "" }, new Remarks());

  // Were each bracket read to the end of the post, one of these would take a quarter of an hour.
  const OPEN = [
    "[embed ",
    "[abc ",
    "[caption]",
    "[caption ",
    "[gallery ids=",
    '[audio src="',
    "[video ",
    "[embed]",
    "[wp_caption]",
    "[code]",
    "[ccx_",
    "[audio]",
    "[audio x]y",
    "[playlist ids=",
    "[caption]<a ",
    "[[embed]",
    "<pre><code ",
    "<code>[",
  ];

  it.each(spread(OPEN, 2))("that nothing closes stay as they are: %s", (part) => {
    const html = part.repeat(Math.floor((2 * MIB) / part.length));
    expect(expand(html) === html).toBe(true);
  });

  it.each([
    ["a post larger than any article", "[abc ".repeat(MIB)],
    ["one gallery of the same image", `[gallery ids="${"1,".repeat(MIB / 4)}"]`],
    ["galleries of the same image", '[gallery ids="1"]'.repeat(MIB / 16)],
  ])("of %s are refused before they take its room", (_, html) => {
    expect(() => expand(html)).toThrow("its HTML is larger than 4 MiB");
  });

  it("that stand one behind the other are expanded each for itself", () => {
    const caption = (text: string) => `[caption id="a" width="3"]<img src="i.jpg"> ${text}[/caption]`;
    expect(expand(`${caption("one")} and ${caption("[embed]https://e.example[/embed]")}[caption]left open`)).toBe(
      '<figure><img src="i.jpg"><figcaption>one</figcaption></figure> and ' +
        '<figure><img src="i.jpg"><figcaption>\n\n<iframe src="https://e.example"></iframe>\n\n</figcaption></figure>' +
        "[caption]left open",
    );
    expect(expand("[caption]one [caption]two[/caption] three[/caption]")).toBe("one [caption]two three[/caption]");
  });
});

describe("a post", () => {
  const PARAGRAPHS = "line\n\n".repeat(130_000);

  // With each paragraph an argument of a call, this would fail.
  it("of very many paragraphs has them made", () => {
    const root = parseHtml(PARAGRAPHS);
    addParagraphs(root);
    expect(root.children).toHaveLength(130_000);
  });

  // With each comment taken out by itself, or each line an argument of a call, these would not come to an end.
  const MANY = [
    ["comments", "<!---->".repeat(550_000), 1],
    ["paragraphs", PARAGRAPHS, 130_000],
    ["lines", "line\n".repeat(70_000), 70_000],
  ] as const;
  it.runIf(inject("exhaustive")).each(MANY)("of very many %s is read whole", async (_, text, lines) => {
    const post = wordpressItem({ id: "1", name: "x", content: `line\n${text}`.slice(0, -1) });
    const { articles, failed } = await readSource(files.file(wordpressFile([post])));
    expect(failed).toEqual({});
    expect(articles["post-1"]?.content.match(/line/g)?.length).toBeGreaterThanOrEqual(lines);
  });
});

it("a heading of thousands of spaces or marks is read at once", async () => {
  // Where each space can end the heading, the first takes half an hour.
  const long = [`a${" ".repeat(19_000)}b`, `a${" #".repeat(9000)}b`, `a${"\u00a0#".repeat(9000)}`];
  const folder = files.folder(Object.fromEntries(long.map((text, at) => [`${at}.md`, `# ${text}\n`])));
  expect(Object.values((await readSource(folder)).articles).map(({ title }) => title)).toEqual(long);
});

describe("a cover that is no web address", () => {
  const cover = "https://old.example.com/a picture.jpg";

  it("is left out of a post of WordPress, with a remark", async () => {
    const attachment = wordpressItem({
      id: "9",
      type: "attachment",
      more: `<wp:attachment_url>${cover}</wp:attachment_url>`,
    });
    const more = "<wp:postmeta><wp:meta_key>_thumbnail_id</wp:meta_key><wp:meta_value>9</wp:meta_value></wp:postmeta>";
    const post = wordpressItem({ id: "1", name: "x", title: "Fine", more });
    const { articles, remarks } = await readSource(files.file(wordpressFile([post, attachment])));
    expect(articles["post-1"]).toMatchObject({ title: "Fine", coverUrl: "" });
    expect(remarks).toContainEqual("1 covers left out that are not web addresses");
  });

  it("is left out of posts of Ghost and Markdown files alike", async () => {
    const ghost = await readSource(files.file(ghostFile([{ id: 1, title: "Fine", feature_image: cover }])));
    const folder = await readSource(files.folder({ "a.md": `---\ncover: "${cover}"\n---\n` }));
    for (const { articles, remarks } of [ghost, folder]) {
      expect(Object.values(articles)).toMatchObject([{ coverUrl: "" }]);
      expect(remarks.join()).toContain("1 covers left out");
    }
  });
});
