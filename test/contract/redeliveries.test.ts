/** Contract 11.20 and 11.21: operators have events delivered again. Nothing else sends an event a second time. */
import { env } from "cloudflare:workers";
import { describe, expect, it } from "vitest";
import { abandonClaims } from "../../src/store/webhooks/system-deliveries.ts";
import { removeExpired } from "../../src/store/retention.ts";
import { claimOf, consumeEventsOf, deliveryRowsOf, relayEvents, storeEvent, testRelay } from "../helpers/relay.ts";
import { outcome } from "../helpers/outcome.ts";
import { sendJson } from "../helpers/requests.ts";
import { newTenant, type Tenant } from "../helpers/tenant.ts";
import {
  received,
  receiverUrl,
  seenBy,
  settled,
  subscribe,
  subscriptionNow,
  type DeliveryBody,
  type Subscribed,
} from "../helpers/webhooks.ts";

type Answer = { deliveries: number; underWay: number; from: string; more: boolean; next: string | null };

const put = (tenant: Tenant, { _id }: Subscribed, body: object) =>
  sendJson(200, `/api/webhooksubscriptions/${_id}`, { as: operator(tenant), method: "PUT", body });

const operator = ({ operatorToken }: Tenant) => ({ operatorToken });

const onePath = ({ _id }: Subscribed, eventId: string) =>
  `/api/webhooksubscriptions/${_id}/deliveries/${eventId}/redeliver`;

const again = (tenant: Tenant, subscription: Subscribed, eventId: string) =>
  sendJson<DeliveryBody>(202, onePath(subscription, eventId), { as: operator(tenant), method: "POST" });

const tryAgain = (tenant: Tenant, subscription: Subscribed, eventId: string) =>
  outcome(onePath(subscription, eventId), { as: operator(tenant), method: "POST" });

const allPath = ({ _id }: Subscribed) => `/api/webhooksubscriptions/${_id}/redeliveries`;

const missing = (tenant: Tenant, subscription: Subscribed, body: object = {}) =>
  sendJson<Answer>(202, allPath(subscription), { as: operator(tenant), body });

/** Stores events and has them attempted. */
async function deliver(tenant: Tenant, count: number): Promise<string[]> {
  const ids: string[] = [];
  for (let i = 0; i < count; i++) ids.push(await storeEvent(tenant));
  await relayEvents(testRelay(), tenant);
  return ids;
}

const stateOf = async (eventId: string) => (await deliveryRowsOf(eventId)).map(({ state }) => state);

const idsOf = (seen: Awaited<ReturnType<typeof seenBy>>) => seen.map(({ headers }) => String(headers["webhook-id"]));

const set = (eventId: string, assignment: string) =>
  env.DB.prepare(`update deliveries set ${assignment} where event_id = ?`).bind(eventId).run();

