/** What sources give, and how they fail: each costs only itself, and two that tell of the same come to one idea. */
import { env } from "cloudflare:workers";
import { describe, expect, it } from "vitest";
import type { TopicSource } from "../../src/domain/topic-source.ts";
import { LIMITS } from "../../src/domain/limits.ts";
import { newId } from "../../src/lib/ids.ts";
import { givingUp } from "../helpers/giving-up.ts";
import { sendJson } from "../helpers/requests.ts";
import { newTenant } from "../helpers/tenant.ts";
import {
  beginRefresh,
  consumeAtOnce,
  consumeTopicsOf,
  feedAt,
  newSources,
  refreshed,
  refreshOf,
  telling,
  tenantWith,
  topicRelay,
  topicsOf,
} from "../helpers/refreshing.ts";
import { FORUMS, seen } from "../helpers/sources.ts";

describe("a source that behaves badly", () => {
  const BAD: Record<string, [reason: string, detail: RegExp]> = {
    "hang/x": ["timeout", /within 8 seconds/],
    "five-megabytes/x": ["too_large", /larger than 2 MiB/],
    "endless/x": ["too_large", /larger than 2 MiB/],
    "empty/x": ["unreadable", /\w/],
    [`redirect-to/${encodeURIComponent("http://10.1.2.3/feed")}`]: [
      "target",
      /redirects to an address that is not allowed/,
    ],
    "redirect-loop/x": ["too_many_redirects", /redirects more than 3 times/],
    "garbage/x": ["connection", /could not be reached/],
    "reset/x": ["connection", /could not be reached/],
    "feeds/page-without-feed.html": ["unreadable", /\w/],
    "status-500/x": ["status", /answered 500/],
  };

  it("costs only itself and says why, among twenty at once", async () => {
    const bad = Object.keys(BAD);
    const good = Array.from({ length: 20 - bad.length }, (_, n) => telling(`An entirely different story ${n}`));
    const tenant = await tenantWith(...bad, ...good);
    const { id, messages } = await beginRefresh(tenant);
    const relay = topicRelay();
    // All but the one that hangs are over.
    const isWaiting = async () =>
      (await refreshOf(tenant, id)).sources.filter(({ state }) => /^(?:waiting|reading)$/.test(state)).length === 1;
    await givingUp(LIMITS.sourceTimeoutMs, () => consumeAtOnce(relay, messages), isWaiting);
    const { state, sources } = await refreshOf(tenant, id);
    expect(state).toBe("done");
    for (const [index, [reason, detail]] of Object.values(BAD).entries()) {
      expect(sources[index]).toMatchObject({
        state: "failed",
        reason,
        detail: expect.stringMatching(detail),
        created: 0,
      });
    }
    expect(sources.slice(bad.length).map((source) => [source.state, source.created])).toEqual(
      good.map(() => ["read", 1]),
    );
    expect(await topicsOf(tenant)).toHaveLength(good.length);
    expect(relay.logged).toEqual([]);
  });
});

/** A relay whose first readers go on together, once all of them know what the blog has: between their board and their storing. */
function meeting(count: number) {
  let [here, open] = [0, (): void => undefined];
  const all = new Promise<void>((resolve) => (open = resolve));
  const models = async () => {
    if (++here === count) open();
    if (here <= count) await all;
    return { text: null, image: null };
  };
  return topicRelay({ models });
}

