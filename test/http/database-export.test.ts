/** While D1 exports the database, it answers nothing else (docs/deploy.md, Backup and restore): every surface says so. */
import { env } from "cloudflare:workers";
import { afterEach, beforeEach, expect, it } from "vitest";
import { NEW, valuesOf, writing } from "../helpers/console-articles.ts";
import { documented } from "../helpers/openapi.ts";
import { send } from "../helpers/requests.ts";
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
