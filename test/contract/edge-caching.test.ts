/** Contract 13.5: what caches are told, and that no cache shows what its reader may not see. */
import { beforeAll, describe, expect, it } from "vitest";
import { headerOf } from "../helpers/outcome.ts";
import { purgedTags } from "../helpers/relay.ts";
import { SharedCache } from "../helpers/shared-cache.ts";
import { send, sendJson, type Send } from "../helpers/requests.ts";
import { newArticle, newTenant, type ArticleBody, type Tenant } from "../helpers/tenant.ts";

const EDGE = "Cloudflare-CDN-Cache-Control";

const update = (tenant: Tenant, body: object) =>
  sendJson<ArticleBody>(200, "/api/articles", { as: { apiKey: tenant.apiKey }, body });

const remove = (tenant: Tenant, _id: string) =>
  sendJson(200, `/api/articles/${_id}`, { as: { apiKey: tenant.apiKey }, method: "DELETE" });

/** Every way to ask for an article. */
const pathsOf = ({ _id, slug, blogId }: ArticleBody): string[] => [
  `/api/articles/${_id}`,
  `/api/articles/${_id}?fields=title`,
  `/api/articles/${slug}?blogId=${blogId}`,
  `/api/articles?blogId=${blogId}`,
  `/api/articles?blogId=${blogId}&published=true`,
  `/api/articles?blogId=${blogId}&slug=${slug}`,
];