describe("11.20: one event", () => {
  it("is sent once more with the same ids, and leaves the streak as it is", async () => {
    const tenant = await newTenant();
    const subscription = await subscribe(tenant, "fail-3");
    const [first = ""] = await deliver(tenant, 1);
    const [, logged] = [await deliver(tenant, 1), (await deliveryRowsOf(first))[0]];
    const opened = await again(tenant, subscription, first);
    expect(opened).toMatchObject({ _id: logged?.id, eventId: first, redeliveries: 1, status: null, error: null });
    await received(subscription.name, 3);
    await settled(tenant, subscription._id, 2);
    expect((await subscriptionNow(tenant, subscription._id)).failureStreak).toBe(2);
    // This time it succeeds.
    await again(tenant, subscription, first);
    const seen = await received(subscription.name, 4);
    expect(idsOf(seen).filter((id) => id === first)).toHaveLength(3);
    expect(seen.at(-1)?.headers["x-service-delivery"]).toBe(logged?.id);
    expect(await settled(tenant, subscription._id, 2)).toContainEqual(
      expect.objectContaining({ eventId: first, state: "succeeded", redeliveries: 2 }),
    );
    expect((await subscriptionNow(tenant, subscription._id)).failureStreak).toBe(2);
    const audit = await sendJson<{ action: string }[]>(200, "/api/audit", { as: operator(tenant) });
    expect(audit.filter(({ action }) => action === "webhooksubscriptions.redeliver")).toHaveLength(2);
  });

  it("is refused while it is open, claimed or dead, for an inactive subscription, and for an event of another kind", async () => {
    const tenant = await newTenant();
    const subscription = await subscribe(tenant, "ok", { events: ["article.updated"] });
    const other = await storeEvent(tenant, "blog.created");
    const event = await storeEvent(tenant);
    expect(await tryAgain(tenant, subscription, event)).toBe("409 delivery_not_settled");
    await consumeEventsOf(testRelay(), tenant);
    expect(await tryAgain(tenant, subscription, event)).toBe("409 delivery_not_settled");
    await claimOf(tenant);
    expect(await tryAgain(tenant, subscription, event)).toBe("409 delivery_not_settled");
    await set(event, "state = 'dead', settle_time = claim_time");
    expect(await tryAgain(tenant, subscription, event)).toBe("409 delivery_not_settled");
    expect(await tryAgain(tenant, subscription, other)).toBe("404 not_found");
    await set(event, "state = 'failed'");
    await put(tenant, subscription, { active: false });
    expect(await tryAgain(tenant, subscription, event)).toBe("409 subscription_inactive");
    expect(await seenBy(subscription.name)).toEqual([]);
  });

  it("asked for twice at once takes effect once", async () => {
    const tenant = await newTenant();
    const subscription = await subscribe(tenant, "hang");
    const event = await storeEvent(tenant);
    await consumeEventsOf(testRelay(), tenant);
    await set(event, "state = 'failed', settle_time = creation_time");
    const outcomes = await Promise.all([1, 2, 3].map(() => tryAgain(tenant, subscription, event)));
    expect(outcomes.sort()).toEqual(["202", "409 delivery_not_settled", "409 delivery_not_settled"]);
  });

  it("gets a subscription that never had it, and a late outcome of the attempt before changes nothing", async () => {
    const tenant = await newTenant();
    const event = await storeEvent(tenant);
    await consumeEventsOf(testRelay(), tenant);
    const subscription = await subscribe(tenant);
    await again(tenant, subscription, event);
    expect(idsOf(await received(subscription.name))).toEqual([event]);
    await set(event, "state = 'open'");
    await claimOf(tenant);
    await abandonClaims(env.DB, new Date(Date.now() + 60_000), new Date());
    expect(await stateOf(event)).toEqual(["unknown"]);
    await again(tenant, subscription, event);
    expect(idsOf(await received(subscription.name, 2))).toEqual([event, event]);
  });

  it("is kept while it is open, and as long as the log once it was sent, however old it is", async () => {
    const tenant = await newTenant();
    await subscribe(tenant);
    const [event = ""] = await deliver(tenant, 1);
    const inDays = (days: number) =>
      removeExpired(env.DB, new Date(Date.now() + days * 86_400_000), { deliveries: 1, events: 1, audit: 400 });
    await set(event, "redeliveries = 1, state = 'open', settle_time = null");
    await inDays(9);
    expect(await stateOf(event)).toEqual(["open"]);
    await set(event, `state = 'succeeded', settle_time = '${new Date(Date.now() + 8.5 * 86_400_000).toISOString()}'`);
    await inDays(9);
    expect(await stateOf(event)).toEqual(["succeeded"]);
    await inDays(10);
    expect(await stateOf(event)).toEqual([]);
  });
});

