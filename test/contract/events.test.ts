/** Contract 11.3, 11.4, 11.5, 11.6: events, and the requests that tell of them. */
import { describe, expect, it } from "vitest";
import { quiet } from "../helpers/refusals.ts";
import type { Seen } from "../helpers/receiver.ts";
import { kindsOf, received, seenBy, settled, subscribe } from "../helpers/webhooks.ts";
import { sendJson } from "../helpers/requests.ts";
import { newArticle, newTenant, type ArticleBody, type Tenant } from "../helpers/tenant.ts";

type Payload = { event: string; timestamp: number; data: Record<string, unknown> };

const payloadOf = (request: Seen | undefined): Payload => JSON.parse(request?.body ?? "null") as Payload;

const second = async (tenant: Tenant): Promise<string> =>
  (await sendJson<{ _id: string }>(200, "/api/blogs", { as: tenant, body: { name: "Second" } }))._id;

describe("which operation emits which event", () => {
  it("article.created: POST /api/articles; its data is the article without content", async () => {
    const tenant = await newTenant();
    const { name } = await subscribe(tenant, "ok", { events: ["article.created"] });
    const { content: _, ...data } = await newArticle(tenant, { content: "Body", description: "Sum" });
    expect(payloadOf((await received(name))[0])).toMatchObject({ event: "article.created", data });
    expect(Object.keys(payloadOf((await received(name))[0]).data).sort()).toEqual(Object.keys(data).sort());
  });

  it("article.updated: POST /api/articles with the _id of an article", async () => {
    const tenant = await newTenant();
    const { name } = await subscribe(tenant, "ok", { events: ["article.updated"] });
    const { _id } = await newArticle(tenant, { content: "Body" });
    const body = { _id, title: "Changed" };
    const { content: _, ...data } = await sendJson<ArticleBody>(200, "/api/articles", { as: tenant, body });
    expect(payloadOf((await received(name))[0])).toEqual({
      event: "article.updated",
      timestamp: expect.any(Number),
      data: { ...data, changed: ["title"] },
    });
  });

  it("article.deleted: DELETE /api/articles/{articleId}; its data is the article as it last was", async () => {
    const tenant = await newTenant();
    const { name } = await subscribe(tenant, "ok", { events: ["article.deleted"] });
    const { content: _, ...data } = await newArticle(tenant, { title: "Last words" });
    await sendJson(200, `/api/articles/${data._id}`, { as: tenant, method: "DELETE" });
    expect(payloadOf((await received(name))[0])).toEqual({
      event: "article.deleted",
      timestamp: expect.any(Number),
      data,
    });
  });

  it("blog.created: POST /api/blogs; its data is the blog", async () => {
    const tenant = await newTenant();
    const { name } = await subscribe(tenant, "ok", { events: ["blog.created"] });
    const data = await sendJson(200, "/api/blogs", { as: tenant, body: { name: "New" } });
    expect(payloadOf((await received(name))[0])).toEqual({
      event: "blog.created",
      timestamp: expect.any(Number),
      data,
    });
  });

  it("contact.created: POST /api/contacts; its data is the contact", async () => {
    const tenant = await newTenant();
    const { name } = await subscribe(tenant, "ok", { events: ["contact.created"] });
    const body = { blogId: tenant.blogId, email: "ada@example.com", name: "Ada" };
    const data = await sendJson(200, "/api/contacts", { as: tenant, body });
    expect(payloadOf((await received(name))[0])).toEqual({
      event: "contact.created",
      timestamp: expect.any(Number),
      data,
    });
  });

  it("reads, refused writes and changes of blogs emit none", async () => {
    const tenant = await newTenant();
    const { _id, name } = await subscribe(tenant);
    await sendJson(200, `/api/articles?blogId=${tenant.blogId}`, { as: tenant });
    await sendJson(400, "/api/articles", { as: tenant, body: { slug: "Not A Slug" } });
    await sendJson(403, "/api/articles", { as: tenant, body: { blogId: "unknown" } });
    await sendJson(404, "/api/articles/unknown", { as: tenant, method: "DELETE" });
    await sendJson(200, `/api/blogs/${tenant.blogId}`, { as: tenant, method: "PUT", body: { name: "x" } });
    await newArticle(tenant);
    await quiet();
    expect(kindsOf(await seenBy(name))).toEqual(["article.created"]);
    expect(await settled(tenant, _id, 1)).toHaveLength(1);
  });
});

