/** Contract 7.3: refreshes over REST. The queue is held here; faults/topic-refresh.test.ts is about its consumer. */
import { env } from "cloudflare:workers";
import { describe, expect, it } from "vitest";
import { newId } from "../../src/lib/ids.ts";
import type { TopicSource } from "../../src/domain/topic-source.ts";
import type { RefreshRecord } from "../../src/store/topics/refreshes.ts";
import type { TopicMessage } from "../../src/background/topics/relay.ts";
import { issueKey, send, sendJson, type Send, type Credential } from "../helpers/requests.ts";
import { newTenant, type Tenant } from "../helpers/tenant.ts";
import { consumeTopicsOf, feedAt, newSources, refreshOf, tenantWith, topicRelay } from "../helpers/refreshing.ts";
import { refusalOf, storingNothing } from "../helpers/refusals.ts";
import { HeldQueue } from "../helpers/relay.ts";

/** Asks for a refresh; what it sends to the queue stays with the test. */
async function asked(as: Credential, body: object = {}, options: Omit<Send, "bindings"> = {}) {
  const queue = new HeldQueue<TopicMessage>();
  const bindings = { TOPICS: queue } as unknown as Partial<Env>;
  const response = await send("/api/topics/refresh", { as, body, ...options, bindings });
  return { response, queue };
}

async function begun(tenant: Tenant, options: Omit<Send, "bindings"> = {}) {
  const { response, queue } = await asked(tenant, { blogId: tenant.blogId }, options);
  if (response.status !== 202) throw new Error(await response.text());
  return { refresh: await response.json<RefreshRecord>(), messages: queue.held };
}

describe("POST /api/topics/refresh", () => {
  it("202: the sources wait, each in a message of its own", async () => {
    const tenant = await newTenant();
    const sources = await newSources(tenant, [
      feedAt("recent/feeds/ghost.xml"),
      { kind: "lobsters", name: "L", tag: "databases" },
    ]);
    const { refresh, messages } = await begun(tenant);
    const nothing = { found: 0, created: 0, merged: 0, refused: [], reason: null, detail: null };
    const waiting = (source: TopicSource) => ({ source, state: "waiting", ...nothing });
    expect(refresh).toEqual({
      _id: refresh._id,
      blogId: tenant.blogId,
      state: "running",
      sources: sources.map(waiting),
      creationTime: refresh.creationTime,
      finishTime: null,
    });
    const { organizationId } = tenant;
    expect(messages).toEqual([0, 1].map((position) => ({ refreshId: refresh._id, position, organizationId })));
    expect(await refreshOf(tenant, refresh._id)).toEqual(refresh);
  });

  it("while one runs, it is the answer: a blog has one at a time", async () => {
    const tenant = await tenantWith("recent/feeds/ghost.xml", "recent/feeds/rss-2.0.xml");
    const { refresh, messages } = await begun(tenant);
    expect((await begun(tenant)).refresh).toEqual(refresh);
    await consumeTopicsOf(topicRelay(), messages.slice(0, 1));
    const again = await begun(tenant);
    expect(again.refresh).toMatchObject({ _id: refresh._id, sources: [{ state: "read" }, { state: "waiting" }] });
    expect(again.messages).toEqual([]);
    await consumeTopicsOf(topicRelay(), messages);
    expect((await begun(tenant)).refresh._id).not.toBe(refresh._id);
  });

  it("ten at once begin one", async () => {
    const tenant = await tenantWith("recent/feeds/ghost.xml");
    const all = await Promise.all(Array.from({ length: 10 }, () => begun(tenant)));
    expect(new Set(all.map(({ refresh }) => refresh._id)).size).toBe(1);
  });

  it("409 no_topic_sources: the blog has none", async () => {
    const tenant = await newTenant();
    const work = async () => {
      const { response, queue } = await asked(tenant);
      await refusalOf(response, "no_topic_sources");
      expect(queue.held).toEqual([]);
    };
    await storingNothing(work, { refreshesHeld: true });
  });

  it("the blog may be left out where there is only one, or the key is pinned", async () => {
    const tenant = await tenantWith("recent/feeds/ghost.xml");
    expect((await asked(tenant)).response.status).toBe(202);
    await sendJson(200, "/api/blogs", { as: tenant, body: { name: "Second" } });
    await refusalOf((await asked(tenant)).response, "blog_required");
    const operator = { operatorToken: tenant.operatorToken };
    const { secret } = await issueKey(operator, ["topics:write"], { blogId: tenant.blogId });
    const { response } = await asked({ apiKey: secret });
    expect(await response.json()).toMatchObject({ blogId: tenant.blogId });
  });

  it("an Idempotency-Key: the same answer again, and no second refresh", async () => {
    const tenant = await tenantWith("recent/feeds/ghost.xml");
    const headers = { "Idempotency-Key": newId() };
    const { refresh, messages } = await begun(tenant, { headers });
    await consumeTopicsOf(topicRelay(), messages);
    const { response, queue } = await asked(tenant, { blogId: tenant.blogId }, { headers });
    expect([response.status, response.headers.get("Idempotent-Replayed")]).toEqual([202, "true"]);
    expect(await response.json()).toEqual(refresh);
    expect(queue.held).toEqual([]);
    // The answer of a call that found one running is kept as well.
    const running = await begun(tenant);
    const other = { "Idempotency-Key": newId() };
    expect((await begun(tenant, { headers: other })).refresh).toEqual(running.refresh);
    await consumeTopicsOf(topicRelay(), running.messages);
    expect((await begun(tenant, { headers: other })).refresh).toEqual(running.refresh);
  });
});

