/** Daily refreshes, by the minute's sweep (contract 7.3). The clock is the test's. */
import { env } from "cloudflare:workers";
import { createScheduledController } from "cloudflare:test";
import { describe, expect, it } from "vitest";
import worker from "../../src/worker.ts";
import { findDueBlogs } from "../../src/store/topics/system-sources.ts";
import { sweepTopics } from "../../src/background/topics/sweep.ts";
import { countingDatabase } from "../helpers/counting.ts";
import { sendJson } from "../helpers/requests.ts";
import type { Tenant } from "../helpers/tenant.ts";
import {
  beginRefresh,
  consumeTopicsOf,
  refreshOf,
  telling,
  tenantWith,
  topicRelay,
  topicsOf,
} from "../helpers/refreshing.ts";

const HOUR_MS = 3_600_000;
const inHours = (hours: number) => () => new Date(Date.now() + hours * HOUR_MS);

const setRefresh = (tenant: Tenant, topicRefresh: "manual" | "daily") =>
  sendJson(200, `/api/blogs/${tenant.blogId}`, { as: tenant, method: "PUT", body: { topicRefresh } });

async function dailyTenant(...paths: readonly string[]): Promise<Tenant> {
  const tenant = await tenantWith(...paths);
  await setRefresh(tenant, "daily");
  return tenant;
}

const idsOf = async ({ blogId }: Tenant): Promise<string[]> => {
  const query = env.DB.prepare("select id from topic_refreshes where blog_id = ? order by id").bind(blogId);
  return (await query.all<{ id: string }>()).results.map(({ id }) => id);
};

const dueOf = ({ blogId }: Tenant) =>
  env.DB.prepare("select refresh_due_time from blogs where id = ?")
    .bind(blogId)
    .first<string | null>("refresh_due_time");

/** One sweep at a time; whatever waits is read. Returns how many refreshes the blog had then. */
async function sweptAt(tenant: Tenant, hours: number): Promise<number> {
  const relay = topicRelay({ now: inHours(hours) });
  await sweepTopics(relay);
  await consumeTopicsOf(relay, relay.topics.take());
  return (await idsOf(tenant)).length;
}

