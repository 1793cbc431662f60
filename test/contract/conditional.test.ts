/** Contract 13.1, 13.2: ETag, If-Match (412) and If-None-Match (304); RFC 9110, 13. */
import { describe, expect, it } from "vitest";
import { headerOf, outcome } from "../helpers/outcome.ts";
import { send, sendJson, type Credential } from "../helpers/requests.ts";
import { newArticle, newTenant, type ArticleBody, type Tenant } from "../helpers/tenant.ts";

const STRONG = /^"[\x21\x23-\x7e]+"$/;

/** The ETag that a read answers with. */
const etagOf = async (path: string, as: Credential = {}): Promise<string> => headerOf(await send(path, { as }), "ETag");

const save = (as: Tenant, body: object, headers: Record<string, string> = {}) =>
  send("/api/articles", { as: { apiKey: as.apiKey }, body, headers });

describe("every article and blog response carries a strong ETag", () => {
  it("articles: read by id, by slug, listed, created and updated", async () => {
    const tenant = await newTenant();
    const created = await save(tenant, { title: "x", published: true });
    const { _id, slug } = await created.json<ArticleBody>();
    const responses = [
      created,
      await save(tenant, { _id, title: "y" }),
      await send(`/api/articles/${_id}`),
      await send(`/api/articles/${slug}?blogId=${tenant.blogId}`),
      await send(`/api/articles/${_id}`, { as: tenant }),
      await send(`/api/articles/${_id}?fields=title`),
      await send(`/api/articles?blogId=${tenant.blogId}`),
      await send(`/api/articles?blogId=${tenant.blogId}`, { as: tenant }),
    ];
    for (const response of responses) expect(headerOf(response, "ETag")).toMatch(STRONG);
  });

  it("blogs: listed, created and updated", async () => {
    const tenant = await newTenant();
    const put = { as: tenant, method: "PUT", body: { name: "x" } };
    const responses = [
      await send("/api/blogs", { as: tenant }),
      await send("/api/blogs", { as: tenant, body: { name: "x" } }),
      await send(`/api/blogs/${tenant.blogId}`, put),
    ];
    for (const response of responses) expect(headerOf(response, "ETag")).toMatch(STRONG);
  });

  it("blogs: the public details of GET /blogs", async () => {
    const tenant = await newTenant();
    const path = `/blogs?blogId=${tenant.blogId}`;
    const etag = await etagOf(path);
    expect(etag).toMatch(STRONG);
    expect((await send(path, { headers: { "If-None-Match": etag } })).status).toBe(304);
    await sendJson(200, `/api/blogs/${tenant.blogId}`, { as: tenant, method: "PUT", body: { name: "Renamed" } });
    expect(await etagOf(path)).not.toBe(etag);
  });

  it("a write answers with the ETag that the next read shows", async () => {
    const tenant = await newTenant();
    const created = await save(tenant, { title: "x", published: true });
    const { _id } = await created.json<ArticleBody>();
    expect(await etagOf(`/api/articles/${_id}`)).toBe(headerOf(created, "ETag"));
    const updated = await save(tenant, { _id, title: "y" });
    expect(headerOf(updated, "ETag")).not.toBe(headerOf(created, "ETag"));
    expect(await etagOf(`/api/articles/${_id}`)).toBe(headerOf(updated, "ETag"));
  });

  it("a list's ETag changes with each of its articles, with one more, and with one less", async () => {
    const tenant = await newTenant();
    const path = `/api/articles?blogId=${tenant.blogId}&limit=2`;
    const seen = [await etagOf(path)];
    const { _id } = await newArticle(tenant, { title: "One" });
    seen.push(await etagOf(path));
    await newArticle(tenant, { title: "Two" });
    seen.push(await etagOf(path));
    await save(tenant, { _id, title: "Edited" });
    seen.push(await etagOf(path));
    await newArticle(tenant, { title: "Three" });
    seen.push(await etagOf(path));
    await sendJson(200, `/api/articles/${_id}`, { as: tenant, method: "DELETE" });
    seen.push(await etagOf(path));
    expect(new Set(seen).size).toBe(seen.length);
    expect(await etagOf(path)).toBe(seen.at(-1));
  });
});

