/** Where articles were before: links among them, addresses that should lead to them, and slugs that two of them have. */
import { describe, expect, it } from "vitest";
import { ghostFile, readSource, useFiles, wordpressFile, wordpressItem } from "./source-files.ts";
import { useImports } from "./transfer-imports.ts";

const { imported, run } = useImports();
const files = useFiles();

const post = (id: string, name: string, link: string, more: Parameters<typeof wordpressItem>[0] = {}) =>
  wordpressItem({
    id,
    name,
    title: name,
    ...more,
    more: `<wp:post_date_gmt>2012-02-03 04:05:06</wp:post_date_gmt><link>${link}</link><guid>https://old.example/?p=${id}</guid>${more.more ?? ""}`,
  });
const meta = (key: string, value: string) =>
  `<wp:postmeta><wp:meta_key>${key}</wp:meta_key><wp:meta_value>${value}</wp:meta_value></wp:postmeta>`;
const site = "<title>Old</title><link>https://old.example</link>";

describe("an export of WordPress", () => {
  it("has links lead to the articles, and says of others where they lead", async () => {
    const links = [
      "https://old.example/2012/02/03/first/#part",
      "http://www.old.example/2012/02/03/first",
      "/2012/02/03/first/",
      "../../../02/03/former/",
      "/?p=1",
      "/2012/02/03/secret/",
      "/first/boat/",
      "/about/",
      "/category/sea/",
      "/wp-content/a.pdf",
      "https://other.example/2012/02/03/first/",
    ];
    const content = links.map((link) => `<a href="${link}">x</a>`).join(" ") + '<img src="/wp-content/a.jpg">';
    const items = [
      post("1", "first", "https://old.example/2012/02/03/first/", { more: meta("_wp_old_slug", "former") }),
      post("2", "second", "https://old.example/2012/02/04/second/", { content }),
      post("3", "secret", "https://old.example/2012/02/03/secret/", { status: "private" }),
      post("4", "about", "https://old.example/about/", { type: "page" }),
      post("5", "boat", "https://old.example/first/boat/", {
        type: "attachment",
        more: "<wp:attachment_url>https://old.example/wp-content/boat.jpg</wp:attachment_url>",
      }),
    ];
    const { articles, notes } = await readSource(files.file(wordpressFile([site, ...items])));
    const text = articles["post-2"]?.content ?? "";
    expect(text.match(/(?<=\]\()[^)]*/g)).toEqual([
      "/first#part",
      "/first",
      "/first",
      "/first",
      "/first",
      "/secret",
      "https://old.example/wp-content/boat.jpg",
      "https://old.example/about/",
      "https://old.example/category/sea/",
      "https://old.example/wp-content/a.pdf",
      "https://other.example/2012/02/03/first/",
      "https://old.example/wp-content/a.jpg",
    ]);
    expect(notes["post 2 (second)"]?.split("\n")).toEqual([
      "links to articles that are not public",
      "links to attachment pages, which now lead to the files",
      'links to entries of type "page", which are not imported',
      "links to other pages of the old site, left as they are",
    ]);
    expect(notes["page 4 (about)"]).toBe("pages left out");
    expect(articles["post-1"]?.redirects).toEqual(["/2012/02/03/first/", "/?p=1", "/2012/02/03/former/", "/former/"]);
  });

  it("gives no redirect and no canonical address of where the article is", async () => {
    const own = meta("_yoast_wpseo_canonical", "http://old.example/first");
    const item = post("1", "first", "https://old.example/first/", { more: own });
    const { articles } = await readSource(files.file(wordpressFile([site, item])));
    expect(articles["post-1"]?.redirects).toEqual(["/?p=1"]);
    expect(articles["post-1"]?.extras?.seo).toBeUndefined();
  });
});