describe("a blog that asks for a refresh a day", () => {
  it("has its first at once, and one each day", async () => {
    const tenant = await dailyTenant(telling("Slow ferries"));
    expect(await sweptAt(tenant, 0)).toBe(1);
    const [id = ""] = await idsOf(tenant);
    expect(await refreshOf(tenant, id)).toMatchObject({ state: "done", sources: [{ state: "read", created: 1 }] });
    expect(await topicsOf(tenant)).toHaveLength(1);
    for (const [hours, count] of [
      [0, 1],
      [23.9, 1],
      [24.1, 2],
      [25, 2],
      [48.1, 3],
    ] as const) {
      expect([hours, await sweptAt(tenant, hours)]).toEqual([hours, count]);
    }
  });

  it("after days without a sweep has one, and goes on at its time of day", async () => {
    const tenant = await dailyTenant(telling("Slow ferries"));
    const first = Date.parse((await dueOf(tenant)) ?? "");
    expect(await sweptAt(tenant, 5 * 24 + 7)).toBe(1);
    expect(Date.parse((await dueOf(tenant)) ?? "")).toBe(first + 6 * 24 * HOUR_MS);
    expect(await sweptAt(tenant, 6 * 24 - 0.1)).toBe(1);
    expect(await sweptAt(tenant, 6 * 24 + 0.1)).toBe(2);
  });

  it("two sweeps at once begin one", async () => {
    const tenant = await dailyTenant(telling("Slow ferries"));
    await Promise.all(Array.from({ length: 5 }, () => sweepTopics(topicRelay())));
    expect(await idsOf(tenant)).toHaveLength(1);
  });

  it("while one runs has no second, and waits for the next day", async () => {
    const tenant = await dailyTenant(telling("Slow ferries"));
    const { id } = await beginRefresh(tenant);
    await sweepTopics(topicRelay());
    expect(await idsOf(tenant)).toEqual([id]);
    expect(Date.parse((await dueOf(tenant)) ?? "")).toBeGreaterThan(Date.now());
  });

  it("has none while it has no sources, and has one on the day after it got some", async () => {
    const tenant = await dailyTenant();
    expect(await sweptAt(tenant, 0)).toBe(0);
    const sources = JSON.stringify([{ kind: "lobsters", name: "L", tag: "databases" }]);
    await env.DB.prepare("update blogs set topic_sources = ? where id = ?").bind(sources, tenant.blogId).run();
    expect(await sweptAt(tenant, 1)).toBe(0);
    expect(await sweptAt(tenant, 24.1)).toBe(1);
  });

  it("asks for it again without moving it, and no more once it is manual", async () => {
    const tenant = await dailyTenant(telling("Slow ferries"));
    await sweptAt(tenant, 0);
    const due = await dueOf(tenant);
    await setRefresh(tenant, "daily");
    expect(await dueOf(tenant)).toBe(due);
    await setRefresh(tenant, "manual");
    expect(await sweptAt(tenant, 100)).toBe(1);
  });

  it("is served though that of another blog fails, and the failing one is tried again", async () => {
    const [broken, tenant] = [await dailyTenant(telling("One")), await dailyTenant(telling("Two"))];
    const raise = `begin select raise(abort, 'boom'); end`;
    await env.DB.prepare(
      `create trigger fault before insert on topic_refreshes when new.blog_id = '${broken.blogId}' ${raise}`,
    ).run();
    const relay = topicRelay();
    await sweepTopics(relay);
    await env.DB.prepare("drop trigger fault").run();
    expect([await idsOf(broken), (await idsOf(tenant)).length]).toEqual([[], 1]);
    expect(relay.logged).toMatchObject([{ level: "error", part: `refresh of blog ${broken.blogId}` }]);
    await sweepTopics(topicRelay());
    expect(await idsOf(broken)).toHaveLength(1);
  });

  it("whose sources the queue does not take has them sent by a later sweep", async () => {
    const [one, other] = [await dailyTenant(telling("One")), await dailyTenant(telling("Two"))];
    const relay = topicRelay();
    relay.topics.sendBatch = () => Promise.reject(new Error("queue lost"));
    await sweepTopics(relay);
    expect([(await idsOf(one)).length, (await idsOf(other)).length]).toEqual([1, 1]);
    const later = topicRelay({ now: inHours(0.1) });
    await sweepTopics(later);
    const taken = later.topics.take().map(({ refreshId }) => refreshId);
    for (const tenant of [one, other]) expect(taken).toContain((await idsOf(tenant))[0]);
  });
});

describe("a manual blog", () => {
  it("is never refreshed by itself", async () => {
    const tenant = await tenantWith(telling("Slow ferries"));
    expect(await sweptAt(tenant, 1000)).toBe(0);
  });
});

describe("a sweep", () => {
  it("goes on where one of its parts fails", async () => {
    const tenant = await tenantWith(telling("Slow ferries"));
    const { id } = await beginRefresh(tenant);
    let queries = 0;
    const db = {
      prepare: (text: string) => (queries++ === 0 ? env.DB.prepare("select nothing") : env.DB.prepare(text)),
      batch: (all: D1PreparedStatement[]) => env.DB.batch(all),
    } as Pick<D1Database, "prepare" | "batch">;
    const relay = topicRelay({ db, now: inHours(1) });
    await sweepTopics(relay);
    expect(relay.logged).toContainEqual(expect.objectContaining({ message: "sweep of topics failed", part: "due" }));
    expect(relay.topics.held).toContainEqual({ refreshId: id, position: 0, organizationId: tenant.organizationId });
  });

  it("reads no blog that is not due", async () => {
    for (let n = 0; n < 3; n++) await tenantWith(telling("Slow ferries"));
    await sweepTopics(topicRelay());
    const counter = countingDatabase();
    expect(await findDueBlogs(counter.db, new Date(), 100)).toEqual([]);
    expect(counter.counts.rowsRead).toBeLessThanOrEqual(1);
  });

  it("is what the cron trigger runs", async () => {
    const tenant = await dailyTenant(telling("Slow ferries"));
    await worker.scheduled(createScheduledController(), env);
    // From here the real queue of this run does the rest.
    await expect.poll(() => topicsOf(tenant)).toHaveLength(1);
  });
});