describe("what anonymous article reads say", () => {
  it("browsers and other caches validate each time, the edge keeps it for a minute, by tag", async () => {
    const article = await newArticle(await newTenant());
    for (const path of pathsOf(article)) {
      const { headers } = await send(path);
      expect(headers.get("Cache-Control")).toBe("public, max-age=0, must-revalidate");
      expect(headers.get(EDGE)).toBe("max-age=60, stale-while-revalidate=30, stale-if-error=300");
      expect(headers.get("Vary")).toMatch(/\bAuthorization\b/i);
      expect(headers.get("ETag")).toMatch(/^"/);
      expect(headers.get("Set-Cookie")).toBeNull();
      expect(headers.get("Cache-Tag")?.split(",")).toContain(`blog-${article.blogId}`);
    }
    const { headers } = await send(`/api/articles/${article._id}`);
    expect(headerOf({ headers }, "Cache-Tag").split(",")).toContain(`article-${article._id}`);
  });

  it("an empty list is tagged, too: the first article of a blog has to appear", async () => {
    const { blogId } = await newTenant();
    const response = await send(`/api/articles?blogId=${blogId}`);
    expect(headerOf(response, "Cache-Tag")).toBe(`blog-${blogId}`);
  });

  it("what is not there is not stored: a 404 says no-store", async () => {
    const draft = await newArticle(await newTenant(), { slug: "hidden-draft", published: false });
    for (const name of [draft._id, draft.slug, "no-such-article"]) {
      const response = await send(`/api/articles/${name}`);
      expect(response.status).toBe(404);
      expect(response.headers.get("Cache-Control")).toBe("no-store");
      expect(response.headers.get(EDGE)).toBeNull();
    }
  });
});

describe("anything seen with credentials is private, no-store", () => {
  it("drafts and published articles", async () => {
    const owner = await newTenant();
    const [open, draft] = [await newArticle(owner), await newArticle(owner, { published: false })];
    for (const as of [{ apiKey: owner.apiKey }, { operatorToken: owner.operatorToken }]) {
      for (const path of [...pathsOf(open), `/api/articles?blogId=${draft.blogId}`, "/api/blogs"]) {
        const { status, headers } = await send(path, { as });
        expect(status).toBe(200);
        expect(headers.get("Cache-Control")).toBe("private, no-store");
        for (const name of [EDGE, "CDN-Cache-Control", "Cache-Tag"]) expect(headers.get(name)).toBeNull();
      }
    }
  });

  it("their 304 says the same", async () => {
    const owner = await newTenant();
    const { _id } = await newArticle(owner);
    const as = { apiKey: owner.apiKey };
    const etag = headerOf(await send(`/api/articles/${_id}`, { as }), "ETag");
    const response = await send(`/api/articles/${_id}`, { as, headers: { "If-None-Match": etag } });
    expect([response.status, response.headers.get("Cache-Control")]).toEqual([304, "private, no-store"]);
  });
});

describe("every other response states no-store", () => {
  let tenant: Tenant;
  beforeAll(async () => {
    tenant = await newTenant();
  });

  it.each<[string, () => [path: string, options?: Send]]>([
    ["a creation", () => ["/api/articles", { as: tenant, body: {} }]],
    ["an invalid creation", () => ["/api/articles", { as: tenant, body: { title: 1 } }]],
    ["a deletion", () => ["/api/articles/none", { as: tenant, method: "DELETE" }]],
    ["an invalid list", () => ["/api/articles"]],
    ["missing credentials", () => ["/api/blogs"]],
    ["invalid credentials", () => [`/api/articles?blogId=${tenant.blogId}`, { as: { apiKey: "x" } }]],
    ["a missing scope", () => ["/api/audit", { as: { apiKey: tenant.apiKey } }]],
    ["the details of a blog", () => [`/blogs?blogId=${tenant.blogId}`]],
    ["an unknown blog", () => ["/blogs/none"]],
    ["the subscriptions", () => ["/api/webhooksubscriptions", { as: { operatorToken: tenant.operatorToken } }]],
    ["the keys", () => ["/api/apikeys", { as: { operatorToken: tenant.operatorToken } }]],
    ["the audit", () => ["/api/audit", { as: { operatorToken: tenant.operatorToken } }]],
    ["an unknown route", () => ["/nowhere"]],
    ["another method", () => ["/api/articles", { method: "PATCH" }]],
    ["OPTIONS", () => ["/api/articles", { method: "OPTIONS" }]],
    ["HEAD of a draft", () => ["/api/articles/none", { method: "HEAD" }]],
    ["the start page", () => ["/"]],
    ["the health", () => ["/healthz"]],
  ])("%s", async (_, asked) => {
    const response = await send(...asked());
    expect(headerOf(response, "Cache-Control").split(", ")).toContain("no-store");
    expect(response.headers.get(EDGE)).toBeNull();
  });
});

describe("the document of the interface, which is the same for everybody", () => {
  it("is validated each time, and never kept by the edge for longer", async () => {
    const { headers } = await send("/openapi.json");
    expect(headers.get("Cache-Control")).toMatch(/no-store|max-age=0, must-revalidate/);
    expect(headers.get(EDGE)).toBeNull();
  });
});

describe("through a shared cache that does all that RFC 9111 allows", () => {
  /** Reads all that there is to read of an article as everybody, through the cache. */
  async function seen(cache: SharedCache, article: ArticleBody): Promise<string> {
    const all = await Promise.all(pathsOf(article).map((path) => cache.get(path)));
    return all.map(({ text }) => text).join("\n");
  }

  it("an anonymous caller gets a published article, stored and validated", async () => {
    const cache = new SharedCache();
    const article = await newArticle(await newTenant(), { title: "Open to all" });
    const path = `/api/articles/${article._id}`;
    expect(await cache.get(path)).toMatchObject({ status: 200, from: "origin" });
    expect(await cache.get(path)).toMatchObject({ status: 200, from: "validated" });
    expect(JSON.parse((await cache.get(path)).text)).toEqual(article);
  });

  it.each(["unpublished", "deleted"])("never gets it again once it is %s", async (how) => {
    const tenant = await newTenant();
    const cache = new SharedCache();
    const article = await newArticle(tenant, { title: "Now you see it" });
    expect(await seen(cache, article)).toContain("Now you see it");
    expect(cache.size).toBe(pathsOf(article).length);
    if (how === "deleted") await remove(tenant, article._id);
    else await update(tenant, { _id: article._id, published: false });
    expect(await seen(cache, article)).not.toContain("Now you see it");
    expect((await cache.get(`/api/articles/${article._id}`)).status).toBe(404);
    cache.disconnected = true;
    expect(await seen(cache, article)).not.toContain("Now you see it");
  });

  it("nor while the origin cannot be reached: what must be validated is not served", async () => {
    const tenant = await newTenant();
    const cache = new SharedCache();
    const article = await newArticle(tenant, { title: "Now you see it" });
    await seen(cache, article);
    await update(tenant, { _id: article._id, published: false });
    cache.disconnected = true;
    expect(await seen(cache, article)).not.toContain("Now you see it");
  });

  it("a change is seen at once", async () => {
    const tenant = await newTenant();
    const cache = new SharedCache();
    const article = await newArticle(tenant, { title: "Before" });
    await seen(cache, article);
    await update(tenant, { _id: article._id, title: "After" });
    const now = await seen(cache, article);
    expect(now).toContain("After");
    expect(now).not.toContain("Before");
  });

  it("what everybody sees is not mixed with what its owner sees, in whatever order they ask", async () => {
    const owner = await newTenant();
    await newArticle(owner, { title: "Open" });
    await newArticle(owner, { title: "Secret", published: false });
    const path = `/api/articles?blogId=${owner.blogId}&fields=title`;
    for (const cache of [new SharedCache(), new SharedCache(EDGE)]) {
      for (let i = 0; i < 3; i++) {
        expect(JSON.parse((await cache.get(path)).text)).toEqual([{ title: "Open" }]);
        const own = JSON.parse((await cache.get(path, { apiKey: owner.apiKey })).text);
        expect(own).toEqual([{ title: "Secret" }, { title: "Open" }]);
        cache.advance(20);
      }
    }
  });
});

describe("through the edge, which goes by its own field", () => {
  /** The tags that the relay purges for the events of some work. */
  async function tagsOf(tenant: Tenant, work: () => Promise<unknown>): Promise<string[]> {
    const time = new Date().toISOString();
    await work();
    return purgedTags(tenant, time);
  }

  it("an article is answered without the origin for a minute", async () => {
    const edge = new SharedCache(EDGE);
    const { _id } = await newArticle(await newTenant());
    await edge.get(`/api/articles/${_id}`);
    edge.advance(59);
    expect(await edge.get(`/api/articles/${_id}`)).toMatchObject({ status: 200, from: "stored" });
  });

  it.each(["unpublished", "deleted", "edited"])("one that is %s leaves it by the tags that are purged", async (how) => {
    const tenant = await newTenant();
    const edge = new SharedCache(EDGE);
    const article = await newArticle(tenant, { title: "Before" });
    for (const path of pathsOf(article)) await edge.get(path);
    const tags = await tagsOf(tenant, () => {
      if (how === "deleted") return remove(tenant, article._id);
      return update(tenant, { _id: article._id, ...(how === "edited" ? { title: "After" } : { published: false }) });
    });
    edge.purge(tags);
    for (const path of pathsOf(article)) expect((await edge.get(path)).text).not.toContain("Before");
  });

  it("a new article appears in the lists, also in one that was empty", async () => {
    const tenant = await newTenant();
    const edge = new SharedCache(EDGE);
    const path = `/api/articles?blogId=${tenant.blogId}`;
    expect((await edge.get(path)).text).toBe("[]");
    edge.purge(await tagsOf(tenant, () => newArticle(tenant, { title: "First" })));
    expect((await edge.get(path)).text).toContain("First");
  });

  it("without a purge, what was unpublished is gone with its freshness, and is never a draft's new text", async () => {
    const tenant = await newTenant();
    const edge = new SharedCache(EDGE);
    const article = await newArticle(tenant, { title: "Published text" });
    const path = `/api/articles/${article._id}`;
    await edge.get(path);
    await update(tenant, { _id: article._id, published: false, title: "Draft text" });
    for (let seconds = 0; seconds < 90; seconds += 15, edge.advance(15)) {
      expect((await edge.get(path)).text).not.toContain("Draft text");
    }
    expect((await edge.get(path)).status).toBe(404);
  });
});