describe("an export of Ghost", () => {
  it.each([
    ["", "/first#part", "__GHOST_URL__"],
    ["https://old.example", "/first#part", "https://old.example"],
  ])("has links lead to the articles, with the address %j", async (siteUrl, first, base) => {
    const link = "__GHOST_URL__/first/#part";
    const markdown = `[a](${link}) __GHOST_URL__/first/ [b](${base}/first/)`;
    const cards = [["markdown", { markdown }]];
    const data = {
      posts: [
        { id: 1, slug: "first", title: "A", status: "published", published_at: "2014-03-05T23:30:00Z" },
        { id: 2, slug: "html", html: `<p><a href="${link}">a</a> <a href="__GHOST_URL__/about/">b</a></p>` },
        { id: 3, slug: "markdown", mobiledoc: JSON.stringify({ cards, sections: [[10, 0]] }) },
        { id: 4, slug: "about", title: "About", type: "page" },
      ],
      settings: [
        { key: "permalinks", value: "/:year/:month/:day/:slug/" },
        { key: "active_timezone", value: "Europe/Berlin" },
      ],
    };
    const { articles, notes } = await readSource(files.file(JSON.stringify({ data })), { siteUrl });
    expect(articles["post-2"]?.content).toBe(`[a](${first}) [b](${siteUrl}/about/)\n`);
    expect(articles["post-3"]?.content).toBe(`[a](${first}) ${siteUrl}/first/ [b](/first)`);
    expect(articles["post-1"]?.redirects).toEqual(["/2014/03/06/first/"]);
    expect(notes["post 2 ()"]).toContain("links to pages, which are not imported");
  });
});

describe("posts with one slug", () => {
  const wordpress = wordpressFile([
    site,
    post("1", "about", "https://old.example/about/", { type: "page" }),
    post("2", "about", "https://old.example/team/about/", { type: "page" }),
    post("3", "about-2", "https://old.example/about-2/", { type: "page" }),
    post("4", "links", "https://old.example/links/", { content: '<a href="/team/about/">x</a>' }),
  ]);
  const ghost = ghostFile([
    { id: 1, slug: "about", title: "A", type: "page" },
    { id: 2, slug: "about", title: "B" },
  ]);

  it.each([
    [wordpress, ["about", "about-3", "about-2", "links"]],
    [ghost, ["about", "about-2"]],
  ])("get a number by --rename-duplicates, and are named", async (content, slugs) => {
    const { articles, notes } = await readSource(files.file(content), { pages: true, renameDuplicates: true });
    expect(Object.values(articles).map(({ slug }) => slug)).toEqual(slugs);
    expect(Object.values(notes).join()).toContain(`its slug is "${slugs[1]}", because another post has "about"`);
    if (content === wordpress) expect(articles["post-4"]?.content).toBe("[x](/about-3)\n");
  });

  it("are refused without it, with the option", async () => {
    const at = files.file(ghost);
    expect((await imported(at, "--pages")).failed).toEqual([
      { name: "post 2 (B)", reason: expect.stringContaining("(--rename-duplicates imports it as about-2)") },
    ]);
    const notes = [{ name: "post 2 (B)", reason: 'its slug is "about-2", because another post has "about"' }];
    const args = ["--pages", "--rename-duplicates"];
    const said = await run(at, [...args, "--dry-run"]);
    expect(said.stderr).toMatch(
      /^Warning: post 2 \(B\): its slug is "about-2", because another post has "about"; stays a draft/m,
    );
    for (const more of [["--dry-run"], []]) {
      const { code, stdout } = await run(at, [...args, "--json", ...more]);
      expect(code).toBe(0);
      expect(JSON.parse(stdout)).toMatchObject({ failed: [], notes: expect.arrayContaining(notes) });
    }
  });

  it("get one in a folder of Markdown, too, the later by date, and links lead to it", async () => {
    const at = files.folder({
      "a/about.md": "---\ndate: 2020-01-02\n---\n\nLater",
      "b/about.md": "---\ndate: 2020-01-01\n---\n\nEarlier",
      "c.md": "[a](a/about.md) [b](b/about.md)",
    });
    expect((await imported(at)).failed).toEqual([
      { name: "a/about.md", reason: expect.stringContaining("(--rename-duplicates imports it as about-2)") },
    ]);
    const { articles, notes } = await readSource(at, { renameDuplicates: true });
    expect(articles["b/about.md"]?.slug).toBe("about");
    expect(articles["a/about.md"]?.slug).toBe("about-2");
    expect(articles["c.md"]?.content).toBe("[a](/about-2) [b](/about)");
    expect(notes["a/about.md"]).toContain('its slug is "about-2", because another post has "about"');
  });
});
