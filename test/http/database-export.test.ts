import { env } from "cloudflare:workers";
import { expect, it } from "vitest";
import { ask, newTenant } from "../helpers/tenant.ts";

it("while D1 exports the database, a call is a 503 that says so, and when to repeat it", async () => {
  const tenant = await newTenant();
  const body = { blogId: tenant.blogId, title: "Meanwhile" };
  // What D1 says to every query meanwhile, of one that a test can make fail.
  const raise = "select raise(abort, 'Currently processing a long-running export.')";
  await env.DB.prepare(`create trigger exporting before insert on articles begin ${raise}; end`).run();
  try {
    const response = await ask("/api/articles", { as: tenant, body });
    expect(response.status).toBe(503);
    expect(Number(response.headers.get("Retry-After"))).toBeGreaterThan(0);
    expect(await response.json()).toMatchObject({ code: "not_ready", detail: expect.stringContaining("exported") });
  } finally {
    await env.DB.prepare("drop trigger exporting").run();
  }
  expect((await ask("/api/articles", { as: tenant, body })).status).toBe(200);
});
