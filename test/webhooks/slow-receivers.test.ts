/** Slow receivers have a queue of their own, and nobody takes more than their credits: nobody waits behind others. */
import { env } from "cloudflare:workers";
import { createExecutionContext, waitOnExecutionContext } from "cloudflare:test";
import { describe, expect, it, vi } from "vitest";
import worker from "../../src/worker.ts";
import { LIMITS } from "../../src/domain/limits.ts";
import type { Lane } from "../../src/store/webhooks/system-deliveries.ts";
import { post } from "../../src/outbound/post.ts";
import { settleDeliveries } from "../../src/store/webhooks/system-settlement.ts";
import type { OrganizationMessage } from "../../src/background/webhooks/ports.ts";
import { takeTurn } from "../../src/background/webhooks/deliver.ts";
import { sweepWebhooks } from "../../src/background/webhooks/sweep.ts";
import {
  batchOf,
  claimOf,
  consumeEventsOf,
  endedAs,
  HeldQueue,
  relayEvents,
  storeEvent,
  testRelay,
} from "../helpers/relay.ts";
import { sendJson } from "../helpers/requests.ts";
import { sample } from "../helpers/sample.ts";
import { newArticle, newTenant, type Tenant } from "../helpers/tenant.ts";
import {
  deliveriesOf,
  PATIENCE,
  received,
  receiverUrl,
  seenBy,
  subscribe,
  subscriptionNow,
  type Subscribed,
} from "../helpers/webhooks.ts";

const LANES: readonly Lane[] = ["quick", "slow"];

/** The queues that the deliveries of a new event go through. */
async function lanesOf(tenant: Tenant): Promise<Lane[]> {
  const relay = testRelay();
  await storeEvent(tenant);
  await consumeEventsOf(relay, tenant);
  return LANES.flatMap((lane) => relay.deliveries[lane].take().map(() => lane));
}

/** Waits for receivers a little longer than for what counts as slow, and no five seconds. */
const impatient = () => testRelay({ post: (request) => post({ ...request, timeoutMs: LIMITS.slowDeliveryMs + 300 }) });

/** Sends a new event to all receivers of an organization, and waits for their answers. */
async function deliverEvent(tenant: Tenant): Promise<void> {
  await storeEvent(tenant);
  await relayEvents(impatient(), tenant);
}

const setSlow = (id: string, slow: 0 | 1) =>
  env.DB.prepare("update webhook_subscriptions set slow = ? where id = ?").bind(slow, id).run();

async function put(tenant: Tenant, id: string, body: object): Promise<void> {
  const as = { operatorToken: tenant.operatorToken };
  await sendJson(200, `/api/webhooksubscriptions/${id}`, { as, method: "PUT", body });
}

/** A subscription of a new organization that is slow, or not. */
async function subscribed(slow: 0 | 1, behaviour = "ok"): Promise<{ tenant: Tenant; subscription: Subscribed }> {
  const tenant = await newTenant();
  const subscription = await subscribe(tenant, behaviour);
  await setSlow(subscription._id, slow);
  return { tenant, subscription };
}

/** Stores events and fans them out, for a test that claims their deliveries itself. */
async function fannedOut(tenant: Tenant, events = 1): Promise<void> {
  for (let i = 0; i < events; i++) await storeEvent(tenant);
  await consumeEventsOf(testRelay(), tenant);
}

