/** Contract 1, 2.1, 2.2: what the service is, and what all requests have in common. */
import { describe, expect, it } from "vitest";
import { outcome, wrongFields } from "../helpers/outcome.ts";
import { send, sendJson } from "../helpers/requests.ts";
import { newArticle, newKey, newTenant, type ArticleBody } from "../helpers/tenant.ts";
import { received, subscribe } from "../helpers/webhooks.ts";

describe("conventions", () => {
  it("the same paths are reachable at {base_url} and at {api_url}: the host name does not matter", async () => {
    const tenant = await newTenant();
    const { _id } = await newArticle(tenant);
    for (const host of ["https://edgepress.test", "https://api.edgepress.test", "http://127.0.0.1:8787"]) {
      expect(await sendJson(200, `${host}/api/articles/${_id}`)).toMatchObject({ _id });
    }
  });

  it.each([
    ["GET", "/api/articles", 400],
    ["GET", "/api/articles/none", 404],
    ["POST", "/api/articles", 401],
    ["GET", "/api/blogs", 401],
    ["GET", "/nowhere", 404],
    ["DELETE", "/api/blogs", 405],
  ])("all response bodies are application/json: %s %s answers %i", async (method, path, status) => {
    const response = await send(path, { method });
    expect(response.status).toBe(status);
    expect(response.headers.get("Content-Type")).toMatch(/^application\/json\b/);
    expect(await response.json()).toBeTypeOf("object");
  });

  it("success bodies are application/json, too", async () => {
    const { blogId } = await newTenant();
    const response = await send(`/api/articles?blogId=${blogId}`);
    expect(response.headers.get("Content-Type")).toMatch(/^application\/json\b/);
    expect(await response.json()).toEqual([]);
  });

  it("all request bodies are JSON: another content type is refused with 415", async () => {
    const { apiKey } = await newTenant();
    const form = { "Content-Type": "application/x-www-form-urlencoded" };
    expect(await outcome("/api/articles", { as: { apiKey }, body: "title=x", headers: form })).toBe(
      "415 unsupported_media_type",
    );
    const json = { "Content-Type": "application/json; charset=utf-8" };
    expect(await outcome("/api/articles", { as: { apiKey }, body: { title: "x" }, headers: json })).toBe("200");
  });
});

describe("contract 1.1: the service is multi-tenant", () => {
  it("an organization owns blogs: several, which other organizations do not list", async () => {
    const [one, two] = [await newTenant("One"), await newTenant("Two")];
    const second = await sendJson(200, "/api/blogs", { as: { apiKey: one.apiKey }, body: { name: "Second" } });
    const ids = (await sendJson<{ _id: string }[]>(200, "/api/blogs", { as: one })).map(({ _id }) => _id);
    expect(ids).toEqual([one.blogId, second["_id"]]);
    expect(await sendJson(200, "/api/blogs", { as: two })).toMatchObject([{ _id: two.blogId }]);
  });

  it("a blog holds articles, one per locale and slug", async () => {
    const tenant = await newTenant();
    await newArticle(tenant, { slug: "porto", locale: "en" });
    const again = { blogId: tenant.blogId, slug: "porto", locale: "en" };
    expect(await outcome("/api/articles", { as: tenant, body: again })).toBe("409 slug_taken");
    expect(await outcome("/api/articles", { as: tenant, body: { ...again, locale: "pt" } })).toBe("200");
    expect(await outcome("/api/articles", { as: tenant, body: { ...again, slug: "lisbon" } })).toBe("200");
    const other = await sendJson(200, "/api/blogs", { as: tenant, body: { name: "Other" } });
    expect(await outcome("/api/articles", { as: tenant, body: { ...again, blogId: other["_id"] } })).toBe("200");
  });

  it("the tenant is taken from the credential, never from the request", async () => {
    const [mine, other] = [await newTenant(), await newTenant()];
    for (const name of ["organization", "organizationId", "tenant"]) {
      const body = { blogId: mine.blogId, title: "x", [name]: other.organizationId };
      expect(await wrongFields("/api/articles", { as: mine, body })).toEqual([name]);
    }
    const headers = { "X-Organization": other.organizationId, "X-Organization-Id": other.organizationId };
    const query = `?organization=${other.organizationId}&organizationId=${other.organizationId}`;
    expect(await sendJson(200, `/api/blogs${query}`, { as: mine, headers })).toMatchObject([{ _id: mine.blogId }]);
    const blog = await sendJson(200, `/api/blogs${query}`, { as: mine, headers, body: { name: "Mine" } });
    expect(await sendJson<unknown[]>(200, "/api/blogs", { as: other })).toHaveLength(1);
    expect(await sendJson(200, "/api/blogs", { as: mine })).toMatchObject([{}, { _id: blog["_id"] }]);
  });
});

