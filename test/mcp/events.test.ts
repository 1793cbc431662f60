/** list_events: what has changed, without contacts; and waiting for it. */
import { createExecutionContext, waitOnExecutionContext } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { beforeAll, expect, inject, it } from "vitest";
import worker from "../../src/worker.ts";
import { newId } from "../../src/lib/ids.ts";
import type { FeedEvent } from "../helpers/event-feed.ts";
import { UNLIMITED } from "../helpers/limiter.ts";
import { disconnected } from "../helpers/connected.ts";
import { messageOf, MCP_ORIGIN } from "../helpers/mcp.ts";
import { connected, fail, succeed } from "../helpers/mcp-connected.ts";
import { sendJson } from "../helpers/requests.ts";
import { newArticle, newTenant, type Tenant } from "../helpers/tenant.ts";

type Listed = { events: FeedEvent[]; after: string | null };

const list = (token: string, input: object) => succeed<Listed>(token, "list_events", input);

let tenant: Tenant;
let token: string;
beforeAll(async () => {
  tenant = await newTenant();
  token = await connected(tenant);
});

it("lists the newest first, goes on behind them, and shows no contact", async () => {
  await newArticle(tenant, { title: "First" });
  await sendJson(200, "/api/contacts", { as: tenant, body: { blogId: tenant.blogId, email: "ada@example.com" } });
  await newArticle(tenant, { title: "Second" });
  const newest = await list(token, { limit: 1 });
  expect(newest.events.map(({ data }) => data["title"])).toEqual(["Second"]);
  const older = await list(token, { after: newest.after });
  expect(older).toMatchObject({ events: [{ event: "article.created", data: { title: "First" } }], after: null });
});

it("waits for an event, in which others call, and gives up at the time that was asked", async () => {
  const { after } = await list(token, { after: "latest", order: "oldest" });
  const begun = Date.now();
  expect(await list(token, { after, order: "oldest", wait: 1 })).toEqual({ events: [], after });
  expect(Date.now() - begun).toBeGreaterThanOrEqual(1000);
  const waiting = list(token, { after, order: "oldest", wait: 20 });
  await newArticle(tenant, { title: "Awaited" });
  expect((await waiting).events.map(({ data }) => data["title"])).toEqual(["Awaited"]);
  expect(Date.now() - begun).toBeLessThan(15_000);
  expect((await fail(token, "list_events", { wait: 26 })).code).toBe("invalid_request");
});

it("shows nothing to who was disconnected while they waited", async () => {
  const ending = await connected(tenant);
  const id = ending.slice(0, ending.indexOf(":"));
  const row = await env.DB.prepare("select user_id from connected_apps where id = ?").bind(id).first<string>("user_id");
  const { after } = await list(ending, { after: "latest", order: "oldest" });
  const waiting = fail(ending, "list_events", { after, order: "oldest", wait: 3 });
  // Until it waits: before, it would not even be let in.
  await scheduler.wait(700);
  await disconnected(id, row ?? "");
  expect((await waiting).code).toBe("credentials_invalid");
});

it("ends when the caller leaves", async () => {
  const { after } = await list(token, { after: "latest", order: "oldest" });
  const call = { name: "list_events", arguments: { after, order: "oldest", wait: 25 } };
  const { body, headers } = messageOf("tools/call", call, { token });
  const leaving = new AbortController();
  const context = createExecutionContext();
  const asked = new Request(`${MCP_ORIGIN}/mcp`, {
    method: "POST",
    body: JSON.stringify(body),
    headers: { ...headers, "Content-Type": "application/json" },
    signal: leaving.signal,
  });
  const answered = Promise.resolve(worker.fetch(asked, { ...env, ...UNLIMITED, BASE_URL: MCP_ORIGIN }, context));
  let over = false;
  const ended = answered.then((response) => response.text()).catch(() => "left");
  void ended.finally(() => (over = true));
  await scheduler.wait(700);
  expect(over).toBe(false);
  const begun = Date.now();
  leaving.abort();
  await ended;
  await waitOnExecutionContext(context);
  expect(Date.now() - begun).toBeLessThan(10_000);
}, 40_000);

/** Stores events of articles, each followed by one of a contact. */
async function storeEvents(of: Tenant, count: number): Promise<string[]> {
  const ids = Array.from({ length: count }, newId);
  const insert = env.DB.prepare(
    `insert into events (id, organization_id, blog_id, kind, data, creation_time, enqueue_time, fan_out_time)
     select value, ?1, ?2, ?3, json_object('_id', value), ?4, ?4, ?4 from json_each(?5)`,
  );
  const time = new Date().toISOString();
  for (let from = 0; from < count; from += 500) {
    const part = ids.slice(from, from + 500);
    const store = (kind: string, some: string[]) =>
      insert.bind(of.organizationId, of.blogId, kind, time, JSON.stringify(some));
    await env.DB.batch([store("article.updated", part), store("contact.created", part.map(newId))]);
  }
  return ids;
}

it("gives an agent that was away all of its events in their order, none of others, and none of contacts", async () => {
  const [own, other] = [await newTenant(), await newTenant()];
  const agent = await connected(own);
  const { after: left } = await list(agent, { after: "latest", order: "oldest" });
  const count = inject("exhaustive") ? 10_000 : 1000;
  const ids: string[] = [];
  for (let part = 0; part < 2; part++) {
    ids.push(...(await storeEvents(own, count / 2)));
    await storeEvents(other, 500);
  }
  const seen: FeedEvent[] = [];
  for (let after = left; ;) {
    // Each page is of a request of its own, and a minute has 600.
    const page = await list(agent, { after, order: "oldest", limit: 100 });
    seen.push(...page.events);
    if (page.after === after) break;
    after = page.after;
  }
  expect(seen.map(({ _id }) => _id)).toEqual(ids);
  expect(new Set(seen.map(({ event }) => event))).toEqual(new Set(["article.updated"]));
}, 120_000);
