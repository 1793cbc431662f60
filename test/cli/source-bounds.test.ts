/** What is small in a file and would be large, or slow, as an article: its post fails, or is read as what it says. */
import { createReadStream } from "node:fs";
import { describe, expect, it } from "vitest";
import { parseYaml, splitFrontMatter } from "../../packages/import/front-matter.ts";
import { htmlToMarkdown } from "../../packages/import/html.ts";
import { Remarks } from "../../packages/import/remarks.ts";
import { readItems } from "../../packages/import/wxr.ts";
import { ghostFile, readSource, useFiles, wordpressFile, wordpressItem } from "./source-files.ts";

const files = useFiles();
const read = (html: string) => htmlToMarkdown(html, new Remarks());
const tags = (count: number, tag: (index: number) => string) =>
  Array.from({ length: count }, (_, at) => tag(at)).join("");

describe("HTML", () => {
  const open = "its HTML leaves too many tags open";
  const deep = "is nested too deeply";
  const cells = "its tables have more than 10,000 cells";
  it.each([
    ["bold texts left open", `<p>${tags(80, (at) => `<b x=${at}>`)}</p>${"<p>x</p>".repeat(80)}`, open],
    ["as many in a list", `<ul><li>${tags(80, (at) => `<i x=${at}>`)}${"<li>x".repeat(80)}`, open],
    ["long attributes left open", `<p><b class="${"a ".repeat(5000)}">${"<p>x</p>".repeat(5000)}`, open],
    ["elements within each other", "<div>".repeat(101), deep],
    ["marks within each other", "<b>".repeat(101), deep],
    ["quotes within each other", `${"<blockquote>".repeat(25)}x`, deep],
    ["lists within each other", `${"<ul><li>".repeat(25)}x`, deep],
    ["a cell over many columns", "<table><tr><td colspan=1000000000>x</td></tr></table>", cells],
    ["cells over many rows", `<table>${"<tr><td rowspan=65534>x".repeat(400)}</table>`, cells],
    ["a long row over short ones", `<table><tr>${"<td>x".repeat(400)}${"<tr><td>x".repeat(400)}</table>`, cells],
    ["many such tables", `<table><tr><td colspan=1000>x</td></tr></table>`.repeat(11), cells],
    ["one cell too many", `<table>${`<tr>${"<td>x".repeat(10)}`.repeat(1001)}</table>`, cells],
  ])("with %s is refused, and the posts behind it are read", async (_, html, reason) => {
    const posts = [
      { id: "1", title: "Bad", html },
      { id: "2", title: "Fine", html: "<p>x</p>" },
    ];
    const { articles, failed } = await readSource(files.file(ghostFile(posts)));
    expect(failed).toEqual({ "post-1": reason });
    expect(articles["post-2"]?.content).toBe("x\n");
  });

  it("in titles and excerpts is refused alike, in the survey of a file too", async () => {
    const bad = tags(200, (at) => `<b x=${at}>`);
    const language = '<category domain="post_translations" nicename="group"/>';
    const items = [
      wordpressItem({ id: "1", title: bad, more: language }),
      wordpressItem({ id: "2", name: "x", excerpt: `<p>${tags(60, (at) => `<b x=${at}>`)}${"<p>x".repeat(5000)}` }),
      wordpressItem({ id: "3", name: "fine", title: "<b>Fine" }),
    ];
    const { articles, failed } = await readSource(files.file(wordpressFile(items)));
    expect(failed).toEqual({ "post-1": deep, "post-2": open });
    expect(articles["post-3"]?.title).toBe("Fine");
  });

  it("as people leave it is read whole", () => {
    expect(read("<p><b>One<p>two<p>three</b> four")).toBe("**One**\n\n**two**\n\n**three** four\n");
    const fonts = '<font face="Verdana, Arial, sans-serif"><font size="2"><font color="#333333">';
    const paragraph = "<p>A paragraph of some words, as short as they are in posts.</p>";
    expect(read(`<p>${fonts}${paragraph.repeat(500)}`).match(/some words/g)).toHaveLength(500);
    expect(read(`${"<div>".repeat(90)}<p>Within`)).toBe("Within\n");
    expect(read(`${"<div></div>".repeat(5000)}<p>Behind`)).toBe("Behind\n");
    expect(read(`${"<blockquote>".repeat(24)}<p>Quoted`)).toBe(`${"> ".repeat(24)}Quoted\n`);
    expect(read("<table><tr><th colspan=2>a<tr><td rowspan=2>b<td>c<tr><td>d</table>")).toBe(
      "| a | |\n| - | - |\n| b | c |\n| | d |\n",
    );
  });
});

