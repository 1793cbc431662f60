/**
 * Contract 13.5: an edit marks stale what the edge has, and what must not be seen any more is removed. By the platform's
 * documentation of `invalidate()` (changelog of 2026-09-29; cache/guides/invalidate-cache).
 */
import { env } from "cloudflare:workers";
import { sql } from "drizzle-orm";
import { beforeEach, describe, expect, inject, it } from "vitest";
import { parseSettings } from "../../src/env.ts";
import { requestPurges } from "../../src/store/edge/purges.ts";
import { recordHealth } from "../../src/store/edge/system-health.ts";
import { recordPurged, takePurges } from "../../src/store/edge/system-purges.ts";
import { queryRows } from "../../src/store/core/sql.ts";
import { countingDatabase } from "../helpers/counting.ts";
import { send, sendJson, type Send } from "../helpers/requests.ts";
import { newTenant, type Tenant } from "../helpers/tenant.ts";
import { Edge } from "./edge.ts";
import { publicPathsOf, type Article, type Blog } from "./readers.ts";

let edge: Edge;
let tenant: Tenant;
beforeEach(async () => {
  await env.DB.batch([env.DB.prepare("delete from purges"), env.DB.prepare("delete from last_times")]);
  edge = new Edge();
  tenant = await newTenant();
});

/** A blog with articles, all of whose addresses the edge has, and nothing waits. */
async function atRest(count: number): Promise<Blog> {
  const vanityId = `edits-${tenant.blogId.slice(-12)}`;
  await write(`/api/blogs/${tenant.blogId}`, { method: "PUT", body: { vanityId, locales: ["en", "de"] } });
  const articles: Article[] = [];
  for (let n = 0; n < count; n++) {
    const locale = n % 5 === 4 ? "de" : "en";
    const slug = `piece-${n}`;
    const texts = { title: `Harbour ${n}`, slug, locale, content: "The first ferry of the day." };
    articles.push({ ...(await publish({ ...texts, authors: ["ada"] })), slug, locale });
  }
  await settle();
  const blog = { _id: tenant.blogId, vanityId, articles };
  for (const path of publicPathsOf([blog])) await edge.cache.fetch(path);
  edge.calls.length = 0;
  return blog;
}

const ofOperator = () => ({ operatorToken: tenant.operatorToken });
const tagOf = async ({ _id }: Blog) => (await sendJson<{ _id: string }[]>(200, `/api/tags?blogId=${_id}`, {}))[0]?._id;
const write = (path: string, options: Send) => sendJson<{ _id: string }>(200, path, { as: tenant, ...options });
const save = (body: object) => write("/api/articles", { as: { apiKey: tenant.apiKey }, body });
const publish = (body: object) => save({ ...body, blogId: tenant.blogId, published: true, tags: ["walks"] });

/** Lets all purges happen that wait, the second ones too. */
async function settle(): Promise<void> {
  await edge.fanOut(tenant);
  edge.ask();
  await edge.until(edge.cache.now + 5);
  await recordHealth(env.DB, edge.now(edge.cache.now + 1), parseSettings(env).quota);
  await edge.until(edge.cache.now + 150);
}

/** Lets the first call happen for what was written. */
async function soon(): Promise<void> {
  await edge.fanOut(tenant);
  edge.ask();
  await edge.until(edge.cache.now + 16);
}

const methods = () => edge.calls.map(({ method }) => method);

