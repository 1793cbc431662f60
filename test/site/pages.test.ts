/** Contract 21: a blog's site, as a reader without scripts gets it. */
import { env } from "cloudflare:workers";
import { beforeAll, describe, expect, it } from "vitest";
import { ORIGIN, send, sendJson } from "../helpers/requests.ts";
import { newArticle, newTenant, type ArticleBody, type Tenant } from "../helpers/tenant.ts";

let tenant: Tenant;
let vanityId: string;
let english: ArticleBody;

const settings = (body: object) =>
  sendJson(200, `/api/blogs/${tenant.blogId}/site`, { as: { apiKey: tenant.apiKey }, method: "PUT", body });
const write = (fields: object) => newArticle(tenant, { description: "", ...fields } as Partial<ArticleBody>);

async function page(path: string, status = 200): Promise<string> {
  const response = await send(`/${vanityId}${path}`);
  const text = await response.text();
  if (response.status !== status) throw new Error(`${path}: ${response.status}, not ${status}: ${text.slice(0, 500)}`);
  expect(response.headers.get("Content-Type")).toBe("text/html; charset=utf-8");
  return text;
}

/** Returns the values of an attribute of the elements that begin so. */
const valuesOf = (text: string, begin: string, attribute: string): string[] =>
  [...text.matchAll(new RegExp(`<${begin}[^>]*? ${attribute}="([^"]*)"`, "g"))].map(([, value = ""]) => value);

/** Returns the languages between which readers switch. */
const languages = (text: string): string[] => valuesOf(text, 'a href="[^"]*" lang="[^"]*"', "hreflang");

/** Returns the languages that search engines are told of. */
const hreflangs = (text: string): string[] => valuesOf(text, 'link rel="alternate"', "hreflang");

beforeAll(async () => {
  tenant = await newTenant("Walks & maps");
  const as = { apiKey: tenant.apiKey };
  const blog = await sendJson<{ vanityId: string }>(200, `/api/blogs/${tenant.blogId}`, {
    as,
    method: "PUT",
    body: { locales: ["en", "de", "ar"], vanityId: `walks-${tenant.blogId.slice(0, 8)}` },
  });
  vanityId = blog.vanityId;
  await settings({ description: "Of harbours", menu: [{ label: "About", url: "/en/about" }] });
  for (let n = 0; n < 30; n++) {
    const publishTime = `2026-01-01T00:${String(n).padStart(2, "0")}:00.000Z`;
    await write({ title: `Number ${n}`, slug: `number-${n}`, publishTime });
  }
  english = await write({
    title: "The <first> ferry",
    slug: "ferry",
    description: "Before six",
    content: "# One\n\nWith `code` & *words*.\n\n## Two\n\n## Three\n\n## Four\n\n<script>alert(1)</script>",
    tags: ["Boats"],
    authors: ["Ada & Co"],
    publishTime: "2026-02-01T12:00:00.000Z",
  });
  await write({ title: "Die Fähre", slug: "ferry", locale: "de", content: "Vor sechs." });
  await write({ title: "العبارة", slug: "ferry", locale: "ar", content: "قبل السادسة" });
  await write({ title: "Hidden draft", slug: "draft", published: false });
});

describe("the front page", () => {
  it("lists articles of the main language, by pages in both directions", async () => {
    const first = await page("");
    expect(first).toContain('<h1 dir="auto">Walks &amp; maps</h1>');
    expect(first).toContain("The &lt;first&gt; ferry");
    expect(first).not.toContain("Die Fähre");
    expect(first).not.toContain("Hidden draft");
    const titles = (text: string) => [...text.matchAll(/>Number (\d+)</g)].map(([, n]) => Number(n));
    expect(titles(first)).toEqual([29, 28, 27, 26, 25, 24, 23, 22, 21, 20, 19]);
    const following = async (text: string, rel: string) => {
      const [href = ""] = [...text.matchAll(new RegExp(`rel="${rel}" href="([^"]*)"`, "g"))].map(([, to = ""]) => to);
      expect(href.startsWith(`/${vanityId}`)).toBe(true);
      return page(href.slice(vanityId.length + 1).replaceAll("&amp;", "&"));
    };
    const second = await following(first, "next");
    expect(titles(second)).toEqual([18, 17, 16, 15, 14, 13, 12, 11, 10, 9, 8, 7]);
    const third = await following(second, "next");
    expect(titles(third)).toEqual([6, 5, 4, 3, 2, 1, 0]);
    expect(third).not.toContain('rel="next"');
    expect(titles(await following(third, "prev"))).toEqual(titles(second));
    expect(first).not.toContain('rel="prev"');
  });

  it("in another language is at its own address, with its direction", async () => {
    const german = await page("/de");
    expect(german).toMatch(/^<!doctype html><html lang="de" dir="ltr">/);
    expect(german).toContain("Die Fähre");
    expect(german).toContain("Alle Artikel");
    expect(await page("/ar")).toMatch(/^<!doctype html><html lang="ar" dir="rtl">/);
    const alternates = valuesOf(german, 'link rel="alternate" hreflang="[^"]*"', "href");
    expect(alternates).toEqual(["", "/de", "/ar", ""].map((path) => `${ORIGIN}/${vanityId}${path}`));
    await page("/fr", 404);
  });
});

