/** Contract 20.4 to 20.6: feeds, site maps and texts for programs, by the rules of their formats and by four feed parsers. */
import { extractFromJson, extractFromXml } from "@extractus/feed-extractor";
import { env } from "cloudflare:workers";
import { decodeHTML } from "entities";
import { parseAtomFeed, parseJsonFeed, parseRssFeed } from "feedsmith";
import { parseFeed as parseByHtmlparser } from "htmlparser2";
import RssParser from "rss-parser";
import { beforeAll, describe, expect, inject, it } from "vitest";
import { newId } from "../../src/lib/ids.ts";
import { brokenInAtom, brokenInJsonFeed, brokenInRss, xmlOf } from "../helpers/feed-rules.ts";
import { outcome } from "../helpers/outcome.ts";
import { ORIGIN, send, sendJson } from "../helpers/requests.ts";
import { newArticle, newTenant, type ArticleBody, type Tenant } from "../helpers/tenant.ts";

const HOSTILE = `]]> <script>alert(1)</script> & "quotes" 'single' \u0001\u000b\ufffe 🌍`;
const SHOWN = `]]> <script>alert(1)</script> & "quotes" 'single'  🌍`;

let tenant: Tenant;
let german: ArticleBody;
let english: ArticleBody;
let hostile: ArticleBody;

const textOf = async (path: string): Promise<string> => {
  const response = await send(path);
  expect(response.status).toBe(200);
  return response.text();
};
const pathOf = (file: string): string => `/blogs/${tenant.blogId}/${file}`;

/** Throws if a text is not well-formed XML with all its namespaces. */
function wellFormed(text: string): string {
  xmlOf(text);
  return text;
}

beforeAll(async () => {
  tenant = await newTenant("Feeds & more");
  const as = { apiKey: tenant.apiKey };
  const site = { description: "Walks & maps", siteUrl: "https://notes.example.com" };
  await sendJson(200, `/api/blogs/${tenant.blogId}/site`, { as, method: "PUT", body: site });
  await sendJson(200, `/api/blogs/${tenant.blogId}`, { as, method: "PUT", body: { locales: ["en", "de"] } });
  const write = (fields: object) => newArticle(tenant, { description: "", ...fields } as Partial<ArticleBody>);
  english = await write({
    title: "Hello",
    slug: "hello",
    content: "# Hi\n\nFrom the *edge*.",
    tags: ["Travel"],
    authors: ["Ada"],
  });
  german = await write({ title: "Hallo", slug: "hello", locale: "de", content: "Von der Kante." });
  hostile = await write({ title: "Hostile", slug: "hostile", content: HOSTILE, description: HOSTILE });
  await write({ title: "Draft", slug: "draft", published: false });
  const seo = { noindex: true };
  await write({ title: "Unlisted", slug: "unlisted", seo, content: "Quiet" });
});

it("the rules of feeds find what breaks them", async () => {
  const [rss, atom, json] = await Promise.all(
    ["feed.xml", "atom.xml", "feed.json"].map((file) => textOf(pathOf(file))),
  );
  expect(brokenInRss(rss?.replaceAll(/<guid[^>]*>/g, "<guid>") ?? "")).toContain("a guid that is no address says so");
  expect(brokenInAtom(atom?.replace(/<updated>[^<]*/, "<updated>yesterday") ?? "")).toEqual(["times are of RFC 3339"]);
  expect(brokenInJsonFeed(json?.replaceAll('"content_html"', '"content"') ?? "")).toContain("it has one content");
});