describe("an edit", () => {
  it("is read after the former text was shown once more, and what stayed is sent again without a body", async () => {
    const { articles } = await atRest(2);
    const [edited, other] = articles.map(({ _id }) => `/api/articles/${_id}`) as [string, string];
    await edge.cache.fetch(edited);
    await edge.cache.fetch(other);
    await save({ _id: articles[0]?._id, title: "After" });
    await soon();
    expect(methods()).toEqual(["invalidate"]);
    const former = await edge.cache.fetch(edited);
    expect([former.from, former.text.includes("After")]).toEqual(["UPDATING", false]);
    const now = await edge.cache.fetch(edited);
    expect([now.from, now.text.includes("After")]).toEqual(["HIT", true]);
    const { bodies, requests } = edge.cache.asked;
    expect((await edge.cache.fetch(other)).from).toBe("UPDATING");
    expect((await edge.cache.fetch(other)).from).toBe("HIT");
    expect(edge.cache.asked).toMatchObject({ requests: requests + 1, bodies });
  });

  it("is shown at once to who reads half a minute later", async () => {
    const { articles } = await atRest(1);
    const path = `/api/articles/${articles[0]?._id}`;
    await edge.cache.fetch(path);
    await save({ _id: articles[0]?._id, title: "After" });
    await soon();
    await edge.until((edge.calls[0]?.at ?? 0) + 31);
    expect(await edge.cache.fetch(path)).toMatchObject({ from: "EXPIRED", text: expect.stringContaining("After") });
  });

  it("leaves readers the former text for five minutes while the service fails", async () => {
    const { articles } = await atRest(1);
    const path = `/api/articles/${articles[0]?._id}`;
    await edge.cache.fetch(path);
    await save({ _id: articles[0]?._id, title: "After" });
    await soon();
    const invalidated = edge.calls[0]?.at ?? 0;
    edge.cache.failing = true;
    edge.next = null;
    await edge.until(invalidated + 299);
    expect((await edge.cache.fetch(path)).from).toBe("STALE");
    await edge.until(invalidated + 301);
    expect((await edge.cache.fetch(path)).status).toBe(500);
  });

  it("arrives at every address, whatever was edited: what differs has another ETag", async () => {
    const blog = await atRest(2);
    const [article] = blog.articles;
    const [blogPath, tagPath] = [`/api/blogs/${blog._id}`, `/api/tags/${await tagOf(blog)}`];
    const edits: Record<string, () => Promise<unknown>> = {
      title: () => save({ _id: article?._id, title: "Quay" }),
      content: () => save({ _id: article?._id, content: "The **last** ferry." }),
      publication: () => publish({ slug: "fresh", title: "Fresh" }),
      tag: () => write(tagPath, { method: "PUT", body: { name: "Strolls" } }),
      blog: () => write(blogPath, { method: "PUT", body: { name: "Boats" } }),
      site: () => write(`${blogPath}/site`, { method: "PUT", body: { description: "Of boats" } }),
      accent: () => write(`${blogPath}/site`, { method: "PUT", body: { accentColor: "#004488" } }),
      redirect: () => write(`${blogPath}/redirects`, { body: { from: "/nothing-here", to: "/archive" } }),
    };
    const paths = publicPathsOf([blog]);
    for (const path of paths) await edge.cache.fetch(path);
    for (const [name, edit] of Object.entries(edits)) {
      await edit();
      await soon();
      for (const path of paths) await edge.cache.fetch(path);
      for (const path of paths) {
        const { text, from } = await edge.cache.fetch(path);
        expect([from, text], `${path} after an edit of ${name}`).toEqual(["HIT", await (await send(path)).text()]);
      }
    }
    expect(new Set(methods())).toEqual(new Set(["invalidate"]));
  });
});

