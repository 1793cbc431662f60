/** The cost in D1 of each page of the console, and of a form: its session, its memberships, and its operations. */
import { createExecutionContext, waitOnExecutionContext } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { beforeAll, describe, expect, it } from "vitest";
import { handle } from "../../src/surfaces/console/app.tsx";
import { LIMITS } from "../../src/domain/limits.ts";
import { createApp } from "../../src/surfaces/app.ts";
import { newId } from "../../src/lib/ids.ts";
import { hiddenFields, signedIn } from "../helpers/console.ts";
import { storeIdea } from "../helpers/console-topics.ts";
import { countingDatabase, expectWithin, seedArticles, type Counter } from "../helpers/counting.ts";
import { UNLIMITED } from "../helpers/limiter.ts";
import { HeldQueue } from "../helpers/relay.ts";
import { issueKey, issueToken, ORIGIN, sendJson } from "../helpers/requests.ts";
import { newTenant, type Tenant } from "../helpers/tenant.ts";
import budgets from "./budgets.json";

let tenant: Tenant;
let cookie: string;
let ids: string[];
let subscriptionId: string;
/** The event of one of its deliveries. */
let eventId: string;

beforeAll(async () => {
  tenant = await newTenant("Tenant");
  ids = await seedArticles(tenant, 300);
  const as = { operatorToken: tenant.operatorToken };
  // Before the subscription, so that its event is sent to nobody.
  await sendJson(200, "/api/blogs", { as, body: { name: "Second" } });
  const url = "https://hooks.example.com/edgepress";
  subscriptionId = (await sendJson<{ _id: string }>(200, "/api/webhooksubscriptions", { as, body: { url } }))._id;
  await issueKey(as, ["articles:read"]);
  await issueToken(as);
  for (let count = 0; count < 60; count += 1) await storeIdea(tenant, { score: count });
  await seedDeliveries();
  const { browser } = await signedIn(tenant.organizationId);
  cookie = [...browser.cookies].map(([name, value]) => `${name}=${value}`).join("; ");
});

/** Stores 300 events with a delivery each, all of which succeeded. No event is pending: the queues would deliver it. */
async function seedDeliveries(): Promise<void> {
  eventId = newId();
  const rows = JSON.stringify([eventId, ...Array.from({ length: 299 }, () => newId())]);
  const { organizationId, blogId } = tenant;
  const time = "2024-01-01T00:00:00.000Z";
  await env.DB.batch([
    env.DB.prepare(
      `insert into events (id, organization_id, blog_id, kind, data, creation_time, enqueue_time, fan_out_time)
       select value, ?1, ?2, 'article.updated', '{}', ?4, ?4, ?4 from json_each(?3)`,
    ).bind(organizationId, blogId, rows, time),
    env.DB.prepare(
      `insert into deliveries (id, organization_id, event_id, subscription_id, epoch, state, creation_time, settle_time)
       select value, ?1, value, ?2, 0, 'succeeded', ?4, ?4 from json_each(?3)`,
    ).bind(organizationId, subscriptionId, rows, time),
  ]);
}

const app = createApp([{ path: "/console", load: async () => handle }]);

type Visited = Counter & { readonly status: number; readonly text: string };

/** Requests a page of the console as the signed-in owner, or submits a form to it, and counts the work. */
async function visit(path: string, form?: Readonly<Record<string, string>>): Promise<Visited> {
  const counter = countingDatabase();
  const context = createExecutionContext();
  const bindings = { ...env, ...UNLIMITED, DB: counter.db, EVENTS: new HeldQueue() } as unknown as Env;
  const body = form && new URLSearchParams(form).toString();
  const headers = {
    Cookie: cookie,
    ...(body !== undefined && {
      Origin: ORIGIN,
      "Content-Type": "application/x-www-form-urlencoded",
      "Content-Length": String(body.length),
    }),
  };
  const request = new Request(new URL(path, ORIGIN), {
    headers,
    ...(body !== undefined && { method: "POST", body }),
  });
  const response = await app.fetch(request, bindings, context);
  await waitOnExecutionContext(context);
  return { ...counter, status: response.status, text: await response.text() };
}