describe("a subscription", () => {
  it.each(sample(["late", "hang"], 0, 1))(
    "is slow after an attempt that took long (%s), and quick after a quick one",
    async (how) => {
      const { tenant, subscription } = await subscribed(0, how);
      expect(await lanesOf(tenant)).toEqual(["quick"]);
      await deliverEvent(tenant);
      expect(await lanesOf(tenant)).toEqual(["slow"]);

      await put(tenant, subscription._id, { url: receiverUrl("ok", subscription.name) });
      expect(await lanesOf(tenant)).toEqual(["slow"]);
      // A busy machine may take long to answer.
      await vi.waitFor(async () => {
        await deliverEvent(tenant);
        expect(await lanesOf(tenant)).toEqual(["quick"]);
      }, PATIENCE);
    },
  );

  /** How an attempt that took so long leaves its subscription. */
  async function after(
    durationMs: number,
    { kind = "article.updated", succeeded = true, slow }: { kind?: string; succeeded?: boolean; slow: 0 | 1 },
  ): Promise<Lane[]> {
    const { tenant } = await subscribed(slow);
    await fannedOut(tenant);
    const { claim, claimed } = await claimOf(tenant, slow === 1 ? "slow" : "quick");
    const [delivery] = claimed;
    if (delivery === undefined) throw new Error("not claimed");
    const outcome = { succeeded, status: succeeded ? 200 : 500, durationMs, error: succeeded ? null : "status" };
    await settleDeliveries(env.DB, claim, [{ delivery: { ...delivery, kind }, ...outcome }], new Date());
    return lanesOf(tenant);
  }

  it.each([true, false])("is slow beyond a second and not before, whether it succeeds: %s", async (succeeded) => {
    const limit = LIMITS.slowDeliveryMs;
    expect(await after(limit, { succeeded, slow: 1 })).toEqual(["quick"]);
    expect(await after(limit + 1, { succeeded, slow: 0 })).toEqual(["slow"]);
  });

  it("may show to be slow by a ping, but not to be quick", async () => {
    expect(await after(LIMITS.slowDeliveryMs + 1, { kind: "ping", slow: 0 })).toEqual(["slow"]);
    expect(await after(1, { kind: "ping", slow: 1 })).toEqual(["slow"]);
  });

  it("counts no failure for a ping that hangs", async () => {
    const { tenant, subscription } = await subscribed(0, "hang");
    const as = { operatorToken: tenant.operatorToken };
    const bindings = { EVENTS: new HeldQueue<OrganizationMessage>() } as unknown as Partial<Env>;
    await sendJson(202, `/api/webhooksubscriptions/${subscription._id}/ping`, { as, method: "POST", bindings });
    await relayEvents(impatient(), tenant);
    expect(await deliveriesOf(tenant, subscription._id)).toMatchObject([{ error: "timeout" }]);
    expect(await lanesOf(tenant)).toEqual(["slow"]);
    expect((await subscriptionNow(tenant, subscription._id)).failureStreak).toBe(0);
  });

  it("counts as slow while it is being waited for: what was queued as quick does not go to it", async () => {
    const { tenant } = await subscribed(0);
    await fannedOut(tenant, 3);
    await env.DB.prepare(
      `update deliveries set state = 'claimed', token = 'x', claim_time = ?1 where (event_id, subscription_id) in
         (select event_id, subscription_id from deliveries where organization_id = ?2 limit 1)`,
    )
      .bind(new Date(Date.now() - LIMITS.slowDeliveryMs - 1).toISOString(), tenant.organizationId)
      .run();
    expect((await claimOf(tenant, "quick")).claimed).toHaveLength(0);
    expect((await claimOf(tenant, "slow")).claimed).toHaveLength(2);
  });
});

