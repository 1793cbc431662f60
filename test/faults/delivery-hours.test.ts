/** The counts by the hour: whatever is repeated, late or at once, an attempt counts once, in the hour in which it ended. */
import { env } from "cloudflare:workers";
import { describe, expect, it } from "vitest";
import { newId } from "../../src/lib/ids.ts";
import { abandonClaims, claimDelivery, settleDelivery } from "../../src/store/webhooks/system-deliveries.ts";
import { consumeDeliveriesOf, consumeEventsOf, deliveryRowsOf, storeEvent, testRelay } from "../helpers/relay.ts";
import { sendJson } from "../helpers/requests.ts";
import { newTenant, type Tenant } from "../helpers/tenant.ts";
import { subscribe } from "../helpers/webhooks.ts";

const SUCCEEDED = { succeeded: true, status: 200, durationMs: 1, error: null };
const FAILED = { succeeded: false, status: 500, durationMs: 1, error: "status" };

const at = (time: string): Date => new Date(`2026-03-01T${time}Z`);
const NINE = "2026-03-01T09:00:00.000Z";
const TEN = "2026-03-01T10:00:00.000Z";

async function hoursOf(tenant: Tenant): Promise<object[]> {
  const query = env.DB.prepare(
    "select hour, succeeded, failed from delivery_hours where organization_id = ? order by hour",
  );
  return (await query.bind(tenant.organizationId).all<object>()).results;
}

/** Deliveries of one event that wait to be sent. */
async function waiting(count = 1, behaviour = "ok") {
  const tenant = await newTenant();
  for (let index = 0; index < count; index++) await subscribe(tenant, behaviour);
  const eventId = await storeEvent(tenant);
  const relay = testRelay();
  await consumeEventsOf(relay, [eventId]);
  const ids = relay.deliveries.take().flatMap((message) => message.deliveryIds);
  return { tenant, eventId, relay, ids };
}

async function claim(id: string | undefined) {
  const claimed = await claimDelivery(env.DB, id ?? "", newId(), new Date());
  if (claimed === null) throw new Error("not claimed");
  return claimed;
}

describe("a settlement", () => {
  it("that is repeated counts once, also with another outcome or in another hour", async () => {
    const { tenant, ids } = await waiting();
    const claimed = await claim(ids[0]);
    await settleDelivery(env.DB, claimed, FAILED, at("09:10:00.000"));
    await settleDelivery(env.DB, claimed, FAILED, at("09:10:00.000"));
    await settleDelivery(env.DB, claimed, SUCCEEDED, at("10:10:00.000"));
    expect(await hoursOf(tenant)).toEqual([{ hour: NINE, succeeded: 0, failed: 1 }]);
  });

  it("that comes ten times at once counts once", async () => {
    const { tenant, ids } = await waiting();
    const claimed = await claim(ids[0]);
    await Promise.all(Array.from({ length: 10 }, () => settleDelivery(env.DB, claimed, SUCCEEDED, at("09:10:00.000"))));
    expect(await hoursOf(tenant)).toEqual([{ hour: NINE, succeeded: 1, failed: 0 }]);
  });

  it("of a token that does not hold the delivery any more counts nothing", async () => {
    const { tenant, ids, eventId } = await waiting();
    const earlier = await claim(ids[0]);
    // Another invocation holds it now.
    await env.DB.prepare("update deliveries set token = ? where id = ?").bind(newId(), earlier.id).run();
    await settleDelivery(env.DB, earlier, FAILED, at("09:10:00.000"));
    expect(await hoursOf(tenant)).toEqual([]);
    expect(await deliveryRowsOf(eventId)).toMatchObject([{ state: "claimed" }]);
  });

  it("that comes after the claim was given up counts nothing", async () => {
    const { tenant, ids } = await waiting();
    const claimed = await claim(ids[0]);
    const later = new Date(Date.now() + 3_600_000);
    expect(await abandonClaims(env.DB, later, later)).toContain(claimed.id);
    await settleDelivery(env.DB, claimed, SUCCEEDED, at("09:10:00.000"));
    expect(await hoursOf(tenant)).toEqual([]);
  });

  it("counts in its hour to the millisecond", async () => {
    const { tenant, ids } = await waiting(3);
    const times = ["09:00:00.000", "09:59:59.999", "10:00:00.000"];
    for (const [index, time] of times.entries()) {
      await settleDelivery(env.DB, await claim(ids[index]), index === 1 ? FAILED : SUCCEEDED, at(time));
    }
    expect(await hoursOf(tenant)).toEqual([
      { hour: NINE, succeeded: 1, failed: 1 },
      { hour: TEN, succeeded: 1, failed: 0 },
    ]);
  });

  it("counts although the subscription was deactivated, or deleted, while it was sent", async () => {
    const { tenant, ids } = await waiting(2);
    const as = { operatorToken: tenant.operatorToken };
    const [first, second] = [await claim(ids[0]), await claim(ids[1])];
    const path = (id: string) => `/api/webhooksubscriptions/${id}`;
    await sendJson(200, path(first.subscriptionId), { as, method: "PUT", body: { active: false } });
    await sendJson(200, path(second.subscriptionId), { as, method: "DELETE" });
    await settleDelivery(env.DB, first, SUCCEEDED, at("09:10:00.000"));
    await settleDelivery(env.DB, second, FAILED, at("09:20:00.000"));
    expect(await hoursOf(tenant)).toEqual([{ hour: NINE, succeeded: 1, failed: 1 }]);
  });
});

describe("many at once", () => {
  it("are all counted, each once, although their messages come twice", async () => {
    const { tenant, relay, ids } = await waiting(12, "status-500");
    const counting = { ...relay, now: () => at("09:10:00.000") };
    await Promise.all([...ids, ...ids].map((id) => consumeDeliveriesOf(counting, [id])));
    expect(await hoursOf(tenant)).toEqual([{ hour: NINE, succeeded: 0, failed: 12 }]);
  });
});

describe("a transaction that fails", () => {
  it("counts nothing, and its repetition once", async () => {
    const { tenant, relay, ids } = await waiting();
    let batches = 0;
    const database: unknown = {
      prepare: (text: string) => env.DB.prepare(text),
      // The second batch is the settlement: it is stored, and its answer is lost.
      async batch(statements: D1PreparedStatement[]) {
        const results = await env.DB.batch(statements);
        if (++batches === 2) throw new Error("D1_ERROR: the answer is lost");
        return results;
      },
    };
    await consumeDeliveriesOf({ ...relay, db: database as D1Database, now: () => at("09:10:00.000") }, ids);
    expect(batches).toBeGreaterThan(2);
    expect(await hoursOf(tenant)).toEqual([{ hour: NINE, succeeded: 1, failed: 0 }]);
  });
});
