/** Contract 11.7, 11.8: how a delivery ends, for every way in which a receiver can answer or fail to. */
import { env } from "cloudflare:workers";
import { describe, expect, it } from "vitest";
import { post } from "../../src/outbound/post.ts";
import { sendJson } from "../helpers/requests.ts";
import { newTenant } from "../helpers/tenant.ts";
import { deliveryRowsOf, relayEvents, storeEvent, testRelay } from "../helpers/relay.ts";
import { seenBy, subscribe, subscriptionNow } from "../helpers/webhooks.ts";

type Expected = { state: string; status: number | null; error: string | null; streak: number };

const failed = (status: number | null, error: string): Expected => ({ state: "failed", status, error, streak: 1 });
const succeeded = (status: number): Expected => ({ state: "succeeded", status, error: null, streak: 0 });

const cases: [string, Expected][] = [
  ["status-200", succeeded(200)],
  ["status-201", succeeded(201)],
  ["status-204", succeeded(204)],
  ["status-299", succeeded(299)],
  ["status-199", failed(199, "status")],
  ["redirect-301", failed(301, "redirect")],
  ["redirect-302", failed(302, "redirect")],
  ["redirect-307", failed(307, "redirect")],
  ["status-304", failed(304, "redirect")],
  ["status-400", failed(400, "status")],
  ["status-410", failed(410, "status")],
  ["status-429", failed(429, "status")],
  ["status-500", failed(500, "status")],
  ["status-503", failed(503, "status")],
  ["hang", failed(null, "timeout")],
  ["drip-headers", failed(null, "timeout")],
  // The status came in time: a body that never ends does not make a failure of it.
  ["drip-body", succeeded(200)],
  ["reset", failed(null, "connection")],
  ["close", failed(null, "connection")],
  ["garbage", failed(null, "connection")],
  ["huge-headers", failed(null, "connection")],
];

describe("one attempt per event, whatever the receiver does", () => {
  it.concurrent.each(cases)("%s", async (behaviour, expected) => {
    const tenant = await newTenant();
    const subscription = await subscribe(tenant, behaviour);
    const eventId = await storeEvent(tenant);
    // That the timeout is of five seconds: test/contract/limits.test.ts.
    const relay = testRelay({
      post: (request) => post({ ...request, timeoutMs: expected.error === "timeout" ? 1500 : request.timeoutMs }),
    });
    await relayEvents(relay, tenant);

    expect(await seenBy(subscription.name)).toHaveLength(1);
    expect(await seenBy(`redirected-${subscription.name}`)).toHaveLength(0);
    const [delivery, ...more] = await deliveryRowsOf(eventId);
    expect(more).toEqual([]);
    expect(delivery).toMatchObject({ state: expected.state, status: expected.status, error: expected.error });
    expect(await subscriptionNow(tenant, subscription._id)).toMatchObject({
      active: true,
      failureStreak: expected.streak,
    });
    expect(relay.logged).toEqual([]);
  });

  it("a receiver that refuses the connection, and a name that does not exist, are failures", async () => {
    const tenant = await newTenant();
    const urls = [`${env.RECEIVER.refusing}/x`, "https://does-not-exist.edgepress-example.com/x"];
    for (const url of urls) {
      await sendJson(200, "/api/webhooksubscriptions", { as: { operatorToken: tenant.operatorToken }, body: { url } });
    }
    const eventId = await storeEvent(tenant);
    await relayEvents(testRelay(), tenant);
    const states = (await deliveryRowsOf(eventId)).map(({ state, status, error }) => ({ state, status, error }));
    expect(states).toEqual([
      { state: "failed", status: null, error: "connection" },
      { state: "failed", status: null, error: "connection" },
    ]);
  });

  it("a target that is no longer allowed is not sent to, and fails", async () => {
    const tenant = await newTenant();
    const subscription = await subscribe(tenant, "ok");
    const eventId = await storeEvent(tenant);
    await relayEvents(testRelay({ targetRules: { allowLoopback: false } }), tenant);
    expect(await seenBy(subscription.name)).toEqual([]);
    expect(await deliveryRowsOf(eventId)).toMatchObject([{ state: "failed", error: "target" }]);
    expect((await subscriptionNow(tenant, subscription._id)).failureStreak).toBe(1);
  });

  it("the 5 seconds start when the connection may be made: ten slow receivers wait in line and all succeed", async () => {
    const tenant = await newTenant();
    const names: string[] = [];
    for (let i = 0; i < 10; i++) names.push((await subscribe(tenant, "slow")).name);
    const eventId = await storeEvent(tenant);
    await relayEvents(testRelay(), tenant);
    expect((await deliveryRowsOf(eventId)).map(({ state }) => state)).toEqual(Array(10).fill("succeeded"));
    for (const name of names) expect(await seenBy(name)).toHaveLength(1);
  });
});
