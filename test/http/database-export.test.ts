/**
 * While D1 exports the database, it answers nothing else (docs/deploy.md, Backup and restore): every surface says so. And so it
 * is with other failures that pass (D1, Error list).
 */
import { env } from "cloudflare:workers";
import { afterEach, beforeEach, expect, it } from "vitest";
import { NEW, valuesOf, writing } from "../helpers/console-articles.ts";
import { documented } from "../helpers/openapi.ts";
import { send } from "../helpers/requests.ts";
import { withSessions } from "../helpers/sessions.ts";
import { newTenant, type Tenant } from "../helpers/tenant.ts";
import { connected, fail } from "../helpers/mcp-connected.ts";

const MESSAGE = "Currently processing a long-running export.";

let tenant: Tenant;
beforeEach(async () => {
  tenant = await newTenant();
  // What D1 says to every query meanwhile, of one that a test can make fail.
  const trigger = `create trigger exporting before insert on articles begin select raise(abort, '${MESSAGE}'); end`;
  await env.DB.prepare(trigger).run();
});
afterEach(async () => {
  await env.DB.prepare("drop trigger if exists exporting").run();
});

it("REST: 503, with the seconds until the call is to be repeated", async () => {
  const body = { blogId: tenant.blogId, title: "Meanwhile" };
  const response = await send("/api/articles", { as: tenant, body });
  expect(response.status).toBe(503);
  expect(response.headers.get("Retry-After")).toBe("30");
  const stated = documented.find(({ title }) => title === "POST /api/articles")?.operation.responses["503"];
  expect(Object.keys(stated?.headers ?? {})).toContain("Retry-After");
  expect(await response.json()).toMatchObject({ code: "not_ready", detail: expect.stringContaining("exported") });
  await env.DB.prepare("drop trigger exporting").run();
  expect((await send("/api/articles", { as: tenant, body })).status).toBe(200);
});

it("tools: the same code and seconds", async () => {
  const token = await connected(tenant);
  const refusal = await fail(token, "create_article", { blogId: tenant.blogId, title: "Meanwhile" });
  expect(refusal).toMatchObject({ code: "not_ready", retryAfter: 30, detail: expect.stringContaining("exported") });
});

it("the console: a page that says so", async () => {
  const { tenant: own, browser } = await writing();
  const { status, text, headers } = await browser.submit(NEW, NEW, valuesOf(own));
  expect([status, headers.get("Retry-After")]).toEqual([503, "30"]);
  expect(text).toContain("is being exported");
});

it("/healthz, which is about nothing else", async () => {
  const exported = {
    prepare() {
      throw new Error(MESSAGE);
    },
  };
  const response = await send("/healthz", { bindings: { DB: exported as unknown as D1Database } });
  expect([response.status, response.headers.get("Retry-After")]).toEqual([503, "30"]);
  expect(await response.json()).toMatchObject({ detail: expect.stringContaining("exported") });
});

it.each([
  "D1 DB is overloaded. Requests queued for too long.",
  "D1 DB reset because its code was updated.",
  "D1 DB storage operation exceeded timeout which caused object to be reset.",
  "Network connection lost.",
  "Cannot resolve D1 DB due to transient issue on remote node.",
  "Failed to parse body as JSON, got: Error: internal error; reference = 3tgunqmd7pn4juq7rhcdtgk7",
])("a read, and what is sent again later: %s", async (message) => {
  const fails = () => Promise.reject(new Error(`D1_ERROR: ${message}`));
  const statement = { bind: () => statement, all: fails, run: fails, raw: fails };
  const DB = withSessions({ prepare: () => statement, batch: fails });
  for (const [path, as] of [
    ["/api/articles/a", {}],
    ["/api/blogs", { apiKey: tenant.apiKey }],
    ["/healthz", {}],
  ] as const) {
    const response = await send(path, { as, bindings: { DB } });
    expect([response.status, response.headers.get("Retry-After")], path).toEqual([503, "5"]);
    expect(await response.json()).toMatchObject({ code: "not_ready" });
  }
});

it("a full database is no failure of the request", async () => {
  const fails = () => Promise.reject(new Error("D1_ERROR: database or disk is full: SQLITE_FULL"));
  const DB = withSessions({ prepare: (text: string) => env.DB.prepare(text), batch: fails });
  const response = await send("/api/articles", { as: tenant, body: { blogId: tenant.blogId }, bindings: { DB } });
  expect(response.status).toBe(503);
  expect(await response.json()).toMatchObject({ code: "not_ready", detail: "The database is full." });
});
