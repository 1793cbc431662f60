/** The cost in D1 of webhooks (budgets.json). */
import { env } from "cloudflare:workers";
import { describe, expect, it } from "vitest";
import { newId } from "../../src/lib/ids.ts";
import { claimDeliveries } from "../../src/store/webhooks/system-deliveries.ts";
import { counted, countingDatabase, expectWithin, type Counter } from "../helpers/counting.ts";
import { consumeDeliveriesOf, consumeEventsOf, deliveryRowsOf, storeEvent, testRelay } from "../helpers/relay.ts";
import { newTenant, type Tenant } from "../helpers/tenant.ts";
import budgets from "./budgets.json";

/**
 * Creates an organization with `count` subscriptions. They begin after the event of its blog's creation, because that
 * event is in the real queue.
 */
async function subscribed(count: number, behaviour: string): Promise<Tenant> {
  const tenant = await newTenant();
  const time = new Date().toISOString();
  await env.DB.prepare(
    `insert into webhook_subscriptions (id, organization_id, blog_id, url, events, active, secret, failure_streak,
       epoch, since_seq, version, creation_time, last_edit_time)
     select value, ?1, null, ?2, '[]', 1, 'whsec_test', 0, 0, (select max(seq) from events), value, ?3, ?3
     from json_each(?4)`,
  )
    .bind(
      tenant.organizationId,
      `${env.RECEIVER.url}/${behaviour}/${newId()}`,
      time,
      JSON.stringify(Array.from({ length: count }, () => newId())),
    )
    .run();
  return tenant;
}

describe("fan-out", () => {
  it.each([
    ["fan-out to nobody", 0],
    ["fan-out to 1", 1],
    ["fan-out to 500", 500],
    ["fan-out to 1,200", 1200],
  ])("%s is within its budget", async (name, count) => {
    const tenant = await subscribed(count, "ok");
    const eventId = await storeEvent(tenant);
    const counter = countingDatabase();
    const relay = testRelay({ db: counter.db });
    await consumeEventsOf(relay, tenant);
    expect(await deliveryRowsOf(eventId)).toHaveLength(count);
    expect(counter.counts.roundTrips).toBe(1);
    expectWithin(name, budgets.webhooks, counter);
  });
});

/** Returns the cost of delivering a new event, without its fan-out. */
async function turnOf(tenant: Tenant, now = new Date()): Promise<Counter> {
  const eventId = await storeEvent(tenant);
  const relay = testRelay();
  await consumeEventsOf(relay, tenant);
  // On a busy machine the receiver may have shown to be slow.
  const lane = relay.deliveries.quick.take().length > 0 ? "quick" : "slow";
  const counter = countingDatabase();
  await consumeDeliveriesOf(testRelay({ db: counter.db, now: () => now }), tenant, lane);
  for (const { state } of await deliveryRowsOf(eventId)) expect(["succeeded", "failed"]).toContain(state);
  return counter;
}

describe("a turn", () => {
  it.each([
    ["a delivery that succeeds", "ok"],
    ["a delivery that fails", "status-500"],
  ])("%s is within its budget: one claim, one settlement", async (name, behaviour) => {
    const counter = await turnOf(await subscribed(1, behaviour));
    expect(counter.counts.roundTrips).toBe(2);
    expectWithin(name, budgets.webhooks, counter);
  });

  it("writes less where its organization had one in the same hour: its count is there", async () => {
    const tenant = await subscribed(1, "ok");
    const now = new Date();
    await turnOf(tenant, now);
    expectWithin("a second delivery of the hour", budgets.webhooks, await turnOf(tenant, now));
  });

  it("of five deliveries claims and settles them together", async () => {
    const tenant = await subscribed(5, "ok");
    const now = new Date();
    await turnOf(tenant, now);
    const counter = await turnOf(tenant, now);
    expect(counter.counts.roundTrips).toBe(2);
    expectWithin("five deliveries in a turn", budgets.webhooks, counter);
  });

  it("of fifty deliveries to one subscription settles five and claims the next five in one transaction", async () => {
    const tenant = await subscribed(1, "ok");
    for (let i = 0; i < 50; i++) await storeEvent(tenant);
    await consumeEventsOf(testRelay(), tenant);
    const counter = countingDatabase();
    // As fast as a receiver can be, so that the turn has the time.
    const post = async () => ({ kind: "response", status: 200, durationMs: 1 }) as const;
    const now = new Date();
    await consumeDeliveriesOf(testRelay({ db: counter.db, now: () => now, post }), tenant);
    expect(counter.counts.roundTrips).toBe(11);
    expectWithin("fifty deliveries to one subscription", budgets.webhooks, counter);
  });

  it("of an organization with a hundred subscriptions that all wait reads a few rows of each", async () => {
    const tenant = await subscribed(100, "ok");
    for (let i = 0; i < 20; i++) await storeEvent(tenant);
    await consumeEventsOf(testRelay(), tenant);
    const counter = countingDatabase();
    await claimDeliveries(
      counter.db,
      { organizationId: tenant.organizationId, lane: "quick", token: newId() },
      new Date(),
    );
    expectWithin("a claim among 2,000 deliveries", budgets.webhooks, counter);
    for (let i = 0; i < 10; i++) {
      await claimDeliveries(
        env.DB,
        { organizationId: tenant.organizationId, lane: "quick", token: newId() },
        new Date(),
      );
    }
    const late = countingDatabase();
    await claimDeliveries(
      late.db,
      { organizationId: tenant.organizationId, lane: "quick", token: newId() },
      new Date(),
    );
    expectWithin("a claim without credits", budgets.webhooks, late);
  });

  it("with nothing to send writes nothing", async () => {
    const counter = countingDatabase();
    await consumeDeliveriesOf(testRelay({ db: counter.db }), await subscribed(5, "ok"));
    expectWithin("a turn with nothing to send", budgets.webhooks, counter);
  });
});

it("the list of those that are on their way does not look through all deliveries of a subscription", async () => {
  const tenant = await subscribed(1, "ok");
  for (let i = 0; i < 40; i++) await storeEvent(tenant);
  await consumeEventsOf(testRelay(), tenant);
  await claimDeliveries(env.DB, { organizationId: tenant.organizationId, lane: "quick", token: newId() }, new Date());
  await env.DB.prepare(
    "update deliveries set state = 'succeeded', settle_time = claim_time where organization_id = ? and state = 'open'",
  )
    .bind(tenant.organizationId)
    .run();
  const { id } = (await env.DB.prepare("select id from webhook_subscriptions where organization_id = ?")
    .bind(tenant.organizationId)
    .first<{ id: string }>()) ?? { id: "" };
  const { ran, response } = await counted(`/api/webhooksubscriptions/${id}/deliveries?state=claimed`, {
    as: { operatorToken: tenant.operatorToken },
  });
  const claimed = await response.json<unknown[]>();
  expect(claimed.length).toBeGreaterThan(0);
  const page = ran.find(({ text }) => text.includes('from "deliveries"'));
  // Each with its event and its place in the order, and the subscription.
  expect(page?.rowsRead).toBeLessThanOrEqual(3 * claimed.length + 3);
});
