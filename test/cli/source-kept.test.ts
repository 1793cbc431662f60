/** What HTML has and Markdown has not: which of it stays, in what form, and what is said of the rest. */
import { describe, expect, it } from "vitest";
import { htmlToMarkdown } from "../../packages/import/html.ts";
import { Remarks } from "../../packages/import/remarks.ts";

const read = (html: string) => {
  const remarks = new Remarks();
  return [htmlToMarkdown(html, remarks).trimEnd(), ...remarks.list().map(({ what, times }) => `${times} ${what}`)];
};

describe("raised and lowered signs", () => {
  it.each([
    ["10<sup>6</sup> m<sup>2</sup> x<sup>n+1</sup> 1<sup>st</sup>", "10⁶ m² xⁿ⁺¹ 1ˢᵗ"],
    ["log<sub>2</sub> H<sub>2</sub>O a<sub>(i−1)</sub>", "log₂ H₂O a₍ᵢ₋₁₎"],
    ["a<sup>b c</sup> e<sup>π</sup> x<sub>b</sub>", "a<sup>b c</sup> e<sup>π</sup> x<sub>b</sub>"],
    ["see<sup><a href=/1>1</a></sup> the<sup>superscript</sup>", "see<sup>[1](/1)</sup> the<sup>superscript</sup>"],
    ["<b>10<sup>6</sup></b> <code>m<sup>2</sup></code>", "**10⁶** `m²`"],
  ])("%s is %s", (html, markdown) => expect(read(`<p>${html}`)).toEqual([markdown]));
});

describe("elements that Markdown has no form for", () => {
  it.each([
    ["<p>Press <kbd>Ctrl</kbd> <kbd>*</kbd>", "Press <kbd>Ctrl</kbd> <kbd>\\*</kbd>"],
    [
      "<p><mark>a <b>b</b></mark> <u>c</u> <ins>d</ins> <small>e</small>",
      "<mark>a **b**</mark> <u>c</u> <ins>d</ins> <small>e</small>",
    ],
    [
      "<p><abbr title='a \"b\"'>c</abbr> <acronym title=d>e</acronym> <abbr>f</abbr>",
      '<abbr title="a &quot;b&quot;">c</abbr> <abbr title="d">e</abbr> f',
    ],
    [
      "<details open><summary>A <b>&lt;b></b></summary><p>c</p><ul><li>d</ul></details>e",
      "<details>\n<summary>A &lt;b&gt;</summary>\n\nc\n\n- d\n\n</details>\n\ne",
    ],
    [
      "<details><summary>a <img src=/b alt=c> <a href=/d>e</a></summary>f</details>",
      "<details>\n<summary>\n\na ![c](/b) [e](/d)\n\n</summary>\n\nf\n\n</details>",
    ],
    ["<p>a <kbd><p>b</p></kbd></p>", "a\n\nb"],
    [
      "<figure><img src=/a><figcaption>By <b>me</b> <em>too</em><br></figcaption></figure>",
      "![](/a)\n\n_By **me** too_",
    ],
    ['<div class="wp-caption"><img src=/a><p class="wp-caption-text">b</p></div>', "![](/a)\n\n_b_"],
    ["<table><caption>a</caption><tr><th>b<tr><td>c</table>", "_a_\n\n| b |\n| - |\n| c |"],
    [
      "<menu><li>a</menu><dialog>b</dialog><math><mi>c</mi><annotation encoding=application/x-tex>d</annotation></math>",
      "- a\n\nb\n\n$d$",
    ],
    ["<p>これは<strong>「重要」</strong>です。", "これは**「重要」**です。"],
    ["<p><b>a<br></b>b", "**a**\\\nb"],
    [
      "<p><ruby>漢<rt>かん</rt>字<rt>じ</rt></ruby>",
      "<ruby>漢<rp>(</rp><rt>かん</rt><rp>)</rp>字<rp>(</rp><rt>じ</rt><rp>)</rp></ruby>",
    ],
  ])("%s stay: %s", (html, markdown) => expect(read(html)).toEqual([markdown]));
});

