/** The cost of each route in D1. It must equal the numbers in budgets.json, which may only go down. */
import { env } from "cloudflare:workers";
import { beforeAll, describe, expect, it } from "vitest";
import { encodeCursor, encodeFoundCursor, encodeSlugCursor } from "../../src/domain/cursor.ts";
import { toHour } from "../../src/lib/time.ts";
import { newId } from "../../src/lib/ids.ts";
import { indexDueArticles } from "../../src/store/articles/system-search-index.ts";
import { counted, expectWithin, noteNoUse, seedArticles } from "../helpers/counting.ts";
import { storeEvent } from "../helpers/relay.ts";
import { sendJson, type Send } from "../helpers/requests.ts";
import { newTenant, type Tenant } from "../helpers/tenant.ts";
import budgets from "./budgets.json";

type Case = { readonly path: string; readonly ask?: Send; readonly status?: number };

let tenant: Tenant;
let other: Tenant;
let otherDraft: string;
let ids: string[];
let subscriptionId: string;
let deliveryIds: string[];

beforeAll(async () => {
  [tenant, other] = [await newTenant("Tenant"), await newTenant("Other")];
  ids = await seedArticles(tenant, 2000);
  otherDraft = (await seedArticles(other, 500))[0] ?? "";
  while ((await indexDueArticles(env.DB)) > 0);
  const url = "https://hooks.example.com/edgepress";
  const as = { operatorToken: tenant.operatorToken };
  subscriptionId = (await sendJson<{ _id: string }>(200, "/api/webhooksubscriptions", { as, body: { url } }))._id;
  await seedLogs();
  await noteNoUse();
  // Who calls is remembered.
  await sendJson(200, "/api/blogs", { as: { operatorToken: other.operatorToken } });
});

/** Stores 300 contacts, 300 events with a delivery each, every second of which failed, and the counts of 300 hours. */
async function seedLogs(): Promise<void> {
  deliveryIds = Array.from({ length: 300 }, () => newId());
  const rows = JSON.stringify(deliveryIds);
  const now = Date.now();
  const hours = JSON.stringify(deliveryIds.map((_, index) => toHour(new Date(now + (12 - index) * 3_600_000))));
  const { organizationId, blogId } = tenant;
  const eventId = await storeEvent(tenant);
  await env.DB.batch([
    env.DB.prepare(
      `insert into contacts (id, organization_id, blog_id, email, name, locale, creation_time)
       select value, ?1, ?2, value || '@example.com', '', 'en', '2024-01-01T00:00:00.000Z' from json_each(?3)`,
    ).bind(organizationId, blogId, rows),
    env.DB.prepare(
      `insert into events (id, organization_id, blog_id, kind, data, creation_time, enqueue_time, fan_out_time)
       select value, organization_id, blog_id, kind, data, creation_time, enqueue_time, creation_time
       from events, json_each(?1) where events.id = ?2`,
    ).bind(rows, eventId),
    env.DB.prepare(
      `insert into deliveries (id, organization_id, event_id, subscription_id, epoch, state, creation_time, settle_time)
       select value, ?1, value, ?2, 0, iif(key % 2, 'failed', 'succeeded'), ?4, ?4
       from json_each(?3)`,
    ).bind(organizationId, subscriptionId, rows, "2024-01-01T00:00:00.000Z"),
    ...[organizationId, other.organizationId].map((id) =>
      env.DB.prepare(
        `insert into delivery_hours (organization_id, hour, succeeded, failed)
         select ?1, value, 1, 1 from json_each(?2)`,
      ).bind(id, hours),
    ),
  ]);
}

const key = (): Send => ({ as: { apiKey: tenant.apiKey } });
const operator = (): Send => ({ as: { operatorToken: tenant.operatorToken } });
const list = (more = ""): string => `/api/articles?blogId=${tenant.blogId}&limit=20${more}`;
const idOf = (n: number): string => ids[n] ?? "";
const timeOf = (n: number): string => new Date(Date.parse("2024-01-01T00:00:00Z") + n * 60_000).toISOString();

