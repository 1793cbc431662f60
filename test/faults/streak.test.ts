/** Contract 11.9: failures in a row, deactivation, reactivation, and subscriptions that change under a delivery. */
import { env } from "cloudflare:workers";
import { describe, expect, it } from "vitest";
import { newId } from "../../src/lib/ids.ts";
import { LIMITS } from "../../src/domain/limits.ts";
import { settleDeliveries } from "../../src/store/webhooks/system-settlement.ts";
import { sweepWebhooks } from "../../src/background/webhooks/sweep.ts";
import { sendJson } from "../helpers/requests.ts";
import { newTenant, type Tenant } from "../helpers/tenant.ts";
import {
  claimOf,
  consumeDeliveriesOf,
  consumeEventsOf,
  deliveryRowsOf,
  endedAs,
  relayEvents,
  storeEvent,
  testRelay,
} from "../helpers/relay.ts";
import { seenBy, settled, subscribe, subscriptionNow, type Subscribed } from "../helpers/webhooks.ts";

const FAILED = { succeeded: false, status: 500, durationMs: 1, error: "status" };
const SUCCEEDED = { succeeded: true, status: 200, durationMs: 1, error: null };

function put(tenant: Tenant, id: string, body: object): Promise<Subscribed> {
  const path = `/api/webhooksubscriptions/${id}`;
  return sendJson<Subscribed>(200, path, { as: { operatorToken: tenant.operatorToken }, method: "PUT", body });
}

async function deliverEvents(tenant: Tenant, count: number): Promise<string[]> {
  const ids: string[] = [];
  for (let i = 0; i < count; i++) {
    const eventId = await storeEvent(tenant);
    await relayEvents(testRelay(), tenant);
    ids.push(eventId);
  }
  return ids;
}

