/** The cost in D1 of a request to /mcp: its authentication, and the operations that its tool runs. */
import { createExecutionContext, waitOnExecutionContext } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { beforeAll, expect, it } from "vitest";
import { createApp } from "../../src/surfaces/app.ts";
import { handle } from "../../src/surfaces/mcp/app.ts";
import { countingDatabase, expectWithin } from "../helpers/counting.ts";
import { messageOf, messagesOf, MCP_ORIGIN } from "../helpers/mcp.ts";
import { connected } from "../helpers/mcp-connected.ts";
import { UNLIMITED } from "../helpers/limiter.ts";
import { HeldQueue } from "../helpers/relay.ts";
import { newArticle, newTenant, type Tenant } from "../helpers/tenant.ts";
import budgets from "./budgets.json";

let tenant: Tenant;
let token: string;
let ids: { published: string; draft: string; fresh: string };
beforeAll(async () => {
  tenant = await newTenant();
  token = await connected(tenant);
  const write = async (title: string, published: boolean) => (await newArticle(tenant, { title, published }))._id;
  ids = {
    published: await write("Quince", true),
    draft: await write("Medlar", false),
    fresh: await write("Sloe", false),
  };
  // An application stores the time of its last use once a minute. The counts must not depend on that.
  await env.DB.prepare("update connected_apps set last_used_time = '9999-12-31T00:00:00.000Z'").run();
});

const app = createApp([{ path: "/mcp", load: async () => handle }]);

type Params = () => object;

const call =
  (name: string, input: Params): Params =>
  () => ({ name, arguments: input() });

/** The order matters: later requests find what earlier ones wrote. */
const REQUESTS: Record<string, readonly [method: string, params: Params]> = {
  "tools/list": ["tools/list", () => ({})],
  list_blogs: ["tools/call", call("list_blogs", () => ({}))],
  get_article: ["tools/call", call("get_article", () => ({ idOrSlug: ids.published }))],
  "get_article, unknown": ["tools/call", call("get_article", () => ({ idOrSlug: "nowhere" }))],
  list_articles: ["tools/call", call("list_articles", () => ({ blogId: tenant.blogId }))],
  "list_articles, all blogs": ["tools/call", call("list_articles", () => ({}))],
  search_articles: ["tools/call", call("search_articles", () => ({ query: "quince" }))],
  create_article: ["tools/call", call("create_article", () => ({ title: "New", content: "Text" }))],
  update_article: ["tools/call", call("update_article", () => ({ articleId: ids.draft, title: "Changed" }))],
  publish_article: ["tools/call", call("publish_article", () => ({ articleId: ids.fresh }))],
  "a resource": ["resources/read", () => ({ uri: `edgepress://articles/${ids.published}` })],
};

it.each(Object.entries(REQUESTS))("%s is within its budget", async (name, [method, params]) => {
  const counter = countingDatabase();
  const context = createExecutionContext();
  const bindings = {
    ...env,
    ...UNLIMITED,
    DB: counter.db,
    EVENTS: new HeldQueue(),
    BASE_URL: MCP_ORIGIN,
  } as unknown as Env;
  const { headers, body } = messageOf(method, params(), { token });
  const request = new Request(`${MCP_ORIGIN}/mcp`, {
    method: "POST",
    headers: { "Content-Type": "application/json", ...headers },
    body: JSON.stringify(body),
  });
  const response = await app.fetch(request, bindings, context);
  expect((await messagesOf(response)).at(-1)).toHaveProperty("result");
  await waitOnExecutionContext(context);
  expectWithin(name, budgets.mcp, counter);
});

it("the table has a line for each of these, and no other", () => {
  expect(Object.keys(budgets.mcp).toSorted()).toEqual(Object.keys(REQUESTS).toSorted());
});
