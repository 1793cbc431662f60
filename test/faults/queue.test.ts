/** Messages that come twice, consumers that die, crashes at every seam: nothing lost, nothing sent twice. */
import { createExecutionContext } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { describe, expect, inject, it } from "vitest";
import worker from "../../src/worker.ts";
import { claimDeliveries } from "../../src/store/webhooks/system-deliveries.ts";
import { settleDeliveries } from "../../src/store/webhooks/system-settlement.ts";
import { sweepWebhooks } from "../../src/background/webhooks/sweep.ts";
import { databaseThat, failingFor } from "../helpers/failing-database.ts";
import { quiet } from "../helpers/refusals.ts";
import { newArticle, newTenant } from "../helpers/tenant.ts";
import {
  batchOf,
  claimOf,
  consumed,
  consumeDeliveriesOf,
  consumeEventsOf,
  deliveryRowsOf,
  endedAs,
  inSeconds,
  relayEvents,
  storeEvent,
  testRelay,
} from "../helpers/relay.ts";
import { hoursOf, received, seenBy, subscribe, subscriptionNow } from "../helpers/webhooks.ts";

async function stored(behaviour: string) {
  const tenant = await newTenant();
  const subscription = await subscribe(tenant, behaviour);
  const eventId = await storeEvent(tenant);
  return { tenant, message: { organizationId: tenant.organizationId }, subscription, eventId };
}

async function fannedOut(behaviour: string) {
  const world = await stored(behaviour);
  const relay = testRelay();
  await consumeEventsOf(relay, world.tenant);
  expect(relay.deliveries.quick.take()).toEqual([world.message]);
  return { ...world, relay };
}

describe("the same message twice", () => {
  it("a delivery message that comes twice in a row is sent once", async () => {
    const { tenant, subscription, relay, eventId } = await fannedOut("ok");
    await consumeDeliveriesOf(relay, tenant);
    await consumeDeliveriesOf(relay, tenant);
    expect(await seenBy(subscription.name)).toHaveLength(1);
    expect(await deliveryRowsOf(eventId)).toMatchObject([{ state: "succeeded" }]);
  });

  it("a delivery message that comes ten times at once is sent once", async () => {
    const { tenant, subscription, relay, eventId } = await fannedOut("status-500");
    await Promise.all(Array.from({ length: 10 }, () => consumeDeliveriesOf(relay, tenant)));
    expect(await seenBy(subscription.name)).toHaveLength(1);
    expect(await deliveryRowsOf(eventId)).toMatchObject([{ state: "failed" }]);
    expect((await subscriptionNow(tenant, subscription._id)).failureStreak).toBe(1);
  });

  it("an event message that comes twice, in a row and at once, makes one delivery", async () => {
    const { tenant, subscription, eventId } = await stored("ok");
    const relay = testRelay();
    await Promise.all([consumeEventsOf(relay, tenant), consumeEventsOf(relay, tenant, tenant)]);
    await consumeEventsOf(relay, tenant);
    expect(await deliveryRowsOf(eventId)).toHaveLength(1);
    await relayEvents(relay, tenant);
    expect(await seenBy(subscription.name)).toHaveLength(1);
  });

  it("fan-outs of one organization at once make each delivery once, of more events than one of them takes", async () => {
    const tenant = await newTenant();
    const names: string[] = [];
    for (let i = 0; i < 3; i++) names.push((await subscribe(tenant, "ok")).name);
    for (let i = 0; i < 60; i++) await storeEvent(tenant);
    const relay = testRelay();
    await Promise.all(Array.from({ length: 4 }, () => consumeEventsOf(relay, tenant)));
    expect(relay.logged).toEqual([]);
    const found = await env.DB.prepare(
      `select count(*) as made, count(distinct event_id) as events, count(distinct subscription_id) as subscriptions,
         count(distinct id) as ids, (select count(*) from events where organization_id = ?1 and fan_out_time is null)
           as pending from deliveries where organization_id = ?1`,
    )
      .bind(tenant.organizationId)
      .first();
    expect(found).toEqual({ made: 180, events: 60, subscriptions: 3, ids: 180, pending: 0 });
    await relayEvents(relay, tenant);
    for (const name of names) {
      const ids = (await seenBy(name)).map(({ headers }) => headers["x-service-delivery"]);
      expect([ids.length, new Set(ids).size]).toEqual([60, 60]);
    }
  });

  it("a settlement that is repeated counts once", async () => {
    const { tenant, subscription, relay, eventId } = await fannedOut("ok");
    const { claim, claimed } = await claimOf(tenant);
    const outcome = { succeeded: false, status: 500, durationMs: 1, error: "status" };
    expect(claimed).toHaveLength(1);
    await settleDeliveries(env.DB, claim, endedAs(claimed, outcome), relay.now());
    await settleDeliveries(env.DB, claim, endedAs(claimed, { ...outcome, succeeded: true }), relay.now());
    expect((await subscriptionNow(tenant, subscription._id)).failureStreak).toBe(1);
    expect(await deliveryRowsOf(eventId)).toMatchObject([{ state: "failed", status: 500 }]);
  });

  it("a claim whose answer was lost may be repeated by its own invocation, and by no other", async () => {
    const { tenant, relay } = await fannedOut("ok");
    // The repetition gets the same delivery, and no further one.
    await storeEvent(tenant);
    const { claim, claimed } = await claimOf(tenant);
    expect(claimed).toHaveLength(1);
    await consumeEventsOf(relay, tenant);
    expect(await claimDeliveries(env.DB, claim, relay.now())).toEqual({ claimed, progress: true });
    const other = await claimOf(tenant);
    expect(other.claimed).toHaveLength(1);
    expect(other.claimed).not.toEqual(claimed);
    expect((await claimOf(tenant)).claimed).toEqual([]);
  });
});

