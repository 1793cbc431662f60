/** Contract 13.3: the first answer is stored for 24 hours and replayed. */
import { env } from "cloudflare:workers";
import { describe, expect, it } from "vitest";
import { LIMITS } from "../../src/domain/limits.ts";
import { newId } from "../../src/lib/ids.ts";
import { outcome } from "../helpers/outcome.ts";
import { send, sendJson, type Send } from "../helpers/requests.ts";
import { newArticle, newKey, newTenant, type Tenant } from "../helpers/tenant.ts";

const keyed = (key: string): Record<string, string> => ({ "Idempotency-Key": key });

/** Asks under a key; returns what a caller can compare, and whether it was a replay. */
async function once(key: string, path: string, options: Send) {
  const response = await send(path, { ...options, headers: { ...options.headers, ...keyed(key) } });
  const { requestId: _, ...body } = await response.json<Record<string, unknown>>();
  return {
    status: response.status,
    body,
    etag: response.headers.get("ETag"),
    replayed: response.headers.get("Idempotent-Replayed"),
  };
}

const articlesOf = (tenant: Tenant) =>
  sendJson<unknown[]>(200, `/api/articles?blogId=${tenant.blogId}`, { as: { apiKey: tenant.apiKey } });

describe("refusals", () => {
  it("are replayed with their code: also where the request would now succeed", async () => {
    const tenant = await newTenant();
    const { _id } = await newArticle(tenant, { slug: "taken" });
    const key = newId();
    const body = { blogId: tenant.blogId, slug: "taken" };
    const first = await once(key, "/api/articles", { as: tenant, body });
    expect(first).toMatchObject({ status: 409, body: { code: "slug_taken" }, replayed: null });
    await sendJson(200, `/api/articles/${_id}`, { as: tenant, method: "DELETE" });
    expect(await once(key, "/api/articles", { as: tenant, body })).toEqual({ ...first, replayed: "true" });
    expect((await once(newId(), "/api/articles", { as: tenant, body })).status).toBe(200);
  });

  it("keep their wrong fields and their 404", async () => {
    const tenant = await newTenant();
    const { _id } = await newArticle(tenant);
    const other = { _id, blogId: newId() };
    const gone = { _id: newId(), title: "x" };
    for (const body of [other, gone]) {
      const key = newId();
      const first = await once(key, "/api/articles", { as: tenant, body });
      expect(first.status).toBe(body === gone ? 404 : 400);
      expect(await once(key, "/api/articles", { as: tenant, body })).toEqual({ ...first, replayed: "true" });
    }
  });

  it("that pass are not kept: a number that is used up, and what cannot be fetched now", async () => {
    const tenant = await newTenant();
    const { _id } = await newArticle(tenant);
    const previews = `/api/articles/${_id}/previews`;
    const made: { _id: string }[] = [];
    for (let n = 0; n < LIMITS.previewsOfArticle; n++)
      made.push(await sendJson(200, previews, { as: tenant, body: {} }));
    const key = newId();
    expect(await once(key, previews, { as: tenant, body: {} })).toMatchObject({ body: { code: "preview_limit" } });
    await sendJson(200, `${previews}/${made[0]?._id}`, { as: tenant, method: "DELETE" });
    expect(await once(key, previews, { as: tenant, body: {} })).toMatchObject({ status: 200, replayed: null });

    const unreadable = { topicSources: [{ kind: "rss", url: `${env.FEEDS.url}/status-500/feed` }] };
    const blog = `/api/blogs/${tenant.blogId}`;
    const other = newId();
    for (let n = 0; n < 2; n++) {
      const refused = await once(other, blog, { as: tenant, method: "PUT", body: unreadable });
      expect(refused).toMatchObject({ status: 400, body: { code: "invalid_request" }, replayed: null });
    }
  });

  it("of a caller who may not at all use up no key", async () => {
    const tenant = await newTenant();
    const reader = await newKey({ operatorToken: tenant.operatorToken }, ["articles:read"]);
    const key = newId();
    const body = { title: "x" };
    expect((await once(key, "/api/articles", { as: { apiKey: reader }, body })).status).toBe(403);
    expect(await once(key, "/api/articles", { as: tenant, body })).toMatchObject({ status: 200, replayed: null });
  });

  it("server errors are not stored: the call may be repeated", async () => {
    const tenant = await newTenant();
    const key = newId();
    const body = { title: "x" };
    await env.DB.prepare("create trigger broken before insert on articles begin select raise(abort, 'x'); end").run();
    expect((await once(key, "/api/articles", { as: tenant, body })).status).toBe(500);
    await env.DB.prepare("drop trigger broken").run();
    expect(await once(key, "/api/articles", { as: tenant, body })).toMatchObject({ status: 200, replayed: null });
    expect(await articlesOf(tenant)).toHaveLength(1);
  });
});

describe("the key", () => {
  it("means the request, not its spelling: the order of members does not matter", async () => {
    const tenant = await newTenant();
    const key = newId();
    await once(key, "/api/articles", { as: tenant, body: '{"title":"x","locale":"en"}' });
    const again = await once(key, "/api/articles", { as: tenant, body: '{ "locale": "EN", "title": "x" }' });
    expect(again).toMatchObject({ status: 200, replayed: "true" });
  });

  it("belongs to its organization: another one's is another key", async () => {
    const [one, two] = [await newTenant(), await newTenant()];
    const key = newId();
    const first = await once(key, "/api/articles", { as: one, body: { title: "x" } });
    const second = await once(key, "/api/articles", { as: two, body: { title: "x" } });
    expect(second).toMatchObject({ status: 200, replayed: null });
    expect(second.body["_id"]).not.toBe(first.body["_id"]);
  });

  it("is forgotten after 24 hours", async () => {
    const tenant = await newTenant();
    const key = newId();
    const age = (hours: number) =>
      env.DB.prepare("update idempotency set creation_time = ? where key = ?")
        .bind(new Date(Date.now() - hours * 3_600_000).toISOString(), key)
        .run();
    await once(key, "/api/articles", { as: tenant, body: { title: "x" } });
    await age(23);
    expect(await once(key, "/api/articles", { as: tenant, body: { title: "x" } })).toMatchObject({ replayed: "true" });
    await age(25);
    expect(await once(key, "/api/articles", { as: tenant, body: { title: "y" } })).toMatchObject({ replayed: null });
    expect(await articlesOf(tenant)).toHaveLength(2);
  });

  it("has 1 to 255 characters, and means nothing to reads", async () => {
    const tenant = await newTenant();
    const body = { title: "x" };
    const long = { as: tenant, body, headers: keyed("k".repeat(256)) };
    expect(await outcome("/api/articles", long)).toBe("400 invalid_request");
    expect(await outcome("/api/articles", { as: tenant, body, headers: keyed("k".repeat(255)) })).toBe("200");
    const path = `/api/articles?blogId=${tenant.blogId}`;
    for (let i = 0; i < 2; i++) {
      expect((await send(path, { headers: keyed("read") })).headers.get("Idempotent-Replayed")).toBeNull();
    }
  });
});
