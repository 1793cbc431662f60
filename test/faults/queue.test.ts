/** Messages that come twice, consumers that die, crashes at every seam: nothing lost, nothing sent twice. */
import { env } from "cloudflare:workers";
import { createExecutionContext, getQueueResult } from "cloudflare:test";
import { describe, expect, it } from "vitest";
import worker from "../../src/worker.ts";
import { newId } from "../../src/lib/ids.ts";
import { claimDelivery, settleDelivery } from "../../src/store/webhooks/system-deliveries.ts";
import { sweep } from "../../src/webhooks/sweep.ts";
import { quiet } from "../helpers/refusals.ts";
import { newArticle, newTenant } from "../helpers/tenant.ts";
import {
  batchOf,
  consumeDeliveriesOf,
  consumeEventsOf,
  deliveryRowsOf,
  relayEvent,
  storeEvent,
  testRelay,
} from "../helpers/relay.ts";
import { received, seenBy, subscribe, subscriptionNow } from "../helpers/webhooks.ts";

const inMinutes = (minutes: number) => () => new Date(Date.now() + minutes * 60_000);

async function fannedOut(behaviour: string) {
  const tenant = await newTenant();
  const subscription = await subscribe(tenant, behaviour);
  const eventId = await storeEvent(tenant);
  const relay = testRelay();
  await consumeEventsOf(relay, [eventId]);
  const ids = relay.deliveries.take().flatMap((message) => message.deliveryIds);
  return { tenant, subscription, eventId, relay, ids };
}

describe("the same message twice", () => {
  it("a delivery message that comes twice in a row is sent once", async () => {
    const { subscription, relay, ids, eventId } = await fannedOut("ok");
    await consumeDeliveriesOf(relay, ids);
    await consumeDeliveriesOf(relay, ids);
    expect(await seenBy(subscription.name)).toHaveLength(1);
    expect(await deliveryRowsOf(eventId)).toMatchObject([{ state: "succeeded" }]);
  });

  it("a delivery message that comes ten times at once is sent once", async () => {
    const { tenant, subscription, relay, ids, eventId } = await fannedOut("status-500");
    await Promise.all(Array.from({ length: 10 }, () => consumeDeliveriesOf(relay, ids)));
    expect(await seenBy(subscription.name)).toHaveLength(1);
    expect(await deliveryRowsOf(eventId)).toMatchObject([{ state: "failed" }]);
    expect((await subscriptionNow(tenant, subscription._id)).failureStreak).toBe(1);
  });

  it("an event message that comes twice, in a row and at once, makes one delivery", async () => {
    const tenant = await newTenant();
    const subscription = await subscribe(tenant, "ok");
    const eventId = await storeEvent(tenant);
    const relay = testRelay();
    await Promise.all([consumeEventsOf(relay, [eventId]), consumeEventsOf(relay, [eventId, eventId])]);
    await consumeEventsOf(relay, [eventId]);
    expect(await deliveryRowsOf(eventId)).toHaveLength(1);
    for (const { deliveryIds } of relay.deliveries.take()) await consumeDeliveriesOf(relay, deliveryIds);
    expect(await seenBy(subscription.name)).toHaveLength(1);
  });

  it("a settlement that is repeated counts once", async () => {
    const { tenant, subscription, relay, ids, eventId } = await fannedOut("ok");
    const claimed = await claimDelivery(env.DB, ids[0] ?? "", newId(), relay.now());
    if (claimed === null) throw new Error("not claimed");
    const outcome = { succeeded: false, status: 500, durationMs: 1, error: "status" };
    await settleDelivery(env.DB, claimed, outcome, relay.now());
    await settleDelivery(env.DB, claimed, { ...outcome, succeeded: true }, relay.now());
    expect((await subscriptionNow(tenant, subscription._id)).failureStreak).toBe(1);
    expect(await deliveryRowsOf(eventId)).toMatchObject([{ state: "failed", status: 500 }]);
  });

  it("a claim whose answer was lost may be repeated by its own invocation, and by no other", async () => {
    const { relay, ids } = await fannedOut("ok");
    const token = newId();
    expect(await claimDelivery(env.DB, ids[0] ?? "", token, relay.now())).not.toBeNull();
    expect(await claimDelivery(env.DB, ids[0] ?? "", token, relay.now())).not.toBeNull();
    expect(await claimDelivery(env.DB, ids[0] ?? "", newId(), relay.now())).toBeNull();
  });
});