describe("contract 1.2: what callers can do", () => {
  it("articles can be listed, read by id or slug, created, updated and deleted", async () => {
    const tenant = await newTenant();
    const created = await newArticle(tenant, { title: "First", slug: "first" });
    const { _id } = created;
    expect(await sendJson(200, `/api/articles?blogId=${tenant.blogId}`)).toEqual([created]);
    expect(await sendJson(200, `/api/articles/${_id}`)).toEqual(created);
    expect(await sendJson(200, "/api/articles/first")).toEqual(created);
    const updated = await sendJson(200, "/api/articles", { as: tenant, body: { _id, title: "Second" } });
    expect(updated).toMatchObject({ _id, title: "Second", slug: "first" });
    expect(await sendJson(200, `/api/articles/${_id}`, { as: tenant, method: "DELETE" })).toEqual({ _id });
    expect(await outcome(`/api/articles/${_id}`, { as: tenant })).toBe("404 not_found");
  });

  it("blogs can be listed, created and updated", async () => {
    const tenant = await newTenant();
    const created = await sendJson(200, "/api/blogs", { as: tenant, body: { name: "New" } });
    const path = `/api/blogs/${String(created["_id"])}`;
    const updated = await sendJson(200, path, { as: tenant, method: "PUT", body: { name: "Renamed" } });
    expect(updated).toMatchObject({ _id: created["_id"], name: "Renamed" });
    expect(await sendJson(200, "/api/blogs", { as: tenant })).toContainEqual(updated);
  });

  it("webhook subscriptions can be listed, created, updated and deleted", async () => {
    const tenant = await newTenant();
    const as = { operatorToken: tenant.operatorToken };
    const { _id } = await subscribe(tenant);
    const path = `/api/webhooksubscriptions/${_id}`;
    const updated = await sendJson(200, path, { as, method: "PUT", body: { events: ["article.deleted"] } });
    expect(await sendJson(200, "/api/webhooksubscriptions", { as })).toEqual([updated]);
    expect(await outcome(path, { as, method: "DELETE" })).toBe("200");
    expect(await sendJson(200, "/api/webhooksubscriptions", { as })).toEqual([]);
  });

  it("each subscription delivers change events to the caller's server as signed POST requests", async () => {
    const tenant = await newTenant();
    const { name } = await subscribe(tenant);
    await newArticle(tenant);
    const [request] = await received(name);
    expect(request?.headers["x-service-signature"]).toMatch(/^t=\d+,v1=[0-9a-f]{64}$/);
  });
});

describe("contract 1.3: who may read", () => {
  it("anonymous callers can read published articles only", async () => {
    const tenant = await newTenant();
    const published = await newArticle(tenant, { title: "Public" });
    const draft = await newArticle(tenant, { title: "Secret", published: false });
    expect(await sendJson(200, `/api/articles?blogId=${tenant.blogId}`)).toEqual([published]);
    expect(await sendJson(200, `/api/articles/${published._id}`)).toEqual(published);
    expect(await outcome(`/api/articles/${draft._id}`)).toBe("404 not_found");
    expect(await outcome(`/api/articles/${draft.slug}`)).toBe("404 not_found");
  });

  it("drafts are visible only to credentials of the owning organization", async () => {
    const [owner, other] = [await newTenant(), await newTenant()];
    const draft = await newArticle(owner, { published: false });
    const list = `/api/articles?blogId=${owner.blogId}`;
    for (const as of [{ apiKey: owner.apiKey }, { operatorToken: owner.operatorToken }]) {
      expect(await sendJson(200, list, { as })).toEqual([draft]);
      expect(await sendJson(200, `/api/articles/${draft._id}`, { as })).toEqual(draft);
    }
    for (const as of [{ apiKey: other.apiKey }, { operatorToken: other.operatorToken }, {}]) {
      expect(await sendJson(200, list, { as })).toEqual([]);
      expect(await outcome(`/api/articles/${draft._id}`, { as })).toBe("404 not_found");
      expect(await outcome(`/api/articles/${draft.slug}?blogId=${owner.blogId}`, { as })).toBe("404 not_found");
    }
  });
});

