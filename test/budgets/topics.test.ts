/** The cost in D1 of topic ideas, their refresh, and files of articles (budgets.json). */
import { env } from "cloudflare:workers";
import { beforeAll, describe, expect, it } from "vitest";
import { encodeScoreCursor } from "../../src/domain/cursor.ts";
import { newId } from "../../src/lib/ids.ts";
import type { Writer } from "../../src/store/core/writer.ts";
import { findKnownTopics } from "../../src/store/topics/research.ts";
import { claimSource, settleSource } from "../../src/store/topics/system-sources.ts";
import type { TopicMessage } from "../../src/background/topics/relay.ts";
import { sweepTopics } from "../../src/background/topics/sweep.ts";
import { counted, countingDatabase, expectWithin, noteNoUse, type Ran } from "../helpers/counting.ts";
import { newIdeas } from "../helpers/ideas.ts";
import { newFile } from "../helpers/media.ts";
import { beginRefresh, consumeTopicsOf, telling, tenantWith, topicRelay } from "../helpers/refreshing.ts";
import type { Send } from "../helpers/requests.ts";
import { newArticle, newTenant, type Tenant } from "../helpers/tenant.ts";
import budgets from "./budgets.json";

const IDEAS = 3000;
const PAGE = 20;

let tenant: Tenant;
let neighbour: Tenant;
let ids: string[];

/** Returns the score of the idea with the number `n`. Ten ideas each have the same score. */
const scoreOf = (n: number): number => 3000 - Math.floor(n / 10) - 0.125;

beforeAll(async () => {
  [tenant, neighbour] = [await newTenant(), await newTenant()];
  const ideas = Array.from(
    { length: IDEAS },
    (_, n) => ({ score: scoreOf(n), status: n % 3 === 0 ? "dismissed" : "new" }) as const,
  );
  ids = await newIdeas(tenant, ideas);
  await newIdeas(neighbour, ideas.slice(0, 500));
  await noteNoUse();
});

const asked = (): Send => ({ as: { apiKey: tenant.apiKey } });
const list = (more = ""): string => `/api/topics?blogId=${tenant.blogId}&limit=${PAGE}${more}`;
const behind = (n: number): string => `&cursor=${encodeScoreCursor({ score: scoreOf(n), id: ids[n] ?? "" })}`;

/** Returns the number of rows that the list read, including those that say to which organization the blog belongs. */
const rowsOfTopics = (ran: readonly Ran[]): number =>
  ran.filter(({ text }) => text.includes('from "topics"')).reduce((sum, { rowsRead }) => sum + rowsRead, 0);

it("a research looks up the ideas that it finds again, and does not read all of the blog", async () => {
  const counter = countingDatabase();
  const writer = { db: counter.db, organizationId: tenant.organizationId } as Partial<Writer> as Writer;
  const found = await findKnownTopics(writer, tenant.blogId, { urlKeys: ["nobody has this"], ids: ids.slice(0, 2) });
  expect(found.map(({ topicId }) => topicId)).toEqual(ids.slice(0, 2));
  expect(counter.counts.rowsRead).toBeLessThan(20);
});

describe("a page of topic ideas", () => {
  it.each([
    ["topics: 20", ""],
    ["topics: 20 of a status", "&status=new"],
    ["topics: 20 of a status that few have", "&status=used"],
  ])("%s: reads n + 1 rows, and sorts none", async (name, filter) => {
    const { response, ...counter } = await counted(list(filter), asked());
    expect(response.status, await response.text()).toBe(200);
    expect(rowsOfTopics(counter.ran)).toBeLessThanOrEqual(PAGE + 1 + 2);
    await expectNoSort(counter.ran);
    expectWithin(name, budgets.topics, counter);
  });

  it.each([1000, 2500])("costs the same at any depth, also among equal scores: %s", async (depth) => {
    for (const filter of ["", "&status=new", "&status=dismissed"]) {
      const { response, ...counter } = await counted(list(`${filter}${behind(depth)}`), asked());
      expect(await response.json()).toHaveLength(PAGE);
      expect(rowsOfTopics(counter.ran)).toBeLessThanOrEqual(PAGE + 1 + 2);
      await expectNoSort(counter.ran);
      expectWithin("topics: 20, behind a cursor", budgets.topics, counter);
    }
  });

  it("of another organization's blog reads none", async () => {
    const { response, ...counter } = await counted(list(), { as: { apiKey: neighbour.apiKey } });
    expect(response.status).toBe(403);
    expectWithin("topics: another organization's", budgets.topics, counter);
  });
});