/** article-1002 is a draft, article-1005 is published. Both have the locale `en`, and no other blog has their slugs. */
const READS: Record<string, () => Case> = {
  "article by id": () => ({ path: `/api/articles/${idOf(1005)}` }),
  "article by slug": () => ({ path: "/api/articles/article-1005" }),
  "article by slug in a blog": () => ({ path: `/api/articles/article-1005?blogId=${tenant.blogId}` }),
  "article by slug and locale": () => ({ path: "/api/articles/article-1005?locale=en" }),
  "article by slug, fields": () => ({ path: "/api/articles/article-1005?fields=title" }),
  "article by slug, unchanged": () => ({
    path: "/api/articles/article-1005",
    ask: { headers: { "If-None-Match": `"${idOf(1005)}"` } },
    status: 304,
  }),
  "article by slug, unknown": () => ({ path: "/api/articles/no-such-article", status: 404 }),
  "list of 20": () => ({ path: list() }),
  "list of 20, a locale": () => ({ path: list("&locale=de") }),
  "list of 20, published ones": () => ({ path: list("&published=true") }),
  "list of 20, drafts": () => ({ path: list("&published=false") }),
  "list of 20, a slug": () => ({ path: list("&slug=article-1005") }),
  "list of 20, fields": () => ({ path: list("&fields=_id,title,slug") }),
  "list of 20, behind a cursor": () => ({
    path: list(`&cursor=${encodeCursor({ time: timeOf(200), id: idOf(200) })}`),
  }),
  "list of 20, 100 skipped": () => ({ path: list("&skip=100") }),
  "article by slug, with a fallback": () => ({ path: "/api/articles/article-1005?locale=de&fallback=fr,en" }),
  "list of 20, with a fallback": () => ({ path: list("&locale=de&fallback=fr,en") }),
  "list of 20, with a fallback that finds none": () => ({ path: list("&locale=it&fallback=pt") }),
  "list of an unknown blog": () => ({ path: `/api/articles?blogId=${newId()}` }),
  "blog by id": () => ({ path: `/blogs?blogId=${tenant.blogId}` }),
  "blog by vanityId": () => ({ path: "/blogs/tenant" }),
};

