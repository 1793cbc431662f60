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
    posts: [{ id: 1, title: "T", status: "draft", custom_excerpt: "E <b> & c" }],
    posts_meta: [{ post_id: 1, meta_title: `${"x".repeat(298)}🌊y`, meta_description: `a\ud83c ${"🌊".repeat(1000)}` }],
  };
  const { articles, remarks } = await readSource(files.file(JSON.stringify({ data })));
  // In Ghost, it is no HTML.
  expect(articles["post-1"]?.description).toBe("E <b> & c");
  expect(articles["post-1"]?.extras?.seo).toMatchObject({
    title: `${"x".repeat(298)}…`,
    description: `a\ufffd ${"🌊".repeat(998)}…`,
  });
  expect(remarks).toEqual(["2 SEO texts shortened"]);
});

describe("a card as Ghost has rendered it", () => {
  const icon = '<svg viewBox="0 0 24 24"><title>download-circle</title><path d="M1"></path></svg>';
  const player = (kind: string) =>
    `<div class="kg-${kind}-player"><button class="kg-${kind}-play-icon">${icon}</button><span>0:00</span>
<div class="kg-${kind}-time">/<span class="kg-${kind}-duration">3:45</span></div><input type="range" max="100" value="0">
<button class="kg-${kind}-playback-rate">1&#215;</button></div>`;
  const audio = (thumbnail: string, title: string) =>
    `<div class="kg-card kg-audio-card"><img src="${thumbnail}" alt="audio-thumbnail" class="kg-audio-thumbnail">
<div class="kg-audio-thumbnail placeholder">${icon}</div><div class="kg-audio-player-container"><audio src="/a.mp3"></audio>
<div class="kg-audio-title">${title}</div>${player("audio")}</div></div>`;
  const video = `<figure class="kg-card kg-video-card kg-card-hascaption" data-kg-thumbnail="/t.jpg"
data-kg-custom-thumbnail="/c.jpg"><div class="kg-video-container"><video src="/v.mp4" poster="/spacer.png"></video>
<div class="kg-video-overlay"><button>${icon}</button></div>${player("video")}</div><figcaption>By <b>me</b></figcaption></figure>`;
  const bookmark = `<figure class="kg-card kg-bookmark-card kg-card-hascaption"><a class="kg-bookmark-container" href="/b?c=1">
<div class="kg-bookmark-content"><div class="kg-bookmark-title">A &lt;title&gt;</div><div class="kg-bookmark-description">Long
</div><div class="kg-bookmark-metadata"><img class="kg-bookmark-icon" src="/i.png" alt=""><span class="kg-bookmark-author">Author</span></div></div>
<div class="kg-bookmark-thumbnail"><img src="/t.png" alt=""></div></a><figcaption>Note</figcaption></figure>`;
  const file = (title: string) =>
    `<div class="kg-card kg-file-card"><a class="kg-file-card-container" href="/f.pdf" title="Download" download="">
<div class="kg-file-card-contents"><div class="kg-file-card-title">${title}</div><div class="kg-file-card-caption">About</div>
<div class="kg-file-card-metadata"><div class="kg-file-card-filename">f.pdf</div><div class="kg-file-card-filesize">1 KB</div>
</div></div><div class="kg-file-card-icon">${icon}</div></a></div>`;

  it.each([
    ["audio", audio("/t.jpg", "Song"), "![](/t.jpg)\n\n[Song](/a.mp3)\n"],
    ["audio without a picture and a title", audio("", ""), "[/a.mp3](/a.mp3)\n"],
    ["video", video, "![](/c.jpg)\n\n[/v.mp4](/v.mp4)\n\n_By **me**_\n"],
    ["bookmark", bookmark, "[A \\<title>](/b?c=1)\n\nLong\n\nAuthor\n\n_Note_\n"],
    ["file", file("Paper"), "[Paper](/f.pdf)\n\nAbout\n\nf.pdf · 1 KB\n"],
    ["file without a title", file(""), "[f.pdf](/f.pdf)\n\nAbout\n\n1 KB\n"],
    ["card without an address", '<figure class="kg-card kg-video-card"><p>No video</p></figure>', "No video\n"],
    ["picture without an address", '<figure class="kg-card"><img src="" alt="a"><img alt="b"></figure><p>x</p>', "x\n"],
  ])("%s is a link, and has no controls of a player", async (_, html, markdown) => {
    const { articles } = await readSource(files.file(ghostFile([{ id: 1, html: `<p>a</p>${html}` }])));
    expect(articles["post-1"]?.content).toBe(`a\n\n${markdown}`);
  });
});