const PAGES: Record<string, () => string> = {
  overview: () => "/console",
  articles: () => "/console/articles",
  "articles of a state and locale": () => "/console/articles?state=draft&locale=de",
  "articles of one blog": () => `/console/articles?blog=${tenant.blogId}`,
  "articles that were searched for": () => "/console/articles?q=article",
  "drafts of the member": () => "/console/articles?state=mine",
  "an article": () => `/console/articles/${ids[100]}`,
  "the history of an article": () => `/console/articles/${ids[100]}/history`,
  "what is published": () => `/console/articles/${ids[100]}/publish`,
  "a new article": () => "/console/articles/new",
  "articles to link to": () => `/console/articles/links?blog=${tenant.blogId}&q=article`,
  "the matrix of locales": () => "/console/articles/matrix",
  "generate an article": () => "/console/articles/generate",
  "topic ideas": () => "/console/topics",
  "topic sources": () => `/console/topics/sources?blog=${tenant.blogId}`,
  blogs: () => "/console/blogs",
  "a blog": () => `/console/blogs/${tenant.blogId}`,
  "tags of a blog": () => `/console/blogs/${tenant.blogId}/tags`,
  "former slugs of a blog": () => `/console/blogs/${tenant.blogId}/moved`,
  "redirects of a blog": () => `/console/blogs/${tenant.blogId}/redirects`,
  "authors of a blog": () => `/console/blogs/${tenant.blogId}/authors`,
  calendar: () => "/console/calendar",
  generations: () => "/console/generations",
  "hosts of a blog": () => `/console/blogs/${tenant.blogId}/site/hosts`,
  "site of a blog": () => `/console/blogs/${tenant.blogId}/site`,
  keys: () => "/console/keys",
  subscriptions: () => "/console/webhooks",
  "a subscription with its deliveries": () => `/console/webhooks/${subscriptionId}`,
  "a delivery": () => `/console/webhooks/${subscriptionId}/deliveries/${eventId}`,
  contacts: () => "/console/contacts",
  "import and export": () => "/console/transfer",
  "a search": () => "/console/search?q=article",
  "a subscription with its failed deliveries": () => `/console/webhooks/${subscriptionId}?state=failed`,
  members: () => "/console/members",
  audit: () => "/console/audit",
  settings: () => "/console/settings",
  account: () => "/console/account",
  organizations: () => "/console/organizations",
  "no such page": () => "/console/nowhere",
};

describe("the pages", () => {
  it.each(Object.entries(PAGES))("%s is within its budget", async (name, path) => {
    const visited = await visit(path());
    expect(visited.status, visited.text).toBe(name === "no such page" ? 404 : 200);
    expectWithin(name, budgets.console, visited);
  });
});

/** Returns how often a request looked up its session. */
const lookups = ({ ran }: Counter): number => ran.filter(({ text }) => text.includes('from "sessions"')).length;

describe("a form that saves an article", () => {
  const path = () => `/console/articles/${ids[7]}`;
  const saved = async (content: string) => {
    const { text } = await visit(path());
    const values = { title: "Changed", slug: "article-7", locale: "de", description: "", coverUrl: "", content };
    const visited = await visit(path(), { ...hiddenFields(text, path()), ...values });
    expect(visited.status, visited.text).toBe(303);
    return visited;
  };

  it("looks up its session once", async () => {
    const visited = await saved("Changed");
    expect(lookups(visited)).toBe(1);
    expectWithin("a form that saves an article", budgets.console, visited);
  });

  it("looks it up a second time if it is large, because the session may have ended while the form arrived", async () => {
    expect(lookups(await saved("x".repeat(LIMITS.formBytes)))).toBe(2);
  });
});

it("an autosave is within its budget", async () => {
  const path = `/console/articles/${ids[9]}`;
  const { text } = await visit(path);
  const [, person = ""] = /data-person="([^"]+)"/.exec(text) ?? [];
  const { _organization = "", version = "" } = hiddenFields(text, path);
  const form = { _organization, _person: person, version, content: "Written" };
  const visited = await visit(`${path}/autosave`, form);
  expect(visited.status, visited.text).toBe(200);
  expect(lookups(visited)).toBe(1);
  expectWithin("an autosave", budgets.console, visited);
});

it("the table has a line for each of these, and no other", () => {
  const names = [...Object.keys(PAGES), "a form that saves an article", "an autosave"];
  expect(Object.keys(budgets.console).toSorted()).toEqual(names.toSorted());
});