const KEYED: Record<string, () => Case> = {
  "with a mistyped key": () => ({ path: list(), ask: { as: { apiKey: `${tenant.apiKey}x` } }, status: 401 }),
  "with a key: article by id": () => ({ path: `/api/articles/${idOf(1002)}`, ask: key() }),
  "with a key: article by slug": () => ({ path: "/api/articles/article-1002", ask: key() }),
  "with a key: another organization's article": () => ({
    path: "/api/articles/article-1005",
    ask: { as: { apiKey: other.apiKey } },
    status: 404,
  }),
  "with a key: list of 20": () => ({ path: list(), ask: key() }),
  "with a key: list of 20, behind a cursor": () => ({
    path: list(`&cursor=${encodeCursor({ time: timeOf(200), id: idOf(200) })}`),
    ask: key(),
  }),
  "with a key: list of 20, another organization's blog": () => ({
    path: list(),
    ask: { as: { apiKey: other.apiKey } },
  }),
  "with a key: preview links of an article": () => ({ path: `/api/articles/${idOf(1002)}/previews`, ask: key() }),
  "with a key: former slugs of a blog": () => ({ path: `/api/blogs/${tenant.blogId}/movedslugs`, ask: key() }),
  "with a key: who calls": () => ({ path: "/api/me", ask: key() }),
  "with a key: blogs": () => ({ path: "/api/blogs", ask: key() }),
  "with a key: locales of 20 slugs": () => ({ path: `/api/blogs/${tenant.blogId}/locales?limit=20`, ask: key() }),
  "with a key: locales of 20 slugs, behind a cursor": () => ({
    path: `/api/blogs/${tenant.blogId}/locales?limit=20&cursor=${encodeSlugCursor("article-1500")}`,
    ask: key(),
  }),
  "with a key: locales of one slug": () => ({
    path: `/api/blogs/${tenant.blogId}/locales?slug=article-1005`,
    ask: key(),
  }),
  "with a key: locales of another organization's blog": () => ({
    path: `/api/blogs/${tenant.blogId}/locales?limit=20`,
    ask: { as: { apiKey: other.apiKey } },
    status: 403,
  }),
  "with a key: search for a word of every article": () => ({ path: "/api/search?query=title", ask: key() }),
  "with a key: search in a locale's drafts": () => ({
    path: `/api/search?query=title&blogId=${tenant.blogId}&locale=de&published=false`,
    ask: key(),
  }),
  "with a key: search, behind a cursor": () => ({
    path: `/api/search?query=title&cursor=${encodeFoundCursor(180)}`,
    ask: key(),
  }),
  "with a key: search for what is not there": () => ({ path: "/api/search?query=nowhere", ask: key() }),
  "with a key: contacts": () => ({ path: `/api/contacts?blogId=${tenant.blogId}&limit=20`, ask: key() }),
  "with a key: another organization's contacts": () => ({
    path: `/api/contacts?blogId=${tenant.blogId}&limit=20`,
    ask: { as: { apiKey: other.apiKey } },
    status: 403,
  }),
  "operator: subscriptions": () => ({ path: "/api/webhooksubscriptions", ask: operator() }),
  "operator: deliveries": () => ({
    path: `/api/webhooksubscriptions/${subscriptionId}/deliveries?limit=20`,
    ask: operator(),
  }),
  "operator: deliveries of a state": () => ({
    path: `/api/webhooksubscriptions/${subscriptionId}/deliveries?limit=20&state=failed`,
    ask: operator(),
  }),
  "operator: deliveries of a state, behind a cursor": () => ({
    path: `/api/webhooksubscriptions/${subscriptionId}/deliveries?limit=20&state=failed&cursor=${encodeCursor({
      time: timeOf(1),
      id: deliveryIds[149] ?? "",
    })}`,
    ask: operator(),
  }),
  "operator: delivery hours": () => ({ path: "/api/deliveries/hours", ask: operator() }),
  "operator: another organization's deliveries": () => ({
    path: `/api/webhooksubscriptions/${subscriptionId}/deliveries?limit=20`,
    ask: { as: { operatorToken: other.operatorToken } },
    status: 404,
  }),
  "operator: API keys": () => ({ path: "/api/apikeys", ask: operator() }),
  "operator: audit": () => ({ path: "/api/audit?limit=20", ask: operator() }),
};

const write = (body: object, headers: Record<string, string> = {}, status = 200): Case => ({
  path: "/api/articles",
  ask: { ...key(), body: { description: "", content: "Content", ...body }, headers },
  status,
});
const create = (slug?: string): object => ({ blogId: tenant.blogId, title: "Counted", slug });

/** The order matters: later writes find what earlier ones wrote. */
const WRITES: Record<string, () => Case> = {
  "create with a slug": () => write(create("counted-1")),
  "create with a derived slug": () => write(create()),
  "create with a derived slug that is taken": () => write(create()),
  "create published, in a new locale": () => write({ ...create("counted-1"), locale: "pt", published: true }),
  "create a preview link": () => ({ path: `/api/articles/${idOf(12)}/previews`, ask: { ...key(), body: {} } }),
  delete: () => ({ path: `/api/articles/${idOf(11)}`, ask: { ...key(), method: "DELETE" } }),
};

/** Their events need no fan-out, so that no queue is told. */
const SETTLED: Record<string, () => Case> = {
  "create a draft, without subscriptions": () => ({
    path: "/api/articles",
    ask: { as: { apiKey: other.apiKey }, body: { blogId: other.blogId, title: "Draft", content: "Content" } },
  }),
  "update a draft, without subscriptions": () => ({
    path: "/api/articles",
    ask: {
      as: { apiKey: other.apiKey },
      body: { _id: otherDraft, title: "Draft 2", description: "", content: "Text" },
    },
  }),
};

const ofArticle = (path: string, method = "GET", body?: object): Case => ({
  path: `/api/articles/${idOf(10)}/${path}`,
  ask: { ...key(), method, body },
});

/**
 * These send the content, so that the one that they replace is read, to be compressed. With a slug that is taken, it is
 * asked whether the article that has it is being deleted.
 */