describe("sources that tell of the same thing at once", () => {
  it("come to one idea with a mention", async () => {
    const tenant = await tenantWith(
      telling("Slow ferries are back in Norway"),
      telling("In Norway slow ferries are back"),
    );
    const { id, messages } = await beginRefresh(tenant);
    await consumeAtOnce(meeting(2), messages);
    const [idea, ...more] = await topicsOf(tenant);
    expect(more).toEqual([]);
    expect(idea?.mentions.map(({ source }) => source.name)).toEqual([idea?.source.name, expect.any(String)]);
    expect(idea?.mentions[1]?.source.name).not.toBe(idea?.source.name);
    const { sources } = await refreshOf(tenant, id);
    expect(new Set(sources.map(({ created, merged }) => [created, merged].join()))).toEqual(new Set(["1,0", "0,1"]));
  });

  it("twenty of them, too: each counts, ten are listed", async () => {
    const tenant = await tenantWith(...Array.from({ length: 20 }, () => telling("Slow ferries are back in Norway")));
    const { id, messages } = await beginRefresh(tenant);
    const relay = meeting(3);
    await consumeAtOnce(relay, messages);
    expect(relay.logged).toEqual([]);
    const { sources } = await refreshOf(tenant, id);
    expect(sources.map(({ state, created, merged }) => [state, created + merged])).toEqual(
      sources.map(() => ["read", 1]),
    );
    const [idea, ...more] = await topicsOf(tenant);
    expect([more.length, idea?.mentions.length]).toEqual([0, 10]);
    // The day of its item, and half a day for each further source that is listed.
    const day = (Date.now() - Date.UTC(2020, 0, 1)) / 86_400_000;
    expect(idea?.score).toBeCloseTo(day + 9 * 0.5, 1);
  });

  it("four of them, with one link and other titles: one idea with four mentions, each with its numbers of now", async () => {
    const tenant = await newTenant();
    const sources = ["first", "second", "third"].map((name) => feedAt(`linked/0/${name}`));
    await newSources<TopicSource>(tenant, [{ kind: "lobsters", name: "Lobsters", tag: "" }, ...sources]);
    const lobsters = (votes: number) =>
      topicRelay({ baseUrls: { ...FORUMS, lobsters: `${env.FEEDS.url}/linked/${votes}` } });
    expect((await refreshed(tenant, lobsters(9))).map(({ created, merged }) => [created, merged])).toEqual([
      [1, 0],
      [0, 1],
      [0, 1],
      [0, 1],
    ]);
    const [idea, ...others] = await topicsOf(tenant);
    expect(others).toEqual([]);
    const url = "https://trees.example.org/linked";
    expect(idea?.mentions).toEqual([
      { url, source: { kind: "lobsters", name: "Lobsters" }, engagement: 9 },
      ...sources.map(({ kind, name }) => ({ url, source: { kind, name }, engagement: 0 })),
    ]);
    await sendJson(200, `/api/topics/${idea?._id}`, { as: tenant, method: "PATCH", body: { status: "dismissed" } });
    for (const source of await refreshed(tenant, lobsters(99)))
      expect(source).toMatchObject({ merged: 1, refused: [] });
    const [after] = await topicsOf(tenant);
    expect(after).toMatchObject({ _id: idea?._id, status: "dismissed", score: (idea?.score ?? 0) + 2 });
    expect(after?.mentions.map(({ engagement }) => engagement)).toEqual([99, 0, 0, 0]);
  });

  it("one source that repeats itself makes an idea no better", async () => {
    const tenant = await tenantWith(telling("Slow ferries are back in Norway"));
    await refreshed(tenant);
    const [before] = await topicsOf(tenant);
    const again = feedAt(telling(...Array<string>(5).fill("Slow ferries are back in Norway")));
    await newSources(tenant, [{ ...again, name: before?.source.name ?? "" }]);
    expect(await refreshed(tenant)).toMatchObject([{ created: 0, merged: 5 }]);
    const [after] = await topicsOf(tenant);
    expect(after?.score).toBeCloseTo(before?.score ?? 0, 1);
    await newSources(tenant, [feedAt(telling(...Array<string>(30).fill("Slow ferries are back in Norway")))]);
    await refreshed(tenant);
    expect((await topicsOf(tenant))[0]?.score).toBeCloseTo((before?.score ?? 0) + 0.5, 1);
  });

  it("an idea that was put aside stays aside, whoever tells of it again", async () => {
    const tenant = await tenantWith(telling("Slow ferries are back in Norway"));
    await refreshed(tenant);
    const [idea] = await topicsOf(tenant);
    const patch = { as: tenant, method: "PATCH", body: { status: "dismissed" } };
    await sendJson(200, `/api/topics/${idea?._id}`, patch);
    await newSources(tenant, [feedAt(telling("Slow ferries are back in Norway"))]);
    await refreshed(tenant);
    expect(await topicsOf(tenant)).toMatchObject([{ _id: idea?._id, status: "dismissed" }]);
  });
});

