/** Contract 11.14: the deliveries of a day are used up to the last one, and then events wait, whole and in order. */
import { env } from "cloudflare:workers";
import { beforeEach, expect, it } from "vitest";
import { parseSettings } from "../../src/env.ts";
import { newId } from "../../src/lib/ids.ts";
import { recordHealth } from "../../src/store/edge/system-health.ts";
import { fanOutAlone } from "../../src/background/webhooks/fan-out.ts";
import { sweepWebhooks } from "../../src/background/webhooks/sweep.ts";
import { refusalOf } from "../helpers/refusals.ts";
import { send, sendJson } from "../helpers/requests.ts";
import { consumeEventsOf, deliveryRowsOf, storeEvent, testRelay, type TestRelay } from "../helpers/relay.ts";
import { newTenant, type Tenant } from "../helpers/tenant.ts";
import { storeAt, usageOf } from "../helpers/usage.ts";

const TODAY = new Date("2999-12-30T12:00:00.000Z");
const TOMORROW = new Date("2999-12-31T00:00:00.000Z");

let tenant: Tenant;
beforeEach(async () => {
  tenant = await newTenant();
  // What waits since an earlier test would be counted by the health check.
  await env.DB.batch([
    env.DB.prepare("delete from events where organization_id in (select organization_id from waiting_outboxes)"),
    env.DB.prepare("delete from waiting_outboxes"),
  ]);
});

const relayAt = (now: Date, deliveriesPerDay: number): TestRelay =>
  testRelay({ now: () => now, quota: { ...parseSettings(env).quota, deliveriesPerDay } });

async function subscribe(count: number, as: Tenant = tenant): Promise<string[]> {
  const url = `${env.RECEIVER.url}/ok/${newId()}`;
  const ids: string[] = [];
  for (let index = 0; index < count; index++) {
    const { _id } = await sendJson<{ _id: string }>(200, "/api/webhooksubscriptions", {
      as: { operatorToken: as.operatorToken },
      body: { url },
    });
    ids.push(_id);
  }
  return ids;
}

const madeOf = (eventIds: readonly string[]): Promise<number[]> =>
  Promise.all(eventIds.map(async (id) => (await deliveryRowsOf(id)).length));

const stored = async (count: number, kind?: string, data?: unknown): Promise<string[]> => {
  const ids: string[] = [];
  for (let index = 0; index < count; index++) ids.push(await storeEvent(tenant, kind, data));
  return ids;
};

const waiting = () =>
  env.DB.prepare("select deliveries, time from waiting_outboxes where organization_id = ?")
    .bind(tenant.organizationId)
    .first<{ deliveries: number; time: string }>();

const usedToday = async () => (await usageOf(tenant.organizationId)).counted.dayDeliveries;

it("makes as many as the day has, the rest on the next day, and counts them", async () => {
  await subscribe(2);
  const events = await stored(4);
  const relay = relayAt(TODAY, 5);
  await consumeEventsOf(relay, tenant);
  expect(await madeOf(events)).toEqual([2, 2, 0, 0]);
  expect(await usedToday()).toBe(4);
  expect(await waiting()).toEqual({ deliveries: 2, time: TODAY.toISOString() });
  expect(relay.logged).toEqual([
    { level: "warn", message: "deliveries of the day used up", organizationId: tenant.organizationId },
  ]);
  await consumeEventsOf(relay, tenant);
  expect(await madeOf(events)).toEqual([2, 2, 0, 0]);
  expect(relay.logged).toHaveLength(1);

  await consumeEventsOf(relayAt(TOMORROW, 5), tenant);
  expect(await madeOf(events)).toEqual([2, 2, 2, 2]);
  expect((await usageOf(tenant.organizationId)).counted).toMatchObject({ day: "2999-12-31", dayDeliveries: 4 });
  expect(await waiting()).toBeNull();
});

it("gives the last ones to one of two that fan out at once", async () => {
  await subscribe(1);
  const events = await stored(3);
  const relay = relayAt(TODAY, 2);
  await Promise.all([consumeEventsOf(relay, tenant), consumeEventsOf(relay, tenant), consumeEventsOf(relay, tenant)]);
  expect(await madeOf(events)).toEqual([1, 1, 0]);
  expect(await usedToday()).toBe(2);
});

it("goes on as soon as the operator raises the quota, or nobody wants the event any more", async () => {
  const [id] = await subscribe(1);
  const events = await stored(3);
  await consumeEventsOf(relayAt(TODAY, 1), tenant);
  await consumeEventsOf(relayAt(TODAY, 2), tenant);
  expect(await madeOf(events)).toEqual([1, 1, 0]);
  const as = { operatorToken: tenant.operatorToken };
  await sendJson(200, `/api/webhooksubscriptions/${id}`, { as, method: "DELETE" });
  // The first one notices that nothing is needed, the second one goes on.
  for (let minute = 0; minute < 2; minute++) await consumeEventsOf(relayAt(TODAY, 2), tenant);
  expect(await waiting()).toBeNull();
});