describe("one idea", () => {
  it("is changed in two round trips", async () => {
    const ask: Send = { ...asked(), method: "PATCH", body: { status: "used" } };
    const { response, ...counter } = await counted(`/api/topics/${ids[7]}`, ask);
    expect(response.status, await response.text()).toBe(200);
    expect(counter.counts.roundTrips).toBe(2);
    expectWithin("topics: a change of status", budgets.topics, counter);
  });
});

describe("a refresh", () => {
  /** Begins a refresh of one source for a new organization that has `ideas` ideas. */
  async function begun(path: string, ideas = 0): Promise<{ own: Tenant; message: TopicMessage }> {
    const own = await tenantWith(path);
    await newIdeas(
      own,
      Array.from({ length: ideas }, (_, n) => ({ score: n, title: `Story of the number ${n}` })),
    );
    const [message] = (await beginRefresh(own)).messages;
    if (message === undefined) throw new Error("no message");
    return { own, message };
  }

  it("begins in two round trips", async () => {
    const own = await tenantWith("recent/feeds/ghost.xml", "feeds/hugo.xml");
    await noteNoUse();
    const ask: Send = { as: { apiKey: own.apiKey }, body: { blogId: own.blogId } };
    const { response, ...counter } = await counted("/api/topics/refresh", ask);
    const { _id } = await response.json<{ _id: string }>();
    expect(counter.counts.roundTrips).toBe(2);
    expectWithin("refresh: begun", budgets.topics, counter);
    const { response: shown, ...reading } = await counted(`/api/topics/refreshes/${_id}`, {
      as: { apiKey: own.apiKey },
    });
    expect(shown.status).toBe(200);
    expectWithin("refresh: shown", budgets.topics, reading);
  });

  it("claims a source in one round trip", async () => {
    const { message } = await begun("recent/feeds/ghost.xml");
    const counter = countingDatabase();
    const claim = await claimSource(counter.db, message, new Date());
    expectWithin("refresh: a source claimed", budgets.topics, counter);
    const settling = countingDatabase();
    if (claim !== null)
      await settleSource(settling.db, claim, { state: "unchanged", reason: null, detail: null }, new Date());
    expectWithin("refresh: a source unchanged", budgets.topics, settling);
    await expectNoScan([...counter.ran, ...settling.ran]);
  });

  it("settles a source, and takes the next one of its refresh or organization, however many others wait", async () => {
    const { own, message } = await begun("recent/feeds/ghost.xml");
    const many = JSON.stringify(Array.from({ length: 500 }, () => newId()));
    await env.DB.batch([
      env.DB.prepare(
        `insert into topic_refreshes (id, organization_id, blog_id, state, creation_time)
         select value, ?1, ?2 || value, 'running', '2020' from json_each(?3)`,
      ).bind(neighbour.organizationId, neighbour.blogId, many),
      env.DB.prepare(
        `insert into topic_refresh_sources (refresh_id, position, organization_id, source, state, enqueue_time)
         select value, 0, ?1, '{}', 'open', '2020' from json_each(?2)`,
      ).bind(neighbour.organizationId, many),
      env.DB.prepare(
        `insert into topic_refresh_sources (refresh_id, position, organization_id, source, state, enqueue_time)
         select ?1, value, ?2, '{}', 'open', '2020' from json_each('[1, 2, 3]')`,
      ).bind(message.refreshId, own.organizationId),
    ]);
    const claim = await claimSource(env.DB, message, new Date());
    if (claim === null) throw new Error("not claimed");
    const counter = countingDatabase();
    const next = await settleSource(counter.db, claim, { state: "unchanged", reason: null, detail: null }, new Date());
    expect(next).toEqual([{ ...message, position: 1 }]);
    expectWithin("refresh: a source unchanged, and the next one", budgets.topics, counter);
    await expectNoScan(counter.ran);
    await env.DB.prepare("update topic_refresh_sources set state = 'read'").run();
  });

  it.each([
    ["refresh: one idea", telling("Slow ferries are back in Norway"), 0],
    ["refresh: fifty ideas", telling(...Array.from({ length: 50 }, (_, n) => `Tale${n} told${n}`)), 0],
    ["refresh: one idea among 3,000", telling("Slow ferries are back in Norway"), 3000],
    ["refresh: one mention", telling("Story of the number 2500"), 3000],
  ])("%s: three round trips", async (name, path, ideas) => {
    const { message } = await begun(path, ideas);
    const counter = countingDatabase();
    const relay = topicRelay({ db: counter.db });
    await consumeTopicsOf(relay, [message]);
    expect(relay.logged).toEqual([]);
    expect(counter.counts.roundTrips).toBe(3);
    expectWithin(name, budgets.topics, counter);
  });

  it("the minute's sweep reads nothing where there is nothing to do, however many refreshes there were", async () => {
    const many = JSON.stringify(Array.from({ length: 500 }, () => newId()));
    await env.DB.batch([
      env.DB.prepare(
        `insert into topic_refreshes (id, organization_id, blog_id, state, creation_time)
         select value, ?1, ?2, 'done', ?3 from json_each(?4)`,
      ).bind(tenant.organizationId, tenant.blogId, new Date().toISOString(), many),
      env.DB.prepare(
        `insert into topic_refresh_sources (refresh_id, position, organization_id, source, state, enqueue_time)
         select value, 0, ?1, '{}', 'read', '2020' from json_each(?2)`,
      ).bind(tenant.organizationId, many),
      env.DB.prepare("update topic_refresh_sources set state = 'read'"),
      env.DB.prepare("update topic_refreshes set state = 'done'"),
    ]);
    const counter = countingDatabase();
    await sweepTopics(topicRelay({ db: counter.db }));
    expectWithin("refresh: a sweep with nothing to do", budgets.topics, counter);
  });
});