describe("GET /api/topics/refreshes/{id}", () => {
  it("tells of each source what it gave, and of what was left out, why", async () => {
    const tenant = await tenantWith(
      "feeds/missing-parts.xml",
      "recent/feeds/ghost.xml",
      "status-503/x",
      "recent/feeds/ghost.xml",
    );
    const { refresh, messages } = await begun(tenant);
    await consumeTopicsOf(topicRelay(), messages);
    const { state, finishTime, sources } = await refreshOf(tenant, refresh._id);
    expect(state).toBe("done");
    expect(Date.parse(finishTime ?? "")).toBeGreaterThanOrEqual(Date.parse(refresh.creationTime));
    const [partly, whole, failed, again] = sources;
    for (const { found, created, merged, refused } of sources) {
      expect(created + merged + refused.reduce((sum, { count }) => sum + count, 0)).toBe(found);
    }
    expect(partly).toMatchObject({ state: "read", reason: null, detail: null });
    expect(partly?.refused.length).toBeGreaterThan(0);
    for (const { reason, count } of partly?.refused ?? [])
      expect([reason, count]).toEqual([expect.stringMatching(/^\w/), expect.any(Number)]);
    expect(whole).toMatchObject({ state: "read", refused: [] });
    expect(whole?.created).toBe(whole?.found);
    expect(failed).toMatchObject({
      state: "failed",
      found: 0,
      created: 0,
      reason: "status",
      detail: "It answered 503.",
    });
    // The same items under another address of the feed.
    expect(again).toMatchObject({
      state: "read",
      created: 0,
      merged: whole?.found,
      refused: [],
    });
    const ideas = await sendJson<unknown[]>(200, `/api/topics?blogId=${tenant.blogId}`, { as: tenant });
    expect(ideas).toHaveLength((partly?.created ?? 0) + (whole?.created ?? 0));
  });

  it("shows the sources as they were when it began", async () => {
    const tenant = await tenantWith("recent/feeds/ghost.xml");
    const { refresh } = await begun(tenant);
    await env.DB.prepare("update blogs set topic_sources = '[]' where id = ?").bind(tenant.blogId).run();
    expect(await refreshOf(tenant, refresh._id)).toEqual(refresh);
  });
});
