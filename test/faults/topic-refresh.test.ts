/** Refreshes whose messages come twice, and whose queue, database and invocations fail. */
import { env } from "cloudflare:workers";
import { createExecutionContext, getQueueResult } from "cloudflare:test";
import { describe, expect, it } from "vitest";
import worker from "../../src/worker.ts";
import { newId } from "../../src/lib/ids.ts";
import { readBoard, storeHarvest } from "../../src/store/topics/system-ideas.ts";
import { claimSource, settleSource } from "../../src/store/topics/system-sources.ts";
import type { TopicMessage } from "../../src/background/topics/relay.ts";
import { sweepTopics } from "../../src/background/topics/sweep.ts";
import { send, sendJson } from "../helpers/requests.ts";
import { newTenant } from "../helpers/tenant.ts";
import { boardOf, ideaOf } from "../helpers/ideas.ts";
import {
  beginRefresh,
  consumeAtOnce,
  consumeTopicsOf,
  feedAt,
  inMinutes,
  newSources,
  refreshed,
  refreshOf,
  telling,
  tenantWith,
  topicRelay,
  topicsOf,
} from "../helpers/refreshing.ts";
import { layReady } from "../helpers/models.ts";
import { batchOf } from "../helpers/relay.ts";
import { seen } from "../helpers/sources.ts";

/** Its items have no dates: what is older than a year is no idea. */
const FEED = telling("Slow ferries are back in Norway", "Night trains are late", "A harbour turns its lights off");

/** A database that fails at its batches from one number to another; batches are the consumer's only queries. */
function failingAt(from: number, to = from): Pick<D1Database, "prepare" | "batch"> {
  let batches = 0;
  return {
    prepare: (text) => env.DB.prepare(text),
    batch: (all) => (++batches >= from && batches <= to ? Promise.reject(new Error("D1 is gone")) : env.DB.batch(all)),
  };
}

describe("the same message twice", () => {
  it.each([
    ["in a row", consumeTopicsOf],
    ["at once", consumeAtOnce],
  ])("%s reads its source once", async (_, consume) => {
    const tenant = await newTenant();
    const name = newId();
    await newSources(tenant, [feedAt(FEED, name)]);
    const { id, messages } = await beginRefresh(tenant);
    const relay = topicRelay();
    await consume(relay, Array.from({ length: 10 }, () => messages).flat());
    expect(await seen(name)).toHaveLength(1);
    const [source] = (await refreshOf(tenant, id)).sources;
    expect(source).toMatchObject({ state: "read", created: source?.found });
    expect(await topicsOf(tenant)).toHaveLength(source?.found ?? 0);
    expect(relay.logged).toEqual([]);
  });

  it("of a refresh that is gone, or a source that it has not, does nothing and is acknowledged", async () => {
    const tenant = await tenantWith(FEED);
    const { id } = await beginRefresh(tenant);
    for (const body of [
      { refreshId: newId(), position: 0 },
      { refreshId: id, position: 7 },
    ]) {
      const batch = batchOf<TopicMessage>("edgepress-topics", [body]);
      const context = createExecutionContext();
      await worker.queue(batch, env, context);
      expect((await getQueueResult(batch, context)).explicitAcks).toHaveLength(1);
    }
    expect(await topicsOf(tenant)).toEqual([]);
  });

  it("one that is no message is retried alone", async () => {
    const tenant = await tenantWith(FEED);
    const { messages } = await beginRefresh(tenant);
    const batch = batchOf("edgepress-topics", [{} as TopicMessage, ...messages]);
    const context = createExecutionContext();
    await worker.queue(batch, env, context);
    const result = await getQueueResult(batch, context);
    expect([result.explicitAcks.length, result.retryMessages.length]).toEqual([1, 1]);
    expect((await topicsOf(tenant)).length).toBeGreaterThan(0);
  });
});