describe("two queues", () => {
  it("each delivery goes through one of them: the slow ones of an event apart from the others", async () => {
    const tenant = await newTenant();
    for (let i = 0; i < 6; i++) await setSlow((await subscribe(tenant, "ok"))._id, i % 3 === 0 ? 1 : 0);
    await fannedOut(tenant);
    const quick = (await claimOf(tenant, "quick")).claimed;
    const slow = (await claimOf(tenant, "slow")).claimed;
    expect([quick.length, slow.length]).toEqual([4, 2]);
    expect(new Set([...quick, ...slow].map(({ id }) => id)).size).toBe(6);
  });

  it("the sweep sends a message for each organization that waits, through the queue of its subscription", async () => {
    const worlds = [await subscribed(0), await subscribed(1)];
    for (const { tenant } of worlds) await fannedOut(tenant, 3);
    const relay = testRelay();
    await sweepWebhooks(relay);
    expect(relay.logged).toEqual([]);
    const sent = LANES.map((lane) => relay.deliveries[lane].take().map(({ organizationId }) => organizationId));
    const [quick, slow] = worlds.map(({ tenant }) => tenant.organizationId);
    expect(sent[0]?.filter((id) => id === quick)).toHaveLength(1);
    expect(sent[1]?.filter((id) => id === slow)).toHaveLength(1);
    expect([sent[0]?.includes(slow ?? ""), sent[1]?.includes(quick ?? "")]).toEqual([false, false]);
  });

  it("a subscription that changes lanes on the way gets its deliveries once", async () => {
    const { tenant, subscription } = await subscribed(1);
    await fannedOut(tenant, 2);
    await setSlow(subscription._id, 0);
    for (const queue of ["edgepress-deliveries-slow", "edgepress-deliveries", "edgepress-deliveries-slow"]) {
      const context = createExecutionContext();
      await worker.queue(batchOf(queue, [{ organizationId: tenant.organizationId }]), env, context);
      await waitOnExecutionContext(context);
    }
    expect(await seenBy(subscription.name)).toHaveLength(2);
  });

  it("are those of wrangler.toml: the Worker sends to them", async () => {
    const [quick, slow] = [await subscribed(0), await subscribed(1)];
    const bindings = {
      DELIVERIES: new HeldQueue<OrganizationMessage>(),
      DELIVERIES_SLOW: new HeldQueue<OrganizationMessage>(),
    };
    const messages = [quick, slow].map(({ tenant }) => ({ organizationId: tenant.organizationId }));
    for (const { tenant } of [quick, slow]) await storeEvent(tenant);
    const given = { ...env, ...bindings } as unknown as Env;
    await worker.queue(batchOf("edgepress-events", messages), given, createExecutionContext());
    expect(Object.values(bindings).map(({ held }) => held)).toEqual(messages.map((message) => [message]));
  });

  it("both have a consumer: a write reaches a slow receiver, too", async () => {
    const { tenant, subscription } = await subscribed(1);
    await newArticle(tenant);
    expect(await received(subscription.name)).toHaveLength(1);
  });
});

describe("credits", () => {
  it.each(LANES)(
    "an organization has so many requests under way in the lane %s, and others are not affected",
    async (lane) => {
      const [many, other] = [await newTenant(), await newTenant()];
      const slow = lane === "slow" ? 1 : 0;
      for (let i = 0; i < 12; i++) await setSlow((await subscribe(many, "ok"))._id, slow);
      await setSlow((await subscribe(other, "ok"))._id, slow);
      for (const tenant of [many, other]) await fannedOut(tenant, 4);
      let claimed = 0;
      for (let turn = 0; turn < 12; turn++) {
        const { length } = (await claimOf(many, lane)).claimed;
        expect(length).toBeLessThanOrEqual(LIMITS.connectionsAtOnce);
        claimed += length;
      }
      expect(claimed).toBe(LIMITS.deliveryCredits[lane]);
      expect((await claimOf(other, lane)).claimed).toHaveLength(4);
    },
  );

  it("are free again once what was claimed is settled", async () => {
    const { tenant } = await subscribed(0);
    await fannedOut(tenant, 12);
    const { claim, claimed } = await claimOf(tenant);
    expect(claimed).toHaveLength(LIMITS.requestsOfSubscription);
    expect((await claimOf(tenant, "quick")).claimed).toHaveLength(0);
    const outcome = { succeeded: true, status: 200, durationMs: 1, error: null };
    const settlements = endedAs(claimed.slice(0, 2), outcome);
    expect(await settleDeliveries(env.DB, claim, settlements, new Date())).toEqual(["quick"]);
    expect((await claimOf(tenant, "quick")).claimed).toHaveLength(2);
  });

  it("a healthy receiver does not wait for those of its organization that hang", async () => {
    const tenant = await newTenant();
    for (let i = 0; i < 7; i++) await subscribe(tenant, "hang");
    const healthy = await subscribe(tenant, "ok");
    for (let i = 0; i < 4; i++) await storeEvent(tenant);
    const relay = impatient();
    await consumeEventsOf(relay, tenant);
    // Turns one after another, as a local run takes them; nobody waits for the receivers that hang.
    for (let turns = 0; relay.deliveries.quick.held.length > 0 && turns < 10; turns++) {
      relay.deliveries.quick.held.shift();
      await takeTurn(relay, tenant.organizationId, "quick");
    }
    expect(await seenBy(healthy.name)).toHaveLength(4);
    expect(relay.late.length).toBeGreaterThan(0);
    await Promise.all(relay.late);
  });
});