describe("Stack Exchange asks for a pause", () => {
  const asking = (site: string) => ({ kind: "stackexchange", name: site, site, tag: newId() }) as const;

  it.each([
    ["backoff", "read", "It asks for no requests until", 39],
    ["throttled", "failed", "Stack Exchange refuses", 38_210],
  ])("%s: nothing is asked until then, for no source of the blog", async (site, state, detail, seconds) => {
    const tenant = await newTenant();
    const [first, second] = [asking(site), asking("stackoverflow")];
    await newSources<TopicSource>(tenant, [first, second, feedAt(telling("Slow ferries are back"))]);
    const skipped = {
      state: "failed",
      reason: "waiting",
      detail: expect.stringMatching(/^It asks for no requests until [\d-]{10} [\d:]{8} UTC\. A refresh after/),
    };
    expect(await refreshed(tenant)).toMatchObject([
      { state, detail: expect.stringContaining(detail) },
      skipped,
      { state: "read", detail: null },
    ]);
    const soon = () => new Date(Date.now() + seconds * 1000);
    expect(await refreshed(tenant, topicRelay({ now: soon }))).toMatchObject([skipped, skipped, {}]);
    expect([(await seen(first.tag)).length, (await seen(second.tag)).length]).toEqual([1, 0]);
    const late = () => new Date(Date.now() + (seconds + 60) * 1000);
    await refreshed(tenant, topicRelay({ now: late }));
    expect(await seen(first.tag)).toHaveLength(2);
  });
});

describe("a model", () => {
  it("that cannot be opened costs ideas nothing", async () => {
    const tenant = await tenantWith(telling("Slow ferries are back in Norway"));
    const relay = topicRelay({ models: () => Promise.reject(new Error("no module")) });
    expect(await refreshed(tenant, relay)).toMatchObject([{ state: "read", created: 1 }]);
    expect(await topicsOf(tenant)).toMatchObject([{ title: "Slow ferries are back in Norway" }]);
    expect(relay.logged).toMatchObject([{ level: "error" }]);
  });
});

describe("a source that has nothing new", () => {
  it("is asked with its validators, and counts as unchanged", async () => {
    const tenant = await newTenant();
    const name = newId();
    await newSources(tenant, [feedAt("recent/feeds/ghost.xml", name)]);
    const [first] = await refreshed(tenant);
    expect(await refreshed(tenant)).toMatchObject([{ state: "unchanged", found: 0, created: 0, reason: null }]);
    const [, second] = await seen(name);
    expect(second?.headers).toMatchObject({
      "if-none-match": expect.any(String),
      "if-modified-since": expect.any(String),
    });
    expect(await topicsOf(tenant)).toHaveLength(first?.created ?? 0);
    // Under another name it is the same source, and its validators are kept for as long as they are of use.
    await newSources(tenant, [{ ...feedAt("recent/feeds/ghost.xml", name), name: "Renamed" }]);
    const old = "2020-01-01T00:00:00.000Z";
    await env.DB.prepare("update topic_source_states set read_time = ? where blog_id = ?")
      .bind(old, tenant.blogId)
      .run();
    expect(await refreshed(tenant)).toMatchObject([{ state: "unchanged" }]);
    const state = env.DB.prepare("select read_time from topic_source_states where blog_id = ?").bind(tenant.blogId);
    expect((await state.first<{ read_time: string }>())?.read_time).not.toBe(old);
  });
});

describe("a source that is removed from its blog while the refresh runs", () => {
  it("is read to the end: the refresh is of the sources that it began with", async () => {
    const tenant = await tenantWith(telling("Slow ferries are back in Norway"));
    const { id, messages } = await beginRefresh(tenant);
    const body = { topicSources: [] };
    await sendJson(200, `/api/blogs/${tenant.blogId}`, { as: tenant, method: "PUT", body });
    await consumeTopicsOf(topicRelay(), messages);
    expect(await refreshOf(tenant, id)).toMatchObject({ state: "done", sources: [{ state: "read", created: 1 }] });
  });
});
