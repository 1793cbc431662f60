/** Contract 11.16 to 11.19: the feed of events. */
import { createExecutionContext } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { beforeAll, describe, expect, it } from "vitest";
import { encodeFeedCursor } from "../../src/domain/cursor.ts";
import type { EventKind } from "../../src/domain/events.ts";
import { LIMITS } from "../../src/domain/limits.ts";
import { makeLowestId, newId } from "../../src/lib/ids.ts";
import { DAY_MS } from "../../src/lib/time.ts";
import { removeExpired } from "../../src/store/retention.ts";
import worker from "../../src/worker.ts";
import { now, put, readOn, readPage, type FeedEvent } from "../helpers/event-feed.ts";
import { UNLIMITED } from "../helpers/limiter.ts";
import { outcome } from "../helpers/outcome.ts";
import { authorization, ORIGIN, send, sendJson, type Credential } from "../helpers/requests.ts";
import { newArticle, newKey, newTenant, type Tenant } from "../helpers/tenant.ts";
import { subscribe } from "../helpers/webhooks.ts";

let tenant: Tenant;

beforeAll(async () => {
  tenant = await newTenant();
});

const titlesOf = (events: readonly FeedEvent[]) => events.map(({ data }) => data["title"]);

const newBlog = (name: string) => sendJson<{ _id: string }>(200, "/api/blogs", { as: tenant, body: { name } });

/** Stores events as they were some days ago. */
async function storeEvents(of: Tenant, count: number, { kind = "article.updated" as EventKind, days = 0 } = {}) {
  const time = new Date(Date.now() - days * DAY_MS);
  const ids = Array.from({ length: count }, () =>
    days === 0 ? newId() : makeLowestId(time).slice(0, 24) + newId().slice(24),
  );
  await env.DB.prepare(
    `insert into events (id, organization_id, blog_id, kind, data, creation_time, enqueue_time, fan_out_time)
     select value, ?1, ?2, ?3, json_object('_id', value), ?4, ?4, ?4 from json_each(?5)`,
  )
    .bind(of.organizationId, of.blogId, kind, time.toISOString(), JSON.stringify(ids))
    .run();
  return ids;
}

describe("contract 11.16: the feed", () => {
  it("has all events of the organization in the order in which they were stored, and no pings", async () => {
    const own = await newTenant();
    const before = Math.floor(Date.now() / 1000);
    const article = await newArticle(own, { title: "First" });
    const { _id } = await subscribe(own);
    await sendJson(202, `/api/webhooksubscriptions/${_id}/ping`, {
      as: { operatorToken: own.operatorToken },
      method: "POST",
    });
    await put(own, `/api/blogs/${own.blogId}`, { name: "Renamed" });
    const { content: _, ...data } = article;
    const [first, second, ...more] = await readOn(own);
    expect(more).toEqual([]);
    expect(first).toEqual({
      _id: expect.any(String),
      event: "article.created",
      blogId: own.blogId,
      timestamp: expect.any(Number),
      data,
    });
    expect(first?.timestamp).toBeGreaterThanOrEqual(before);
    expect(second).toMatchObject({ event: "blog.updated", data: { name: "Renamed", changed: ["name"] } });
  });

  it("is narrowed by kinds, blog and times, and can be read backwards", async () => {
    const other = await newBlog("Other");
    const after = await now(tenant);
    for (const title of ["a", "b", "c"]) await newArticle(tenant, { title });
    const { _id } = await newArticle(tenant, { title: "d", blogId: other._id });
    await sendJson(200, `/api/articles/${_id}`, { as: tenant, method: "DELETE" });
    expect(titlesOf(await readOn(tenant, { after, blogId: other._id }))).toEqual(["d", "d"]);
    expect(titlesOf(await readOn(tenant, { after, kinds: "article.deleted,blog.created" }))).toEqual(["d"]);
    const newest = await readPage(tenant, { order: "newest", limit: "2", blogId: tenant.blogId });
    expect(titlesOf(newest.events)).toEqual(["c", "b"]);
    const older = await readPage(tenant, {
      order: "newest",
      limit: "1",
      blogId: tenant.blogId,
      after: newest.after ?? "",
    });
    expect(titlesOf(older.events)).toEqual(["a"]);
    const soon = new Date(Date.now() + 60_000).toISOString();
    expect(await readOn(tenant, { from: soon })).toEqual([]);
    expect(titlesOf(await readOn(tenant, { after, to: soon, kinds: "article.deleted" }))).toEqual(["d"]);
    expect(await outcome("/api/events?kinds=article.written", { as: tenant })).toMatch(/invalid_request/);
  });

  it("has no gap and no other order for a reader beside eight writers", async () => {
    const own = await newTenant();
    const written: string[] = [];
    const write = async (name: string) => {
      for (let n = 0; n < 12; n++) {
        const { _id } = await newArticle(own, { title: `${name}${n}` });
        written.push(_id);
      }
    };
    let busy = true;
    const writers = Promise.all(["a", "b", "c", "d", "e", "f", "g", "h"].map(write)).finally(() => (busy = false));
    const seen: FeedEvent[] = [];
    for (let after: string | null = null; ;) {
      const last = !busy;
      const page: Awaited<ReturnType<typeof readPage>> = await readPage(own, { limit: "7", ...(after && { after }) });
      seen.push(...page.events);
      if (last && page.after === after) break;
      after = page.after;
    }
    await writers;
    const created = seen.filter(({ event }) => event === "article.created");
    expect(created.map(({ data }) => data._id).sort()).toEqual(written.sort());
    const { results } = await env.DB.prepare("select id from events where organization_id = ? order by seq")
      .bind(own.organizationId)
      .all<{ id: string }>();
    expect(seen.map(({ _id }) => _id)).toEqual(results.map(({ id }) => id));
  });
});