describe("an article", () => {
  it("is at its `url`, with the stored rendering (contract 21.2)", async () => {
    const { url } = await sendJson<{ url: string }>(200, `/api/articles/${english._id}?fields=url`);
    expect(url).toBe(`${ORIGIN}/${vanityId}/en/ferry`);
    const text = await page("/en/ferry");
    expect(text).toMatch(/<p>With <code>code<\/code> &(?:amp|#x26); <em>words<\/em>\.<\/p>/);
    expect(text).toContain('<h2 id="h-one">One</h2>');
    expect(text).not.toContain("<script>");
    expect(text).toContain('href="#h-two"');
    expect(text).toContain(`<link rel="canonical" href="${url}"/>`);
    expect(valuesOf(text, 'link rel="alternate"', "hreflang")).toEqual(["ar", "de", "en", "x-default"]);
    expect(text).toContain(`href="/${vanityId}/tags/boats"`);
    expect(text).toContain(`href="/${vanityId}/authors/ada-and-co"`);
    expect(text.length).toBeLessThan(30_000);
  });

  it("tells social networks its language and a picture, if it has none the blog's cover (contract 21.3)", async () => {
    const told = async (path: string) =>
      [...(await page(path)).matchAll(/<meta property="og:(?:locale|image)[^>]* content="([^"]*)"/g)].map(
        ([, value]) => value,
      );
    expect(await told("/en/ferry")).toEqual(["en_US", "ar_EG", "de_DE"]);
    const cover = "https://img.example/cover.jpg";
    const path = `/api/blogs/${tenant.blogId}`;
    const put = (body: object) => sendJson(200, path, { as: { apiKey: tenant.apiKey }, method: "PUT", body });
    await put({ coverUrl: cover });
    await write({ title: "In Spanish", slug: "spanish", locale: "es-419", coverUrl: "https://img.example/own.jpg" });
    expect(await told("/es-419/spanish")).toEqual(["https://img.example/own.jpg", "es_ES"]);
    for (const path of ["/de/ferry", "", "/archive"]) expect((await told(path))[0], path).toBe(cover);
    await put({ coverUrl: "", locales: ["en", "de", "ar"] });
  });

  it("tells machines what it is (contract 21.3)", async () => {
    const [, json = "{}"] = /<script type="application\/ld\+json">(.*?)<\/script>/.exec(await page("/en/ferry")) ?? [];
    expect(JSON.parse(json)).toMatchObject({
      "@type": "BlogPosting",
      headline: "The <first> ferry",
      description: "Before six",
      datePublished: "2026-02-01T12:00:00.000Z",
      inLanguage: "en",
      keywords: ["Boats"],
      author: [{ "@type": "Person", name: "Ada & Co" }],
    });
    expect(json).not.toContain("<");
  });

  it.each([
    ["generated", "trained", "This text was written by a language model (small-1)."],
    ["edited", "compositeWithTrained", "This text was written by a language model (small-1) and edited by people."],
  ])("that a model has written says so to readers and machines (%s)", async (kind, source, words) => {
    const { _id } = await write({ title: "Machine", slug: `machine-${kind}`, content: "Made." });
    await env.DB.prepare("update articles set origin = ? where id = ?")
      .bind(JSON.stringify({ kind, model: "small-1" }), _id)
      .run();
    const text = await page(`/en/machine-${kind}`);
    expect(text).toContain(words);
    expect(text).toContain(`<meta name="ai-disclosure" content="ai-${kind === "edited" ? "assisted" : kind}"/>`);
    const [, json = "{}"] = /<script type="application\/ld\+json">(.*?)<\/script>/.exec(text) ?? [];
    expect(JSON.parse(json)).toMatchObject({
      digitalSourceType: expect.stringMatching(new RegExp(`/${source}AlgorithmicMediaDigitalSource$`, "i")),
      creditText: "small-1",
    });
    await sendJson(200, `/api/articles/${_id}`, { as: { apiKey: tenant.apiKey }, method: "DELETE" });
  });

  it("leads from a former slug to the new one, and elsewhere to what there is", async () => {
    const { _id } = await write({ title: "Moving", slug: "moving-on" });
    const as = { apiKey: tenant.apiKey };
    await sendJson(200, "/api/articles", { as, body: { _id, slug: "moved-on" } });
    const response = await send(`/${vanityId}/en/moving-on`);
    expect(response.status).toBe(301);
    expect(response.headers.get("Location")).toBe(`/${vanityId}/en/moved-on`);
    // The edge keeps it as it keeps a page, and is purged of both when an article changes.
    expect(response.headers.get("Cache-Tag")).toBe((await send(`/${vanityId}`)).headers.get("Cache-Tag"));
    await sendJson(200, "/api/articles", { as, body: { _id, published: false } });
    const missing = await page("/en/moved-on", 404);
    expect(missing).toContain("This page does not exist");
    expect(missing).toContain(`href="/${vanityId}/en/ferry"`);
    expect(missing).not.toContain("Moving");
  });

  it("without a rendering yet shows its text", async () => {
    const { _id } = await write({ title: "Waiting", slug: "waiting", content: "Rendered" });
    await env.DB.prepare("update articles set content = '**Bold** <b>&</b>', version = 'other' where id = ?")
      .bind(_id)
      .run();
    expect(await page("/en/waiting")).toContain("**Bold** &lt;b&gt;&amp;&lt;/b&gt;");
    await sendJson(200, `/api/articles/${_id}`, { as: { apiKey: tenant.apiKey }, method: "DELETE" });
  });

  it("does what it says to search engines (contract 18.25)", async () => {
    const seo = {
      title: "Other title",
      description: "Other words",
      canonicalUrl: "https://first.example/a",
      noindex: false,
    };
    const { _id } = await write({ title: "Told", slug: "told", seo: { ...seo, image: "https://img.example/a.jpg" } });
    const text = await page("/en/told");
    expect(text).toContain("<title>Other title · Walks &amp; maps</title>");
    expect(text).toContain('<link rel="canonical" href="https://first.example/a"/>');
    expect(text).toContain('<meta property="og:image" content="https://img.example/a.jpg"/>');
    const as = { apiKey: tenant.apiKey };
    await sendJson(200, "/api/articles", { as, body: { _id, seo: { ...seo, noindex: true, image: "" } } });
    const unlisted = await send(`/${vanityId}/en/told`);
    expect(unlisted.headers.get("X-Robots-Tag")).toBe("noindex");
    expect(await unlisted.text()).toContain('<meta name="robots" content="noindex"/>');
    await sendJson(200, `/api/articles/${_id}`, { as, method: "DELETE" });
  });
});

describe("other pages", () => {
  it("of a tag and of an author", async () => {
    expect(await page("/tags/boats")).toContain("The &lt;first&gt; ferry");
    expect(await page("/tags/boats?locale=de")).toContain("Die Fähre");
    expect(await page("/authors/ada-and-co")).toContain("Ada &amp; Co</h1>");
    expect(hreflangs(await page("/tags/boats?locale=de"))).toEqual(["en", "de", "ar", "x-default"]);
    expect(hreflangs(await page("/authors/ada-and-co"))).toEqual(["en", "de", "ar", "x-default"]);
    await page("/tags/unknown", 404);
    await page("/authors/boats", 404);
  });

  it("of a tag name the languages in which it has articles, at its beginning only", async () => {
    const solo = await write({ title: "Solo", slug: "solo", tags: ["Solo"] });
    expect(hreflangs(await page("/tags/solo"))).toEqual([]);
    expect(languages(await page("/tags/solo"))).toEqual([]);
    expect(languages(await page("/tags/solo?locale=de"))).toEqual(["en"]);
    const arabic = await write({ title: "وحيد", slug: "solo", locale: "ar" });
    expect(hreflangs(await page("/tags/solo"))).toEqual(["en", "ar", "x-default"]);
    expect(hreflangs(await page("/tags/solo?locale=de"))).toEqual([]);
    expect(languages(await page("/tags/solo"))).toEqual(["en", "ar"]);
    expect(languages(await page("/archive"))).toEqual(["en", "de", "ar"]);
    expect(hreflangs(await page(`/tags/solo?before=2099-01-01T00:00:00.000Z_${solo._id}`))).toEqual([]);
    for (const { _id } of [solo, arabic]) {
      await sendJson(200, `/api/articles/${_id}`, { as: { apiKey: tenant.apiKey }, method: "DELETE" });
    }
  });

  it("of all articles, by year", async () => {
    const text = await page("/archive");
    expect(text).toContain('<h2 class="year">2026</h2>');
    expect(text.match(/<li><time/g)).toHaveLength(31);
    const german = await page("/archive?locale=de");
    const alternates = valuesOf(german, 'link rel="alternate" hreflang="[^"]*"', "href");
    expect(alternates).toEqual(
      ["", "?locale=de", "?locale=ar", ""].map((query) => `${ORIGIN}/${vanityId}/archive${query}`),
    );
  });

  it("of a search show what was found as readers see it", async () => {
    const content =
      "## Of quinces\n\n[Quince](https://a.example/long/path) jelly, ![jars](https://a.example/j.png) and `code`.";
    await write({ title: "Jelly", slug: "jelly", content });
    expect(await page("/search?q=quince")).toContain("<mark>Quince</mark> jelly, and code.");
  });

  it("of a search, among published articles of the language", async () => {
    const text = await page("/search?q=ferry");
    expect(text).toContain("Articles with “ferry”");
    expect(text).toContain("The &lt;first&gt; <mark>ferry</mark>".slice(0, 18));
    expect(text).not.toContain("Die Fähre");
    expect(await page("/search?q=hidden")).toContain("No articles found.");
    expect(await page("/search?q=%22%3E%3Cscript%3E")).not.toContain("<script>");
    expect(await page("/search")).toContain('role="search"');
  });
});

describe("an article without a visible title", () => {
  it("has its slug in place of the title, on all pages and in feeds", async () => {
    const { blogId, apiKey } = await newTenant();
    const untitled = { blogId, slug: "six-walks", title: " \u00a0\u200b", content: "Along the river." };
    const body = { ...untitled, published: true, seo: { title: " " } };
    await sendJson(200, "/api/articles", { as: { apiKey }, body });
    const later = { blogId, title: "Later", slug: "later", published: true };
    await sendJson(200, "/api/articles", { as: { apiKey }, body: later });
    const { vanityId: own } = await sendJson<{ vanityId: string }>(200, `/api/blogs/${blogId}`, { as: { apiKey } });
    const readers = [
      [`/${own}`, />six-walks<\/a><\/h2>/],
      [`/${own}/archive`, />six-walks<\/a>/],
      [`/${own}/search?q=river`, />six-walks<\/a><\/h2>/],
      [`/${own}/en/later`, />six-walks<\/a>/],
      [`/${own}/en/six-walks`, /<title>six-walks /],
      [`/${own}/en/six-walks`, /<h1[^>]*>six-walks<\/h1>/],
      [`/blogs/${blogId}/feed.xml`, /<item>\s*<title>six-walks<\/title>/],
      [`/blogs/${blogId}/atom.xml`, /<title>six-walks<\/title>/],
      [`/blogs/${blogId}/feed.json`, /"title":"six-walks"/],
      [`/blogs/${blogId}/llms.txt`, /- \[six-walks\]/],
      [`/blogs/${blogId}/articles/six-walks.md`, /^Along the river\.$/],
    ] as const;
    for (const [path, shown] of readers) expect.soft(await (await send(path)).text(), path).toMatch(shown);
  });
});

describe("caching and policy", () => {
  it("is kept by the edge until the blog changes, and by browsers by its ETag", async () => {
    const first = await send(`/${vanityId}/en/ferry`);
    expect(first.headers.get("Cache-Tag")).toBe(`blog-${tenant.blogId},article-${english._id}`);
    expect(first.headers.get("Cache-Control")).toBe("public, max-age=0, must-revalidate");
    expect(first.headers.get("Cloudflare-CDN-Cache-Control")).toContain("max-age=60");
    expect(first.headers.get("Vary")).toBe("Host");
    expect(first.headers.get("Set-Cookie")).toBeNull();
    const headers = { "If-None-Match": first.headers.get("ETag") ?? "" };
    expect((await send(`/${vanityId}/en/ferry`, { headers })).status).toBe(304);
    const head = await send(`/${vanityId}/en/ferry`, { method: "HEAD" });
    expect([head.status, await head.text()]).toEqual([200, ""]);
    expect(head.headers.get("ETag")).toBe(first.headers.get("ETag"));
  });

  it("runs nothing, and has an origin of its own", async () => {
    const response = await send(`/${vanityId}/en/ferry`);
    const policy = response.headers.get("Content-Security-Policy") ?? "";
    expect(policy).toMatch(
      /^default-src 'none'; style-src 'sha256-[\w+/=]+'; img-src 'self' https: data:; form-action 'self' https:\/\/edgepress\.test; /,
    );
    expect(policy).toContain("sandbox allow-forms");
    expect(policy).not.toMatch(/script|same-origin|unsafe/);
  });

  it("is the same for everybody, whoever signs in", async () => {
    const anonymous = await (await send(`/${vanityId}`)).text();
    const signedIn = await send(`/${vanityId}`, { as: { apiKey: tenant.apiKey }, headers: { Cookie: "a=b" } });
    expect(await signedIn.text()).toBe(anonymous);
  });
});
