/** Posts of WordPress: what its exports have beside them, and what it does with their text before it shows it. */
import { describe, expect, it } from "vitest";
import { htmlToMarkdown } from "../../packages/import/html.ts";
import { Remarks } from "../../packages/import/remarks.ts";
import { addParagraphs, linkAddresses } from "../../packages/import/wordpress-html.ts";
import { expandShortcodes } from "../../packages/import/wordpress-shortcodes.ts";
import { readSource, useFiles, wordpressFile, wordpressItem } from "./source-files.ts";

const files = useFiles();

it("an export is read without the whitespace round its names and values", async () => {
  const more = `<wp:post_date_gmt>\n 2020-01-02 03:04:05\n</wp:post_date_gmt><dc:creator>\n ada </dc:creator><category domain=" post_tag " nicename=" sea ">\n Sea </category>
<wp:postmeta><wp:meta_key>\n_thumbnail_id </wp:meta_key><wp:meta_value>\n 9 \n</wp:meta_value></wp:postmeta>`;
  const picture = `<item><wp:post_id>\n9\n</wp:post_id><wp:post_type>\nattachment\n</wp:post_type><wp:attachment_url>\n  https://pics.example.com/cover.jpg\n</wp:attachment_url></item>`;
  const author =
    "<wp:author><wp:author_login> ada\n</wp:author_login><wp:author_display_name>\n Ada L. </wp:author_display_name></wp:author>";
  const post = wordpressItem({ id: "\n1 ", name: "\nsea ", type: "\npost\n", status: "\n publish\n", more });
  const { articles } = await readSource(files.file(wordpressFile([author, post, picture])));
  expect(articles["post-1"]).toMatchObject({
    published: true,
    slug: "sea",
    coverUrl: "https://pics.example.com/cover.jpg",
    extras: { publishTime: "2020-01-02T03:04:05.000Z", tags: ["Sea"], authors: ["Ada L."] },
  });
});

it("a custom field of a comment is none of its post", async () => {
  const meta = (of: "post" | "comment", key: string, value: string) =>
    `<wp:${of}meta><wp:meta_key>${key}</wp:meta_key><wp:meta_value>${value}</wp:meta_value></wp:${of}meta>`;
  const rated = `<wp:comment>${meta("comment", "rating", "5")}</wp:comment>`;
  const keyless = "<wp:postmeta><wp:meta_value>5</wp:meta_value></wp:postmeta>";
  const pictureOf = (id: string) =>
    wordpressItem({
      id,
      type: "attachment",
      more: `<wp:attachment_url>https://w.example/${id}.jpg</wp:attachment_url>`,
    });
  const items = [
    wordpressItem({ id: "1", name: "a", more: meta("post", "_thumbnail_id", "9") + rated + keyless }),
    wordpressItem({ id: "2", name: "b", more: meta("post", "_wpml_import_language_code", "de") + rated }),
    wordpressItem({ id: "3", name: "c", more: keyless + meta("comment", "_thumbnail_id", "9") }),
    ...["5", "9"].map(pictureOf),
  ];
  const { articles, failed } = await readSource(files.file(wordpressFile(items)));
  expect(failed).toEqual({});
  expect(articles).toMatchObject({
    "post-1": { coverUrl: "https://w.example/9.jpg" },
    "post-2": { locale: "de" },
    "post-3": { coverUrl: "" },
  });
});

