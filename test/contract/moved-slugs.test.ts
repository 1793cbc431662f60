/** Contract 18.17 to 18.19: former slugs of published articles. */
import { env } from "cloudflare:workers";
import { beforeAll, describe, expect, it } from "vitest";
import { newId } from "../../src/lib/ids.ts";
import { counted } from "../helpers/counting.ts";
import { refusalOf } from "../helpers/refusals.ts";
import { issueKey, send, sendJson, type Send } from "../helpers/requests.ts";
import { newArticle, newTenant, type ArticleBody, type Tenant } from "../helpers/tenant.ts";
import { EdgeCache } from "../platform/edge-cache.ts";

type MovedTo = { articleId: string; slug: string; locale: string; blogId: string };
type Entry = {
  slug: string;
  locale: string;
  to: Omit<MovedTo, "blogId">;
  published: boolean;
  moveTime: string;
};

let tenant: Tenant;
let as: { apiKey: string };
beforeAll(async () => {
  tenant = await newTenant();
  as = { apiKey: tenant.apiKey };
});

let serial = 0;
const fresh = (): string => `moved-${++serial}`;
const update = (id: string, members: object, of = tenant) =>
  sendJson<ArticleBody>(200, "/api/articles", { as: { apiKey: of.apiKey }, body: { _id: id, ...members } });
const pathOf = (slug: string, query = "", of = tenant) => `/api/articles/${slug}?blogId=${of.blogId}${query}`;

/** Returns where a slug that no article has leads to; undefined if it leads nowhere. */
async function leadsTo(slug: string, query = "", options: Send = {}): Promise<MovedTo | undefined> {
  const response = await send(pathOf(slug, query), options);
  expect(response.status).toBe(404);
  expect(response.headers.get("Cache-Control")).toBe("no-store");
  const body = (await response.json()) as { code: string; movedTo?: MovedTo };
  expect(body.code).toBe("not_found");
  return body.movedTo;
}

/** Creates a published article and moves it to another slug. */
async function moved(fields: Partial<ArticleBody> = {}): Promise<{ id: string; from: string; to: string }> {
  const [from, to] = [fresh(), fresh()];
  const { _id: id } = await newArticle(tenant, { slug: from, ...fields });
  await update(id, { slug: to });
  return { id, from, to };
}

const followed = (slug: string, query = "", options: Send = {}) => send(pathOf(slug, `&moved=follow${query}`), options);

