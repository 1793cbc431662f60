/** Slow receivers have a queue of their own, and organizations take turns in a batch: nobody waits behind others. */
import { env } from "cloudflare:workers";
import { createExecutionContext, getQueueResult } from "cloudflare:test";
import { describe, expect, it, vi } from "vitest";
import worker from "../../src/worker.ts";
import { newId } from "../../src/lib/ids.ts";
import { LIMITS } from "../../src/domain/limits.ts";
import { claimDelivery, settleDelivery } from "../../src/store/webhooks/system-deliveries.ts";
import { consumeDeliveries } from "../../src/webhooks/consumer.ts";
import type { DeliveryMessage } from "../../src/webhooks/ports.ts";
import { sweep } from "../../src/webhooks/sweep.ts";
import {
  batchOf,
  consumeEventsOf,
  deliveryRowsOf,
  HeldQueue,
  relayEvent,
  storeEvent,
  testRelay,
} from "../helpers/relay.ts";
import { sendJson } from "../helpers/requests.ts";
import { newArticle, newTenant, type Tenant } from "../helpers/tenant.ts";
import {
  PATIENCE,
  received,
  receiverUrl,
  seenBy,
  settled,
  subscribe,
  subscriptionNow,
  type Subscribed,
} from "../helpers/webhooks.ts";

type Lane = "quick" | "slow";

const idsIn = (messages: readonly DeliveryMessage[]) => messages.flatMap(({ deliveryIds }) => deliveryIds);

/** The queues that the deliveries of a new event go through, once for each delivery. */
async function lanesOf(tenant: Tenant): Promise<Lane[]> {
  const relay = testRelay();
  await consumeEventsOf(relay, [await storeEvent(tenant)]);
  const quick = idsIn(relay.deliveries.take()).map((): Lane => "quick");
  return [...quick, ...idsIn(relay.slowDeliveries.take()).map((): Lane => "slow")];
}

/** Sends a new event to all receivers of an organization, and waits for their answers. */
const deliverEvent = async (tenant: Tenant) => relayEvent(testRelay(), await storeEvent(tenant));

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

