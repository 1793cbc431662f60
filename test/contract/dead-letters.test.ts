/** Contract 11.13: what the service always fails to send ends as a dead letter, and can be tried again. */
import { env } from "cloudflare:workers";
import { describe, expect, it } from "vitest";
import { LIMITS } from "../../src/domain/limits.ts";
import { sweepWebhooks } from "../../src/background/webhooks/sweep.ts";
import { deliveryRowsOf, relayEvents, storeEvent, testRelay, type TestRelay } from "../helpers/relay.ts";
import { refusalOf } from "../helpers/refusals.ts";
import { send, sendJson } from "../helpers/requests.ts";
import { newTenant, type Tenant } from "../helpers/tenant.ts";
import { deliveriesOf, seenBy, subscribe } from "../helpers/webhooks.ts";

type Letter = {
  _id: string;
  event: string;
  webhookSubscriptionId: string | null;
  tries: number;
  creationTime: string;
  lastTryTime: string;
  deadTime: string | null;
};

const PATH = "/api/deadletters";
const operator = ({ operatorToken }: Tenant) => ({ as: { operatorToken } });
const lettersOf = (tenant: Tenant): Promise<Letter[]> => sendJson(200, PATH, operator(tenant));

/** Stores an event whose data is not JSON. */
async function storePoison(tenant: Tenant, kind: string): Promise<string> {
  const id = await storeEvent(tenant, kind);
  await env.DB.prepare("update events set data = 'poison' where id = ?").bind(id).run();
  return id;
}

const repair = (id: string) => env.DB.prepare("update events set data = '{}' where id = ?").bind(id).run();

/** Sweeps, and does what the sweep has asked for; returns the relay. */
async function sweptAs(tenant: Tenant): Promise<TestRelay> {
  const relay = testRelay();
  await sweepWebhooks(relay);
  await relayEvents(relay, tenant);
  return relay;
}

/** Sweeps until a letter has been tried as often as it is. */
async function sweepUntilDead(tenant: Tenant): Promise<TestRelay> {
  for (let tries = 2; tries < LIMITS.relayTries; tries++) await sweptAs(tenant);
  expect(await lettersOf(tenant)).toMatchObject([{ tries: LIMITS.relayTries - 1, deadTime: null }]);
  return sweptAs(tenant);
}

describe.each([
  // The purge of the edge reads the data of articles' events, so the fan-out fails; contacts have none.
  { what: "an event that cannot be fanned out", kind: "article.updated", isDelivery: false },
  { what: "a delivery that cannot be sent", kind: "contact.created", isDelivery: true },
])("$what", ({ kind, isDelivery }) => {
  async function poisoned() {
    const tenant = await newTenant();
    const { _id, name } = await subscribe(tenant, "ok");
    const poison = await storePoison(tenant, kind);
    const sound = await storeEvent(tenant);
    const relay = testRelay();
    await relayEvents(relay, tenant);
    return { tenant, name, subscriptionId: _id, poison, sound, relay };
  }

  it("holds up no other event, is dead after ten tries, and operators see it", async () => {
    const { tenant, name, subscriptionId, poison, sound, relay } = await poisoned();
    expect(await deliveryRowsOf(sound)).toMatchObject([{ state: "succeeded" }]);
    expect(relay.logged).toMatchObject([{ level: "warn", message: "event set aside", event: poison, tries: 1 }]);
    const webhookSubscriptionId = isDelivery ? subscriptionId : null;
    expect(await lettersOf(tenant)).toMatchObject([{ event: kind, webhookSubscriptionId, tries: 1, deadTime: null }]);

    const last = await sweepUntilDead(tenant);
    expect(last.logged).toMatchObject([{ level: "error", message: "event dead", event: poison }]);
    expect(await lettersOf(tenant)).toMatchObject([{ tries: LIMITS.relayTries, deadTime: expect.any(String) }]);
    const after = await sweptAs(tenant);
    expect(after.logged).toEqual([]);
    expect(await sendJson(200, "/healthz")).toMatchObject({ late: ["dead"], dead: { count: 1 } });
    const log = await deliveriesOf(tenant, subscriptionId);
    expect(log.filter(({ state }) => state === "dead")).toHaveLength(isDelivery ? 1 : 0);
    expect(await seenBy(name)).toHaveLength(1);

    await repair(poison);
    const [letter] = await lettersOf(tenant);
    const retried = await sendJson<Letter>(202, `${PATH}/${letter?._id}/retry`, {
      ...operator(tenant),
      method: "POST",
    });
    expect(retried).toEqual({ ...letter, tries: 0, deadTime: null });
    await sweptAs(tenant);
    await sweptAs(tenant);
    expect(await deliveryRowsOf(poison)).toMatchObject([{ state: "succeeded", error: null }]);
    expect(await seenBy(name)).toHaveLength(2);
    expect(await lettersOf(tenant)).toEqual([]);
    const again = await send(`${PATH}/${letter?._id}/retry`, { ...operator(tenant), method: "POST" });
    await refusalOf(again, "not_found");
  });

  it("is forgotten once there is nothing left to send", async () => {
    const { tenant, subscriptionId, poison } = await poisoned();
    await sendJson(200, `/api/webhooksubscriptions/${subscriptionId}`, { ...operator(tenant), method: "DELETE" });
    if (!isDelivery) await env.DB.prepare("delete from events where id = ?").bind(poison).run();
    await sweptAs(tenant);
    await sweptAs(tenant);
    expect(await lettersOf(tenant)).toEqual([]);
  });
});

it("a delivery that is set aside makes none late, however old its event", async () => {
  const tenant = await newTenant();
  await subscribe(tenant, "ok");
  await storePoison(tenant, "contact.created");
  await relayEvents(testRelay(), tenant);
  const relay = testRelay({ now: () => new Date(Date.now() + 11 * 60_000) });
  await sweepWebhooks(relay);
  expect(await sendJson(200, "/healthz")).toMatchObject({ late: expect.not.arrayContaining(["deliveries"]) });
  await relayEvents(relay, tenant);
  expect(await lettersOf(tenant)).toMatchObject([{ tries: 2 }]);
});

describe("a fan-out", () => {
  it("that fails as the queue is down sets nothing aside, and is repeated", async () => {
    const tenant = await newTenant();
    const { name } = await subscribe(tenant, "ok");
    await storeEvent(tenant);
    const relay = testRelay();
    relay.deliveries.quick.sendBatch = () => Promise.reject(new Error("queue is down"));
    await relayEvents(relay, tenant);
    expect(relay.logged).toMatchObject([{ message: "queue message failed" }]);
    expect(await lettersOf(tenant)).toEqual([]);
    await sweptAs(tenant);
    expect(await seenBy(name)).toHaveLength(1);
  });
});