describe("shortcodes", () => {
  const pictures = {
    attachments: new Map([
      ["1", { url: "https://w.example/1.jpg", title: "", caption: "", alt: "", parent: "", order: 0 }],
    ]),
    children: new Map(),
    postId: "",
  };
  const shown = (html: string) => {
    const remarks = new Remarks();
    return [htmlToMarkdown(expandShortcodes(html, pictures, remarks), remarks, addParagraphs), remarks.list()];
  };

  it.each([
    ['[caption id="a" width="3"]<img src="/i.jpg"> Now[/caption]', "_Now_"],
    ['[caption id="a" width="3" caption="Before 3.4"]<img src="/i.jpg">[/caption]', "_Before 3.4_"],
    [`[caption caption='By <em>"her"</em>']<a href="/b"><img src="/i.jpg"></a>[/caption]`, '_By "her"_'],
    ['[caption caption="A &quot;b&quot;"]<img src="/i.jpg"> beside[/caption]', '_A "b"_'],
  ])("%s has its caption", (html, caption) => {
    const [markdown] = shown(html);
    expect(markdown).toContain("![](/i.jpg)");
    expect(markdown).toContain(caption);
  });

  it.each([
    ["Write [[gallery]] or [[embed]x[/embed]]", "Write \\[gallery] or \\[embed]x\\[/embed]\n"],
    ["<pre>[gallery]\n[plugin a=1]\n[[audio]]</pre>", "```\n[gallery]\n[plugin a=1]\n[audio]\n```\n"],
    ['<code class="php">a[gallery]</code> and <CODE>b[0]</CODE>', "`a[gallery]` and `b[0]`\n"],
    [
      "</code>[gallery ids=1]<codex>[gallery ids=1]</codex>",
      "![](https://w.example/1.jpg)\n\n![](https://w.example/1.jpg)\n",
    ],
  ])("%j are text where WordPress or code says so", (html, markdown) => {
    expect(shown(html)).toEqual([markdown, []]);
  });
});

describe("what a shortcode shows", () => {
  const shown = (html: string) => {
    const remarks = new Remarks();
    const of = { attachments: new Map(), children: new Map(), postId: "1" };
    return [
      htmlToMarkdown(expandShortcodes(html, of, remarks), remarks, addParagraphs).trimEnd(),
      ...remarks.list().map(({ what }) => what),
    ];
  };
  it.each([
    ["[audio https://p.example/a.mp3]", "<https://p.example/a.mp3>"],
    ['[audio mp3="https://p.example/a.mp3" ogg="/a.ogg"][/audio]', "<https://p.example/a.mp3>"],
    ["a [video https://p.example/a.mp4] b", "a\n\n<https://p.example/a.mp4>\n\nb"],
    ["[embed https://vimeo.com/1234567]", "<https://vimeo.com/1234567>"],
    ['[embed width="3"] http://youtu.be/dQw4w9WgXcQ [/embed]', "<https://youtu.be/dQw4w9WgXcQ>"],
    ["[youtube=http://www.youtube.com/watch?v=dQw4w9WgXcQ]", "<https://www.youtube.com/watch?v=dQw4w9WgXcQ>"],
    ["[vimeo 1234567]", "<https://vimeo.com/1234567>"],
    ["[wp_caption]<img src=/a> b[/wp_caption]", "![](/a)\n\n_b_"],
    [
      '[sourcecode language="php"]\n<?php echo "<b>$a[b]</b>";\n\n?>[/sourcecode]',
      '```php\n<?php echo "<b>$a[b]</b>";\n\n?>\n```',
    ],
    ["[perl]a &lt; b[/perl]", "```perl\na < b\n```"],
    ["[code]a", "\\[code]a"],
    ["[audio]", "\\[audio]"],
  ])("%s becomes %s", (html, markdown) =>
    expect(shown(html).filter((each) => !/turned into links|left as text/.test(each))).toEqual([markdown]),
  );
});