const UPDATES: Record<string, () => Case> = {
  "create with a slug that is taken": () => write(create("counted-1"), {}, 409),
  update: () => write({ _id: idOf(10), title: "Changed" }),
  "update of the slug": () => write({ _id: idOf(10), title: "Changed", slug: "counted-2" }),
  "publish in a new locale": () => write({ _id: idOf(12), title: "Title", locale: "ja", published: true }),
  "update of a version that is gone": () => write({ _id: idOf(10) }, { "If-Match": `"${newId()}"` }, 412),
};

/** Former states and working copies, after the updates. */
const HISTORY: Record<string, () => Case> = {
  "former states": () => ofArticle("revisions"),
  "a former state": () => ofArticle("revisions/1"),
  "a comparison": () => ofArticle("revisions/1/diff"),
  "restore a former state": () => ofArticle("revisions/1/restore", "POST"),
  "begin a working copy": () => ofArticle("draft", "PUT", { title: "Next", content: "Next" }),
  "discard a working copy": () => ofArticle("draft", "DELETE"),
  "begin a working copy without content": () => ofArticle("draft", "PUT", { title: "Next" }),
  "save a working copy": () => ofArticle("draft", "PUT", { content: "Next" }),
  "a working copy": () => ofArticle("draft"),
  "publish a working copy": () => ofArticle("draft/publish", "POST", { overwrite: true }),
};

/** These do not give all texts. So the full text index follows after the response, in a round trip of its own. */
const INDEXED_LATER: Record<string, () => Case> = {
  "update of one text": () => write({ _id: idOf(13), title: "Changed", description: undefined, content: undefined }),
  publish: () => write({ _id: idOf(13), published: true, description: undefined, content: undefined }),
};

const IDEMPOTENT: Record<string, () => Case> = {
  "create with an Idempotency-Key": () => write(create("counted-3"), { "Idempotency-Key": "counted" }),
  "create again with its Idempotency-Key": () => write(create("counted-3"), { "Idempotency-Key": "counted" }),
};

async function run(name: string, of: () => Case) {
  const { path, ask, status = 200 } = of();
  const { response, ...counter } = await counted(path, ask);
  expect(response.status, await response.text()).toBe(status);
  expectWithin(name, budgets.routes, counter);
  return counter;
}

describe("anonymous", () => {
  it.each(Object.entries(READS))("%s: one query, within its budget", async (name, of) => {
    // Only a slug that is not found is looked for among the former ones.
    const most = name === "article by slug, unknown" ? 2 : 1;
    expect((await run(name, of)).counts.queries).toBeLessThanOrEqual(most);
  });
});

describe("with credentials", () => {
  it.each(Object.entries(KEYED))("%s is within its budget", async (name, of) => {
    await run(name, of);
  });
});

describe("article writes", () => {
  it.each(Object.entries(WRITES))("%s: two round trips, within its budget", async (name, of) => {
    expect((await run(name, of)).counts.roundTrips).toBe(2);
  });

  it.each(Object.entries(SETTLED))("%s: tells no queue, within its budget", async (name, of) => {
    expect((await run(name, of)).events.held).toEqual([]);
  });

  it.each(Object.entries(UPDATES))("%s: three round trips, within its budget", async (name, of) => {
    expect((await run(name, of)).counts.roundTrips).toBe(3);
  });

  it.each(Object.entries(HISTORY))("%s is within its budget", async (name, of) => {
    await run(name, of);
  });

  it.each(Object.entries(INDEXED_LATER))(
    "%s: two round trips and one after it, within its budget",
    async (name, of) => {
      expect((await run(name, of)).counts.roundTrips).toBe(3);
    },
  );

  it.each(Object.entries(IDEMPOTENT))("%s is within its budget", async (name, of) => {
    await run(name, of);
  });
});

describe("the table", () => {
  it("has a line for each of these, and no other", () => {
    const names = Object.keys({
      ...READS,
      ...KEYED,
      ...WRITES,
      ...SETTLED,
      ...UPDATES,
      ...HISTORY,
      ...INDEXED_LATER,
      ...IDEMPOTENT,
    });
    expect(Object.keys(budgets.routes).sort()).toEqual(names.sort());
  });
});