describe("a consumer that fails", () => {
  it("one that throws after it acknowledged gets the message again, and sends nothing twice", async () => {
    const { subscription, ids } = await fannedOut("ok");
    const { organization: organizationId } = subscription;
    const batch = batchOf("edgepress-deliveries", [{ organizationId, deliveryIds: ids }]);
    const context = createExecutionContext();
    await worker.queue(batch, env);
    expect((await getQueueResult(batch, context)).explicitAcks).toHaveLength(1);
    // The queue saw the throw, not the acknowledgement: the same message again.
    await worker.queue(batchOf("edgepress-deliveries", [{ organizationId, deliveryIds: ids }]), env);
    expect(await seenBy(subscription.name)).toHaveLength(1);
  });

  it("a message that fails is retried alone; the others of its batch are acknowledged", async () => {
    const { subscription, ids } = await fannedOut("ok");
    const { organization: organizationId } = subscription;
    const broken = { organizationId, deliveryIds: null as unknown as string[] };
    const batch = batchOf("edgepress-deliveries", [broken, { organizationId, deliveryIds: ids }]);
    const context = createExecutionContext();
    await worker.queue(batch, env);
    const result = await getQueueResult(batch, context);
    expect(result.explicitAcks).toHaveLength(1);
    expect(result.retryMessages).toHaveLength(1);
    expect(await seenBy(subscription.name)).toHaveLength(1);
  });
});