describe("the captions of pictures (contract 20.3)", () => {
  const [a, b] = ["a", "b"].map((name) => `<img src="https://p.example/${name}.jpg" alt="${name}" title="hover">`);
  const [shownA, shownB] = ["![a](https://p.example/a.jpg)", "![b](https://p.example/b.jpg)"];
  const titled = (title: string) => `![a](https://p.example/a.jpg "${title}")`;
  const caption = "<figcaption>C</figcaption>";
  const kept = (picture: string, words: string) =>
    `<figure>\n\n${picture}\n\n<figcaption>\n\n${words}\n\n</figcaption>\n</figure>`;
  const NO_TITLES = "titles of pictures, shown on hover, left out";
  const NO_MARKS = "captions in galleries, now without links and formatting";
  it.each([
    [`<figure>${a}<figcaption> C <span>"d"</span><br></figcaption></figure>`, titled(String.raw`C \"d\"`), []],
    [`<figure><a href="https://e.x/">${a}</a>${caption}</figure>`, `[${titled("C")}](https://e.x/)`, []],
    [`<div class="wp-caption">${a}<p class="wp-caption-text">C</p></div>`, titled("C"), []],
    [
      `<figure>${a}<figcaption>By <a href="https://e.x/">me</a></figcaption></figure>`,
      kept(shownA ?? "", "By [me](https://e.x/)"),
      [],
    ],
    [
      `<figure class="wp-block-gallery"><ul><li><figure>${a}${caption}</figure></li><li><figure>${b}</figure></li></ul><figcaption>All</figcaption></figure>`,
      `${titled("C")} ${shownB}\n\n_All_`,
      [],
    ],
    [
      `<figure class="kg-gallery-card"><div><div>${a}</div><div>${b}</div></div><figcaption><p>All</p></figcaption></figure>`,
      `${shownA} ${shownB}\n\n_All_`,
      [],
    ],
    [
      `<figure><figure>${a}<figcaption><b>C</b></figcaption></figure>${b}</figure>`,
      `${titled("C")} ${shownB}`,
      [NO_MARKS],
    ],
    [`<figure>${a}<p>Words</p>${caption}</figure>`, `${shownA}\n\nWords\n\n_C_`, []],
    [`<ul><li><figure>${a}${caption}</figure></li></ul>`, `- ${shownA}\n\n  _C_`, []],
    [`<p>In ${a} text</p>`, `In ${shownA} text`, []],
  ])("%s", (html, markdown, remarks) => {
    const pictures = html.split("<img").length - 1;
    expect(read(html).toSorted()).toEqual(
      [markdown, ...remarks.map((what) => `1 ${what}`), `${pictures} ${NO_TITLES}`].toSorted(),
    );
  });
});