describe("an invocation that ends after its claim", () => {
  async function claimed(...paths: string[]) {
    const tenant = await tenantWith(...paths);
    const { id, messages } = await beginRefresh(tenant);
    const claim = await claimSource(env.DB, messages[0] as TopicMessage, new Date());
    if (claim === null) throw new Error("not claimed");
    return { tenant, id, messages, claim };
  }

  it("is given up by the sweep, and its refresh is done", async () => {
    const { tenant, id, messages } = await claimed(FEED);
    await consumeTopicsOf(topicRelay(), messages);
    await sweepTopics(topicRelay({ now: inMinutes(5) }));
    expect(await refreshOf(tenant, id)).toMatchObject({ state: "running", sources: [{ state: "reading" }] });
    const late = topicRelay({ now: inMinutes(7) });
    await sweepTopics(late);
    expect(await refreshOf(tenant, id)).toMatchObject({
      state: "done",
      finishTime: expect.any(String),
      sources: [{ state: "failed", reason: "interrupted", detail: "Reading the source was interrupted." }],
    });
    expect(late.logged).toContainEqual({
      level: "warn",
      message: "topic source interrupted",
      refreshId: id,
      position: 0,
      organizationId: tenant.organizationId,
    });
    // The message, should it come again, finds nothing to do; the next refresh reads it.
    await consumeTopicsOf(topicRelay(), messages);
    expect(await topicsOf(tenant)).toEqual([]);
    expect(await refreshed(tenant)).toMatchObject([{ state: "read" }]);
  });

  it("while others wait, its refresh goes on", async () => {
    const { tenant, id, messages } = await claimed(FEED, telling("Slow ferries"));
    await sweepTopics(topicRelay({ now: inMinutes(7) }));
    expect(await refreshOf(tenant, id)).toMatchObject({
      state: "running",
      sources: [{ state: "failed" }, { state: "waiting" }],
    });
    await consumeTopicsOf(topicRelay(), messages);
    expect(await refreshOf(tenant, id)).toMatchObject({
      state: "done",
      sources: [{ state: "failed" }, { state: "read" }],
    });
  });

  it("settles nothing any more, should it go on after all", async () => {
    const { tenant, id, claim } = await claimed(FEED);
    await sweepTopics(topicRelay({ now: inMinutes(7) }));
    const before = await refreshOf(tenant, id);
    const day = { now: new Date(), quota: { ideasPerDay: 1000 } };
    const idea = ideaOf();
    const harvest = {
      revision: boardOf().revision,
      found: 1,
      refused: {},
      ideas: [idea],
      updates: [],
      merged: 0,
      validators: { etag: "e", lastModified: null },
      waitTime: null,
      detail: null,
    };
    expect(await readBoard(env.DB, claim, [], day)).toBeNull();
    expect(await storeHarvest(env.DB, claim, harvest, day)).toBeNull();
    await settleSource(env.DB, claim, { state: "unchanged", reason: null, detail: null }, new Date());
    expect(await refreshOf(tenant, id)).toEqual(before);
    expect(await topicsOf(tenant)).toEqual([]);
  });

  it("is given up in the middle of its shaping: it stores nothing, and does not try for long", async () => {
    const tenant = await tenantWith(FEED);
    const { id, messages } = await beginRefresh(tenant);
    const relay = topicRelay({
      models: async () => {
        await sweepTopics(topicRelay({ now: inMinutes(7) }));
        return { text: null, image: null };
      },
    });
    await consumeTopicsOf(relay, messages);
    expect(await refreshOf(tenant, id)).toMatchObject({
      state: "done",
      sources: [{ state: "failed", reason: "interrupted" }],
    });
    expect(await topicsOf(tenant)).toEqual([]);
    expect(relay.logged).toEqual([]);
  });
});