describe("what must not be seen any more", () => {
  it.each<[string, (blog: Blog) => Promise<unknown>]>([
    ["an unpublished article", ({ articles }) => save({ _id: articles[0]?._id, published: false })],
    [
      "an article that is unpublished and published again",
      async ({ articles }) => {
        for (const published of [false, true]) await save({ _id: articles[0]?._id, published });
      },
    ],
    ["a deleted article", ({ articles }) => write(`/api/articles/${articles[0]?._id}`, { method: "DELETE" })],
    ["a deleted blog", ({ _id }) => write(`/api/blogs/${_id}`, { as: ofOperator(), method: "DELETE" })],
    ["a site that is off", ({ _id }) => write(`/api/blogs/${_id}/site`, { method: "PUT", body: { enabled: false } })],
    [
      "a vanityId that is free",
      ({ _id, vanityId }) => write(`/api/blogs/${_id}`, { method: "PUT", body: { vanityId: `${vanityId}-new` } }),
    ],
    ["a deleted tag", async (blog) => write(`/api/tags/${await tagOf(blog)}`, { method: "DELETE" })],
  ])("is removed by both calls: %s", async (_, act) => {
    const blog = await atRest(1);
    await act(blog);
    await soon();
    expect(edge.cache.paths).toEqual([]);
    await settle();
    expect(methods()).toEqual(["purge", "purge"]);
  });

  it("is removed although an edit asks for the same, before it or after", async () => {
    const { articles } = await atRest(2);
    const [first, second] = articles;
    await save({ _id: first?._id, published: false });
    await save({ _id: second?._id, title: "After" });
    await soon();
    await save({ _id: second?._id, title: "Later" });
    await settle();
    expect(methods()).toEqual(["purge", "purge", "purge"]);
  });

  it("is not forgotten if it was asked for while the tag was invalidated", async () => {
    const time = edge.now().toISOString();
    const ask = (urgent: 0 | 1) =>
      queryRows(env.DB, requestPurges(sql`select 'blog-x' as tag, 'x' as organization_id, ${urgent} as urgent`, time));
    await ask(0);
    const call = await takePurges(env.DB, null, edge.now());
    expect(call).toMatchObject({ tags: ["blog-x"], method: "invalidate" });
    await ask(1);
    await recordPurged(env.DB, call, edge.now(), edge.now());
    expect(await takePurges(env.DB, null, edge.now(15))).toMatchObject({ tags: ["blog-x"], method: "purge" });
  });
});

it("an edit waits for two calls at most while others always have something to remove", async () => {
  const { articles } = await atRest(1);
  const start = edge.cache.now;
  await edge.flood(1, 1);
  await save({ _id: articles[0]?._id, title: "After" });
  await edge.fanOut(tenant);
  for (let second = start; second < start + 60; second += 5) {
    await edge.flood(1, 1);
    edge.ask();
    await edge.until(second + 5);
  }
  expect(edge.purgedAt(`blog-${tenant.blogId}`) - start).toBeLessThanOrEqual(31);
  expect(edge.calls.filter(({ at }) => at <= start + 60).length).toBeLessThanOrEqual(5);
});

const ARTICLES = 100;

/** A minute with an edit every four seconds, and a quiet one after it; somebody reads each address every second. */
async function busyMinute(onlyPurges: boolean) {
  edge.onlyPurges = onlyPurges;
  const blog = await atRest(ARTICLES);
  const paths = publicPathsOf([blog]);
  const counter = countingDatabase();
  edge.cache.bindings = { DB: counter.db };
  const before = { ...edge.cache.asked };
  const start = edge.cache.now;
  let waited = 0;
  for (let second = 1; second <= 120; second++) {
    if (second % 4 === 0 && second <= 60) {
      await save({ _id: blog.articles[second % ARTICLES]?._id, title: `Harbour of ${second}` });
      await edge.fanOut(tenant);
    }
    if (second % 60 === 0) await recordHealth(env.DB, edge.now(), parseSettings(env).quota);
    await edge.until(start + second);
    for (const path of paths) {
      const { from } = await edge.cache.fetch(path);
      if (["MISS", "EXPIRED", "REVALIDATED"].includes(from)) waited++;
    }
  }
  const { requests, bodies, bytes } = edge.cache.asked;
  return {
    addresses: paths.length,
    calls: edge.calls.length,
    requests: requests - before.requests,
    bodies: bodies - before.bodies,
    bytes: bytes - before.bytes,
    waited,
    queries: counter.counts.queries,
  };
}

// What it adds to the tests above is its figures.
it.runIf(inject("exhaustive"))(
  "a busy minute costs fewer bodies than one of purges, no more requests, and readers do not wait",
  async () => {
    const purged = await busyMinute(true);
    edge = new Edge();
    tenant = await newTenant();
    await env.DB.batch([env.DB.prepare("delete from purges"), env.DB.prepare("delete from last_times")]);
    const invalidated = await busyMinute(false);
    // For docs/operations.md (npm run rig).
    console.warn("15 edits in a minute, purged:", purged, "invalidated:", invalidated);
    expect(invalidated.calls).toBeLessThanOrEqual(purged.calls);
    expect(invalidated.requests).toBeLessThanOrEqual(purged.requests);
    expect(invalidated.bodies).toBeLessThan(purged.bodies / 2);
    expect(invalidated.waited).toBe(0);
  },
  300_000,
);