describe("11.21: what is missing", () => {
  it("is everything since the last success, with the time of inactivity, and nothing that succeeded", async () => {
    const tenant = await newTenant();
    const subscription = await subscribe(tenant);
    const before = await deliver(tenant, 7);
    const up = receiverUrl("ok", subscription.name);
    await put(tenant, subscription, { url: env.RECEIVER.refusing });
    const failed = await deliver(tenant, 20);
    expect((await subscriptionNow(tenant, subscription._id)).active).toBe(false);
    const missed = await deliver(tenant, 3);
    const waiting = await storeEvent(tenant);
    await put(tenant, subscription, { url: up });
    expect(await outcome(allPath(subscription), { as: operator(tenant), body: {} })).toBe("409 subscription_inactive");
    const answer = await missing(tenant, subscription, { activate: true });
    expect(answer).toMatchObject({ deliveries: 24, underWay: 0, more: false, next: null });
    await relayEvents(testRelay(), tenant);
    const seen = await received(subscription.name, before.length + 24);
    expect(idsOf(seen)).toHaveLength(31);
    expect(idsOf(seen).slice(7).sort()).toEqual([...failed, ...missed, waiting].sort());
    await settled(tenant, subscription._id, 31);
    expect(await subscriptionNow(tenant, subscription._id)).toMatchObject({ active: true, failureStreak: 0 });
    // Neither a ping nor a redelivery is a success since which anything would be missing.
    expect(await missing(tenant, subscription)).toMatchObject({ deliveries: 0, more: false, from: answer.from });
  });

  it("begins beside the last success even if there were few deliveries before it", async () => {
    const tenant = await newTenant();
    const subscription = await subscribe(tenant);
    await put(tenant, subscription, { active: false });
    await deliver(tenant, 1);
    await put(tenant, subscription, { active: true });
    await deliver(tenant, 1);
    await settled(tenant, subscription._id, 1);
    expect(await missing(tenant, subscription)).toMatchObject({ deliveries: 0 });
  });

  it("includes what was skipped, or is left open, because the subscription was deactivated", async () => {
    const tenant = await newTenant();
    const subscription = await subscribe(tenant);
    const [skipped, stranded] = [await storeEvent(tenant), await storeEvent(tenant)];
    await consumeEventsOf(testRelay(), tenant);
    await put(tenant, subscription, { active: false });
    await set(skipped, "state = 'skipped', settle_time = creation_time");
    expect(await missing(tenant, subscription, { activate: true })).toMatchObject({ deliveries: 2 });
    expect(idsOf(await received(subscription.name, 2)).sort()).toEqual([skipped, stranded].sort());
  });

  it("says how many are under way, and leaves out dead letters, other kinds and erased contacts", async () => {
    const tenant = await newTenant();
    const subscription = await subscribe(tenant, "ok", { events: ["article.updated", "contact.created"] });
    await storeEvent(tenant, "blog.created");
    await storeEvent(tenant, "contact.created", { email: "" });
    const [dead] = [await storeEvent(tenant), await storeEvent(tenant)];
    await consumeEventsOf(testRelay(), tenant);
    await env.DB.prepare("update deliveries set state = 'failed', settle_time = 'x' where subscription_id = ?")
      .bind(subscription._id)
      .run();
    await set(dead, "state = 'dead'");
    const claimed = await storeEvent(tenant);
    await consumeEventsOf(testRelay(), tenant);
    await set(claimed, `state = 'claimed', token = 'x', claim_time = '${new Date().toISOString()}'`);
    expect(await missing(tenant, subscription)).toMatchObject({ deliveries: 1, underWay: 1, more: false });
  });

  it("goes on after the events of an answer, from a time, and within the day's deliveries", async () => {
    const tenant = await newTenant();
    const subscription = await subscribe(tenant);
    await put(tenant, subscription, { active: false });
    const events = await deliver(tenant, 4);
    await put(tenant, subscription, { active: true });
    const from = new Date(Date.now() - 60_000).toISOString();
    const left = (day: number) =>
      env.DB.prepare("update organizations set day = ?, day_deliveries = ? where id = ?")
        .bind(new Date().toISOString().slice(0, 10), day, tenant.organizationId)
        .run();
    const { used, limit } = (
      await sendJson<{ deliveriesPerDay: { used: number; limit: number } }>(200, "/api/usage", {
        as: operator(tenant),
      })
    ).deliveriesPerDay;
    await left(limit - 3);
    const first = await missing(tenant, subscription, { from });
    expect(first).toMatchObject({ deliveries: 3, more: true, next: events[2], from });
    expect(await outcome(allPath(subscription), { as: operator(tenant), body: { from, after: first.next } })).toBe(
      "429 delivery_limit",
    );
    await left(used);
    expect(await missing(tenant, subscription, { from, after: first.next })).toMatchObject({
      deliveries: 1,
      more: false,
    });
    expect(idsOf(await received(subscription.name, 4)).sort()).toEqual(events);
    const later = new Date(Date.now() + 60_000).toISOString();
    expect(await missing(tenant, subscription, { from: later })).toMatchObject({ deliveries: 0, from: later });
  });
});