describe("feeds", () => {
  it("RSS, by four parsers", async () => {
    const text = wellFormed(await textOf(pathOf("feed.xml")));
    const urn = ({ _id }: ArticleBody) => `urn:uuid:${_id}`;
    const byRssParser = await new RssParser().parseString(text);
    expect(byRssParser).toMatchObject({
      title: "Feeds & more",
      description: "Walks &amp; maps",
      link: "https://notes.example.com/",
    });
    expect(byRssParser.items.map(({ guid }) => guid)).toContain(urn(english));
    const item = byRssParser.items.find(({ guid }) => guid === urn(english));
    expect(item).toMatchObject({
      title: "Hello",
      link: "https://notes.example.com/en/hello",
      creator: "Ada",
      categories: ["Travel"],
      "content:encoded": '<h2 id="h-hi">Hi</h2>\n<p>From the <em>edge</em>.</p>',
    });
    const found = extractFromXml(text, { useISODateFormat: true });
    expect(found.entries?.find(({ id }) => id === urn(german))).toMatchObject({
      title: "Hallo",
      link: "https://notes.example.com/de/hello",
    });
    // Readers take a description as HTML: no word of it is lost, and nothing in it is an element.
    const description = parseByHtmlparser(text)?.items.find(({ id }) => id === urn(hostile))?.description ?? "";
    expect([description.includes("<"), decodeHTML(description)]).toEqual([false, SHOWN]);
    expect(parseByHtmlparser(text)).toMatchObject({ type: "rss", title: "Feeds & more" });
    const { items, atom } = parseRssFeed(text);
    expect(items).toHaveLength(4);
    expect(atom?.links).toEqual([{ href: `${ORIGIN}${pathOf("feed.xml")}`, rel: "self", type: "application/rss+xml" }]);
    expect(text).not.toContain("Draft");
  });

  it("Atom, by four parsers", async () => {
    const text = wellFormed(await textOf(pathOf("atom.xml")));
    const feed = parseAtomFeed(text);
    expect(feed.id).toBe(`urn:uuid:${tenant.blogId}`);
    expect(feed.entries?.find(({ id }) => id === `urn:uuid:${hostile._id}`)?.summary?.value).toBe(SHOWN);
    expect(feed.entries?.every(({ xml }) => xml?.lang !== undefined)).toBe(true);
    expect(parseByHtmlparser(text)?.items.map(({ link }) => link)).toContain("https://notes.example.com/de/hello");
    expect(extractFromXml(text).entries).toHaveLength(4);
    expect((await new RssParser().parseString(text)).items).toHaveLength(4);
  });

  it("JSON Feed, by two parsers", async () => {
    const text = await textOf(pathOf("feed.json"));
    const feed = parseJsonFeed(JSON.parse(text));
    expect(feed).toMatchObject({ title: "Feeds & more", home_page_url: "https://notes.example.com/" });
    expect(feed.items?.find(({ id }) => id === `urn:uuid:${english._id}`)).toMatchObject({
      url: "https://notes.example.com/en/hello",
      content_html: '<h2 id="h-hi">Hi</h2>\n<p>From the <em>edge</em>.</p>',
      tags: ["Travel"],
      authors: [{ name: "Ada" }],
      language: "en",
    });
    expect(extractFromJson(JSON.parse(text)).entries).toHaveLength(4);
  });

  it.each(["", "?locale=de", "?tag=travel", "?tag=nothing"])("keep every rule of their formats (%s)", async (query) => {
    expect(brokenInRss(await textOf(pathOf(`feed.xml${query}`)))).toEqual([]);
    expect(brokenInAtom(await textOf(pathOf(`atom.xml${query}`)))).toEqual([]);
    expect(brokenInJsonFeed(await textOf(pathOf(`feed.json${query}`)))).toEqual([]);
  });

  it("name in each format what a model has written", async () => {
    const of = await newTenant();
    const { _id } = await newArticle(of, { title: "Machine", content: "Made." });
    await newArticle(of, { title: "Person", content: "Written." });
    await env.DB.prepare("update articles set origin = ? where id = ?")
      .bind(JSON.stringify({ kind: "generated", model: "small-1" }), _id)
      .run();
    const source = "https://schema.org/TrainedAlgorithmicMediaDigitalSource";
    const read = (file: string) => textOf(`/blogs/${of.blogId}/${file}`);
    const sourceOf = [
      parseRssFeed(await read("feed.xml")).items?.map(({ categories }) => categories?.[0]?.name),
      parseAtomFeed(await read("atom.xml")).entries?.map(({ categories }) => categories?.[0]?.term),
      (JSON.parse(await read("feed.json")) as { items: { _edgepress?: { digitalSourceType: string } }[] }).items.map(
        (item) => item._edgepress?.digitalSourceType,
      ),
    ];
    for (const sources of sourceOf) expect(sources).toEqual([undefined, source]);
  });

  it("of a language or a tag have only its articles, under another id", async () => {
    const titles = async (query: string) =>
      parseJsonFeed(JSON.parse(await textOf(pathOf(`feed.json${query}`)))).items?.map(({ title }) => title);
    expect(await titles("?locale=DE")).toEqual(["Hallo"]);
    // A translation has the tags of its slug.
    expect((await titles("?tag=travel"))?.sort()).toEqual(["Hallo", "Hello"]);
    expect(await titles("?tag=travel&locale=en")).toEqual(["Hello"]);
    expect(await titles("?tag=unknown")).toBeUndefined();
    expect(parseJsonFeed(JSON.parse(await textOf(pathOf("feed.json?tag=travel")))).title).toBe("Feeds & more: Travel");
    expect(parseAtomFeed(await textOf(pathOf("atom.xml?tag=unknown"))).title?.value).toBe("Feeds & more: unknown");
    expect(parseAtomFeed(await textOf(pathOf("atom.xml?locale=de"))).id).toBe(`urn:uuid:${tenant.blogId}?=locale=de`);
    for (const query of [
      "feed.xml?locale=no_locale!",
      "feed.json?x=1",
      "atom.xml?tag=a&tag=b",
      "sitemap.xml?page=-1",
    ]) {
      expect(await outcome(pathOf(query))).toBe("400 invalid_request");
    }
  });

  it("have an excerpt where the blog says so; a renamed article keeps its identity", async () => {
    const own = await newTenant();
    const as = { apiKey: own.apiKey };
    const { _id, creationTime } = await newArticle(own, { content: `${"word ".repeat(200)}end` });
    await sendJson(200, `/api/blogs/${own.blogId}/site`, { as, method: "PUT", body: { feedContent: "excerpt" } });
    const itemOf = async () => parseJsonFeed(JSON.parse(await textOf(`/blogs/${own.blogId}/feed.json`))).items?.[0];
    const before = await itemOf();
    expect(before?.content_html).toBeUndefined();
    expect(before?.content_text?.length).toBeLessThan(300);
    await expect.poll(() => Date.now()).toBeGreaterThan(Date.parse(creationTime));
    const renamed = await sendJson<ArticleBody>(200, "/api/articles", { as, body: { _id, slug: "renamed" } });
    const after = await itemOf();
    expect([after?.date_published, after?.date_modified]).toEqual([creationTime, renamed.lastEditTime]);
    expect(after?.id).toBe(before?.id);
    expect(after?.url).not.toBe(before?.url);
  });

  it("of a blog without articles are feeds, too; of no blog there are none", async () => {
    const own = await newTenant();
    for (const file of ["feed.xml", "atom.xml"]) wellFormed(await textOf(`/blogs/${own.blogId}/${file}`));
    for (const file of ["feed.xml", "atom.xml", "feed.json", "sitemap.xml", "llms.txt", "articles/a.md"]) {
      expect(await outcome(`/blogs/${newId()}/${file}`)).toBe("404 not_found");
      expect(await outcome(`/blogs/no-such-blog/${file}`)).toBe("404 not_found");
    }
  });

  it("are kept by the edge, purged with the blog, and not sent again unchanged", async () => {
    for (const file of ["feed.xml", "atom.xml", "feed.json", "sitemap.xml", "llms.txt", "articles/hello.md"]) {
      const first = await send(pathOf(file));
      expect(first.headers.get("Cache-Control")).toBe("public, max-age=0, must-revalidate");
      expect(first.headers.get("Cloudflare-CDN-Cache-Control")).toContain("max-age=60");
      expect(first.headers.get("Cache-Tag")?.split(",")).toContain(`blog-${tenant.blogId}`);
      const headers = { "If-None-Match": first.headers.get("ETag") ?? "" };
      expect((await send(pathOf(file), { headers })).status).toBe(304);
      const head = await send(pathOf(file), { method: "HEAD" });
      expect([head.status, await head.text()]).toEqual([200, ""]);
      expect((await send(pathOf(file), { method: "OPTIONS" })).headers.get("Allow")).toBe("GET, HEAD, OPTIONS");
      expect(await outcome(pathOf(file), { method: "POST" })).toBe("405 method_not_allowed");
    }
  });

  it("say the same to everybody, whatever credentials they send", async () => {
    const as = { apiKey: tenant.apiKey };
    const text = await (await send(pathOf("feed.xml"), { as })).text();
    expect(text).toBe(await textOf(pathOf("feed.xml")));
    expect(await (await send(pathOf("articles/draft.md"), { as })).text()).toContain("not_found");
  });
});

