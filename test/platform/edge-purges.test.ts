/** Contract 13.5: what is changed or gone leaves the edge, while others are busy, purges are refused and replicas lag. */
import { env } from "cloudflare:workers";
import { beforeEach, describe, expect, it } from "vitest";
import { parseSettings } from "../../src/env.ts";
import { recordHealth } from "../../src/store/edge/system-health.ts";
import { newFile } from "../helpers/media.ts";
import { sendJson } from "../helpers/requests.ts";
import { sample } from "../helpers/sample.ts";
import { newArticle, newTenant, type Tenant } from "../helpers/tenant.ts";
import { Edge } from "./edge.ts";
import { EdgeCache } from "./edge-cache.ts";
import { LaggingReplica } from "./lagging-replica.ts";

let edge: Edge;
let tenant: Tenant;
beforeEach(async () => {
  await env.DB.batch([env.DB.prepare("delete from purges"), env.DB.prepare("delete from last_times")]);
  edge = new Edge();
  tenant = await newTenant();
});

const MINUTE = 60;

/** An article that readers have, and nothing of it waits to be purged. */
async function atRest(): Promise<{ id: string; paths: string[] }> {
  const { _id } = await newArticle(tenant, { title: "Before" });
  await edge.fanOut(tenant);
  await recordHealth(env.DB, edge.now(MINUTE), parseSettings(env).quota);
  await edge.until(200);
  const paths = [`/api/articles/${_id}`, `/api/articles?blogId=${tenant.blogId}`];
  for (const path of paths) expect((await edge.cache.fetch(path)).text).toContain("Before");
  return { id: _id, paths };
}

const save = (body: object) => sendJson(200, "/api/articles", { as: { apiKey: tenant.apiKey }, body });

/** Whether a reader gets the old text from any of the paths. */
async function showsOld(paths: readonly string[]): Promise<boolean> {
  const answers = await Promise.all(paths.map((path) => edge.cache.fetch(path)));
  return answers.some(({ text }) => text.includes("Before"));
}

/**
 * Lets time go by while somebody reads every two seconds; returns the seconds after `changed` when a reader last got the
 * old text.
 */
async function lastSeen(paths: readonly string[], changed: number, until: number, each = async () => {}) {
  let last = 0;
  for (let second = changed; second <= until; second += 2) {
    await edge.until(second);
    if (second % MINUTE === 0) await recordHealth(env.DB, edge.now(), parseSettings(env).quota);
    await each();
    if (await showsOld(paths)) last = second - changed;
  }
  return last;
}

// For docs/operations.md (npm run rig).
const note = (text: string): void => console.warn(text);

describe("an article that is unpublished", () => {
  it("is gone within 30 seconds, while another organization changes a thousand blogs a minute", async () => {
    const { id, paths } = await atRest();
    await edge.flood(1000, 1);
    edge.ask();
    // Just after a call: the next one is 15 seconds away.
    await edge.until(202);
    await save({ _id: id, published: false });
    await edge.fanOut(tenant);
    const last = await lastSeen(paths, 202, 320, async () => {
      if (edge.cache.now % MINUTE === 0) await edge.flood(1000, 1);
      edge.ask();
    });
    note(`1,000 changes a minute beside it: an unpublished article is seen for ${last} s`);
    expect(last).toBeGreaterThan(0);
    expect(last).toBeLessThanOrEqual(30);
  });

  it("is gone within 90 seconds if no purge succeeds", async () => {
    const { id, paths } = await atRest();
    edge.works = false;
    await save({ _id: id, published: false });
    await edge.fanOut(tenant);
    const last = await lastSeen(paths, 200, 400);
    note(`purges that all fail: it is seen for ${last} s`);
    expect(last).toBeGreaterThan(30);
    expect(last).toBeLessThanOrEqual(90);
  });

  it("is gone within 90 seconds if others have used up the account's purges", async () => {
    const { id, paths } = await atRest();
    const others = () => {
      while (edge.cache.purge(["of somebody else"]).success);
    };
    await save({ _id: id, published: false });
    await edge.fanOut(tenant);
    const last = await lastSeen(paths, 200, 400, async () => others());
    expect(last).toBeLessThanOrEqual(90);
  });

  it("is not shown to who reads for the first time in an hour", async () => {
    const { id, paths } = await atRest();
    edge.works = false;
    await save({ _id: id, published: false });
    await edge.until(200 + 91);
    expect(await showsOld(paths)).toBe(false);
  });
});

describe("beside replicas that lag", () => {
  it.each(sample([5, 40, 5 * MINUTE], 0, 1))(
    "by %i seconds, the second purge comes after that, and the new text stays",
    async (lag) => {
      const replica = new LaggingReplica(lag, () => edge.cache.now);
      edge.cache.bindings = { DB: replica.database };
      edge.replica = replica.session;
      const { id, paths } = await atRest();
      await replica.follow();
      await edge.until(200 + lag);
      const changed = edge.cache.now - (edge.cache.now % 2);
      edge.calls.length = 0;
      await save({ _id: id, title: "After" });
      await replica.follow();
      await edge.fanOut(tenant);
      const last = await lastSeen(paths, changed, changed + lag + 4 * MINUTE, () => replica.follow());
      note(`a replica ${lag} s behind: the old text is seen for ${last} s`);
      // The replica shows the old text for its lag, and the edge for as long as it keeps that.
      expect(last).toBeGreaterThanOrEqual(lag - 2);
      expect(last).toBeLessThanOrEqual(lag + 90);
      const purged = edge.calls.filter(({ tags }) => tags.includes(`blog-${tenant.blogId}`)).map(({ at }) => at);
      expect(purged).toHaveLength(2);
      expect((purged[1] ?? 0) - changed).toBeGreaterThan(Math.max(lag, MINUTE));
    },
  );
});

it("images of a deleted article are gone within the hour, although purges fail for most of it", async () => {
  const { id } = await atRest();
  const image = `/media/${await newFile(tenant.organizationId, id)}`;
  expect((await edge.cache.fetch(image)).status).toBe(200);
  await sendJson(200, `/api/articles/${id}`, { as: { apiKey: tenant.apiKey }, method: "DELETE" });
  await edge.fanOut(tenant);
  edge.works = false;
  await edge.until(200 + 50 * MINUTE);
  expect(await edge.cache.fetch(image)).toMatchObject({ status: 200, from: "HIT" });
  edge.works = true;
  await edge.until(200 + 60 * MINUTE);
  expect((await edge.cache.fetch(image)).status).toBe(404);
});

it("a purge for each of a thousand changes a minute would be refused", () => {
  const cache = new EdgeCache();
  let done = 0;
  for (let change = 0; change < 1000; change++) {
    cache.now = (change * MINUTE) / 1000;
    if (cache.purge([`blog-${change}`]).success) done++;
  }
  note(`a purge for each of 1,000 changes a minute: ${1000 - done} are refused`);
  expect(done).toBeLessThanOrEqual(30);
  expect(cache.purge(Array.from({ length: 101 }, (_, index) => `blog-${index}`)).status).toBe(400);
});
