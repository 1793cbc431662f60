/** Contract 19.10, 20.3: what becomes of Markdown. */
import { fromHtml } from "../helpers/html.ts";
import { parseFragment, type DefaultTreeAdapterTypes } from "parse5";
import { describe, expect, it } from "vitest";
import { renderArticle } from "../../packages/markdown/article.ts";
import { spread } from "../helpers/sample.ts";

const htmlOf = (content: string): string => renderArticle(content).html;

describe("headings", () => {
  it("begin below the title, without gaps, and have ids of their own", () => {
    const { html, headings } = renderArticle("# One\n\n### Two\n\n# One\n\n## Über *uns*!\n\n# 日本\n\n#\n\n# !?");
    expect(headings).toEqual([
      { level: 2, id: "h-one", text: "One" },
      { level: 3, id: "h-two", text: "Two" },
      { level: 2, id: "h-one-2", text: "One" },
      { level: 3, id: "h-über-uns", text: "Über uns!" },
      { level: 2, id: "h-日本", text: "日本" },
      { level: 2, id: "h-section", text: "!?" },
    ]);
    expect(html).toContain('<h3 id="h-über-uns">Über <em>uns</em>!</h3>');
  });

  it("no two have the same id, whatever they are called", () => {
    const { headings } = renderArticle("# a-2\n\n# a\n\n# a\n\n# a-2\n\n# a");
    expect(new Set(headings?.map(({ id }) => id)).size).toBe(5);
  });

  it("are led to by links to their names", () => {
    expect(htmlOf("[a](#six-walks) [b](#%C3%BCber) [c](#none)\n\n## Six walks\n\n## Über")).toContain(
      '<a href="#h-six-walks">a</a> <a href="#h-über">b</a> <a href="#none">c</a>',
    );
    // GitHub's names of headings, where ours are others.
    expect(htmlOf("[a](#whats-new)\n\n## What's new?")).toContain('<a href="#h-what-s-new">');
    expect(htmlOf("[a](#1-install--run)\n\n## 1: Install & run")).toContain('<a href="#h-1-install-run">');
    expect(htmlOf("[a](#foo-1)\n\n## Foo\n\n## Foo")).toContain('<a href="#h-foo-2">');
    expect(htmlOf('[a](#intro)\n\n<h2 id="intro">How it began</h2>')).toContain('<a href="#h-how-it-began">');
  });
});

describe("sentences without spaces", () => {
  it.each([
    ["これは**「重要」**です。", "これは<strong>「重要」</strong>です。"],
    ["**注意。**次の文", "<strong>注意。</strong>次の文"],
    ["**强调：**内容", "<strong>强调：</strong>内容"],
    ["한국어 *(강조)*입니다", "한국어 <em>(강조)</em>입니다"],
    ["~~（旧）~~です", "<del>（旧）</del>です"],
  ])("%s is marked", (content, html) => {
    const made = renderArticle(content);
    expect(made.html).toBe(`<p>${html}</p>`);
    expect(made.excerpt).toBe(html.replaceAll(/<[^>]+>/g, ""));
  });

  it.each([
    ["詳細はhttps://a.example/bを見る。", "https://a.example/b"],
    ["（https://a.example/b）", "https://a.example/b"],
    ["https://a.example/b、次", "https://a.example/b"],
    ["https://a.example/b_(c)を見る", "https://a.example/b_(c)"],
    ["www.a.exampleを見る", "http://www.a.example"],
    ["a@b.exampleまで", "mailto:a@b.example"],
    ["https://a.example/日本/本", "https://a.example/%E6%97%A5%E6%9C%AC/%E6%9C%AC"],
  ])("the address ends in %s", (content, address) => {
    expect(/<a href="([^"]+)"/.exec(htmlOf(content))?.[1]).toBe(address);
  });
});

