/** Lines of HTML with very many parts, and marks and cells that reach further than they mean. */
import { describe, expect, inject, it, vi } from "vitest";
import { htmlToLine, htmlToMarkdown } from "../../packages/import/html.ts";
import { Remarks } from "../../packages/import/remarks.ts";
import { spread } from "../helpers/sample.ts";

const read = (html: string) => htmlToMarkdown(html, new Remarks());

describe("a line of many parts", () => {
  const TOO_MANY = [
    ["texts that one element hands up", "<p><font>", "x<wbr>"],
    ["paragraphs that one element hands up", "<div>", "<p>x</p>"],
    ["nodes that one element hands up", "<p><ruby>", "<rt>x</rt>"],
  ] as const;
  it.each(spread(TOO_MANY, 1))("is refused where it has too many %s", (_, start, part) => {
    expect(() => read(start + part.repeat(50_100))).toThrow("its HTML has more than 50000 nodes beside each other");
  });

  const SILENT = ["<span></span>", "<span> </span>", "<b></b>", "<i> </i>", "<a href=/x></a>", "<script>x</script>"];
  it.each(spread(SILENT, 2))("that says nothing, as %s, is left out", (part) => {
    expect(read(`<p>One ${part.repeat(10_000)} two`)).toBe("One two\n");
  });

  it("has its hidden texts and its parentheses", () => {
    expect(read(`<p>${"<span hidden>x</span>".repeat(3000)}`)).toBe(`${"x".repeat(3000)}\n`);
    const ruby = `<ruby>a${"<rp>(</rp><rt>b</rt><rp>)</rp>".repeat(1500)}</ruby>`;
    expect(read(`<p>${ruby}`)).toBe(`${ruby}\n`);
  });

  it("is read where it is one of a long post", () => {
    const words = "<span>word</span> ".repeat(300);
    const markdown = `${"word ".repeat(300).trim()}\n`;
    const post = Array.from({ length: 8 }, () => markdown).join("\n");
    expect(read(`<div><div>${`<div>${words}</div>`.repeat(8)}</div></div>`)).toBe(post);
    expect(read(`<div>${`<p>${words}</p>`.repeat(8)}</div>`)).toBe(post);
  });

  it("is not read again with every text that is joined to it", () => {
    const work = vi.spyOn(String.prototype, "replace");
    const markdown = read(`<p>${"x<wbr>".repeat(2000)}`);
    const characters = work.mock.contexts.reduce<number>((sum, text) => sum + String(text).length, 0);
    work.mockRestore();
    expect(markdown).toBe(`${"x\u200b".repeat(2000)}\n`);
    expect(characters).toBeLessThan(100 * markdown.length);
  });

  it.runIf(inject("exhaustive"))("is no item of a list, which keeps what it has to itself", () => {
    expect(read(`<ul>${"<li>x".repeat(51_000)}</ul>`)).toBe("- x\n".repeat(51_000));
  });

  it("keeps what shows without a text", () => {
    expect(read("<p>a <b><img src=/x alt=y></b> b<br>c <code> d</code></p><ul><li></ul><hr>")).toBe(
      "a **![y](/x)** b\\\nc `d`\n\n-\n\n---\n",
    );
  });
});

describe("a mark around blocks", () => {
  const pasted = '<b style="font-weight:normal" id="docs-internal-guid-1">';
  it.each([
    ["<b><p>One</p><p>Two</p></b>", "One\n\nTwo\n"],
    ["<strong><h2>Head</h2></strong>", "## Head\n"],
    ["<strong>bold </strong>text <b> x <i>y </i></b>z", "**bold** text **x _y_** z\n"],
    ["<em><p>One</p><ul><li>a</li><li>b</li></ul></em>", "One\n\n- a\n- b\n"],
    [`${pasted}<p>One <b>two</b></p><h2>Two</h2><ul><li>a</li></ul></b>`, "One **two**\n\n## Two\n\n- a\n"],
    ["<b><span><p>One</p></span> <i>two</i></b>", "One\n\n_two_\n"],
    ["<del><p>One</p><p>Two</p></del>", "~~One~~\n\n~~Two~~\n"],
    ["<a href=/x><p>One</p><p>Two</p></a>", "[One](/x)\n\n[Two](/x)\n"],
  ])("%s leaves them blocks", (html, markdown) => {
    expect(read(html)).toBe(markdown);
  });
});