describe("contract 18.17: a former slug", () => {
  it("is 404 and says where the article is, with and without a blog, for everybody", async () => {
    const { id, from, to } = await moved();
    const movedTo = { articleId: id, slug: to, locale: "en", blogId: tenant.blogId };
    expect(await leadsTo(from)).toEqual(movedTo);
    expect(await leadsTo(from, "&locale=en")).toEqual(movedTo);
    expect(await leadsTo(from, "&locale=de")).toBeUndefined();
    for (const options of [{}, { as }]) {
      const body = await sendJson<{ movedTo: MovedTo }>(404, `/api/articles/${from}`, options);
      expect(body.movedTo).toEqual(movedTo);
    }
  });

  it("of a draft is not kept; an article that is a draft again, or deleted, is not named", async () => {
    const from = fresh();
    const { _id } = await newArticle(tenant, { slug: from, published: false });
    await update(_id, { slug: fresh() });
    expect(await leadsTo(from, "", { as })).toBeUndefined();
    const { id, from: former, to } = await moved();
    await update(id, { published: false });
    expect(await leadsTo(former)).toBeUndefined();
    expect(await leadsTo(former, "", { as })).toBeUndefined();
    expect((await followed(former)).status).toBe(404);
    await update(id, { published: true });
    expect((await leadsTo(former))?.slug).toBe(to);
    await sendJson(200, `/api/articles/${id}`, { as, method: "DELETE" });
    expect(await leadsTo(former)).toBeUndefined();
    expect(await rowsOf(id)).toBe(0);
  });

  it("leads to the newest one at once, and reverting makes no loop", async () => {
    const [a, b, c] = [fresh(), fresh(), fresh()];
    const { _id } = await newArticle(tenant, { slug: a });
    await update(_id, { slug: b });
    await update(_id, { slug: c });
    expect((await leadsTo(a))?.slug).toBe(c);
    expect((await leadsTo(b))?.slug).toBe(c);
    await update(_id, { slug: a });
    expect((await sendJson<ArticleBody>(200, pathOf(a)))._id).toBe(_id);
    expect((await leadsTo(b))?.slug).toBe(a);
    expect((await leadsTo(c))?.slug).toBe(a);
    expect(await rowsOf(_id)).toBe(2);
  });

  it("yields to an article that is created with it, or moves to it, also a draft", async () => {
    const first = await moved();
    const taker = await newArticle(tenant, { slug: first.from, published: false });
    expect(await leadsTo(first.from)).toBeUndefined();
    await update(taker._id, { slug: fresh() });
    expect(await leadsTo(first.from)).toBeUndefined();
    const second = await moved();
    await update(taker._id, { slug: second.from, published: true });
    expect((await sendJson<ArticleBody>(200, pathOf(second.from)))._id).toBe(taker._id);
    await update(taker._id, { slug: fresh() });
    expect((await leadsTo(second.from))?.articleId).toBe(taker._id);
  });

  it("is not taken by a slug that is derived from a title: that gets a suffix", async () => {
    const { id, from, to } = await moved();
    const body = { blogId: tenant.blogId, title: from.replace("-", " ") };
    const { slug } = await sendJson<ArticleBody>(200, "/api/articles", { as, body });
    expect(slug).toBe(`${from}-2`);
    expect(await leadsTo(from)).toMatchObject({ articleId: id, slug: to });
  });

  it("is one of each translation: the others stay online under it", async () => {
    const from = fresh();
    const english = await newArticle(tenant, { slug: from, locale: "en" });
    const german = await newArticle(tenant, { slug: from, locale: "de" });
    await update(english._id, { slug: fresh() });
    expect((await sendJson<ArticleBody>(200, pathOf(from)))._id).toBe(german._id);
    expect((await sendJson<ArticleBody>(200, pathOf(from, "&locale=de")))._id).toBe(german._id);
    expect((await leadsTo(from, "&locale=en"))?.articleId).toBe(english._id);
    await update(german._id, { slug: fresh() });
    expect((await leadsTo(from))?.articleId).toBe(english._id);
    await update(english._id, { locale: "fr" });
    expect((await leadsTo(from, "&locale=en"))?.locale).toBe("fr");
  });

  it("belongs to the blog that left it first, where several had it", async () => {
    const { id, from } = await moved();
    const other = await newTenant();
    const { _id } = await newArticle(other, { slug: from });
    expect((await sendJson<ArticleBody>(200, `/api/articles/${from}`))._id).toBe(_id);
    await update(_id, { slug: fresh() }, other);
    const everywhere = await sendJson<{ movedTo: MovedTo }>(404, `/api/articles/${from}`);
    expect(everywhere.movedTo.articleId).toBe(id);
    const theirs = await sendJson<{ movedTo: MovedTo }>(404, `/api/articles/${from}`, { as: { apiKey: other.apiKey } });
    expect(theirs.movedTo.articleId).toBe(_id);
  });

  it("is kept at most 50 times for an article, the newest", async () => {
    const slugs = Array.from({ length: 53 }, fresh);
    const { _id } = await newArticle(tenant, { slug: slugs[0] ?? "" });
    for (const slug of slugs.slice(1)) await update(_id, { slug });
    expect(await rowsOf(_id)).toBe(50);
    expect(await leadsTo(slugs[1] ?? "")).toBeUndefined();
    expect((await leadsTo(slugs[2] ?? ""))?.articleId).toBe(_id);
  });

  it("of another blog is hidden from a pinned key", async () => {
    const { from } = await moved();
    const operator = { operatorToken: tenant.operatorToken };
    const second = await sendJson<{ _id: string }>(200, "/api/blogs", { as: operator, body: { name: "Second" } });
    const pinned = await issueKey(operator, ["articles:read"], { blogId: second._id });
    const body = await sendJson<{ movedTo?: MovedTo }>(404, `/api/articles/${from}`, {
      as: { apiKey: pinned.secret },
    });
    expect(body.movedTo).toBeUndefined();
  });
});

describe("contract 18.18: following", () => {
  it("answers 200 with the article, its ETag and where it is", async () => {
    const { id, from, to } = await moved();
    for (const options of [{}, { as }]) {
      const response = await followed(from, "&fields=_id,title", options);
      expect(response.status).toBe(200);
      expect(await response.json()).toEqual({ _id: id, title: "An article" });
      const place = new URL(response.headers.get("Content-Location") ?? "", "https://any.example");
      expect(place.pathname).toBe(`/api/articles/${to}`);
      expect(Object.fromEntries(place.searchParams)).toEqual({
        blogId: tenant.blogId,
        fields: "_id,title",
        locale: "en",
      });
      const direct = await send(`${place.pathname}${place.search}`, options);
      expect(direct.headers.get("ETag")).toBe(response.headers.get("ETag"));
      expect(direct.headers.get("Content-Location")).toBeNull();
    }
    const live = await followed(to);
    expect(live.headers.get("Content-Location")).toBeNull();
    await refusalOf(await followed(fresh()), "not_found");
    await refusalOf(await send(pathOf(from, "&moved=yes")), "invalid_request");
  });

  it("is kept by the edge under the tags of the article, so that the next change purges it; a 404 is not kept", async () => {
    const { id, from } = await moved();
    const edge = new EdgeCache();
    const path = pathOf(from, "&moved=follow");
    expect((await edge.fetch(pathOf(from))).from).toBe("BYPASS");
    expect((await edge.fetch(path)).from).toBe("MISS");
    expect((await edge.fetch(path)).from).toBe("HIT");
    const taker = await newArticle(tenant, { slug: from });
    edge.purge([`blog-${tenant.blogId}`]);
    expect((JSON.parse((await edge.fetch(path)).text) as ArticleBody)._id).toBe(taker._id);
    expect(taker._id).not.toBe(id);
  });
});