describe("parts", () => {
  it("tables, footnotes, task lists and code", () => {
    const html = htmlOf(
      "| a | b |\n|:-:|---|\n| 1 | 2 |\n\nText[^1].\n\n[^1]: Note.\n\n- [x] done\n\n```js\nlet a;\n```",
    );
    expect(html).toContain('<div class="table" tabindex="0"><table>');
    expect(html).toContain('<td align="center">1</td>');
    expect(html).toContain('<a href="#fn-1" id="fnref-1" data-footnote-ref role="doc-noteref">1</a>');
    expect(html).toContain('<section data-footnotes class="footnotes" role="doc-endnotes">');
    expect(html).toContain('<a href="#fnref-1" data-footnote-backref="" role="doc-backlink">↩</a>');
    expect(html).not.toContain("Footnotes");
    expect(html).toContain('<input type="checkbox" checked disabled');
    expect(html).toContain('<pre tabindex="0"><code class="hljs language-js">');
  });

  it("footnotes have no heading, and their numbers are not in the excerpt", () => {
    const { headings, excerpt, text } = renderArticle(
      "## Footnotes\n\nIt leaves at **six[^1]**, says Ada[^b].\n\n[^1]: In summer.\n[^b]: A letter.",
    );
    expect(headings).toEqual([{ level: 2, id: "h-footnotes", text: "Footnotes" }]);
    expect(excerpt).toBe("It leaves at six, says Ada.");
    expect(text).toContain("In summer.");
  });

  it("pictures have their size, and those of a library smaller files", () => {
    const id = "019a9d3c-8f5e-7c2a-9b1d-3e4f5a6b7c8d";
    const html = htmlOf(
      `![Boats](https://press.example.com/media/${id}?v=1#700x350)\n\n![](https://a.example/b.png#20x10)`,
    );
    const at = (width: number) => `https://press.example.com/media/${id}?v=1&amp;w=${width} ${width}w`;
    expect(html).toContain(`src="https://press.example.com/media/${id}?v=1" alt="Boats"`);
    expect(html).toContain('width="700" height="350"');
    expect(html).toContain(`srcset="${at(320)}, ${at(640)}, https://press.example.com/media/${id}?v=1 700w"`);
    expect(html).toContain(
      '<img src="https://a.example/b.png" alt="" loading="lazy" decoding="async" width="20" height="10">',
    );
  });

  it("pictures without an absolute address become their text", () => {
    expect(htmlOf("![Boats](/boats.png), ![ships](ships.png) and ![rafts](//a.example/rafts.png)")).toBe(
      "<p>Boats, ships and rafts</p>",
    );
  });

  it("raised and lowered digits stay so in the text and the excerpt", () => {
    const { text, excerpt } = renderArticle("10<sup>6</sup> and H<sub>2</sub>O, 1<sup>st</sup>");
    expect([text, excerpt]).toEqual(["10⁶ and H₂O, 1st", "10⁶ and H₂O, 1st"]);
  });

  it("the excerpt is of paragraphs; the minutes count words and characters", () => {
    const { excerpt, readingMinutes, text } = renderArticle(
      `# Title\n\n> Quote\n\nFirst.\n\n${"many words ".repeat(230)}`,
    );
    expect(excerpt).toMatch(/^First\. many words .* (many|words)…$/);
    expect(readingMinutes).toBe(3);
    expect(text).toMatch(/^Title\n\nQuote\n\nFirst\.\n\nmany words/);
    expect(renderArticle("字".repeat(1001)).readingMinutes).toBe(3);
    expect(renderArticle("字".repeat(400)).excerpt).toBe(`${"字".repeat(280)}…`);
    expect(renderArticle("")).toMatchObject({ html: "", text: "", excerpt: "", headings: [], readingMinutes: 1 });
  });
});