describe("a cell alone in its row", () => {
  const rows = "<tr><td>a</td><td>b</td></tr>";
  it.each(["1000", "100%", "2"])("over %s columns spans as many as there are", (columns) => {
    const head = `<tr><td colspan="${columns}">Head</td></tr>`;
    expect(read(`<table>${head}${rows.repeat(60)}${head}</table>`)).toBe(
      `| | |\n| - | - |\n| Head | |\n${"| a | b |\n".repeat(60)}| Head | |\n`,
    );
  });

  it("keeps its span where no row says how many there are", () => {
    expect(read("<table><tr><td colspan=3>Head</td></tr></table>")).toBe("| | | |\n| - | - | - |\n| Head | | |\n");
  });
});

describe("a cell of a table", () => {
  const inCell = (html: string) => {
    const remarks = new Remarks();
    const markdown = htmlToMarkdown(`<table><tr><th>H<th>I<tr><td>x<td>${html}</table>`, remarks);
    expect(markdown.startsWith("| H | I |\n| - | - |\n| x | ")).toBe(true);
    return [markdown.split("\n")[2]?.slice(6, -2), remarks.list().map(({ what, times }) => `${times} ${what}`)];
  };

  it.each([
    ["<ul><li>a</li><li>b<ul><li>c</ul></ul>", "• a<br>• b<br>• c"],
    ["<ol start=3><li><p>a</p><li><b>b</b></ol>", "3. a<br>4. **b**"],
    ["<pre>let a\n  let b</pre>", "`let a let b`"],
    ["<blockquote>a</blockquote><hr><dl><dt>b<dd>c</dl>", "a<br>b<br>c"],
    ["a<table><tr><td>b<td><a href=/c>c</a></table>d", "a<br>b<br>[c](/c)<br>d"],
  ])("with %s is lines of text, and that is said", (html, lines) => {
    expect(inCell(html)).toEqual([lines, ["1 cells of tables with lists, quotes or code, now lines of text"]]);
  });

  it.each([
    ["\n<p>a</p>\n<br>", "a"],
    ["<p>a</p><p>b</p>", "a<br>b"],
    ["a<br>b<br><br>c", "a<br>b<br>c"],
    ["<em><p>a</p><p>b</p></em><p>c</p>", "_a<br>b_<br>c"],
    ["<h3>Head</h3>text<h3>Other</h3>", "**Head**<br>text<br>**Other**"],
    ["<figure><img src=/a.jpg><figcaption>Caption</figcaption></figure>", "![](/a.jpg)<br>_Caption_"],
    ["<div><b>a<br></b></div>", "**a**"],
    ["<h3>Head</h3>", "**Head**"],
    ["a\nb <code>c|d</code>", "a b `c\\|d`"],
    ['<abbr title="a|b\nc">d</abbr>', '<abbr title="a\\|b c">d</abbr>'],
    ["<select><option>a</select><input value=c>", "ac"],
  ])("with %j loses nothing", (html, lines) => {
    expect(inCell(html)).toEqual([lines, []]);
  });

  it("that is the only one is a box, and what does not fit a line takes the place of the table", () => {
    const inner = "<table><tr><th>H<th>I<tr><td>x<td>y</table>";
    expect(read(`<table><tr><td><p>One</p><ul><li>a</ul>${inner}</table>`)).toBe(
      "One\n\n- a\n\n| H | I |\n| - | - |\n| x | y |\n",
    );
    expect(read("<table><tr><th>Head</table>")).toBe("| Head |\n| - |\n");
  });
});

it.each([
  ["one<br>two<br/>three", "one two three"],
  ["<p>One</p>two<div>three</div><em>four</em>", "One two three four"],
  ["<ul><li>a<li>b</ul><h2>c</h2>d", "a b c d"],
  ["w<b>or</b>d w<wbr>o<picture>r</picture>d", "word word"],
  ["10<sup>6</sup> H<sub>2</sub>O a<sup>b c</sup> A<sup>®</sup>", "10⁶ H₂O a^b c A®"],
  ["<style>p { color: red }</style>Text<script>alert(1)</script>", "Text"],
  ["<table><tr><td>a<td>b</table>", "a b"],
])("a title or an excerpt %s is the line %s", (html, line) => {
  expect(htmlToLine(html)).toBe(line);
});