/** An organization with two blogs, an article in each, and a key with all scopes pinned to the first blog. */
async function pinned() {
  const tenant = await newTenant();
  const other = await sendJson<{ _id: string }>(200, "/api/blogs", { as: tenant, body: { name: "Other" } });
  const scopes = ["articles:read", "articles:write", "blogs:read", "blogs:write", "contacts:read"] as const;
  const as = { apiKey: await newKey({ operatorToken: tenant.operatorToken }, scopes, { blogId: tenant.blogId }) };
  const inside = await newArticle(tenant);
  const outside = await newArticle(tenant, { blogId: other._id, title: "Outside" });
  return { tenant, as, inside, outside, otherBlogId: other._id };
}

describe("a credential pinned to one blog can touch only that blog", () => {
  it("it reads, writes and deletes articles of its own blog, which it need not name", async () => {
    const { tenant, as, inside } = await pinned();
    const created = await sendJson<ArticleBody>(200, "/api/articles", { as, body: { title: "New" } });
    expect(created.blogId).toBe(tenant.blogId);
    expect(await outcome("/api/articles", { as, body: { _id: inside._id, title: "Changed" } })).toBe("200");
    expect(await sendJson<unknown[]>(200, `/api/articles?blogId=${tenant.blogId}`, { as })).toHaveLength(2);
    expect(await outcome(`/api/articles/${inside._id}`, { as, method: "DELETE" })).toBe("200");
  });

  it("it is refused with 403 where it names another blog of the organization", async () => {
    const { as, otherBlogId, outside } = await pinned();
    expect(await outcome(`/api/articles?blogId=${otherBlogId}`, { as })).toBe("403 blog_forbidden");
    expect(await outcome(`/api/articles/${outside.slug}?blogId=${otherBlogId}`, { as })).toBe("403 blog_forbidden");
    expect(await outcome("/api/articles", { as, body: { blogId: otherBlogId } })).toBe("403 blog_forbidden");
    expect(await outcome(`/api/contacts?blogId=${otherBlogId}`, { as })).toBe("403 blog_forbidden");
    const put = { as, method: "PUT", body: { name: "Taken over" } };
    expect(await outcome(`/api/blogs/${otherBlogId}`, put)).toBe("403 blog_forbidden");
  });

  it("it finds nothing (404) where it names an article of another blog, published or not", async () => {
    const { as, outside } = await pinned();
    expect(await outcome(`/api/articles/${outside._id}`)).toBe("200");
    expect(await outcome(`/api/articles/${outside._id}`, { as })).toBe("404 not_found");
    expect(await outcome(`/api/articles/${outside.slug}`, { as })).toBe("404 not_found");
    expect(await outcome("/api/articles", { as, body: { _id: outside._id, title: "x" } })).toBe("404 not_found");
    expect(await outcome(`/api/articles/${outside._id}`, { as, method: "DELETE" })).toBe("404 not_found");
    expect(await sendJson(200, `/api/articles/${outside._id}`)).toEqual(outside);
  });

  it("it lists only its own blog and cannot create another", async () => {
    const { tenant, as } = await pinned();
    expect(await sendJson(200, "/api/blogs", { as })).toMatchObject([{ _id: tenant.blogId }]);
    expect(await outcome("/api/blogs", { as, body: { name: "More" } })).toBe("403 blog_forbidden");
    expect(await sendJson<unknown[]>(200, "/api/blogs", { as: tenant })).toHaveLength(2);
  });
});
