/** Contract 13.5: what caches are told, and that no cache shows what its reader may not see. */
import { beforeAll, describe, expect, it } from "vitest";
import { headerOf } from "../helpers/outcome.ts";
import { send, type Send } from "../helpers/requests.ts";
import { newArticle, newTenant, type ArticleBody, type Tenant } from "../helpers/tenant.ts";

const EDGE = "Cloudflare-CDN-Cache-Control";

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