describe("a consumer that fails", () => {
  it("one that throws after it acknowledged gets the message again, and sends nothing twice", async () => {
    const { subscription, message } = await fannedOut("ok");
    expect(await consumed("edgepress-deliveries", [message])).toEqual({ acknowledged: 1, retried: 0 });
    // The queue saw the throw, not the acknowledgement: the same message again.
    await consumed("edgepress-deliveries", [message]);
    expect(await seenBy(subscription.name)).toHaveLength(1);
  });

  it.each([
    // A claim is tried three times.
    ["edgepress-deliveries", 3],
    ["edgepress-deliveries-slow", 3],
    // A fan-out is tried at once, then event by event.
    ["edgepress-events", 2],
  ])(
    "a message that fails is retried alone; the others of its batch are acknowledged (%s)",
    async (queue, attempts) => {
      const [broken, whole] = [await stored("ok"), await stored("ok")];
      for (const { tenant } of [broken, whole])
        if (queue !== "edgepress-events") await consumeEventsOf(testRelay(), tenant);
      const bindings = { DB: failingFor(broken.tenant.organizationId, attempts) };
      const messages = [broken.message, whole.message, broken.message];
      expect(await consumed(queue, messages, bindings)).toEqual({ acknowledged: 1, retried: 2 });
      // Nothing is lost: the message comes again.
      for (const { message } of [broken, whole]) await consumed("edgepress-events", [message]);
      for (const { message } of [broken, whole]) await consumed("edgepress-deliveries", [message]);
      for (const { subscription } of [broken, whole]) expect(await received(subscription.name)).toHaveLength(1);
    },
  );
});