it("lets an event through that alone needs more than a day has, as the first of its day", async () => {
  await subscribe(3);
  const events = await stored(2);
  await consumeEventsOf(relayAt(TODAY, 2), tenant);
  expect(await madeOf(events)).toEqual([3, 0]);
  await consumeEventsOf(relayAt(TOMORROW, 2), tenant);
  expect(await madeOf(events)).toEqual([3, 3]);
});

it("purges the edge all the same, each change once", async () => {
  await subscribe(1);
  const relay = relayAt(TODAY, 1);
  const purges = async () => {
    const query = env.DB.prepare("select tag from purges where organization_id = ? order by tag");
    const { results } = await query.bind(tenant.organizationId).all<{ tag: string }>();
    await env.DB.prepare("delete from purges where organization_id = ?").bind(tenant.organizationId).run();
    return results.map(({ tag }) => tag);
  };
  await stored(1);
  await consumeEventsOf(relay, tenant);
  expect(await purges()).toHaveLength(1);
  const gone = newId();
  const events = [...(await stored(12)), ...(await stored(1, "article.deleted", { _id: gone }))];
  await consumeEventsOf(relay, tenant);
  const tags = await purges();
  expect(tags).toHaveLength(2);
  expect(tags.join()).toContain(gone);
  await consumeEventsOf(relay, tenant);
  await consumeEventsOf(relayAt(TOMORROW, 100), tenant);
  expect(await madeOf(events)).toEqual(events.map(() => 1));
  expect(await purges()).toEqual([]);
});

it("does not hold up another organization, and is no alarm, but shown", async () => {
  await subscribe(1);
  await stored(2);
  const relay = relayAt(TODAY, 1);
  await consumeEventsOf(relay, tenant);
  const other = await newTenant();
  await subscribe(1, other);
  const event = await storeEvent(other);
  await consumeEventsOf(relay, tenant, other);
  expect(await madeOf([event])).toEqual([1]);

  await recordHealth(env.DB, new Date(), parseSettings(env).quota);
  const health = await sendJson<{ late: string[]; events: object; waitingOutboxes: object }>(200, "/healthz");
  expect(health).toMatchObject({
    late: [],
    events: { count: 0, oldest: null },
    waitingOutboxes: { count: 1, oldest: TODAY.toISOString() },
  });
});

it("is looked at again by the sweep of each minute", async () => {
  await subscribe(1);
  await stored(2);
  await consumeEventsOf(relayAt(TODAY, 1), tenant);
  const relay = relayAt(TOMORROW, 1);
  await sweepWebhooks(relay);
  expect(relay.events.take()).toContainEqual({ organizationId: tenant.organizationId });
});

it("refuses a ping with a code of its own", async () => {
  const [id = ""] = await subscribe(1);
  const store = await storeAt(tenant, TODAY, { deliveriesPerDay: 1 });
  await store.ping(id);
  expect(await usedToday()).toBe(1);
  await expect(store.ping(id)).rejects.toMatchObject({
    code: "delivery_limit",
    details: { retryAfterSeconds: 12 * 3600, limits: [{ name: "delivery_limit", quota: 1, seconds: 86_400 }] },
  });
  const as = { operatorToken: tenant.operatorToken };
  const bindings = { ORGANIZATION_DELIVERIES_PER_DAY: "1" } as unknown as Partial<Env>;
  const response = await send(`/api/webhooksubscriptions/${id}/ping`, { as, method: "POST", bindings });
  await refusalOf(response, "delivery_limit");
});

it("is kept where one event cannot be fanned out, and the others are fanned out alone", async () => {
  await subscribe(1);
  const events = await stored(4);
  // The purge of the edge reads the data of articles' events.
  await env.DB.prepare("update events set data = 'poison' where id = ?").bind(events[0]).run();
  await consumeEventsOf(relayAt(TODAY, 2), tenant);
  expect(await madeOf(events)).toEqual([0, 1, 1, 0]);
  expect(await usedToday()).toBe(2);
  expect(await waiting()).toEqual({ deliveries: 1, time: TODAY.toISOString() });
  // It was set aside, and has to wait for room as well; once it is fanned out, it is counted and purged once.
  await env.DB.batch([
    env.DB.prepare("update events set data = '{}' where id = ?").bind(events[0]),
    env.DB.prepare("delete from purges where organization_id = ?").bind(tenant.organizationId),
  ]);
  const poisoned = { organizationId: tenant.organizationId, eventId: events[0] ?? "" };
  await fanOutAlone(relayAt(TODAY, 2), poisoned);
  expect(await madeOf(events)).toEqual([0, 1, 1, 0]);
  const relay = relayAt(TOMORROW, 2);
  for (let times = 0; times < 2; times++) await fanOutAlone(relay, poisoned);
  expect(relay.purges.take()).toHaveLength(1);
  await consumeEventsOf(relay, tenant);
  expect(await madeOf(events)).toEqual([1, 1, 1, 1]);
  expect(await usedToday()).toBe(2);
});