describe("a crash", () => {
  it("between commit and enqueue: the sweep sends the event within a minute or two", async () => {
    const tenant = await newTenant();
    const subscription = await subscribe(tenant, "ok");
    const eventId = await storeEvent(tenant);
    const early = testRelay();
    await sweep(early);
    expect(early.events.held).not.toContainEqual({ eventId });
    const relay = testRelay({ now: inMinutes(1) });
    await sweep(relay);
    expect(relay.events.held).toContainEqual({ eventId });
    await relayEvent(relay, eventId);
    expect(await seenBy(subscription.name)).toHaveLength(1);
    const after = testRelay({ now: inMinutes(10) });
    await sweep(after);
    expect(after.events.held).not.toContainEqual({ eventId });
  });

  it("in the middle of a fan-out: the rest is made, nobody is told twice", async () => {
    const tenant = await newTenant();
    const names: string[] = [];
    for (let i = 0; i < 12; i++) names.push((await subscribe(tenant, "ok")).name);
    const eventId = await storeEvent(tenant);
    const crashing = testRelay();
    // The deliveries are stored, one message of the three is out, then the consumer dies.
    crashing.deliveries.sendBatch = async (messages) => {
      crashing.deliveries.held.push(...[...messages].slice(0, 1).map(({ body }) => body));
      throw new Error("crash");
    };
    await consumeEventsOf(crashing, [eventId]);
    expect(crashing.logged).toMatchObject([{ level: "error" }]);
    for (const { deliveryIds } of crashing.deliveries.take()) await consumeDeliveriesOf(crashing, deliveryIds);

    await relayEvent(testRelay(), eventId);
    for (const name of names) expect(await seenBy(name)).toHaveLength(1);
    expect((await deliveryRowsOf(eventId)).map(({ state }) => state)).toEqual(Array(12).fill("succeeded"));
  });

  it("after the deliveries were stored and before they were enqueued: the sweep enqueues them", async () => {
    const { subscription, relay: first, ids } = await fannedOut("ok");
    expect(first.deliveries.held).toEqual([]);
    const relay = testRelay({ now: inMinutes(6) });
    await sweep(relay);
    const again = relay.deliveries.take().flatMap((message) => message.deliveryIds);
    expect(again).toContain(ids[0]);
    await consumeDeliveriesOf(relay, again);
    expect(await seenBy(subscription.name)).toHaveLength(1);
  });

  it("between claim and POST: the delivery becomes unknown, is never sent, and shows in the log", async () => {
    const { tenant, subscription, relay, ids, eventId } = await fannedOut("ok");
    await claimDelivery(env.DB, ids[0] ?? "", newId(), relay.now());
    await consumeDeliveriesOf(relay, ids);
    const soon = testRelay({ now: inMinutes(10) });
    await sweep(soon);
    expect(await deliveryRowsOf(eventId)).toMatchObject([{ state: "claimed" }]);
    const later = testRelay({ now: inMinutes(17) });
    await sweep(later);
    await consumeDeliveriesOf(later, ids);
    expect(await deliveryRowsOf(eventId)).toMatchObject([{ state: "unknown", error: "interrupted" }]);
    expect(later.logged).toContainEqual(expect.objectContaining({ delivery: ids[0] }));
    expect(await seenBy(subscription.name)).toEqual([]);
    expect((await subscriptionNow(tenant, subscription._id)).failureStreak).toBe(0);
  });

  it("between POST and settle: the request is not repeated, and its outcome is unknown", async () => {
    const { subscription, ids, eventId } = await fannedOut("ok");
    const db = env.DB;
    let batches = 0;
    // The claim goes through; everything after the POST fails, as if the invocation had ended there.
    const dying = {
      prepare: db.prepare.bind(db),
      batch: (all) => (++batches > 1 ? Promise.reject(new Error("gone")) : db.batch(all)),
    } as typeof db;
    const relay = testRelay({ db: dying });
    await consumeDeliveriesOf(relay, ids);
    expect(relay.logged).toMatchObject([{ level: "error" }]);
    const later = testRelay({ now: inMinutes(17) });
    await consumeDeliveriesOf(later, ids);
    await sweep(later);
    await consumeDeliveriesOf(later, ids);
    expect(await seenBy(subscription.name)).toHaveLength(1);
    expect(await deliveryRowsOf(eventId)).toMatchObject([{ state: "unknown" }]);
  });

  it("a settlement that fails once for a moment is stored all the same", async () => {
    const { ids, eventId, subscription } = await fannedOut("ok");
    const db = env.DB;
    let batches = 0;
    const flaky = {
      prepare: db.prepare.bind(db),
      batch: (all) => (++batches === 2 ? Promise.reject(new Error("lost")) : db.batch(all)),
    } as typeof db;
    const relay = testRelay({ db: flaky });
    await consumeDeliveriesOf(relay, ids);
    expect(relay.logged).toEqual([]);
    expect(await deliveryRowsOf(eventId)).toMatchObject([{ state: "succeeded" }]);
    expect(await seenBy(subscription.name)).toHaveLength(1);
  });

  it("of the queue itself: a write succeeds, and its event waits in the outbox", async () => {
    const tenant = await newTenant();
    const subscription = await subscribe(tenant, "ok", { events: ["article.created"] });
    const article = await newArticle(tenant);
    const event = await env.DB.prepare("select id from events where kind = 'article.created' and data ->> '_id' = ?")
      .bind(article._id)
      .first<{ id: string }>();
    // However many ways lead to it (the queue of this run, the sweep, both), one request arrives.
    await Promise.all([relayEvent(testRelay(), event?.id ?? ""), relayEvent(testRelay(), event?.id ?? "")]);
    await sweep(testRelay({ now: inMinutes(2) }));
    await received(subscription.name);
    await quiet();
    expect(await seenBy(subscription.name)).toHaveLength(1);
  });
});