describe("contract 11.17: where to go on", () => {
  it("a page names it, even if it is empty, and the same again when nothing more is there", async () => {
    const own = await newTenant();
    const empty = await readPage(own);
    expect(empty).toEqual({ events: [], after: expect.any(String) });
    const latest = await now(own);
    await newArticle(own, { title: "New" });
    const next = await readPage(own, { after: empty.after ?? "" });
    expect(titlesOf(next.events)).toEqual(["New"]);
    expect(titlesOf((await readPage(own, { after: latest })).events)).toEqual(["New"]);
    const again = await readPage(own, { after: next.after ?? "" });
    expect(again).toEqual({ events: [], after: next.after });
  });

  it("takes the identifier of an event, but not of another organization", async () => {
    const own = await newTenant();
    await newArticle(own, { title: "First" });
    await newArticle(own, { title: "Second" });
    const [first] = await readOn(own);
    expect(titlesOf(await readOn(own, { after: first?._id ?? "" }))).toEqual(["Second"]);
    expect(await outcome(`/api/events?after=${first?._id}`, { as: await newTenant() })).toMatch(/invalid_cursor/);
    expect(await outcome("/api/events?after=nowhere", { as: own })).toMatch(/invalid_cursor/);
  });

  it("goes on past events that a filter leaves out", async () => {
    const own = await newTenant();
    await storeEvents(own, LIMITS.eventsScanned + 1);
    await storeEvents(own, 1, { kind: "tag.updated" });
    const first = await readPage(own, { kinds: "tag.updated" });
    expect(first).toEqual({ events: [], after: expect.any(String) });
    const second = await readPage(own, { kinds: "tag.updated", after: first.after ?? "" });
    expect(second.events.map(({ event }) => event)).toEqual(["tag.updated"]);
  });

  it("is 410 cursor_expired once events behind it may be gone, and names the oldest that is left", async () => {
    const own = await newTenant();
    const [old = ""] = await storeEvents(own, 1, { days: LIMITS.keptDays.events + 1 });
    const [kept = ""] = await storeEvents(own, 1, { days: LIMITS.keptDays.events - 1 });
    await removeExpired(env.DB, new Date());
    const days = LIMITS.keptDays.events + 0.5;
    const expired = encodeFeedCursor({ seq: 1, time: new Date(Date.now() - days * DAY_MS).toISOString() });
    for (const after of [old, expired]) {
      const response = await send(`/api/events?after=${after}`, { as: own });
      expect([response.status, await response.json()]).toMatchObject([
        410,
        { code: "cursor_expired", oldest: { _id: kept, timestamp: expect.any(Number) } },
      ]);
    }
    expect((await readOn(own)).map(({ _id }) => _id)).toEqual([kept]);
  });

  it("shows no event that is kept longer for a delivery, so a reader can go on after the one that a 410 names", async () => {
    const own = await newTenant();
    const { _id } = await subscribe(own);
    const [held = ""] = await storeEvents(own, 1, { days: LIMITS.keptDays.events + 2 });
    const [kept = ""] = await storeEvents(own, 1, { days: LIMITS.keptDays.events });
    await env.DB.prepare(
      `insert into deliveries (event_id, subscription_id, id, organization_id, epoch, state, creation_time, settle_time, redeliveries)
       values (?1, ?2, ?1, ?3, 0, 'succeeded', ?4, ?4, 1)`,
    )
      .bind(held, _id, own.organizationId, new Date().toISOString())
      .run();
    await removeExpired(env.DB, new Date());
    expect(await env.DB.prepare("select 1 from events where id = ?").bind(held).first()).not.toBeNull();
    const refused = await send(`/api/events?after=${held}`, { as: own });
    expect([refused.status, await refused.json()]).toMatchObject([410, { oldest: { _id: kept } }]);
    expect(await readOn(own, { after: kept })).toEqual([]);
    for (const order of ["oldest", "newest"])
      expect((await readOn(own, { order })).map((event) => event._id)).toEqual([kept]);
  });

  it("is 400 invalid_cursor behind everything that was ever stored, as after a restoration", async () => {
    const ahead = encodeFeedCursor({ seq: 999_999_999, time: new Date().toISOString() });
    expect(await outcome(`/api/events?after=${ahead}`, { as: tenant })).toBe("400 invalid_cursor");
  });
});

