/** Purges of the edge: few calls a minute, readers first, everybody gets their turn, none lost. */
import { env } from "cloudflare:workers";
import { beforeEach, describe, expect, it } from "vitest";
import { parseSettings } from "../../src/env.ts";
import type { PurgeRelay } from "../../src/background/edge/purge.ts";
import { recordHealth } from "../../src/store/edge/system-health.ts";
import { countWaitingPurges } from "../../src/store/edge/system-purges.ts";
import { sendJson } from "../helpers/requests.ts";
import { sample } from "../helpers/sample.ts";
import { newArticle, newTenant, type Tenant } from "../helpers/tenant.ts";
import { Edge, type Call } from "./edge.ts";

let edge: Edge;
beforeEach(async () => {
  await env.DB.batch([env.DB.prepare("delete from purges"), env.DB.prepare("delete from last_times")]);
  edge = new Edge();
});

async function unpublished(tenant: Tenant, articleId: string): Promise<void> {
  const as = { apiKey: tenant.apiKey };
  await sendJson(200, "/api/articles", { as, body: { _id: articleId, published: false } });
  await edge.fanOut(tenant);
}

const callsAMinute = (calls: readonly Call[]): number =>
  Math.max(0, ...calls.map(({ at }) => calls.filter((other) => other.at > at - 60 && other.at <= at).length));

describe("a change", () => {
  it("is purged at once by the tag of its blog, a draft is not", async () => {
    const tenant = await newTenant();
    await newArticle(tenant, { published: false });
    await edge.fanOut(tenant);
    expect(edge.next).toBeNull();
    for (let i = 0; i < 5; i++) await newArticle(tenant);
    await edge.fanOut(tenant);
    await edge.until(2);
    expect(edge.calls.map(({ tags }) => tags)).toEqual([[`blog-${tenant.blogId}`]]);
  });

  it("of several blogs at once is purged by the tag of each", async () => {
    const tenant = await newTenant();
    const as = { apiKey: tenant.apiKey };
    const { _id } = await sendJson<{ _id: string }>(200, "/api/blogs", { as, body: { name: "Second" } });
    for (const blogId of [tenant.blogId, _id]) await newArticle(tenant, { blogId });
    await edge.fanOut(tenant);
    await edge.until(2);
    expect(edge.calls.flatMap(({ tags }) => tags).sort()).toEqual([`blog-${tenant.blogId}`, `blog-${_id}`].sort());
  });

  it("takes the images of an article along that is deleted", async () => {
    const tenant = await newTenant();
    const { _id } = await newArticle(tenant);
    await sendJson(200, `/api/articles/${_id}`, { as: { apiKey: tenant.apiKey }, method: "DELETE" });
    await edge.fanOut(tenant);
    await edge.until(2);
    expect(edge.calls.flatMap(({ tags }) => tags).sort()).toEqual([`blog-${tenant.blogId}`, `media-${_id}`]);
  });

  it("is purged again when its purge fails, until it succeeds", async () => {
    const tenant = await newTenant();
    await newArticle(tenant);
    await edge.fanOut(tenant);
    edge.works = false;
    await edge.until(40);
    expect(edge.calls).toHaveLength(3);
    edge.works = true;
    await edge.until(50);
    expect(await countWaitingPurges(env.DB)).toEqual({ count: 0, oldest: null });
  });
});

describe("the second purge", () => {
  it("comes a minute later, once, and then nothing waits any more", async () => {
    const tenant = await newTenant();
    await newArticle(tenant);
    await edge.fanOut(tenant);
    await edge.until(30);
    await recordHealth(env.DB, edge.now(45), parseSettings(env).quota);
    await edge.until(600);
    expect(edge.calls.map(({ at }) => at)).toEqual([1, 61]);
    expect(edge.next).toBeNull();
  });

  it("waits for a replica that lags, an hour at most", async () => {
    const tenant = await newTenant();
    await newArticle(tenant);
    await edge.fanOut(tenant);
    const lagging = { time: edge.now(-5).toISOString(), value: "{}" };
    edge.replica = {
      prepare: () => ({ bind: () => ({ all: async () => ({ results: [lagging] }) }) }),
    } as unknown as PurgeRelay["replicas"][number];
    await edge.until(900);
    expect(edge.calls.map(({ at }) => at)).toEqual([1]);
    lagging.time = edge.now(890).toISOString();
    await edge.until(930);
    expect(edge.calls).toHaveLength(2);
    lagging.time = edge.now(-5).toISOString();
    await newArticle(tenant);
    await edge.fanOut(tenant);
    await edge.until(930 + 3700);
    expect(edge.calls).toHaveLength(4);
  });
});

describe("under a thousand changes a minute of one organization", () => {
  it.each(sample([0, 1] as const, 0, 1))(
    "an unpublished article of another one is gone within 30 seconds (%s)",
    async (urgent) => {
      const tenant = await newTenant();
      const { _id } = await newArticle(tenant);
      await edge.fanOut(tenant);
      await edge.until(200);
      edge.calls.length = 0;
      for (let second = 200; second < 320; second += 5) {
        await edge.flood(1000, urgent);
        edge.ask();
        if (second === 255) await unpublished(tenant, _id);
        await recordHealth(env.DB, edge.now(), parseSettings(env).quota);
        await edge.until(second + 5);
      }
      expect(edge.purgedAt(`blog-${tenant.blogId}`) - 255).toBeLessThanOrEqual(30);
      expect(callsAMinute(edge.calls)).toBeLessThanOrEqual(4);
      for (const { tags } of edge.calls) expect(tags.length).toBeLessThanOrEqual(100);
    },
  );

  it.each(sample([0, 1] as const, 1, 1))("nor does it wait behind what was asked for before (%s)", async (urgent) => {
    const tenant = await newTenant();
    const { _id } = await newArticle(tenant);
    await edge.fanOut(tenant);
    await edge.until(100);
    await edge.flood(1000, urgent);
    edge.ask();
    await edge.until(110);
    await unpublished(tenant, _id);
    edge.calls.length = 0;
    await edge.until(300);
    expect(edge.purgedAt(`blog-${tenant.blogId}`) - 110).toBeLessThanOrEqual(15);
  });

  it("nothing is lost, and what is asked for twice is purged once", async () => {
    await edge.flood(1000, 0);
    await edge.flood(1000, 0);
    edge.ask();
    await edge.until(145);
    expect(edge.calls).toHaveLength(10);
    expect(new Set(edge.calls.flatMap(({ tags }) => tags)).size).toBe(1000);
  });
});