describe("a crash", () => {
  it("between commit and enqueue: the next sweep sends the organization, until the event is fanned out", async () => {
    const { tenant, subscription, message } = await stored("ok");
    const relay = testRelay();
    await sweepWebhooks(relay);
    expect(relay.events.held).toContainEqual(message);
    await relayEvents(relay, tenant);
    expect(await seenBy(subscription.name)).toHaveLength(1);
    const after = testRelay({ now: inSeconds(600) });
    await sweepWebhooks(after);
    expect(after.events.held).not.toContainEqual(message);
    expect(after.deliveries.quick.held).not.toContainEqual(message);
  });

  it("in the middle of a fan-out: the rest is made, nobody is told twice", async () => {
    const tenant = await newTenant();
    const names: string[] = [];
    for (let i = 0; i < 12; i++) names.push((await subscribe(tenant, "ok")).name);
    const eventId = await storeEvent(tenant);
    const crashing = testRelay();
    const { quick } = crashing.deliveries;
    // The deliveries are stored, one message of the three is out, then the consumer dies.
    quick.sendBatch = async (messages) => {
      quick.held.push(...[...messages].slice(0, 1).map(({ body }) => body));
      throw new Error("crash");
    };
    await consumeEventsOf(crashing, tenant);
    expect(crashing.logged).toMatchObject([{ level: "error" }]);
    expect(quick.take()).toHaveLength(1);
    await consumeDeliveriesOf(crashing, tenant);

    await relayEvents(crashing, tenant);
    for (const name of names) expect(await seenBy(name)).toHaveLength(1);
    expect((await deliveryRowsOf(eventId)).map(({ state }) => state)).toEqual(Array(12).fill("succeeded"));
  });

  it("after the deliveries were stored and before they were enqueued: the sweep enqueues the organization", async () => {
    const { tenant, subscription, message } = await fannedOut("ok");
    const relay = testRelay();
    await sweepWebhooks(relay);
    expect(relay.deliveries.quick.take()).toContainEqual(message);
    await consumeDeliveriesOf(relay, tenant);
    expect(await seenBy(subscription.name)).toHaveLength(1);
  });

  it("between claim and POST: the delivery becomes unknown, is never sent, and shows in the log", async () => {
    const { tenant, subscription, relay, eventId } = await fannedOut("ok");
    const { claimed } = await claimOf(tenant);
    await consumeDeliveriesOf(relay, tenant);
    const soon = testRelay({ now: inSeconds(30) });
    await sweepWebhooks(soon);
    expect(await deliveryRowsOf(eventId)).toMatchObject([{ state: "claimed" }]);
    const later = testRelay({ now: inSeconds(61) });
    await sweepWebhooks(later);
    for (const lane of ["quick", "slow"] as const) await consumeDeliveriesOf(later, tenant, lane);
    expect(await deliveryRowsOf(eventId)).toMatchObject([{ state: "unknown", error: "interrupted" }]);
    expect(later.logged).toContainEqual(expect.objectContaining({ delivery: claimed[0]?.id }));
    expect(await seenBy(subscription.name)).toEqual([]);
    expect((await subscriptionNow(tenant, subscription._id)).failureStreak).toBe(0);
    expect(await hoursOf(tenant)).toEqual([]);
  });

  it("between POST and settle: the request is not repeated, and its outcome is unknown", async () => {
    const { tenant, subscription, eventId } = await fannedOut("ok");
    let batches = 0;
    // The claim goes through; everything after the POST fails, as if the invocation had ended there.
    const db = databaseThat((all) => (++batches > 1 ? Promise.reject(new Error("gone")) : env.DB.batch(all)));
    const relay = testRelay({ db });
    await consumeDeliveriesOf(relay, tenant);
    expect(relay.logged).toMatchObject([{ level: "error" }]);
    const later = testRelay({ now: inSeconds(61) });
    await consumeDeliveriesOf(later, tenant);
    await sweepWebhooks(later);
    await consumeDeliveriesOf(later, tenant);
    expect(await seenBy(subscription.name)).toHaveLength(1);
    expect(await deliveryRowsOf(eventId)).toMatchObject([{ state: "unknown" }]);
  });

  it("of the queue itself: a write succeeds, and its event waits in the outbox", async () => {
    const tenant = await newTenant();
    const subscription = await subscribe(tenant, "ok", { events: ["article.created"] });
    await newArticle(tenant);
    // However many ways lead to it (the queue of this run, the sweep, both), one request arrives.
    await Promise.all([relayEvents(testRelay(), tenant), relayEvents(testRelay(), tenant)]);
    await sweepWebhooks(testRelay({ now: inSeconds(120) }));
    await received(subscription.name);
    await quiet();
    expect(await seenBy(subscription.name)).toHaveLength(1);
  });
});

it("messages of a queue that has no consumer stay in it: they are not taken for events", async () => {
  const batch = batchOf("edgepress-unknown", [{ organizationId: "none" }]);
  await expect(worker.queue(batch as never, env, createExecutionContext())).rejects.toThrow("edgepress-unknown");
});

it.each(inject("queues"))(
  "%s has a consumer: each deployment's queues begin with the name of its Worker",
  async (name) => {
    await worker.queue(batchOf(name, []) as never, env, createExecutionContext());
  },
);

it("a deployment beside production delivers what its queues have", async () => {
  const { message, subscription } = await stored("ok");
  await consumed("edgepress-staging-events", [message]);
  await consumed("edgepress-staging-deliveries", [message]);
  await received(subscription.name);
});