describe("If-None-Match on reads answers 304", () => {
  /** The status of a read under If-None-Match. */
  const statusOf = async (path: string, value: string, as: Credential = {}) =>
    (await send(path, { as, headers: { "If-None-Match": value } })).status;

  it("with the current ETag, weak or strong, alone or in a list, or *", async () => {
    const tenant = await newTenant();
    const { _id } = await newArticle(tenant);
    for (const path of [`/api/articles/${_id}`, `/api/articles?blogId=${tenant.blogId}`]) {
      const etag = await etagOf(path);
      for (const value of [etag, `W/${etag}`, `"other", ${etag}`, `"other",W/${etag}`, "*"]) {
        expect(await statusOf(path, value)).toBe(304);
      }
      for (const value of ['"other"', etag.slice(1, -1), '""', `W/"other"`]) {
        expect(await statusOf(path, value)).toBe(200);
      }
    }
    const blogs = await etagOf("/api/blogs", tenant);
    expect(await statusOf("/api/blogs", blogs, tenant)).toBe(304);
  });

  it("has no body, and the headers that the 200 has", async () => {
    const tenant = await newTenant();
    const { _id } = await newArticle(tenant);
    for (const as of [{}, { apiKey: tenant.apiKey }]) {
      const full = await send(`/api/articles/${_id}`, { as });
      const short = await send(`/api/articles/${_id}`, { as, headers: { "If-None-Match": headerOf(full, "ETag") } });
      expect(short.status).toBe(304);
      expect(await short.text()).toBe("");
      for (const name of ["ETag", "Cache-Control", "Cloudflare-CDN-Cache-Control", "Vary", "Cache-Tag"]) {
        expect(short.headers.get(name)).toBe(full.headers.get(name));
      }
    }
  });

  it("tells nobody that a hidden article has not changed", async () => {
    const tenant = await newTenant();
    const { _id } = await newArticle(tenant, { published: false });
    const path = `/api/articles/${_id}`;
    expect(await statusOf(path, await etagOf(path, tenant))).toBe(404);
    expect(await statusOf(path, "*")).toBe(404);
  });
});

// Every operation that takes it, and its deletions: test/platform/edge-tags.test.ts.
describe("a write with If-Match that does not fit is 412 and changes nothing", () => {
  /** An article with its ETag, and one that it has no more. */
  async function versions() {
    const tenant = await newTenant();
    const { _id } = await newArticle(tenant, { title: "One" });
    const stale = await etagOf(`/api/articles/${_id}`);
    await save(tenant, { _id, title: "Two" });
    return { tenant, _id, stale, current: await etagOf(`/api/articles/${_id}`) };
  }

  it("an article's update: the current ETag fits, and * does", async () => {
    const { tenant, _id, stale, current } = await versions();
    for (const wrong of [stale, '"other"', `W/${stale}`, current.slice(1, -1)]) {
      expect((await save(tenant, { _id, title: "Lost" }, { "If-Match": wrong })).status).toBe(412);
    }
    expect(await sendJson(200, `/api/articles/${_id}`)).toMatchObject({ title: "Two" });
    const fits = await save(tenant, { _id, title: "Three" }, { "If-Match": `${stale}, ${current}` });
    expect(fits.status).toBe(200);
    expect((await save(tenant, { _id, title: "Four" }, { "If-Match": "*" })).status).toBe(200);
    expect(await sendJson(200, `/api/articles/${_id}`)).toMatchObject({ title: "Four" });
  });

  it("a subscription's first update: the ETag of its creation fits until it changes", async () => {
    const as = { operatorToken: (await newTenant()).operatorToken };
    const created = await send("/api/webhooksubscriptions", { as, body: { url: "https://example.com/hook" } });
    const headers = { "If-Match": headerOf(created, "ETag") };
    const path = `/api/webhooksubscriptions/${(await created.json<{ _id: string }>())._id}`;
    const put = (active: boolean) => send(path, { as, method: "PUT", body: { active }, headers });
    expect((await put(false)).status).toBe(200);
    expect((await put(true)).status).toBe(412);
  });

  it("a key's revocation: a key shows no version, so none fits", async () => {
    const tenant = await newTenant();
    const as = { operatorToken: tenant.operatorToken };
    const [key] = await sendJson<{ _id: string }[]>(200, "/api/apikeys", { as });
    const remove = { as, method: "DELETE", headers: { "If-Match": '"any"' } };
    expect(await outcome(`/api/apikeys/${key?._id}`, remove)).toBe("412 precondition_failed");
    expect(await outcome("/api/blogs", { as: { apiKey: tenant.apiKey } })).toBe("200");
  });
});
