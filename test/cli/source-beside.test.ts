/** What WordPress and its plugins keep beside a post: fields for search engines, several authors, blocks of their own. */
import { describe, expect, it } from "vitest";
import { readSource, useFiles, wordpressFile, wordpressItem } from "./source-files.ts";

const files = useFiles();

describe("what is kept beside a post", () => {
  const meta = (fields: Readonly<Record<string, string>>) =>
    Object.entries(fields)
      .map(
        ([key, value]) =>
          `<wp:postmeta><wp:meta_key>${key}</wp:meta_key><wp:meta_value><![CDATA[${value}]]></wp:meta_value></wp:postmeta>`,
      )
      .join("");
  const read = async (
    more: string,
    others: readonly string[] = [],
    members: Parameters<typeof wordpressItem>[0] = {},
  ) => {
    const item = wordpressItem({ id: "1", name: "a", title: "A", excerpt: "E", status: "draft", ...members, more });
    const { articles, notes } = await readSource(files.file(wordpressFile(["<title>Site</title>", ...others, item])));
    return { article: articles["post-1"], note: notes["post 1 (A)"] };
  };

  it.each([
    [
      {
        _yoast_wpseo_title: "%%title%% %%page%% %%sep%% %%sitename%%",
        _yoast_wpseo_metadesc: "D",
        _yoast_wpseo_canonical: "https://c.example/",
        "_yoast_wpseo_meta-robots-noindex": "1",
      },
      { title: "A - Site", description: "D", canonicalUrl: "https://c.example/", noindex: true },
    ],
    [
      { _yoast_wpseo_metadesc: "50% off %%excerpt%%", "_yoast_wpseo_meta-robots-noindex": "2" },
      { description: "50% off E", noindex: false },
    ],
    [
      {
        rank_math_title: "%title% %sep% %sitename%",
        rank_math_description: "D",
        rank_math_canonical_url: "https://c.example/",
        rank_math_robots: 'a:2:{i:0;s:7:"noindex";i:1;s:8:"nofollow";}',
      },
      { title: "A - Site", description: "D", canonicalUrl: "https://c.example/", noindex: true },
    ],
    [
      { _aioseo_title: "#post_title #separator_sa #site_title", _aioseo_description: "D #hash" },
      { title: "A - Site", description: "D #hash" },
    ],
    [
      { _aioseop_title: "T", _aioseop_description: "D", _aioseop_noindex: "on" },
      { title: "T", description: "D", noindex: true },
    ],
    [
      {
        _genesis_title: "T",
        _genesis_canonical_uri: "https://c.example/",
        _genesis_noindex: "1",
        _social_image_url: "https://c.example/a.png",
      },
      { title: "T", canonicalUrl: "https://c.example/", noindex: true, image: "https://c.example/a.png" },
    ],
    [
      { _seopress_titles_title: "%%post_title%%", _seopress_titles_desc: "D", _seopress_robots_index: "yes" },
      { title: "A", description: "D", noindex: true },
    ],
  ])("by a plugin for search engines, %j, is %j", async (fields, seo) => {
    const { article, note } = await read(meta(fields));
    expect(article?.extras?.seo).toMatchObject(seo);
    expect(note).toBeUndefined();
  });

  it("with a variable that is not known stays empty, and is said", async () => {
    const { article, note } = await read(
      meta({ _yoast_wpseo_title: "%%title%% %%cf_price%%", rank_math_description: "%excerpt%" }),
      [],
      { excerpt: "" },
    );
    expect(article?.extras).toBeUndefined();
    expect(note).toBe(
      "SEO texts with variables left out (_yoast_wpseo_title)\nSEO texts with variables left out (rank_math_description)",
    );
  });

  const author = (login: string, name: string) =>
    `<wp:author><wp:author_login>${login}</wp:author_login><wp:author_display_name>${name}</wp:author_display_name></wp:author>`;
  const guest = wordpressItem({ id: "7", type: "guest-author", name: "cap-jonas", title: "Jonas Ek" });
  const by = (nicename: string, label: string) =>
    `<category domain="author" nicename="${nicename}"><![CDATA[${label}]]></category>`;
  it.each([
    ["<dc:creator>rosa</dc:creator>", ["Rosa Lind"]],
    [`<dc:creator>rosa</dc:creator>${by("rosa", "rosa")}${by("cap-jonas", "cap-jonas")}`, ["Rosa Lind", "Jonas Ek"]],
    [
      `<dc:creator>rosa</dc:creator>${by("cap-mia", "Mia Ott")}${by("cap-rosa", "Rosa")}${by("rosa", "rosa")}`,
      ["Mia Ott", "Rosa Lind"],
    ],
    ["<dc:creator>rosa.private@mail.example.com</dc:creator>", []],
    ["<dc:creator>mail</dc:creator>", []],
    [by("rosa-private", "rosa.private@mail.example.com"), []],
  ])("by %s, its authors are %j", async (more, authors) => {
    const people = [author("rosa", "Rosa Lind"), author("mail", "rosa.private@mail.example.com"), guest];
    const { article, note } = await read(more, people);
    expect(article?.extras?.authors).toEqual(authors);
    expect(note).toBe(authors.length === 0 ? "e-mail addresses left out of the names of authors" : undefined);
    expect(JSON.stringify(article)).not.toContain("private");
  });

  it("is said, where it has no place here", async () => {
    const more = `${meta({ views: "3", _edit_lock: "1", _thumbnail_id: "9" })}<wp:is_sticky>1</wp:is_sticky><category domain="genre" nicename="b">B</category><wp:comment></wp:comment>`;
    const pot = wordpressItem({
      id: "9",
      type: "attachment",
      excerpt: "A pot",
      more: "<wp:attachment_url>https://p.example/a.jpg</wp:attachment_url>",
    });
    expect((await read(meta({ _thumbnail_id: "9" }), [pot])).note).toBe("captions of covers left out");
    const recipe = wordpressItem({ id: "8", type: "recipe", title: "Soup" });
    expect((await read(more)).note?.split("\n")).toEqual([
      "comments left out",
      "posts that are no longer sticky",
      "covers left out, because they are not in the export",
      'custom fields "views" left out',
      'terms of "genre" left out',
    ]);
    const { notes } = await readSource(files.file(wordpressFile([recipe])));
    expect(notes).toEqual({ "recipe 8 (Soup)": 'entries of type "recipe" left out' });
  });

  it("is in its text: reusable blocks, footnotes, links of blocks, and the file of an episode", async () => {
    const content =
      '<!-- wp:paragraph --><p>a<sup data-fn="x" class="fn"><a href="#x">1</a></sup></p><!-- /wp:paragraph --><!-- wp:block {"ref":5} /--><ul><!-- wp:social-link {"url":"https://s.example/","service":"mastodon"} /--></ul><!-- wp:calendar /--><!-- wp:footnotes /-->';
    const block = wordpressItem({
      id: "5",
      type: "wp_block",
      content: "<!-- wp:paragraph --><p>Reused</p><!-- /wp:paragraph -->",
    });
    const fields = {
      footnotes: '[{"content":"A <em>note</em>","id":"x"}]',
      enclosure: "https://p.example/a.mp3\n123\naudio/mpeg",
    };
    const { article, note } = await read(meta(fields), [block], { content });
    expect(article?.content).toBe(
      "a[^1]\n\nReused\n\n- [mastodon](https://s.example/)\n\n<https://p.example/a.mp3>\n\n[^1]: A _note_\n",
    );
    expect(note).toBe('blocks "calendar" left out');
  });
});