describe("contract 18.17: costs", () => {
  it("an article that is there costs no query more, a miss one, and following one more", async () => {
    const { from, to } = await moved();
    expect((await counted(pathOf(to, "&locale=en"))).counts).toMatchObject({ queries: 1, rowsRead: 1 });
    // In a blog, it also looks for redirects.
    expect((await counted(pathOf(fresh(), "&locale=en"))).counts).toMatchObject({ queries: 2, rowsRead: 6 });
    expect((await counted(`/api/articles/${newId()}`)).counts).toMatchObject({ queries: 1, rowsRead: 0 });
    expect((await counted(pathOf(from, "&moved=follow"))).counts).toMatchObject({ queries: 3 });
  });
});

describe("contract 18.19: the list", () => {
  it("has the former slugs of a blog in pages, with what they are now", async () => {
    const blog = await newTenant();
    const mine = { apiKey: blog.apiKey };
    const [one, two] = [await newArticle(blog, { slug: "über-alt" }), await newArticle(blog, { slug: "a-old" })];
    await update(one._id, { slug: "b-new" }, blog);
    await update(two._id, { slug: "a-new", locale: "de" }, blog);
    await update(two._id, { published: false }, blog);
    const moveTime = expect.stringMatching(/Z$/) as string;
    const path = `/api/blogs/${blog.blogId}/movedslugs`;
    const all = await sendJson<Entry[]>(200, path, { as: mine });
    expect(all).toEqual([
      {
        slug: "a-old",
        locale: "en",
        to: { articleId: two._id, slug: "a-new", locale: "de" },
        published: false,
        moveTime,
      },
      {
        slug: "über-alt",
        locale: "en",
        to: { articleId: one._id, slug: "b-new", locale: "en" },
        published: true,
        moveTime,
      },
    ]);
    const first = await send(`${path}?limit=1`, { as: mine });
    expect(((await first.json()) as Entry[]).map(({ slug }) => slug)).toEqual(["a-old"]);
    const [, cursor = ""] = /cursor=([^&>]+)/.exec(first.headers.get("Link") ?? "") ?? [];
    const second = await send(`${path}?limit=1&cursor=${cursor}`, { as: mine });
    expect(((await second.json()) as Entry[]).map(({ slug }) => slug)).toEqual(["über-alt"]);
    // An ETag is ASCII, also where a slug is not (RFC 9110, 8.8.3).
    expect(second.headers.get("ETag")).toMatch(/^"[!#-~]+"$/);
    expect(second.headers.get("Link")).toBeNull();
    await refusalOf(await send(`${path}?cursor=nonsense`, { as: mine }), "invalid_cursor");
    await refusalOf(await send(path), "credentials_missing");
    await refusalOf(await send(path, { as }), "blog_forbidden");
  });
});

describe("contract 18.17: races", () => {
  it("two articles that swap their slugs at once end with a slug each and no loop", async () => {
    const [a, b] = [fresh(), fresh()];
    const one = await newArticle(tenant, { slug: a });
    const two = await newArticle(tenant, { slug: b });
    await Promise.all([
      send("/api/articles", { as, body: { _id: one._id, slug: b } }),
      send("/api/articles", { as, body: { _id: two._id, slug: fresh() } }),
      send("/api/articles", { as, body: { _id: two._id, slug: a } }),
    ]);
    const { results } = await env.DB.prepare(
      `select count(*) as "both" from moved_slugs m join articles a
       on a.blog_id = m.blog_id and a.slug = m.slug and a.locale = m.locale where m.blog_id = ?`,
    )
      .bind(tenant.blogId)
      .all<{ both: number }>();
    expect(results[0]?.both).toBe(0);
  });
});

async function rowsOf(articleId: string): Promise<number> {
  const row = await env.DB.prepare("select count(*) as n from moved_slugs where article_id = ?")
    .bind(articleId)
    .first<{ n: number }>();
  return row?.n ?? 0;
}
