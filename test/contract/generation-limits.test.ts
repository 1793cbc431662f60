/** Contract 8.5: how many an organization may begin. */
import { env } from "cloudflare:workers";
import { beforeAll, describe, expect, it } from "vitest";
import { generate, generated } from "../helpers/generating.ts";
import { refusalOf } from "../helpers/refusals.ts";
import { newTenant, type Tenant } from "../helpers/tenant.ts";

let tenant: Tenant;
beforeAll(async () => {
  tenant = await newTenant();
});

describe("limits", () => {
  const bindings = { AI_GENERATIONS_PER_MINUTE: "2", AI_GENERATIONS_PER_DAY: "1000" };

  it("so many a minute an organization, by a setting; 429 says when to come back", async () => {
    const busy = await newTenant();
    const all = await Promise.all([1, 2, 3, 4].map(() => generate(busy, { bindings })));
    expect(all.map(({ status }) => String(status)).toSorted()).toEqual(["200", "200", "429", "429"]);
    const refused = all.find(({ status }) => status === 429) as Response;
    const wait = Number(refused.headers.get("Retry-After"));
    expect(wait).toBeGreaterThan(0);
    expect(wait).toBeLessThanOrEqual(60);
    expect(refused.headers.get("RateLimit-Policy")).toBe('"minute";q=2;w=60, "day";q=1000;w=86400');
    expect((await refusalOf(refused, "generation_limit")).detail).toContain("2 a minute");
    // Another organization has its own.
    expect((await generate(tenant, { bindings: { ...bindings, AI_GENERATIONS_PER_MINUTE: "1000" } })).status).toBe(200);
  });

  it("so many a day", async () => {
    const busy = await newTenant();
    const perDay = { ...bindings, AI_GENERATIONS_PER_DAY: "1" };
    await generated(busy, { bindings: perDay });
    const refused = await generate(busy, { bindings: perDay });
    expect(Number(refused.headers.get("Retry-After"))).toBeGreaterThan(86_000);
    await refusalOf(refused, "generation_limit");
    // What began more than a day ago counts no more.
    const old = new Date(Date.now() - 86_401_000).toISOString();
    await env.DB.prepare("update generations set creation_time = ? where organization_id = ?")
      .bind(old, busy.organizationId)
      .run();
    await generated(busy, { bindings: perDay });
  });

  it("the day says when to come back where both are used up", async () => {
    const busy = await newTenant();
    const one = { AI_GENERATIONS_PER_MINUTE: "1", AI_GENERATIONS_PER_DAY: "1" };
    await generated(busy, { bindings: one });
    const refused = await generate(busy, { bindings: one });
    expect(Number(refused.headers.get("Retry-After"))).toBeGreaterThan(86_000);
    expect((await refusalOf(refused, "generation_limit")).detail).toContain("1 a minute and 1 a day");
  });

  it("a call that is refused before the model is asked counts for nothing", async () => {
    const busy = await newTenant();
    const one = { ...bindings, AI_GENERATIONS_PER_MINUTE: "1" };
    await refusalOf(await generate(busy, { bindings: one, body: { words: 300 } }), "invalid_request");
    await refusalOf(await generate(busy, { bindings: { ...one, AI_BASE_URL: "" } }), "ai_not_configured");
    await generated(busy, { bindings: one });
  });
});