describe("a post without HTML", () => {
  const lexical = async (...children: object[]) => {
    const row = { id: 1, status: "draft", lexical: JSON.stringify({ root: { children } }) };
    const { articles, remarks } = await readSource(files.file(ghostFile([row])));
    return [articles["post-1"]?.content.trimEnd(), ...remarks.filter((remark) => !remark.includes("old site"))];
  };

  it.each([
    [64, "10⁶"],
    [32, "10₆"],
    [65, "10**⁶**"],
    [80, "10<sup>`6`</sup>"],
    [8, "10<u>6</u>"],
    [128, "10<mark>6</mark>"],
  ])("has the format %i of a text", async (format, markdown) => {
    const texts = [
      { type: "text", text: "10" },
      { type: "extended-text", text: "6", format },
    ];
    expect(await lexical({ type: "paragraph", children: texts })).toEqual([markdown]);
  });

  it("has raised and lowered signs of mobiledoc", async () => {
    const marker = (markup: number, text: string) => [0, [markup], 1, text];
    const mobiledoc = JSON.stringify({
      markups: [["sup"], ["sub"]],
      sections: [[1, "p", [marker(0, "2"), marker(1, "a b")]]],
    });
    const { articles } = await readSource(files.file(ghostFile([{ id: 1, mobiledoc }])));
    expect(articles["post-1"]?.content).toBe("²<sub>a b</sub>\n");
  });

  it.each([
    [{ type: "callout", calloutEmoji: "!", calloutText: "a <b>b</b>" }, "> ! a **b**"],
    [{ type: "toggle", heading: "a", content: "<p>b</p>" }, "<details>\n<summary>a</summary>\n\nb\n\n</details>"],
    [{ type: "button", buttonText: "a", buttonUrl: "/b" }, "[a](/b)"],
    [
      {
        type: "bookmark",
        url: "/b",
        caption: "c",
        metadata: { title: "a", description: "d", author: "e", publisher: "f" },
      },
      "[a](/b)\n\nd\n\ne · f\n\n_c_",
    ],
    [
      {
        type: "product",
        productTitle: "a",
        productDescription: "<p>b</p>",
        productImageSrc: "/i",
        productRatingEnabled: true,
        productStarRating: 4,
        productUrl: "/u",
        productButton: "c",
      },
      "![](/i)\n\n#### a\n\n★★★★☆\n\nb\n\n[c](/u)",
    ],
    [{ type: "file", src: "/f", fileTitle: "a", fileName: "b.pdf", fileCaption: "c" }, "[a](/f) (b.pdf)\n\nc"],
    [
      {
        type: "header",
        header: "a",
        subheader: "b",
        backgroundImageSrc: "/i",
        buttonEnabled: true,
        buttonText: "c",
        buttonUrl: "/u",
      },
      "![](/i)\n\n## a\n\nb\n\n[c](/u)",
    ],
    [
      {
        type: "call-to-action",
        textValue: "<p>a</p>",
        showButton: true,
        buttonText: "b",
        buttonUrl: "/u",
        imageUrl: "/i",
        hasSponsorLabel: true,
        sponsorLabel: "<p>s</p>",
      },
      "s\n\n![](/i)\n\na\n\n[b](/u)",
    ],
    [{ type: "codeblock", code: "a < b", language: "js", caption: "c" }, "```js\na < b\n```\n\n_c_"],
    [{ type: "audio", src: "/a", title: "b", thumbnailSrc: "/t" }, "![](/t)\n\n[b](/a)"],
    [
      { type: "embed", url: "https://youtu.be/dQw4w9WgXcQ", html: "<iframe></iframe>", caption: "c" },
      "<https://youtu.be/dQw4w9WgXcQ>\n\n_c_",
    ],
    [
      {
        type: "embed",
        url: "https://youtu.be/dQw4w9WgXcQ",
        html: "<iframe></iframe>",
        metadata: { title: "A & b", thumbnail_url: "https://i.example/t.jpg" },
      },
      "[![A & b](https://i.example/t.jpg)](https://youtu.be/dQw4w9WgXcQ)",
    ],
    [
      {
        type: "bookmark",
        url: "https://vimeo.com/76979871",
        metadata: { title: "c", thumbnail: "https://i.example/u.jpg", description: "d" },
      },
      "[![c](https://i.example/u.jpg)](https://vimeo.com/76979871)\n\nd",
    ],
    [
      {
        type: "embed",
        url: "u",
        html: '<blockquote class="twitter-tweet"><p>a</p><a href="https://x.com/b/status/1">c</a></blockquote>',
      },
      "> a\n>\n> [c](https://x.com/b/status/1)\n\n<https://x.com/b/status/1>",
    ],
  ])("has all of the text of a card: %j", async (card, markdown) => expect(await lexical(card)).toEqual([markdown]));
});

it("what a post of Ghost has and an article has not is said of it", async () => {
  const data = {
    posts: [
      {
        id: 1,
        title: "A",
        status: "draft",
        author_id: 5,
        image: "https://g.example/c.jpg",
        markdown: "*a*",
        featured: 1,
        codeinjection_head: "<style></style>",
        og_title: "O",
      },
    ],
    posts_meta: [],
    users: [{ id: 5, name: "Ada" }],
  };
  const { articles, notes } = await readSource(files.file(JSON.stringify({ data })));
  expect(articles["post-1"]).toMatchObject({
    content: "*a*",
    coverUrl: "https://g.example/c.jpg",
    extras: { authors: ["Ada"] },
  });
  expect(notes["post 1 (A)"]?.split("\n")).toEqual([
    "texts for social networks left out",
    "injected code left out",
    "posts that are no longer featured",
  ]);
});

it.each(["rosa@mail.example.com", "Rosa <rosa@mail.example.com>"])("an author %s has no address", async (name) => {
  const data = {
    posts: [{ id: 1, title: "A", status: "draft" }],
    users: [{ id: 5, name, slug: "rosa-mail-example-com" }],
    posts_authors: [{ post_id: 1, author_id: 5 }],
  };
  const { articles, notes } = await readSource(files.file(JSON.stringify({ data })));
  expect(articles["post-1"]?.extras?.authors).toEqual(name.startsWith("Rosa") ? ["Rosa"] : []);
  expect(notes["post 1 (A)"]).toBe("e-mail addresses left out of the names of authors");
});