/** A delivery that is under way: claimed, and not yet settled. */
async function claimedOne() {
  const tenant = await newTenant();
  const subscription = await subscribe(tenant, "ok");
  const eventId = await storeEvent(tenant);
  await consumeEventsOf(testRelay(), tenant);
  const { claim, claimed } = await claimOf(tenant);
  expect(claimed).toHaveLength(1);
  const settle = (outcome: typeof FAILED | typeof SUCCEEDED) =>
    settleDeliveries(env.DB, claim, endedAs(claimed, outcome), new Date());
  return { tenant, subscription, eventId, settle };
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

  it("40 failures, as many at once as may be, deactivate it once; each was attempted at most once", async () => {
    const tenant = await newTenant();
    const subscription = await subscribe(tenant, "status-500");
    const relay = testRelay();
    const events: string[] = [];
    for (let i = 0; i < 40; i++) events.push(await storeEvent(tenant));
    await consumeEventsOf(relay, tenant);
    expect((await Promise.all(events.map(deliveryRowsOf))).flat()).toHaveLength(40);
    await Promise.all(events.map(() => consumeDeliveriesOf(relay, tenant)));
    await relayEvents(relay, tenant);
    expect(await subscriptionNow(tenant, subscription._id)).toMatchObject({ active: false, failureStreak: 20 });
    const states = (await Promise.all(events.map(deliveryRowsOf))).flat().map(({ state }) => state);
    const sent = states.filter((state) => state === "failed").length;
    expect(sent).toBeGreaterThanOrEqual(20);
    // Those that were under way with the twentieth.
    expect(sent).toBeLessThan(20 + LIMITS.requestsOfSubscription);
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
    await relayEvents(testRelay(), tenant);
    expect(await seenBy(subscription.name)).toHaveLength(20);
    await deliverEvents(tenant, 1);
    expect(await seenBy(subscription.name)).toHaveLength(21);
    expect(await subscriptionNow(tenant, subscription._id)).toMatchObject({ active: true, failureStreak: 0 });
  });

  it("setting active to true while it is active loses no event that waits for its fan-out", async () => {
    const tenant = await newTenant();
    const { _id, name } = await subscribe(tenant, "ok");
    await storeEvent(tenant);
    await put(tenant, _id, { active: true });
    await relayEvents(testRelay(), tenant);
    expect(await seenBy(name)).toHaveLength(1);
  });

  it("a late failure of an earlier life does not count after reactivation", async () => {
    const { tenant, subscription, eventId, settle } = await claimedOne();
    await put(tenant, subscription._id, { active: false });
    await put(tenant, subscription._id, { active: true });
    await settle(FAILED);
    expect((await subscriptionNow(tenant, subscription._id)).failureStreak).toBe(0);
    expect(await deliveryRowsOf(eventId)).toMatchObject([{ state: "failed", status: 500 }]);
  });

  it("a success that ends after the deactivation does not reactivate", async () => {
    const { tenant, subscription, settle } = await claimedOne();
    await put(tenant, subscription._id, { active: false });
    await settle(SUCCEEDED);
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

describe("outcomes of one subscription that are settled together", () => {
  /** How they leave a subscription that had a streak: F is a failure, S a success, in the order in which they ended. */
  async function after(failureStreak: number, outcomes: string) {
    const tenant = await newTenant();
    const [subscription, other] = [
      await subscribe(tenant, "ok"),
      await subscribe(tenant, "ok", { events: ["contact.created"] }),
    ];
    for (const _ of outcomes) await storeEvent(tenant);
    await consumeEventsOf(testRelay(), tenant);
    await env.DB.prepare("update webhook_subscriptions set failure_streak = ? where id = ?")
      .bind(failureStreak, subscription._id)
      .run();
    const { claim, claimed } = await claimOf(tenant);
    const settlements = claimed.map((delivery, i) =>
      Object.assign({ delivery }, outcomes[i] === "S" ? SUCCEEDED : FAILED),
    );
    expect(settlements).toHaveLength(outcomes.length);
    // Once more, as if the answer was lost: it changes nothing.
    for (let i = 0; i < 2; i++) await settleDeliveries(env.DB, claim, settlements, new Date());
    const hours = await env.DB.prepare("select succeeded, failed from delivery_hours where organization_id = ?")
      .bind(tenant.organizationId)
      .all();
    const successes = outcomes.split("S").length - 1;
    expect(hours.results).toEqual([{ succeeded: successes, failed: outcomes.length - successes }]);
    expect(await subscriptionNow(tenant, other._id)).toMatchObject({ active: true, failureStreak: 0 });
    return subscriptionNow(tenant, subscription._id);
  }

  it.each([
    [3, "FFS", 0],
    [3, "SFF", 2],
    [3, "FSFSF", 1],
    [3, "FFF", 6],
    [3, "S", 0],
    [17, "FF", 19],
    [17, "FFSFF", 2],
    [19, "SFFFF", 4],
  ])("a streak of %d, then %s: it is %d, and the subscription is active", async (before, outcomes, failureStreak) => {
    expect(await after(before, outcomes)).toMatchObject({ active: true, failureStreak, deactivationTime: null });
  });

  it.each([
    [19, "F"],
    [17, "FFF"],
    [17, "FFFS"],
    [18, "FFFFF"],
    [18, "FFSFF"],
  ])("a streak of %d, then %s: the 20th failure among them deactivates it", async (before, outcomes) => {
    const deactivationTime: unknown = expect.any(String);
    expect(await after(before, outcomes)).toMatchObject({ active: false, failureStreak: 20, deactivationTime });
  });
});

describe("a subscription that changes between fan-out and claim", () => {
  async function afterFanOut(change: (tenant: Tenant, subscription: Subscribed) => Promise<unknown>) {
    const tenant = await newTenant();
    const subscription = await subscribe(tenant, "ok");
    const eventId = await storeEvent(tenant);
    const relay = testRelay();
    await consumeEventsOf(relay, tenant);
    await change(tenant, subscription);
    await consumeDeliveriesOf(relay, tenant);
    return { tenant, subscription, eventId, deliveries: await deliveryRowsOf(eventId) };
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

  it("for another blog since: skipped", async () => {
    const { subscription, deliveries } = await afterFanOut(({ organizationId }, { _id }) =>
      env.DB.prepare("update webhook_subscriptions set blog_id = ? where id = ? and organization_id = ?")
        .bind(newId(), _id, organizationId)
        .run(),
    );
    expect(await seenBy(subscription.name)).toEqual([]);
    expect(deliveries).toMatchObject([{ state: "skipped", error: "subscription_changed" }]);
  });

  it("deactivated while nobody sends: skipped by the turn that the sweep gives its organization", async () => {
    const tenant = await newTenant();
    const subscription = await subscribe(tenant, "ok");
    const eventId = await storeEvent(tenant);
    await consumeEventsOf(testRelay(), tenant);
    await put(tenant, subscription._id, { active: false });
    const relay = testRelay();
    await sweepWebhooks(relay);
    expect(relay.deliveries.quick.take()).toContainEqual({ organizationId: tenant.organizationId });
    await consumeDeliveriesOf(relay, tenant);
    expect(await deliveryRowsOf(eventId)).toMatchObject([{ state: "skipped" }]);
    await sweepWebhooks(relay);
    expect(relay.deliveries.quick.take()).not.toContainEqual({ organizationId: tenant.organizationId });
  });

  it("deleted: not sent, skipped by the sweep, and the row says so", async () => {
    const { tenant, subscription, eventId } = await afterFanOut(remove);
    const relay = testRelay();
    await sweepWebhooks(relay);
    expect(relay.logged).toEqual([]);
    await consumeDeliveriesOf(relay, tenant);
    expect(await seenBy(subscription.name)).toEqual([]);
    expect(await deliveryRowsOf(eventId)).toMatchObject([{ state: "skipped", error: "subscription_changed" }]);
  });
});
