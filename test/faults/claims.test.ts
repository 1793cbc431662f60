/** Claims and settlements whose answers are lost or late, and what a turn does with deliveries that nobody wants. */
import { env } from "cloudflare:workers";
import { describe, expect, it } from "vitest";
import { LIMITS } from "../../src/domain/limits.ts";
import { sweepWebhooks } from "../../src/background/webhooks/sweep.ts";
import { databaseThat } from "../helpers/failing-database.ts";
import { newTenant } from "../helpers/tenant.ts";
import {
  claimOf,
  consumeDeliveriesOf,
  consumeEventsOf,
  deliveryRowsOf,
  inSeconds,
  relayEvents,
  storeEvent,
  testRelay,
} from "../helpers/relay.ts";
import { hoursOf, seenBy, subscribe, subscriptionNow } from "../helpers/webhooks.ts";

async function fannedOut(behaviour: string) {
  const tenant = await newTenant();
  const subscription = await subscribe(tenant, behaviour);
  const eventId = await storeEvent(tenant);
  const relay = testRelay();
  await consumeEventsOf(relay, tenant);
  return { tenant, subscription, eventId, relay };
}

describe("a settlement that fails", () => {
  it("once for a moment is stored all the same", async () => {
    const { tenant, eventId, subscription } = await fannedOut("ok");
    let batches = 0;
    const db = databaseThat((all) => (++batches === 2 ? Promise.reject(new Error("lost")) : env.DB.batch(all)));
    const relay = testRelay({ db });
    await consumeDeliveriesOf(relay, tenant);
    expect(relay.logged).toEqual([]);
    expect(await deliveryRowsOf(eventId)).toMatchObject([{ state: "succeeded" }]);
    expect(await seenBy(subscription.name)).toHaveLength(1);
  });

  it("does not take along what has not ended: it is settled when it has", async () => {
    const tenant = await newTenant();
    const [quick, late] = [await subscribe(tenant, "ok"), await subscribe(tenant, "late")];
    await storeEvent(tenant);
    await consumeEventsOf(testRelay(), tenant);
    let batches = 0;
    // The claim, then three attempts to settle the one that has ended.
    const db = databaseThat((all) =>
      ++batches > 1 && batches < 5 ? Promise.reject(new Error("lost")) : env.DB.batch(all),
    );
    await consumeDeliveriesOf(testRelay({ db }), tenant);
    const { results } = await env.DB.prepare(
      "select subscription_id as id, state from deliveries where organization_id = ?",
    )
      .bind(tenant.organizationId)
      .all();
    expect(results).toContainEqual({ id: late._id, state: "succeeded" });
    for (const { name } of [quick, late]) expect(await seenBy(name)).toHaveLength(1);
  });
});

describe("a claim whose answer is lost", () => {
  it("once: the same deliveries are claimed again, and sent once", async () => {
    const { tenant, subscription, eventId } = await fannedOut("ok");
    let batches = 0;
    const db = databaseThat(async (all) => {
      const results = await env.DB.batch(all);
      if (++batches === 1) throw new Error("D1_ERROR: the answer is lost");
      return results;
    });
    const relay = testRelay({ db });
    await consumeDeliveriesOf(relay, tenant);
    expect(relay.logged).toEqual([]);
    expect(await seenBy(subscription.name)).toHaveLength(1);
    expect(await deliveryRowsOf(eventId)).toMatchObject([{ state: "succeeded" }]);
  });

  it("for good: it is given back, nothing was sent, and the next turn sends it once", async () => {
    const { tenant, subscription, eventId } = await fannedOut("ok");
    const claims: unknown[] = [];
    const db = databaseThat(async (all) => {
      await env.DB.batch(all);
      claims.push((await deliveryRowsOf(eventId)).map(({ state }) => state));
      throw new Error("D1_ERROR: the answer is lost");
    });
    const relay = testRelay({ db });
    await consumeDeliveriesOf(relay, tenant);
    expect(claims).toEqual([["claimed"], ["claimed"], ["claimed"]]);
    expect(relay.logged).toMatchObject([{ level: "error", message: "queue message failed" }]);
    expect(await deliveryRowsOf(eventId)).toMatchObject([{ state: "open", token: null, claim_time: null }]);
    expect(await seenBy(subscription.name)).toEqual([]);

    await consumeDeliveriesOf(testRelay(), tenant);
    await consumeDeliveriesOf(testRelay(), tenant);
    expect(await seenBy(subscription.name)).toHaveLength(1);
    expect(await deliveryRowsOf(eventId)).toMatchObject([{ state: "succeeded" }]);
  });

  it("for good, while D1 is gone for some time more: it is given back once D1 is there, and never unknown", async () => {
    const { tenant, eventId } = await fannedOut("ok");
    let released = 0;
    const lost = async (all: D1PreparedStatement[]): Promise<never> => {
      await env.DB.batch(all);
      throw new Error("D1_ERROR: the answer is lost");
    };
    const db = databaseThat(lost, (text) => {
      if (text.includes(`set "state" = 'open'`) && ++released <= 3) throw new Error("D1_ERROR: gone");
      return env.DB.prepare(text);
    });
    const relay = testRelay({ db });
    await consumeDeliveriesOf(relay, tenant);
    expect(released).toBe(4);
    expect(await deliveryRowsOf(eventId)).toMatchObject([{ state: "open", token: null }]);
  });

  it("for good, with what others have claimed: only its own is given back", async () => {
    const { tenant, eventId: first } = await fannedOut("ok");
    await claimOf(tenant);
    const second = await storeEvent(tenant);
    await consumeEventsOf(testRelay(), tenant);
    const db = databaseThat(async (all) => {
      await env.DB.batch(all);
      throw new Error("D1_ERROR: the answer is lost");
    });
    await consumeDeliveriesOf(testRelay({ db }), tenant);
    expect(await deliveryRowsOf(first)).toMatchObject([{ state: "claimed" }]);
    expect(await deliveryRowsOf(second)).toMatchObject([{ state: "open" }]);
  });
});