describe("contract 11.18: waiting", () => {
  it("answers as soon as there is an event", async () => {
    const after = await now(tenant);
    const waiting = readPage(tenant, { after, wait: "25" });
    await newArticle(tenant, { title: "Awaited" });
    expect(titlesOf((await waiting).events)).toEqual(["Awaited"]);
  });

  it("answers with an empty page when the time is over, and where to go on", async () => {
    const after = await now(tenant);
    expect(await readPage(tenant, { after, wait: "1" })).toEqual({ events: [], after });
    expect(await outcome("/api/events?wait=26", { as: tenant })).toMatch(/invalid_request/);
  });

  it("ends when the caller leaves, and refuses a key that was revoked meanwhile", async () => {
    const after = await now(tenant);
    const leaving = new AbortController();
    const request = new Request(`${ORIGIN}/api/events?after=${after}&wait=25`, {
      headers: authorization({ apiKey: tenant.apiKey }),
      signal: leaving.signal,
    });
    const answer = worker.fetch(request, { ...env, ...UNLIMITED }, createExecutionContext());
    leaving.abort();
    expect((await answer).status).toBe(200);
    const issued = await sendJson<{ _id: string; secret: string }>(200, "/api/apikeys", {
      as: { operatorToken: tenant.operatorToken },
      body: { name: "short", scopes: ["events:read"] },
    });
    const used = env.DB.prepare("select last_used_time from credentials where id = ?").bind(issued._id);
    const refused = outcome(`/api/events?after=${after}&wait=25`, { as: { apiKey: issued.secret } });
    await expect.poll(() => used.first("last_used_time")).not.toBeNull();
    await sendJson(200, `/api/apikeys/${issued._id}`, {
      as: { operatorToken: tenant.operatorToken },
      method: "DELETE",
    });
    await newArticle(tenant);
    expect(await refused).toMatch(/credentials_invalid/);
  });
});

describe("contract 11.19: who may read what", () => {
  it("a key of a blog reads that blog's events; those without a blog are for keys of the organization", async () => {
    const other = await newBlog("Pinned");
    const operator: Credential = { operatorToken: tenant.operatorToken };
    const pinned = { apiKey: await newKey(operator, ["events:read"], { blogId: other._id }) };
    const whole = { apiKey: await newKey(operator, ["events:read"]) };
    const after = await now(tenant);
    await newArticle(tenant, { title: "Elsewhere" });
    await newArticle(tenant, { title: "Here", blogId: other._id });
    await storeEvents({ ...tenant, blogId: null as never }, 1, { kind: "media.updated" });
    expect(titlesOf(await readOn(pinned, { after }))).toEqual(["Here"]);
    expect((await readOn(whole, { after })).map(({ event }) => event)).toEqual([
      "article.created",
      "article.created",
      "media.updated",
    ]);
    expect(await outcome(`/api/events?blogId=${tenant.blogId}`, { as: pinned })).toMatch(/blog_forbidden/);
  });

  it("contact.created is only for who may read contacts", async () => {
    const operator: Credential = { operatorToken: tenant.operatorToken };
    const after = await now(tenant);
    await sendJson(200, "/api/contacts", { as: tenant, body: { blogId: tenant.blogId, email: "ada@example.com" } });
    const without = { apiKey: await newKey(operator, ["events:read"]) };
    expect(await readOn(without, { after })).toEqual([]);
    expect(await outcome("/api/events?kinds=contact.created", { as: without })).toMatch(/scope_missing/);
    const withContacts = { apiKey: await newKey(operator, ["events:read", "contacts:read"]) };
    const [created] = await readOn(withContacts, { after });
    expect(created).toMatchObject({ event: "contact.created", data: { email: "ada@example.com" } });
  });
});
