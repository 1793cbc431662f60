/** Contract 11.11: the deliveries of the last 24 hours: GET /api/deliveries/hours. */
import { env } from "cloudflare:workers";
import { describe, expect, it } from "vitest";
import { toHour } from "../../src/lib/time.ts";
import { consumeDeliveriesOf, consumeEventsOf, relayEvents, storeEvent, testRelay } from "../helpers/relay.ts";
import { sendJson } from "../helpers/requests.ts";
import { newTenant, type Tenant } from "../helpers/tenant.ts";
import { settled, subscribe } from "../helpers/webhooks.ts";

type HourBody = { hour: string; succeeded: number; failed: number };

const PATH = "/api/deliveries/hours";
const HOUR_MS = 3_600_000;

const hours = (tenant: Tenant): Promise<HourBody[]> =>
  sendJson(200, PATH, { as: { operatorToken: tenant.operatorToken } });

/** What has been counted: the hours that are not zeros. */
const counted = async (tenant: Tenant): Promise<HourBody[]> =>
  (await hours(tenant)).filter(({ succeeded, failed }) => succeeded + failed > 0);

/** The sums of all hours: an hour may begin in the middle of a test. */
async function sums(tenant: Tenant): Promise<{ succeeded: number; failed: number }> {
  const shown = await hours(tenant);
  const sum = (of: "succeeded" | "failed") => shown.reduce((total, hour) => total + hour[of], 0);
  return { succeeded: sum("succeeded"), failed: sum("failed") };
}

/** Attempts the deliveries of a new event as if it were so many hours ago. */
const deliver = async (tenant: Tenant, hoursAgo = 0, start = Date.now()): Promise<void> => {
  const now = () => new Date(start - hoursAgo * HOUR_MS);
  await storeEvent(tenant);
  await relayEvents(testRelay({ now }), tenant);
};

describe("the hours", () => {
  it("are always 24, one after the other, the current one last, with zeros where nothing was delivered", async () => {
    const tenant = await newTenant();
    const before = toHour(new Date());
    const shown = await hours(tenant);
    const after = toHour(new Date());
    expect([before, after]).toContain(shown.at(-1)?.hour);
    const last = Date.parse(shown.at(-1)?.hour ?? "");
    expect(shown).toEqual(
      Array.from({ length: 24 }, (_, index) => ({
        hour: new Date(last - (23 - index) * HOUR_MS).toISOString(),
        succeeded: 0,
        failed: 0,
      })),
    );
    for (const { hour } of shown) expect(hour).toMatch(/^\d{4}-\d\d-\d\dT\d\d:00:00\.000Z$/);
  });

  it("count what succeeded and what failed in them, over all subscriptions", async () => {
    const tenant = await newTenant();
    for (const behaviour of ["ok", "ok", "status-500", "reset", "redirect-301"]) await subscribe(tenant, behaviour);
    await deliver(tenant);
    expect(await sums(tenant)).toEqual({ succeeded: 2, failed: 3 });
    await deliver(tenant);
    expect(await sums(tenant)).toEqual({ succeeded: 4, failed: 6 });
  });

  it("count pings", async () => {
    const tenant = await newTenant();
    const as = { operatorToken: tenant.operatorToken };
    for (const behaviour of ["ok", "status-500"]) {
      const { _id } = await subscribe(tenant, behaviour);
      await sendJson(202, `/api/webhooksubscriptions/${_id}/ping`, { as, method: "POST" });
      await settled(tenant, _id, 1);
    }
    expect(await sums(tenant)).toEqual({ succeeded: 1, failed: 1 });
  });

  it("are those in which the attempts ended; older ones than the 24 are left out, and ones to come", async () => {
    const tenant = await newTenant();
    await subscribe(tenant, "ok");
    const now = Date.now();
    const hourAgo = (count: number) => toHour(new Date(now - count * HOUR_MS));
    for (const count of [2, 2, 22, 25, -2]) await deliver(tenant, count, now);
    const older = Array.from({ length: 100 }, (_, index) => hourAgo(26 + index));
    await env.DB.prepare(
      "insert into delivery_hours (organization_id, hour, succeeded, failed) select ?, value, 1, 1 from json_each(?)",
    )
      .bind(tenant.organizationId, JSON.stringify(older))
      .run();
    expect(await counted(tenant)).toEqual([
      { hour: hourAgo(22), succeeded: 1, failed: 0 },
      { hour: hourAgo(2), succeeded: 2, failed: 0 },
    ]);
  });

  it("do not count what was never sent", async () => {
    const tenant = await newTenant();
    const { _id } = await subscribe(tenant, "ok");
    const relay = testRelay();
    await storeEvent(tenant);
    await consumeEventsOf(relay, tenant);
    const as = { operatorToken: tenant.operatorToken };
    await sendJson(200, `/api/webhooksubscriptions/${_id}`, { as, method: "PUT", body: { active: false } });
    await consumeDeliveriesOf(relay, tenant);
    expect(await settled(tenant, _id, 1)).toMatchObject([{ state: "skipped" }]);
    expect(await counted(tenant)).toEqual([]);
  });
});

describe("who sees them", () => {
  it("operators, and only their own organization's", async () => {
    const [tenant, other] = [await newTenant(), await newTenant()];
    await subscribe(tenant, "ok");
    await deliver(tenant);
    expect(await sums(tenant)).toEqual({ succeeded: 1, failed: 0 });
    expect(await sums(other)).toEqual({ succeeded: 0, failed: 0 });
  });
});

describe("their rows", () => {
  it("are one for each hour of an organization, however many deliveries it had", async () => {
    const tenant = await newTenant();
    for (let count = 0; count < 3; count++) await subscribe(tenant, "ok");
    const start = Date.now();
    for (let count = 0; count < 2; count++) await deliver(tenant, 5, start);
    const query = env.DB.prepare("select succeeded, failed from delivery_hours where organization_id = ?");
    expect((await query.bind(tenant.organizationId).all()).results).toEqual([{ succeeded: 6, failed: 0 }]);
  });
});