describe("what a page embeds", () => {
  const tweet =
    '<blockquote class="twitter-tweet"><p>Hi</p><a href="https://twitter.com/a/status/1?ref_src=b">May</a></blockquote>';
  it.each([
    [
      '<iframe src="//www.youtube.com/embed/dQw4w9WgXcQ?feature=oembed"></iframe>',
      "https://www.youtube.com/watch?v=dQw4w9WgXcQ",
    ],
    [
      '<iframe src="https://www.youtube-nocookie.com/embed/dQw4w9WgXcQ?rel=0&start=30"></iframe>',
      "https://www.youtube.com/watch?v=dQw4w9WgXcQ&t=30",
    ],
    [
      '<object><param name="movie" value="http://www.youtube.com/v/dQw4w9WgXcQ&hl=en"></object>',
      "https://www.youtube.com/watch?v=dQw4w9WgXcQ",
    ],
    ['<iframe src="https://player.vimeo.com/video/1234567?h=ab12&dnt=1"></iframe>', "https://vimeo.com/1234567/ab12"],
    [
      '<iframe src="https://open.spotify.com/embed/track/4uLU6hMCjMI75M1A2tKUQC?utm=1"></iframe>',
      "https://open.spotify.com/track/4uLU6hMCjMI75M1A2tKUQC",
    ],
    ['<script src="https://gist.github.com/ada/ab12.js"></script>', "https://gist.github.com/ada/ab12"],
    [
      '<blockquote class="instagram-media" data-instgrm-permalink="https://www.instagram.com/p/a/?utm_source=b">View</blockquote><script src="//www.instagram.com/embed.js"></script>',
      "https://www.instagram.com/p/a/",
    ],
  ])("%s is an address alone in its paragraph", (html, url) =>
    expect(read(`<p>a</p>${html}`)).toEqual([`a\n\n<${url}>`]),
  );

  it("a quoted post keeps its words, and gets its address", () => {
    expect(read(`${tweet}<script async src="https://platform.twitter.com/widgets.js"></script>`)).toEqual([
      "> Hi\n>\n> [May](https://twitter.com/a/status/1?ref_src=b)\n\n<https://twitter.com/a/status/1>",
    ]);
  });

  it.each([
    ['<audio src="/a.mp3"></audio>', "[/a.mp3](/a.mp3)", "1 <audio> elements turned into links"],
    [
      '<video><source src="https://v.example/a.mp4"></video>',
      "<https://v.example/a.mp4>",
      "1 <video> elements turned into links",
    ],
    [
      '<iframe src="https://bandcamp.com/EmbeddedPlayer/album=1"><a href="https://a.bandcamp.com/album/b?c=1&amp;d=2">B &amp; C</a></iframe>',
      "[B & C](https://a.bandcamp.com/album/b?c=1&d=2)",
      "1 <iframe> elements turned into links",
    ],
    ["<pre>a<img src=/b></pre>", "```\na\n```\n\n![](/b)"],
    ["<pre><a href=/c><img src=/b></a></pre>", "[![](/b)](/c)"],
    ["<code>a<img src=/b></code>", "`a`![](/b)"],
    ["<iframe></iframe>", "", "1 <iframe> elements left out"],
    ['<script src="https://a.example/b.js"></script>', "", "1 <script> elements left out"],
    ["<svg><text>a</text></svg>", "", "1 <svg> elements left out"],
    ["<select><option>a<option selected>b</select>", "b", "1 <select> elements without their choices"],
    [
      '<img src="data:image/gif;base64,R0" data-src="https://p.example/a.jpg" alt="b">',
      "![b](https://p.example/a.jpg)",
    ],
    ['<img alt="b">', "", "1 pictures without an address left out"],
  ])("%s becomes %j, and what is lost is said", (html, ...expected) => expect(read(html)).toEqual(expected));
});

describe("a picture in a style", () => {
  const image = "![](https://p.example/a.jpg)";
  it.each([
    ['<div style="background-image:url(https://p.example/a.jpg)"><p>b</p></div>', `${image}\n\nb`],
    [`<p style="color:red; background: #fff url('https://p.example/a.jpg') no-repeat">b</p>`, `${image}\n\nb`],
    [
      '<figure style="background-image:url(&quot;https://p.example/a.jpg&quot;)"><img src="https://p.example/a.jpg"></figure>',
      image,
    ],
    [
      '<div role="img" aria-label="b" style="background-image:url(https://p.example/a.jpg)"></div>',
      "![b](https://p.example/a.jpg)",
    ],
    ['<table><tr><th background="https://p.example/a.jpg">b</table>', `| ${image}<br>b |\n| - |`],
    ["<div style=\"background-image:url(data:image/png;base64,R0);content:'url(c)'\">b</div>", "b"],
    [
      '<table style="background:url(https://p.example/a.jpg)"><tr><th>b</table>',
      "| b |\n| - |",
      "1 background pictures of tables and lists left out",
    ],
  ])("%s is shown", (html, ...expected) => expect(read(html)).toEqual(expected));
});

it("links to headings use the names that these get, and links to other places are said", () => {
  const html =
    "<a href=#a>1</a> <a href=#b>2</a> <a href=#c>3</a> <a name=a></a><h2>What's new?</h2><h2 id=b>What's new?</h2><p id=c>d";
  expect(read(html)).toEqual([
    "[1](#what-s-new) [2](#what-s-new-2) [3](#c)\n\n## What's new?\n\n## What's new?\n\nd",
    "1 links to places in the text that are no headings",
  ]);
});