describe("hostile Markdown", () => {
  const ATTEMPTS = [
    "<script>alert(1)</script>",
    "<img src=x onerror=alert(1)>",
    "a <svg/onload=alert(1)> b",
    "<iframe src='https://evil.example'></iframe>",
    "[a](javascript:alert(1))",
    "[a](JaVaScRiPt&#58;alert(1))",
    "[a](data:text/html;base64,PHNjcmlwdD4=)",
    "![a](javascript:alert(1))",
    '![a](https://a.example/"onerror="alert(1))',
    '[a](https://a.example/ "x\\" onclick=\\"alert(1)")',
    '```js"onclick=alert(1)\ncode\n```',
    '# a" onclick="alert(1)',
    '[^a"onclick=alert(1)]\n\n[^a"onclick=alert(1)]: x',
    "<https://a.example/'\"><script>>",
    "| <script> | [x](vbscript:x) |\n|-|-|\n| <style> | a |",
    "<!-- --><script>alert(1)</script><!-- -->",
    "<!--><script>alert(1)</script>-->",
  ];

  it.each(ATTEMPTS)("%s has no scripts, handlers or other elements", (content) => {
    const allowed =
      /^(?:h[2-6]|p|blockquote|hr|pre|ul|ol|li|section|div|figure|table|thead|tbody|tr|th|td|a|img|code|em|strong|del|sup|br|input)$/;
    for (const { name, attributes } of fromHtml(htmlOf(content))) {
      expect(name).toMatch(allowed);
      for (const [attribute, value] of Object.entries(attributes)) {
        expect(attribute).not.toMatch(/^on|^style$|^srcdoc$/);
        if (attribute === "href" || attribute === "src") expect(value).toMatch(/^(?:https?:|mailto:|#)/);
      }
    }
  });

  it("comments are left out, HTML that is not allowed is shown as text", () => {
    expect(htmlOf("a\n\n<!-- more -->\n\n<form>x</form>")).toBe("<p>a</p>\n<p>&lt;form>x&lt;/form></p>");
    expect(htmlOf("<!-- note -->tail")).toBe("<p>tail</p>");
    expect(htmlOf("<!-- a\n\nb --> c <!-->d<!-- e")).toBe("<p>c d&lt;!-- e</p>");
    expect(htmlOf("<!--->-->\n\n<div><!-- secret -->x</div>")).toBe("<p>--></p>\n<div>x</div>");
    expect(htmlOf(`<div>${"<!--".repeat(40_000)}`)).toContain("&lt;!--");
  });

  it.each([
    ["a table in a table", "<table><table></table></table>"],
    ["a Markdown table in a table", "<table>\n\n| a |\n|-|\n| b |\n\n</table>"],
    ["a list item in a part of another", "<ul><li><div><li>x</li></div></li></ul>"],
    ["a list item in one of Markdown", "- a\n\n  <div><li>x</li></div>"],
    ["a term in a part of another", "<dl><dd><div><dd>x</dd></div></dd></dl>"],
    ["a heading in a part of another", "<h1><div><h2><h3>x</h3></h2></div></h1>"],
    ["a heading in one of Markdown", "# a <div><h2><h3>x</h3></h2></div>"],
    ["a link in a link", "<a href='/x'><div><a href='/y'>x</a></div></a> [c <a href='/q'>d</a>](/e)"],
    ["cells without a table", "<p><th><tbody><caption>\n\n<th><tr></caption><table>"],
    ["end tags", "</div></main></p></td></table>x"],
  ])("%s stays in the element that shows the text", (_name, content) => {
    const page = parseFragment(`<main><div id="text">${htmlOf(content)}</div><p>after</p></main>`);
    const main = page.childNodes[0] as DefaultTreeAdapterTypes.Element;
    expect(main.childNodes.map(({ nodeName }) => nodeName)).toEqual(["div", "p"]);
    expect(page.childNodes).toHaveLength(1);
  });

  it("parts of lists and tables need no end tags, and text between the parts of a table is before it", () => {
    expect(htmlOf("<ul><li>a<li>b</ul>")).toBe("<ul><li>a</li><li>b</li></ul>");
    expect(htmlOf("<table>x<tr><td>a<td>b<tr><td>c</table>")).toBe(
      '<p>x</p>\n<div class="table" tabindex="0"><table><tr><td>a</td><td>b</td></tr><tr><td>c</td></tr></table></div>',
    );
  });

  it("all addresses of a source are absolute", () => {
    const ok = "https://a.example/a,b 1x,https://a.example/c 2x, https://a.example/d";
    expect(htmlOf(`<picture><source srcset="${ok}"></picture>`)).toContain(`srcset="${ok}"`);
    expect(htmlOf('<picture><source srcset="https://a.example/a 1x,/b 2x"></picture>')).not.toContain("/b");
  });

  it("pictures alone in a paragraph have captions, and several are a gallery", () => {
    const [one, two] = ['![A](https://a.example/a.png "Boats & <b")', "![B](https://a.example/b.png)"];
    const { html, text } = renderArticle(`${one}\n\n${one} ${two}\n[![C](https://a.example/c.png "Sea")](/c)`);
    const caption = "<figcaption>Boats &amp; &lt;b</figcaption>";
    expect(html).toMatch(
      new RegExp(
        `^<figure><img [^>]*>${caption}</figure>\n<div class="gallery"><figure><img [^>]*>${caption}</figure>`,
      ),
    );
    expect(html).toMatch(/<\/figure><img [^>]*><figure><a href="\/c"><img [^>]*><\/a><figcaption>Sea<\/figcaption>/);
    expect(text).toBe("Boats & <b\n\nBoats & <b\nSea");
    expect(html).not.toContain("title=");
    expect(htmlOf(two)).toMatch(/^<p><img [^>]*><\/p>$/);
    expect(htmlOf(`${one} and ${two}`)).not.toContain("figure");
    expect(htmlOf('![A](/a.png "Boats")')).toBe("<p>A</p>");
  });

  it("a paragraph of 15,000 links is rendered", () => {
    expect(htmlOf("www.a.example ".repeat(15_000)).match(/<a /g)).toHaveLength(15_000);
  });

  it("no two parts have the same id", () => {
    const html = htmlOf(
      '## Two\n\n<a id="two"></a><a id="one"></a><b name="one">x</b><b id="a b">y</b><b id>z</b>\n\nx[^a][^a][^a-2]\n\n[^a]: 1\n[^a-2]: 2',
    );
    const ids = [...html.matchAll(/ id="([^"]*)"/g)].map(([, id]) => id);
    expect(ids).toEqual(["h-two", "h-one", "fnref-a", "fnref-a-2", "fnref-a-2-", "fn-a", "fn-a-2-"]);
  });

  const BOUNDED = [
    ["nested quotes", "> ".repeat(400)],
    ["nested lists", Array.from({ length: 400 }, (_, depth) => `${"  ".repeat(depth)}- a`).join("\n")],
    ["nested emphasis", `${"*a ".repeat(4000)}${"b*".repeat(4000)}`],
    ["nested elements", `${"<div>".repeat(4000)}a`],
    ["brackets", "[".repeat(50_000)],
    ["headings of one name", "# a\n".repeat(20_000)],
    ["references", `[a]: https://a.example/${"x".repeat(2000)}\n\n${"[a] ".repeat(20_000)}`],
    ["long titles", `[a]: /u "${"t".repeat(20_000)}"\n\n${"![a]\n\n".repeat(2000)}`],
    ["short rows of a wide table", `${"|a".repeat(4000)}|\n${"|-".repeat(4000)}|\n${"c\n".repeat(2000)}`],
    ["references to a footnote", `[^a]: x\n\n${"[^a]".repeat(5000)}${"[^".repeat(20_000)}`],
  ] as const;
  it.each(spread(BOUNDED, 4))("%s are bounded in what they become", (_name, content) => {
    const { html, text } = renderArticle(content);
    expect(html.length).toBeLessThan(content.length * 60 + 3_000_000);
    expect(text.length).toBeLessThan(content.length * 2 + 65_536);
  });
});
