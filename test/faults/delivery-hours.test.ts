/** The counts by the hour: whatever is repeated, late or at once, an attempt counts once, in the hour in which it ended. */
import { env } from "cloudflare:workers";
import { describe, expect, it } from "vitest";
import { newId } from "../../src/lib/ids.ts";
import { abandonClaims } from "../../src/store/webhooks/system-deliveries.ts";
import { settleDeliveries } from "../../src/store/webhooks/system-settlement.ts";
import { databaseThat } from "../helpers/failing-database.ts";
import {
  claimOf,
  consumeDeliveriesOf,
  consumeEventsOf,
  deliveryRowsOf,
  endedAs,
  storeEvent,
  testRelay,
} from "../helpers/relay.ts";
import { sendJson } from "../helpers/requests.ts";
import { newTenant } from "../helpers/tenant.ts";
import { hoursOf, subscribe } from "../helpers/webhooks.ts";

const SUCCEEDED = { succeeded: true, status: 200, durationMs: 1, error: null };
const FAILED = { succeeded: false, status: 500, durationMs: 1, error: "status" };

const at = (time: string): Date => new Date(`2026-03-01T${time}Z`);
const NINE = "2026-03-01T09:00:00.000Z";
const TEN = "2026-03-01T10:00:00.000Z";

/** Deliveries of one event that wait to be sent. */
async function waiting(count = 1, behaviour = "ok") {
  const tenant = await newTenant();
  for (let index = 0; index < count; index++) await subscribe(tenant, behaviour);
  const eventId = await storeEvent(tenant);
  const relay = testRelay();
  await consumeEventsOf(relay, tenant);
  return { tenant, eventId, relay };
}

/** Claims deliveries of one event that wait, for a test that settles each by itself. */
async function claimed(count = 1) {
  const { tenant, eventId } = await waiting(count);
  const { claim, claimed: deliveries } = await claimOf(tenant);
  expect(deliveries).toHaveLength(count);
  const settle = (outcome: typeof SUCCEEDED | typeof FAILED, now: Date, index = 0) =>
    settleDeliveries(env.DB, claim, endedAs(deliveries.slice(index, index + 1), outcome), now);
  return { tenant, eventId, deliveries, settle };
}

describe("a settlement", () => {
  it("that is repeated counts once, also with another outcome or in another hour", async () => {
    const { tenant, settle } = await claimed();
    await settle(FAILED, at("09:10:00.000"));
    await settle(FAILED, at("09:10:00.000"));
    await settle(SUCCEEDED, at("10:10:00.000"));
    expect(await hoursOf(tenant)).toEqual([{ hour: NINE, succeeded: 0, failed: 1 }]);
  });

  it("that comes ten times at once counts once", async () => {
    const { tenant, settle } = await claimed();
    await Promise.all(Array.from({ length: 10 }, () => settle(SUCCEEDED, at("09:10:00.000"))));
    expect(await hoursOf(tenant)).toEqual([{ hour: NINE, succeeded: 1, failed: 0 }]);
  });

  it("of a token that does not hold the delivery any more counts nothing", async () => {
    const { tenant, settle, eventId } = await claimed();
    // Another invocation holds it now.
    await env.DB.prepare("update deliveries set token = ? where event_id = ?").bind(newId(), eventId).run();
    await settle(FAILED, at("09:10:00.000"));
    expect(await hoursOf(tenant)).toEqual([]);
    expect(await deliveryRowsOf(eventId)).toMatchObject([{ state: "claimed" }]);
  });

  it("that comes after the claim was given up counts once, in the hour in which it comes", async () => {
    const { tenant, settle, eventId, deliveries } = await claimed();
    const later = new Date(Date.now() + 3_600_000);
    expect(await abandonClaims(env.DB, later, later)).toContain(deliveries[0]?.id);
    expect(await hoursOf(tenant)).toEqual([]);
    await settle(SUCCEEDED, at("09:10:00.000"));
    await settle(FAILED, at("10:10:00.000"));
    expect(await hoursOf(tenant)).toEqual([{ hour: NINE, succeeded: 1, failed: 0 }]);
    expect(await deliveryRowsOf(eventId)).toMatchObject([{ state: "succeeded", status: 200, error: null }]);
  });

  it("counts in its hour to the millisecond", async () => {
    const { tenant, settle } = await claimed(3);
    const times = ["09:00:00.000", "09:59:59.999", "10:00:00.000"];
    for (const [index, time] of times.entries()) await settle(index === 1 ? FAILED : SUCCEEDED, at(time), index);
    expect(await hoursOf(tenant)).toEqual([
      { hour: NINE, succeeded: 1, failed: 1 },
      { hour: TEN, succeeded: 1, failed: 0 },
    ]);
  });

  it("counts although the subscription was deactivated, or deleted, while it was sent", async () => {
    const { tenant, settle, deliveries } = await claimed(2);
    const as = { operatorToken: tenant.operatorToken };
    const path = (index: number) => `/api/webhooksubscriptions/${deliveries[index]?.subscriptionId}`;
    await sendJson(200, path(0), { as, method: "PUT", body: { active: false } });
    await sendJson(200, path(1), { as, method: "DELETE" });
    await settle(SUCCEEDED, at("09:10:00.000"), 0);
    await settle(FAILED, at("09:20:00.000"), 1);
    expect(await hoursOf(tenant)).toEqual([{ hour: NINE, succeeded: 1, failed: 1 }]);
  });
});

describe("many at once", () => {
  it("are all counted, each once, although their messages come twice", async () => {
    const { tenant, relay } = await waiting(12, "status-500");
    const counting = { ...relay, now: () => at("09:10:00.000") };
    await Promise.all(Array.from({ length: 24 }, () => consumeDeliveriesOf(counting, tenant)));
    expect(await hoursOf(tenant)).toEqual([{ hour: NINE, succeeded: 0, failed: 12 }]);
  });

  it("that are settled together are counted, each as it ended", async () => {
    const tenant = await newTenant();
    for (const behaviour of ["ok", "status-500", "ok", "reset"]) await subscribe(tenant, behaviour);
    await storeEvent(tenant);
    await consumeEventsOf(testRelay(), tenant);
    await consumeDeliveriesOf(testRelay({ now: () => at("09:10:00.000") }), tenant);
    expect(await hoursOf(tenant)).toEqual([{ hour: NINE, succeeded: 2, failed: 2 }]);
  });
});

describe("a transaction that fails", () => {
  it("counts nothing, and its repetition once", async () => {
    const { tenant, relay } = await waiting();
    let batches = 0;
    // The second batch is the settlement: it is stored, and its answer is lost.
    const db = databaseThat(async (statements) => {
      const results = await env.DB.batch(statements);
      if (++batches === 2) throw new Error("D1_ERROR: the answer is lost");
      return results;
    });
    await consumeDeliveriesOf({ ...relay, db, now: () => at("09:10:00.000") }, tenant);
    expect(batches).toBeGreaterThan(2);
    expect(await hoursOf(tenant)).toEqual([{ hour: NINE, succeeded: 1, failed: 0 }]);
  });
});