describe("contract 20.5: site maps", () => {
  it("have all articles that search engines may list, with their translations", async () => {
    const text = wellFormed(await textOf(pathOf("sitemap.xml")));
    const locations = Array.from(text.matchAll(/<loc>([^<]*)<\/loc>/g), ([, url]) => url);
    expect(locations).toEqual([
      "https://notes.example.com/",
      "https://notes.example.com/de/hello",
      "https://notes.example.com/en/hello",
      "https://notes.example.com/en/hostile",
    ]);
    const [, entry = ""] = /<url><loc>https:\/\/notes\.example\.com\/de\/hello<\/loc>(.*)<\/url>/.exec(text) ?? [];
    const link = (locale: string, path: string) =>
      `<xhtml:link rel="alternate" hreflang="${locale}" href="https://notes.example.com${path}"/>`;
    expect(entry).toBe(
      `<lastmod>${german.lastEditTime}</lastmod>${link("de", "/de/hello")}${link("en", "/en/hello")}${link("x-default", "/en/hello")}`,
    );
  });

  it("tell translations apart by their addresses, also where the blog's paths have no language", async () => {
    const own = await newTenant();
    const as = { apiKey: own.apiKey };
    const body = { siteUrl: "https://one.example.com", articlePath: "/{slug}/" };
    await sendJson(200, `/api/blogs/${own.blogId}/site`, { as, method: "PUT", body });
    for (const locale of ["en", "de"]) await newArticle(own, { slug: "one", locale } as Partial<ArticleBody>);
    const text = wellFormed(await textOf(`/blogs/${own.blogId}/sitemap.xml`));
    const addresses = ["https://one.example.com/de/one/", "https://one.example.com/one/"];
    expect(Array.from(text.matchAll(/<loc>([^<]*)/g), ([, found]) => found).slice(1)).toEqual(addresses);
    const feed = parseJsonFeed(JSON.parse(await textOf(`/blogs/${own.blogId}/feed.json`)));
    expect(feed.items?.map(({ url }) => url)).toEqual(addresses);
    const { vanityId } = await sendJson<{ vanityId: string }>(200, `/api/blogs/${own.blogId}`, { as });
    const alternates = [...addresses, "https://one.example.com/one/"];
    const found = (await textOf(`/${vanityId}/en/one`)).matchAll(
      /<link rel="alternate" hreflang="[^"]*" href="([^"]*)"/g,
    );
    expect(Array.from(found, ([, href]) => href)).toEqual(alternates);
  });

  it("leave out what is to be found elsewhere, but not an article whose canonical address is its own", async () => {
    const own = await newTenant();
    const site = { siteUrl: "https://own.example.com" };
    await sendJson(200, `/api/blogs/${own.blogId}/site`, { as: { apiKey: own.apiKey }, method: "PUT", body: site });
    const write = (slug: string, canonicalUrl: string) =>
      newArticle(own, { slug, seo: { canonicalUrl } } as Partial<ArticleBody>);
    await write("elsewhere", "https://first.example/a");
    await write("über-uns", "https://OWN.example.com/en/über-uns");
    const text = await textOf(`/blogs/${own.blogId}/sitemap.xml`);
    expect(Array.from(text.matchAll(/<loc>([^<]*)<\/loc>/g), ([, url]) => url)).toEqual([
      "https://own.example.com/",
      "https://own.example.com/en/%C3%BCber-uns",
    ]);
  });

  // That they are several files where one would be too long: test/platform/memory.test.ts.
  it.runIf(inject("exhaustive"))("of more than 32,000 addresses are several files, with an index", async () => {
    const own = await newTenant();
    await env.DB.prepare("drop trigger rendering_of_new_article").run();
    await env.DB.prepare(
      `with recursive n(i) as (select 1 union all select i + 1 from n where i < 32001)
       insert into articles (id, organization_id, blog_id, title, description, slug, locale, cover_url, published, version,
         creation_time, last_edit_time, content) select ?1 || i, ?1, ?2, '', '', 's' || i, 'en', '', 1, 'v', '', '2026-01-01', ''
       from n`,
    )
      .bind(own.organizationId, own.blogId)
      .run();
    const path = `/blogs/${own.blogId}/sitemap.xml`;
    const index = wellFormed(await textOf(path));
    const files = Array.from(index.matchAll(/<sitemap><loc>([^<]*)<\/loc><\/sitemap>/g), ([, url]) => url ?? "");
    const found = new Set<string>();
    for (const file of files) {
      const urls = Array.from((await textOf(file)).matchAll(/\/en\/(s\d+)<\/loc>/g), ([, slug]) => slug ?? "");
      expect(urls.length).toBeLessThanOrEqual(32_000);
      for (const url of urls) found.add(url);
    }
    expect(files.length).toBeGreaterThan(1);
    expect(found.size).toBe(32_001);
  });
});

describe("contract 20.6: texts for programs", () => {
  it("llms.txt lists the articles by language, each with its Markdown", async () => {
    const text = await textOf(pathOf("llms.txt"));
    expect(text).toMatch(/^# Feeds & more\n\n> Walks & maps\n\n## Articles \(en\)\n/);
    expect(text).toContain(
      `## Articles (de)\n\n- [Hallo](${ORIGIN}${pathOf("articles/hello.md?locale=de")}): Von der Kante.\n`,
    );
    for (const [, address = ""] of text.matchAll(/\]\(([^)]+\.md[^)]*)\)/g))
      expect((await send(address)).status).toBe(200);
  });

  it("an article is there as Markdown, by slug or id, in each language", async () => {
    expect(await textOf(pathOf("articles/hello.md"))).toBe("# Hello\n\n# Hi\n\nFrom the *edge*.");
    expect(await textOf(pathOf("articles/hello.md?locale=de"))).toBe("# Hallo\n\nVon der Kante.");
    expect(await textOf(pathOf(`articles/${german._id}.md`))).toBe("# Hallo\n\nVon der Kante.");
    const quiet = await send(pathOf("articles/unlisted.md"));
    expect(quiet.headers.get("X-Robots-Tag")).toBe("noindex");
    expect(quiet.headers.get("Link")).toBe('<https://notes.example.com/en/unlisted>; rel="canonical"');
    expect(await outcome(pathOf("articles/draft.md"))).toBe("404 not_found");
    expect(await outcome(pathOf("articles/hello"))).toBe("404 route_not_found");
  });
});