describe("in Markdown", () => {
  it.each([
    ["bold text within bold text", `<p>${"<b><strong>".repeat(40)}x</p>`, "**x**\n"],
    ["marks in turn", `<p>${"<b><em><s><u>".repeat(20)}x</p>`, "**_~~<u>x</u>~~_**\n"],
    ["text behind each", `<p>${"<b>".repeat(90)}x${"</b>y".repeat(90)}</p>`, `**x${"y".repeat(89)}**y\n`],
    ["paragraphs within them", `<div>${"<del>".repeat(90)}<p>x</p><p>y</p>`, "~~x~~\n\n~~y~~\n"],
    ["links within a link", `<a href="/1">a<marquee><a href="/2">b</a></marquee></a>`, "[ab](/1)\n"],
    ["a link within an anchor", `<a name="top">a<marquee><a href="/2">b</a></marquee></a>`, "a[b](/2)\n"],
  ])("%s is marked once", (_, html, markdown) => {
    expect(read(html)).toBe(markdown);
  });

  it("a long cell does not make the others of its column as long", () => {
    const word = "x".repeat(1000);
    expect(read(`<table><tr><th>${word}${"<tr><td>y".repeat(100)}</table>`)).toBe(
      `| ${word} |\n| - |\n${"| y |\n".repeat(100)}`,
    );
  });

  it("what a list suggests is not in each of its inputs", () => {
    const list = `<datalist id="a">${"<option selected>x".repeat(100)}</datalist>`;
    expect(read(`${list}${'<input multiple list="a">'.repeat(100)}<p>y`)).toBe("y\n");
  });
});

/** Shown as often as here, it would be longer than a string can be. */
const LONG = "x".repeat(100_000);

describe("names of what every object has", () => {
  const names = ["__proto__", "constructor", "hasOwnProperty", "toString", "valueOf"];

  it.each(names)("a Ghost card %s is one that is not known", async (name) => {
    const lexical = {
      root: { children: [{ type: name, children: [{ type: "text", text: "inside" }] }, { type: name }] },
    };
    const mobiledoc = {
      cards: [[name, {}]],
      sections: [
        [10, 0],
        [1, "p", [[0, [], 0, "beside"]]],
      ],
    };
    const posts = [
      { id: "1", title: "Lexical", lexical: JSON.stringify(lexical) },
      { id: "2", title: "Mobiledoc", mobiledoc: JSON.stringify(mobiledoc) },
    ];
    const { articles, failed, remarks } = await readSource(files.file(ghostFile(posts)));
    expect(failed).toEqual({});
    expect([articles["post-1"]?.content, articles["post-2"]?.content]).toEqual(["inside\n", "beside\n"]);
    expect(remarks).toContain(`2 Ghost cards "${name}" left out`);
  });

  it("elements of a WordPress export are none of a post's members", async () => {
    const more = names.map((name) => `<${name}>x</${name}>`).join("");
    const keysOf = async (item: string) => {
      for await (const read of readItems(() => createReadStream(files.file(wordpressFile([item])))))
        return Object.keys(read);
    };
    expect(await keysOf(wordpressItem({ id: "1", more }))).toEqual(await keysOf(wordpressItem({ id: "1" })));
  });
});

it.each([
  ["card", { cards: [["html", { html: LONG }]], sections: Array.from({ length: 6000 }, () => [10, 0]) }],
  ["atom", { atoms: [["mention", LONG]], sections: [[1, "p", Array.from({ length: 6000 }, () => [1, [], 0, 0])]] }],
  [
    "markup",
    { markups: [["a", ["href", LONG]]], sections: [[1, "p", Array.from({ length: 6000 }, () => [0, [0], 1, "x"])]] },
  ],
])("a post of Ghost that shows a long %s again and again fails for itself", async (_, mobiledoc) => {
  const posts = [
    { id: "1", title: "Long", mobiledoc: JSON.stringify(mobiledoc) },
    { id: "2", title: "Short", html: "<p>beside</p>" },
  ];
  const { articles, failed } = await readSource(files.file(ghostFile(posts)));
  expect(Object.values(failed)).toEqual([expect.stringContaining("larger than 4 MiB")]);
  expect(articles["post-2"]?.content).toBe("beside\n");
});

it("XML whose elements are nested without end is refused", async () => {
  const nested = (depth: number) =>
    wordpressItem({ id: "1", name: "x", more: `${"<a>".repeat(depth)}${"</a>".repeat(depth)}` });
  await expect(readSource(files.file(wordpressFile([nested(200)])))).rejects.toThrow("is nested too deeply");
  expect((await readSource(files.file(wordpressFile([nested(190)])))).keys).toEqual(["post-1"]);
});

describe("front matter", () => {
  it("with a name twice is refused, at any depth", () => {
    for (const yaml of ["a: 1\nb: 2\na: 3\n", "a: {b: 1, b: 2}\n", "a:\n  - b: 1\n    b:\n", '"a": 1\na: 2\n']) {
      expect(() => parseYaml(yaml)).toThrow(/^its front matter is not YAML: "[ab]" is there twice$/);
    }
  });

  it("with more names than anybody needs is read", () => {
    const names = tags(5000, (at) => `key${at}: x\n`);
    expect(parseYaml(names).size).toBe(5000);
  });

  it("is refused where it is longer than people write it", () => {
    expect(splitFrontMatter(`---\ntitle: ${"x".repeat(32_000)}\n---\n`).frontMatter.size).toBe(1);
    expect(() => splitFrontMatter(`---\n${"}".repeat(40_000)}\n---\n`)).toThrow(
      "its front matter is longer than 32 KiB",
    );
  });
});