describe("delivery rule 1: each matching event is sent as an HTTP POST to the subscription's url", () => {
  it("a subscription matches when it is organization-wide or pinned to the event's blog", async () => {
    const tenant = await newTenant();
    const other = await second(tenant);
    const whole = await subscribe(tenant);
    const pinned = await subscribe(tenant, "ok", { blogId: tenant.blogId });
    const elsewhere = await subscribe(tenant, "ok", { blogId: other });
    const mine = await newArticle(tenant);
    const theirs = await newArticle(tenant, { blogId: other });
    await quiet();
    const idsOf = async ({ name }: { name: string }) =>
      (await seenBy(name)).map((request) => String(payloadOf(request).data["_id"])).sort();
    expect(await idsOf(whole)).toEqual([mine._id, theirs._id].sort());
    expect(await idsOf(pinned)).toEqual([mine._id]);
    expect(await idsOf(elsewhere)).toEqual([theirs._id]);
  });

  it("a subscription for one blog and one kind gets neither that kind of another blog nor another kind", async () => {
    const tenant = await newTenant();
    const { name } = await subscribe(tenant, "ok", { blogId: tenant.blogId, events: ["article.created"] });
    const { _id } = await newArticle(tenant);
    await newArticle(tenant, { blogId: await second(tenant) });
    await sendJson(200, "/api/articles", { as: tenant, body: { _id, title: "Changed" } });
    await quiet();
    const seen = (await seenBy(name)).map(payloadOf);
    expect(seen.map(({ event, data }) => [event, data["_id"]])).toEqual([["article.created", _id]]);
  });

  it("the blog of contact.created is the contact's", async () => {
    const tenant = await newTenant();
    const other = await second(tenant);
    const whole = await subscribe(tenant);
    const pinned = await subscribe(tenant, "ok", { blogId: tenant.blogId });
    const elsewhere = await subscribe(tenant, "ok", { blogId: other });
    const body = { blogId: tenant.blogId, email: "ada@example.com" };
    await sendJson(200, "/api/contacts", { as: tenant, body });
    await quiet();
    expect(kindsOf(await seenBy(whole.name))).toEqual(["contact.created"]);
    expect(kindsOf(await seenBy(pinned.name))).toEqual(["contact.created"]);
    expect(await seenBy(elsewhere.name)).toEqual([]);
  });

  it("and its events array is empty or contains the event kind", async () => {
    const tenant = await newTenant();
    const all = await subscribe(tenant, "ok", { events: [] });
    const some = await subscribe(tenant, "ok", { events: ["article.deleted", "blog.created"] });
    const none = await subscribe(tenant, "ok", { events: ["contact.created"] });
    const { _id } = await newArticle(tenant);
    await sendJson(200, `/api/articles/${_id}`, { as: tenant, method: "DELETE" });
    await quiet();
    expect(kindsOf(await seenBy(all.name)).sort()).toEqual(["article.created", "article.deleted"]);
    expect(kindsOf(await seenBy(some.name))).toEqual(["article.deleted"]);
    expect(await seenBy(none.name)).toEqual([]);
  });

  it("an event never reaches a subscription created after it", async () => {
    const tenant = await newTenant();
    await newArticle(tenant, { title: "Before" });
    const { name } = await subscribe(tenant);
    await newArticle(tenant, { title: "After" });
    await quiet();
    expect((await seenBy(name)).map((request) => payloadOf(request).data["title"])).toEqual(["After"]);
  });
});

describe("delivery rules 2 to 4: the request", () => {
  it("headers: X-Service-Event (the event kind), X-Service-Signature, Content-Type application/json", async () => {
    const tenant = await newTenant();
    const { name, _id } = await subscribe(tenant);
    await newArticle(tenant);
    const [request] = await received(name);
    expect(request?.headers).toMatchObject({
      "x-service-event": "article.created",
      "x-service-signature": expect.stringMatching(/^t=\d+,v1=[0-9a-f]{64}$/),
      "content-type": "application/json",
    });
    const [delivery] = await settled(tenant, _id, 1);
    expect(request?.headers["x-service-delivery"]).toBe(delivery?._id);
  });

  it("body: object with event (string, the kind), timestamp (integer, Unix seconds) and data (object)", async () => {
    const tenant = await newTenant();
    const { name } = await subscribe(tenant);
    const earliest = Math.floor(Date.now() / 1000);
    await newArticle(tenant);
    const payload = payloadOf((await received(name))[0]);
    expect(Object.keys(payload)).toEqual(["event", "timestamp", "data"]);
    expect(payload).toMatchObject({ event: "article.created", data: expect.any(Object) });
    expect(Number.isInteger(payload.timestamp)).toBe(true);
    expect(payload.timestamp).toBeGreaterThanOrEqual(earliest);
    expect(payload.timestamp).toBeLessThanOrEqual(Math.floor(Date.now() / 1000));
  });

  it("X-Service-Signature is t=<timestamp>,v1=<hex HMAC-SHA256 of <timestamp>.<raw body>, keyed with the secret>", async () => {
    const tenant = await newTenant();
    const { name, secret } = await subscribe(tenant);
    await newArticle(tenant, { title: "Ünïcode 日本語 😀" });
    const [request] = await received(name);
    const { timestamp } = payloadOf(request);
    const signed = `${timestamp}.${request?.body}`;
    expect(request?.headers["x-service-signature"]).toBe(`t=${timestamp},v1=${await hmac(secret, signed)}`);
  });

  it("each subscription's request is signed with its own secret", async () => {
    const tenant = await newTenant();
    const [one, two] = [await subscribe(tenant), await subscribe(tenant)];
    await newArticle(tenant);
    const [first, other] = [(await received(one.name))[0], (await received(two.name))[0]];
    const signature = await hmac(two.secret, `${payloadOf(other).timestamp}.${other?.body}`);
    expect(other?.headers["x-service-signature"]).toContain(signature);
    expect(first?.headers["x-service-signature"]).not.toContain(signature);
  });
});

async function hmac(secret: string, text: string): Promise<string> {
  const encode = (value: string) => new TextEncoder().encode(value);
  const key = await crypto.subtle.importKey("raw", encode(secret), { name: "HMAC", hash: "SHA-256" }, false, ["sign"]);
  const digest = new Uint8Array(await crypto.subtle.sign("HMAC", key, encode(text)));
  return Array.from(digest, (byte) => byte.toString(16).padStart(2, "0")).join("");
}