describe("a file of an article", () => {
  it("costs one query of one row", async () => {
    const { _id } = await newArticle(tenant);
    const id = await newFile(tenant.organizationId, _id);
    const { response, ...counter } = await counted(`/media/${id}`);
    expect(response.status).toBe(200);
    await response.body?.cancel();
    expectWithin("a file", budgets.topics, counter);
  });
});

describe("the table", () => {
  it("has a line for each of these, and no other", () => {
    expect(Object.keys(budgets.topics)).toHaveLength(17);
  });
});

/** Checks that no statement reads all rows of a table, or of an index other than that of the claimed sources. */
async function expectNoScan(ran: readonly Ran[]): Promise<void> {
  for (const { text, params } of ran) {
    const plan = env.DB.prepare(`explain query plan ${text}`).bind(...params);
    const steps = (await plan.all<{ detail: string }>()).results.map(({ detail }) => detail);
    expect(steps.filter((step) => /^SCAN (?!held USING INDEX topic_refresh_sources_claimed)/.test(step))).toEqual([]);
  }
}

/** Checks that no statement sorts: each one reads an index that has the order of its list. */
async function expectNoSort(ran: readonly Ran[]): Promise<void> {
  for (const { text, params } of ran) {
    const plan = env.DB.prepare(`explain query plan ${text}`).bind(...params);
    const steps = (await plan.all<{ detail: string }>()).results.map(({ detail }) => detail);
    expect(steps.join("\n"), text).not.toContain("TEMP B-TREE");
  }
}
