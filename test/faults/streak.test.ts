/** Failures in a row, deactivation, reactivation, and subscriptions that change under a delivery. */
import { env } from "cloudflare:workers";
import { describe, expect, it } from "vitest";
import { newId } from "../../src/lib/ids.ts";
import { claimDelivery, settleDelivery } from "../../src/store/webhooks/system-deliveries.ts";
import { sendJson } from "../helpers/requests.ts";
import { newTenant, type Tenant } from "../helpers/tenant.ts";
import {
  consumeDeliveriesOf,
  consumeEventsOf,
  deliveryRowsOf,
  relayEvent,
  storeEvent,
  testRelay,
} from "../helpers/relay.ts";
import { seenBy, settled, subscribe, subscriptionNow, type Subscribed } from "../helpers/webhooks.ts";

const FAILED = { succeeded: false, status: 500, durationMs: 1, error: "status" };

function put(tenant: Tenant, id: string, body: object): Promise<Subscribed> {
  const path = `/api/webhooksubscriptions/${id}`;
  return sendJson<Subscribed>(200, path, { as: { operatorToken: tenant.operatorToken }, method: "PUT", body });
}

async function deliverEvents(tenant: Tenant, count: number): Promise<string[]> {
  const ids: string[] = [];
  for (let i = 0; i < count; i++) {
    const eventId = await storeEvent(tenant);
    await relayEvent(testRelay(), eventId);
    ids.push(eventId);
  }
  return ids;
}

/** A delivery that is under way: claimed, and not yet settled. */
async function claimedOne() {
  const tenant = await newTenant();
  const subscription = await subscribe(tenant, "ok");
  const eventId = await storeEvent(tenant);
  const relay = testRelay();
  await consumeEventsOf(relay, [eventId]);
  const [id = ""] = relay.deliveries.take().flatMap((message) => message.deliveryIds);
  const claimed = await claimDelivery(env.DB, id, newId(), relay.now());
  if (claimed === null) throw new Error("not claimed");
  return { tenant, subscription, eventId, relay, claimed };
}

describe("the failure streak", () => {
  it("19 failures and a success leave the subscription active with no streak", async () => {
    const tenant = await newTenant();
    const subscription = await subscribe(tenant, "fail-19");
    await deliverEvents(tenant, 19);
    expect(await subscriptionNow(tenant, subscription._id)).toMatchObject({ active: true, failureStreak: 19 });
    await deliverEvents(tenant, 1);
    expect(await subscriptionNow(tenant, subscription._id)).toMatchObject({ active: true, failureStreak: 0 });
    expect(await seenBy(subscription.name)).toHaveLength(20);
  });

  it("exactly 20 failures in a row deactivate it: the 21st event is not sent", async () => {
    const tenant = await newTenant();
    const subscription = await subscribe(tenant, "status-500");
    const events = await deliverEvents(tenant, 21);
    expect(await subscriptionNow(tenant, subscription._id)).toMatchObject({ active: false, failureStreak: 20 });
    expect(await seenBy(subscription.name)).toHaveLength(20);
    expect(await deliveryRowsOf(events[20] ?? "")).toEqual([]);
  });

  it("40 failures at once deactivate it once; each was attempted at most once", async () => {
    const tenant = await newTenant();
    const subscription = await subscribe(tenant, "status-500");
    const relay = testRelay();
    const events: string[] = [];
    for (let i = 0; i < 40; i++) events.push(await storeEvent(tenant));
    await consumeEventsOf(relay, events);
    const ids = relay.deliveries.take().flatMap((message) => message.deliveryIds);
    expect(ids).toHaveLength(40);
    await Promise.all(ids.map((id) => consumeDeliveriesOf(relay, [id])));
    expect(await subscriptionNow(tenant, subscription._id)).toMatchObject({ active: false, failureStreak: 20 });
    const states = (await Promise.all(events.map(deliveryRowsOf))).flat().map(({ state }) => state);
    const sent = states.filter((state) => state === "failed").length;
    expect(sent).toBeGreaterThanOrEqual(20);
    expect(states.filter((state) => state === "skipped")).toHaveLength(40 - sent);
    expect(await seenBy(subscription.name)).toHaveLength(sent);
  });

  it("setting active to true clears the streak and sends again, but nothing of the time between", async () => {
    const tenant = await newTenant();
    const subscription = await subscribe(tenant, "fail-20");
    await deliverEvents(tenant, 20);
    const [missed = ""] = await deliverEvents(tenant, 1);
    expect(await put(tenant, subscription._id, { active: true })).toMatchObject({ active: true, failureStreak: 0 });
    // Fanned out late: it happened while the subscription was inactive.
    await env.DB.prepare("update events set fan_out_time = null where id = ?").bind(missed).run();
    await relayEvent(testRelay(), missed);
    expect(await seenBy(subscription.name)).toHaveLength(20);
    await deliverEvents(tenant, 1);
    expect(await seenBy(subscription.name)).toHaveLength(21);
    expect(await subscriptionNow(tenant, subscription._id)).toMatchObject({ active: true, failureStreak: 0 });
  });

  it("a late failure of an earlier life does not count after reactivation", async () => {
    const { tenant, subscription, eventId, relay, claimed } = await claimedOne();
    await put(tenant, subscription._id, { active: false });
    await put(tenant, subscription._id, { active: true });
    await settleDelivery(env.DB, claimed, FAILED, relay.now());
    expect((await subscriptionNow(tenant, subscription._id)).failureStreak).toBe(0);
    expect(await deliveryRowsOf(eventId)).toMatchObject([{ state: "failed", status: 500 }]);
  });

  it("a success that ends after the deactivation does not reactivate", async () => {
    const { tenant, subscription, relay, claimed } = await claimedOne();
    await put(tenant, subscription._id, { active: false });
    await settleDelivery(env.DB, claimed, { ...FAILED, succeeded: true, error: null }, relay.now());
    expect((await subscriptionNow(tenant, subscription._id)).active).toBe(false);
  });

  it("a ping counts neither as failure nor as success", async () => {
    const tenant = await newTenant();
    const failing = await subscribe(tenant, "status-500");
    await deliverEvents(tenant, 3);
    for (let i = 0; i < 2; i++) {
      await sendJson(202, `/api/webhooksubscriptions/${failing._id}/ping`, {
        as: { operatorToken: tenant.operatorToken },
        method: "POST",
      });
    }
    await settled(tenant, failing._id, 5);
    expect((await subscriptionNow(tenant, failing._id)).failureStreak).toBe(3);
    const path = new URL(failing.url).pathname.replace("status-500", "ok");
    await put(tenant, failing._id, { url: `${env.RECEIVER.url}${path}` });
    await sendJson(202, `/api/webhooksubscriptions/${failing._id}/ping`, {
      as: { operatorToken: tenant.operatorToken },
      method: "POST",
    });
    await settled(tenant, failing._id, 6);
    expect((await subscriptionNow(tenant, failing._id)).failureStreak).toBe(3);
  });
});