describe("an outcome that arrives when its delivery is unknown already", () => {
  it.each([
    ["ok", { state: "succeeded", status: 200, error: null }, { succeeded: 1, failed: 0 }],
    ["status-500", { state: "failed", status: 500, error: "status" }, { succeeded: 0, failed: 1 }],
  ])("corrects it, and counts once: %s", async (behaviour, row, hour) => {
    const { tenant, subscription, eventId } = await fannedOut(behaviour);
    const states: unknown[] = [];
    let batches = 0;
    // The sweep gives the claim up while the settlement is on its way, whose answer is lost in addition.
    const db = databaseThat(async (all) => {
      if (++batches === 2) {
        await sweepWebhooks(testRelay({ now: inSeconds(61) }));
        states.push((await deliveryRowsOf(eventId)).map(({ state }) => state));
      }
      const results = await env.DB.batch(all);
      if (batches === 2) throw new Error("D1_ERROR: the answer is lost");
      return results;
    });
    await consumeDeliveriesOf(testRelay({ db }), tenant);
    expect(states).toEqual([["unknown"]]);
    expect(await deliveryRowsOf(eventId)).toMatchObject([row]);
    expect((await subscriptionNow(tenant, subscription._id)).failureStreak).toBe(hour.failed);
    expect(await hoursOf(tenant)).toMatchObject([hour]);
    await sweepWebhooks(testRelay({ now: inSeconds(120) }));
    expect(await deliveryRowsOf(eventId)).toMatchObject([row]);
    expect(await seenBy(subscription.name)).toHaveLength(1);
  });
});

describe("a turn", () => {
  it("skips what nobody wants any more, and goes on to what is wanted behind it", async () => {
    const { tenant, relay, subscription, eventId } = await fannedOut("ok");
    const { requestsOfSubscription } = LIMITS;
    const stale = [eventId];
    while (stale.length < 2 * requestsOfSubscription + 2) stale.push(await storeEvent(tenant));
    await consumeEventsOf(relay, tenant);
    // The subscription has another life since.
    await env.DB.prepare("update webhook_subscriptions set epoch = epoch + 1 where id = ?")
      .bind(subscription._id)
      .run();
    const wanted = [await storeEvent(tenant), await storeEvent(tenant)];
    await consumeEventsOf(relay, tenant);
    relay.deliveries.quick.take();
    relay.deliveries.quick.held.push({ organizationId: tenant.organizationId });
    await relayEvents(relay, tenant);
    const states = async (ids: readonly string[]) =>
      (await Promise.all(ids.map(deliveryRowsOf))).flat().map(({ state, error }) => [state, error]);
    expect(await states(stale)).toEqual(stale.map(() => ["skipped", "subscription_changed"]));
    expect(await states(wanted)).toEqual(wanted.map(() => ["succeeded", null]));
    expect(await seenBy(subscription.name)).toHaveLength(wanted.length);
  });
});