describe("a database that fails", () => {
  it("before the claim: the message comes again", async () => {
    const tenant = await tenantWith(FEED);
    const { messages } = await beginRefresh(tenant);
    const batch = batchOf("edgepress-topics", messages);
    const context = createExecutionContext();
    await worker.queue(batch, { ...env, DB: failingAt(1) as D1Database }, context);
    expect((await getQueueResult(batch, context)).retryMessages).toHaveLength(1);
    await consumeTopicsOf(topicRelay(), messages);
    expect((await topicsOf(tenant)).length).toBeGreaterThan(0);
  });

  it.each([
    ["while it is compared with what is there", 2],
    ["while it is stored", 3],
  ])("%s: the source failed, nothing of it is stored, and the next refresh has it", async (_, batches) => {
    const tenant = await tenantWith(FEED);
    const relay = topicRelay({ db: failingAt(batches) });
    const detail = "The service failed. The next refresh will try again.";
    expect(await refreshed(tenant, relay)).toMatchObject([{ state: "failed", reason: "internal", detail, found: 0 }]);
    expect(relay.logged).toMatchObject([{ level: "error", message: "topic source failed" }]);
    expect(await topicsOf(tenant)).toEqual([]);
    expect(await refreshed(tenant)).toMatchObject([{ state: "read", refused: [] }]);
  });

  it("from its reading on: the message comes again, and the sweep ends it", async () => {
    const tenant = await tenantWith(FEED);
    const { id, messages } = await beginRefresh(tenant);
    await consumeTopicsOf(topicRelay({ db: failingAt(2, Infinity) }), messages);
    await consumeTopicsOf(topicRelay(), messages);
    expect(await refreshOf(tenant, id)).toMatchObject({ state: "running" });
    await sweepTopics(topicRelay({ now: inMinutes(7) }));
    expect(await refreshOf(tenant, id)).toMatchObject({ state: "done", sources: [{ reason: "interrupted" }] });
  });

  it("at any statement of the storing: all or nothing", async () => {
    for (const fault of [
      "insert on topics",
      "insert on topic_items",
      "update on blogs",
      "insert on topic_source_states",
      "update on topic_refreshes",
    ]) {
      const tenant = await tenantWith(FEED);
      const { id, messages } = await beginRefresh(tenant);
      await env.DB.prepare(`create trigger fault before ${fault} begin select raise(abort, 'boom'); end`).run();
      await consumeTopicsOf(topicRelay(), messages);
      await env.DB.prepare("drop trigger fault").run();
      const counts = await env.DB.prepare(
        `select (select count(*) from topics where blog_id = ?1) + (select count(*) from topic_items where blog_id = ?1)
           + (select count(*) from topic_source_states where blog_id = ?1) as n`,
      )
        .bind(tenant.blogId)
        .first<number>("n");
      expect([fault, counts]).toEqual([fault, 0]);
      expect((await refreshOf(tenant, id)).sources[0]?.state, fault).not.toBe("read");
    }
  });
});

describe("a queue that takes nothing", () => {
  it.each([
    ["it answers late with an error", () => Promise.reject(new Error("queue lost"))],
    [
      "it fails at once",
      () => {
        throw new Error("queue lost");
      },
    ],
  ])("does not make a failure of a refresh: %s; the sweep sends its sources", async (_, sendBatch) => {
    const tenant = await tenantWith(telling("Slow ferries are back"), telling("Night trains are late"));
    const bindings = { TOPICS: { sendBatch } } as unknown as Partial<Env>;
    const response = await send("/api/topics/refresh", { as: tenant, body: { blogId: tenant.blogId }, bindings });
    expect(response.status).toBe(202);
    const { _id: refreshId } = await response.json<{ _id: string }>();
    const own = (relay: ReturnType<typeof topicRelay>) =>
      relay.topics.take().filter((message) => message.refreshId === refreshId);
    const early = topicRelay({ now: inMinutes(1) });
    await sweepTopics(early);
    expect(own(early)).toEqual([]);
    const relay = topicRelay({ now: inMinutes(3) });
    await sweepTopics(relay);
    const messages = own(relay);
    expect(messages).toHaveLength(2);
    await sweepTopics(relay);
    expect(own(relay)).toEqual([]);
    await consumeTopicsOf(topicRelay(), messages);
    expect(await refreshOf(tenant, refreshId)).toMatchObject({ state: "done" });
  });
});

describe("the real queue", () => {
  it("carries a refresh to its end, in the model's words", async () => {
    const title = `Slow ferries are back in Norway ${newId()}`;
    const idea = { number: 1, title: "Why slow ferries return", angle: "Who gains.", keywords: ["Slow travel"] };
    // The model of this run's settings (vitest.config.ts).
    await layReady("default", [{ match: title, answer: { ideas: [idea] } }]);
    const tenant = await tenantWith("recent/feeds/ghost.xml", "status-404/x", telling(title));
    const { _id } = await sendJson<{ _id: string }>(202, "/api/topics/refresh", { as: tenant, body: {} });
    await expect.poll(async () => (await refreshOf(tenant, _id)).state).toBe("done");
    const { sources } = await refreshOf(tenant, _id);
    expect(sources.map(({ state }) => state)).toEqual(["read", "failed", "read"]);
    const ideas = await topicsOf(tenant);
    expect(ideas).toHaveLength(sources.reduce((sum, { created }) => sum + created, 0));
    const shaped = ideas.find(({ title }) => title === "Why slow ferries return");
    expect(shaped).toMatchObject({ angle: "Who gains.", keywords: ["slow travel"] });
  });
});