describe("a subscription that changes between fan-out and claim", () => {
  async function afterFanOut(change: (tenant: Tenant, subscription: Subscribed) => Promise<unknown>) {
    const tenant = await newTenant();
    const subscription = await subscribe(tenant, "ok");
    const eventId = await storeEvent(tenant);
    const relay = testRelay();
    await consumeEventsOf(relay, [eventId]);
    await change(tenant, subscription);
    for (const { deliveryIds } of relay.deliveries.take()) await consumeDeliveriesOf(relay, deliveryIds);
    return { subscription, deliveries: await deliveryRowsOf(eventId) };
  }

  const remove = (tenant: Tenant, { _id }: Subscribed) =>
    sendJson(200, `/api/webhooksubscriptions/${_id}`, {
      as: { operatorToken: tenant.operatorToken },
      method: "DELETE",
    });

  it("edited: the new url gets the event, the old one nothing", async () => {
    const name = newId();
    const url = `${env.RECEIVER.url}/ok/${name}`;
    const { subscription, deliveries } = await afterFanOut((tenant, { _id }) => put(tenant, _id, { url }));
    expect(await seenBy(subscription.name)).toEqual([]);
    expect(await seenBy(name)).toHaveLength(1);
    expect(deliveries).toMatchObject([{ state: "succeeded" }]);
  });

  it("no longer interested in the kind: skipped", async () => {
    const { subscription, deliveries } = await afterFanOut((tenant, { _id }) =>
      put(tenant, _id, { events: ["blog.created"] }),
    );
    expect(await seenBy(subscription.name)).toEqual([]);
    expect(deliveries).toMatchObject([{ state: "skipped", error: "subscription_changed" }]);
  });

  it("deactivated: skipped", async () => {
    const { subscription, deliveries } = await afterFanOut((tenant, { _id }) => put(tenant, _id, { active: false }));
    expect(await seenBy(subscription.name)).toEqual([]);
    expect(deliveries).toMatchObject([{ state: "skipped" }]);
  });

  it("deactivated and reactivated: what was open before stays unsent", async () => {
    const { subscription, deliveries } = await afterFanOut(async (tenant, { _id }) => {
      await put(tenant, _id, { active: false });
      await put(tenant, _id, { active: true });
    });
    expect(await seenBy(subscription.name)).toEqual([]);
    expect(deliveries).toMatchObject([{ state: "skipped" }]);
  });

  it("deleted: skipped, and the row says so", async () => {
    const { subscription, deliveries } = await afterFanOut(remove);
    expect(await seenBy(subscription.name)).toEqual([]);
    expect(deliveries).toMatchObject([{ state: "skipped" }]);
  });

  it("an event never reaches a subscription created after it", async () => {
    const tenant = await newTenant();
    const eventId = await storeEvent(tenant);
    const late = await subscribe(tenant, "ok");
    await relayEvent(testRelay(), eventId);
    expect(await deliveryRowsOf(eventId)).toEqual([]);
    expect(await seenBy(late.name)).toEqual([]);
  });
});