describe("a gallery", () => {
  const attachment = (id: string, name: string, more: string) =>
    wordpressItem({
      id,
      type: "attachment",
      status: "inherit",
      title: name,
      excerpt: name === "pier" ? "The <b>pier</b>" : "",
      more: `<wp:attachment_url>https://p.example/${name}.${name === "song" ? "mp3" : "jpg"}</wp:attachment_url>${more}`,
    });
  const of = (parent: string, order: number) =>
    `<wp:post_parent>${parent}</wp:post_parent><wp:menu_order>${order}</wp:menu_order>`;
  const alt =
    "<wp:postmeta><wp:meta_key>_wp_attachment_image_alt</wp:meta_key><wp:meta_value>A boat</wp:meta_value></wp:postmeta>";
  const pictures = [
    attachment("14", "mole", of("1", 3)),
    attachment("11", "boat", of("1", 2) + alt),
    attachment("12", "pier", of("1", 1)),
    attachment("13", "song", of("1", 0)),
    attachment("20", "quay", of("2", 0)),
  ];

  it.each([
    ["[gallery]", "pier boat mole"],
    ["[gallery order=DESC]", "mole boat pier"],
    ['[gallery orderby="title"]', "boat mole pier"],
    ['[gallery orderby="ID"]', "boat pier mole"],
    ['[gallery ids="14, 11"]', "mole boat"],
    ['[gallery ids="14,11" orderby="ID"]', "boat mole"],
    ['[gallery include="14,11"]', "boat mole"],
    ['[gallery exclude="11"]', "pier mole"],
    ['[gallery id="2"]', "quay"],
    ["[playlist]", "song"],
    ['[playlist type="audio" ids="13"]', "song"],
  ])("%s shows %s", async (gallery, names) => {
    const item = wordpressItem({ id: "1", name: "a", status: "draft", content: `Before\n\n${gallery}\n\nAfter` });
    const { articles, notes } = await readSource(files.file(wordpressFile([item, ...pictures])));
    const content = articles["post-1"]?.content ?? "";
    expect([...content.matchAll(/p\.example\/(\w+)/g)].map(([, name]) => name).join(" ")).toBe(names);
    expect(content).toMatch(/^Before\n\n[^]*\n\nAfter\n$/);
    if (names === "pier boat mole") expect(content).toContain('pier.jpg "The pier") ![A boat](');
    const isPlain = !names.includes("pier");
    expect(notes).toEqual(isPlain ? {} : { "post 1 ()": "captions in galleries, now without links and formatting" });
  });

  it("without files that the export names is said of its post", async () => {
    const item = wordpressItem({ id: "3", name: "a", title: "A", status: "draft", content: "[gallery]" });
    const { notes } = await readSource(files.file(wordpressFile([item, ...pictures])));
    expect(notes["post 3 (A)"]).toBe("galleries left out, because none of their files is in the export");
  });
});

describe("a classic post", () => {
  const shown = (html: string) => htmlToMarkdown(html, new Remarks(), addParagraphs);

  it.each([
    ["<em>Line one\nLine two\n\nPara two</em>", "_Line one\\\nLine two_\n\n_Para two_\n"],
    ["<strong>Roses are red\r\nViolets are blue</strong>", "**Roses are red\\\nViolets are blue**\n"],
    ['a\n\n<span style="x">b\n \nc</span>\nd', "a\n\nb\n\nc\\\nd\n"],
    ['Text <a href="/x">link\nmore\n\nrest</a>', "Text [link\\\nmore](/x)\n\n[rest](/x)\n"],
    ["<b>one <i>two\n\nthree</i> four</b>", "**one _two_**\n\n**_three_ four**\n"],
    ["<em>a\n</em>b\n\n<b>\n\nc<br></b>", "_a_\\\nb\n\n**c**\n"],
    ["<b>\n<p>One</p>\n\ntwo\nthree</b>", "One\n\ntwo\\\nthree\n"],
    ["<a href=/x><div>one\n\ntwo</div></a>", "[one](/x)\n\n[two](/x)\n"],
    ["a<br />\nb<b>c<br />\nd<br></b>\ne", "a\\\nb**c\\\nd**\\\ne\n"],
  ])("%j has its lines and paragraphs within its marks", (html, markdown) => {
    expect(shown(html)).toBe(markdown);
  });

  it("has the lines of addresses and items", () => {
    expect(shown("<address>1 Loop\n95014 Town</address>\n<ul>\n<li>a\nb</li>\n<li>c</li>\n</ul>")).toBe(
      "1 Loop\\\n95014 Town\n\n- a\\\n  b\n- c\n",
    );
  });

  it("has links in place of addresses in a line of their own, and only there", () => {
    expect(shown("Look:\n\nhttps://vimeo.com/1\nat https://a.example/\nhttps://b.example/\nend")).toBe(
      "Look:\n\n<https://vimeo.com/1>\n\nat https://a.example/\n\n<https://b.example/>\n\nend\n",
    );
  });

  it("with a long link around very many paragraphs is refused before it takes their room", () => {
    for (const html of [
      `<a href="${"x".repeat(1000)}">${"x\n\n".repeat(5000)}</a>`,
      `${"<i>".repeat(90)}${"x\n\n".repeat(10_000)}`,
    ])
      expect(() => shown(html)).toThrow("its HTML is larger than 4 MiB");
  });
});

it("a post of blocks has links in place of what it embeds", () => {
  const html =
    '<!-- wp:embed --><figure class="wp-block-embed"><div>\nhttps://vimeo.com/1\n</div></figure><!-- /wp:embed -->';
  expect(htmlToMarkdown(html, new Remarks(), linkAddresses)).toBe("<https://vimeo.com/1>\n");
});