describe("a subscription", () => {
  it.each(["late", "hang"])(
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

  /** How a delivery that took so long leaves its subscription. */
  async function after(durationMs: number, { succeeded, slow }: { succeeded: boolean; slow: 0 | 1 }): Promise<Lane[]> {
    const { tenant } = await subscribed(slow);
    const relay = testRelay();
    await consumeEventsOf(relay, [await storeEvent(tenant)]);
    const [id = ""] = idsIn([...relay.deliveries.take(), ...relay.slowDeliveries.take()]);
    const claimed = await claimDelivery(env.DB, id, newId(), relay.now());
    if (claimed === null) throw new Error("not claimed");
    const outcome = { succeeded, status: succeeded ? 200 : 500, durationMs, error: succeeded ? null : "status" };
    await settleDelivery(env.DB, claimed, outcome, relay.now());
    return lanesOf(tenant);
  }

  it.each([true, false])(
    "is slow beyond a second and not before, whether the attempt succeeds: %s",
    async (succeeded) => {
      const limit = LIMITS.slowDeliveryMs;
      expect(await after(limit, { succeeded, slow: 1 })).toEqual(["quick"]);
      expect(await after(limit + 1, { succeeded, slow: 0 })).toEqual(["slow"]);
    },
  );

  it("is sent its pings through the same queue", async () => {
    const { tenant, subscription } = await subscribed(1);
    const [id, time] = [newId(), new Date().toISOString()];
    const { organizationId } = tenant;
    await env.DB.batch([
      env.DB.prepare(
        `insert into events (id, organization_id, kind, data, creation_time, enqueue_time)
         values (?1, ?2, 'ping', '{}', ?3, ?3)`,
      ).bind(id, organizationId, time),
      env.DB.prepare(
        `insert into deliveries (id, organization_id, event_id, subscription_id, epoch, state, creation_time, enqueue_time)
         values (?1, ?2, ?1, ?3, 0, 'open', ?4, ?4)`,
      ).bind(id, organizationId, subscription._id, time),
    ]);
    const relay = testRelay();
    await consumeEventsOf(relay, [id]);
    expect(relay.deliveries.held).toEqual([]);
    expect(relay.slowDeliveries.held).toEqual([{ organizationId, deliveryIds: [id] }]);
  });

  it("shows to be slow by a ping, too, which counts no failure", async () => {
    const { tenant, subscription } = await subscribed(0, "hang");
    const as = { operatorToken: tenant.operatorToken };
    await sendJson(202, `/api/webhooksubscriptions/${subscription._id}/ping`, { as, method: "POST" });
    expect(await settled(tenant, subscription._id, 1)).toMatchObject([{ error: "timeout" }]);
    expect(await lanesOf(tenant)).toEqual(["slow"]);
    expect((await subscriptionNow(tenant, subscription._id)).failureStreak).toBe(0);
  });
});

describe("two queues", () => {
  it("each delivery goes to one of them: the slow ones of an event apart from the others", async () => {
    const tenant = await newTenant();
    for (let i = 0; i < 12; i++) await setSlow((await subscribe(tenant, "ok"))._id, i % 3 === 0 ? 1 : 0);
    const relay = testRelay();
    const eventId = await storeEvent(tenant);
    await consumeEventsOf(relay, [eventId]);
    const [quick, slow] = [relay.deliveries.take(), relay.slowDeliveries.take()];
    expect([idsIn(quick).length, idsIn(slow).length]).toEqual([8, 4]);
    const ids = (await deliveryRowsOf(eventId)).map(({ id }) => id);
    expect([...idsIn(quick), ...idsIn(slow)].sort()).toEqual(ids.sort());
    for (const { organizationId } of [...quick, ...slow]) expect(organizationId).toBe(tenant.organizationId);
  });

  it("the sweep sends each delivery again through the queue of its subscription, with its organization", async () => {
    const worlds = [await subscribed(0), await subscribed(1)];
    const ids: string[] = [];
    for (const { tenant } of worlds) {
      const relay = testRelay();
      await consumeEventsOf(relay, [await storeEvent(tenant)]);
      ids.push(...idsIn([...relay.deliveries.take(), ...relay.slowDeliveries.take()]));
    }
    const later = testRelay({ now: () => new Date(Date.now() + 6 * 60_000) });
    await sweep(later);
    const organizations = worlds.map(({ tenant }) => tenant.organizationId);
    const sent = (messages: readonly DeliveryMessage[]) =>
      ids.map((id) => messages.find(({ deliveryIds }) => deliveryIds.includes(id))?.organizationId);
    expect(ids).toHaveLength(2);
    expect(sent(later.deliveries.held)).toEqual([organizations[0], undefined]);
    expect(sent(later.slowDeliveries.held)).toEqual([undefined, organizations[1]]);
  });

  it("a subscription that changes lanes on the way gets its delivery once, also where it is in both queues", async () => {
    const { tenant, subscription } = await subscribed(1);
    const eventId = await storeEvent(tenant);
    const relay = testRelay();
    await consumeEventsOf(relay, [eventId]);
    await setSlow(subscription._id, 0);
    // As after a crash in the middle of the fan-out: again, and now through the other queue.
    await env.DB.prepare("update events set fan_out_time = null where id = ?").bind(eventId).run();
    await consumeEventsOf(relay, [eventId]);
    const [quick, slow] = [relay.deliveries.take(), relay.slowDeliveries.take()];
    expect(idsIn(quick)).toEqual(idsIn(slow));
    const batches = [batchOf("edgepress-deliveries-slow", slow), batchOf("edgepress-deliveries", quick)];
    for (const batch of batches) {
      await worker.queue(batch, env);
      const { explicitAcks } = await getQueueResult(batch, createExecutionContext());
      expect(explicitAcks).toHaveLength(1);
    }
    expect(await seenBy(subscription.name)).toHaveLength(1);
    expect(await deliveryRowsOf(eventId)).toMatchObject([{ state: "succeeded" }]);
  });

  it("are those of wrangler.toml: the Worker sends to them", async () => {
    const [quick, slow] = [await subscribed(0), await subscribed(1)];
    const bindings = {
      DELIVERIES: new HeldQueue<DeliveryMessage>(),
      DELIVERIES_SLOW: new HeldQueue<DeliveryMessage>(),
    };
    const eventIds = await Promise.all([quick, slow].map(({ tenant }) => storeEvent(tenant)));
    const batch = batchOf(
      "edgepress-events",
      eventIds.map((eventId) => ({ eventId })),
    );
    await worker.queue(batch, { ...env, ...bindings } as unknown as Env);
    const organizations = Object.values(bindings).map(({ held }) => held.map(({ organizationId }) => organizationId));
    expect(organizations).toEqual([[quick.tenant.organizationId], [slow.tenant.organizationId]]);
  });

  it("both have a consumer: a write reaches a slow receiver, too", async () => {
    const { tenant, subscription } = await subscribed(1);
    await newArticle(tenant);
    expect(await received(subscription.name)).toHaveLength(1);
  });
});

it("in a batch, organizations take turns: one delivery does not wait behind another organization's many", async () => {
  const [many, one] = [await newTenant(), await newTenant()];
  const { name } = await subscribe(one, "ok");
  const slow: string[] = [];
  for (let i = 0; i < 2 * LIMITS.connectionsAtOnce; i++) slow.push((await subscribe(many, "slow")).name);
  const relay = testRelay();
  for (const tenant of [many, one]) await consumeEventsOf(relay, [await storeEvent(tenant)]);
  await consumeDeliveries(relay, batchOf("edgepress-deliveries", relay.deliveries.take()));

  const [own] = await seenBy(name);
  const others = (await Promise.all(slow.map(seenBy))).flat();
  expect(others).toHaveLength(slow.length);
  // It came with the first ones: those that had to wait for a lane came after it.
  expect(others.filter(({ at }) => at > (own?.at ?? Infinity)).length).toBeGreaterThanOrEqual(LIMITS.connectionsAtOnce);
});
