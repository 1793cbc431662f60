/** Contract 11.11: the log is filtered, and tells failures apart. */
import { env } from "cloudflare:workers";
import { v7 } from "uuid";
import { expect, it } from "vitest";
import { DELIVERY_STATES } from "../../src/domain/events.ts";
import { outcome } from "../helpers/outcome.ts";
import { relayEvents, storeEvent, testRelay } from "../helpers/relay.ts";
import { sendJson } from "../helpers/requests.ts";
import { newTenant } from "../helpers/tenant.ts";
import { subscribe, type DeliveryBody } from "../helpers/webhooks.ts";

it.each([
  ["status-500", "status"],
  ["redirect-302", "redirect"],
  ["status-521", "refused"],
  ["status-522", "timeout"],
  ["status-523", "unreachable"],
  ["status-526", "tls"],
  ["status-530", "dns"],
  ["reset", "connection"],
  ["garbage", "connection"],
])("11.11: the error of a receiver that does %s is %s", async (behaviour, error) => {
  const tenant = await newTenant();
  const { _id } = await subscribe(tenant, behaviour);
  await storeEvent(tenant);
  await relayEvents(testRelay(), tenant);
  const as = { operatorToken: tenant.operatorToken };
  expect(await sendJson(200, `/api/webhooksubscriptions/${_id}/deliveries`, { as })).toMatchObject([
    { state: "failed", error },
  ]);
});

it("11.11: an address where nobody listens is a failed connection", async () => {
  const tenant = await newTenant();
  const { _id } = await subscribe(tenant, "ok", { url: `${env.RECEIVER.refusing}/hook` });
  await storeEvent(tenant);
  await relayEvents(testRelay(), tenant);
  const as = { operatorToken: tenant.operatorToken };
  const log = await sendJson(200, `/api/webhooksubscriptions/${_id}/deliveries`, { as });
  expect(log).toMatchObject([{ state: "failed", status: null, error: "connection" }]);
});

it("11.11: the log is filtered by state, kind and the times of the events, page by page", async () => {
  const tenant = await newTenant();
  const { _id } = await subscribe(tenant);
  const as = { operatorToken: tenant.operatorToken };
  const ids: string[] = [];
  // Not those of the clock, which may go back: ids then keep their time.
  const first = Date.now() - 60_000;
  for (const [n, kind] of ["article.updated", "blog.created", "article.updated", "article.updated"].entries()) {
    ids.push(await storeEvent(tenant, kind, {}, v7({ msecs: first + n * 1000 })));
  }
  await relayEvents(testRelay(), tenant);
  const list = async (query: string) =>
    (
      await sendJson<(DeliveryBody & { eventId: string })[]>(
        200,
        `/api/webhooksubscriptions/${_id}/deliveries?${query}`,
        { as },
      )
    ).map(({ eventId }) => ids.indexOf(eventId));
  const timeOf = (n: number) => new Date(first + n * 1000).toISOString();
  expect(await list("event=article.updated")).toEqual([3, 2, 0]);
  expect(await list("event=article.updated&limit=1&skip=1")).toEqual([2]);
  expect(await list(`from=${timeOf(1)}&until=${timeOf(3)}`)).toEqual([2, 1]);
  expect(await list(`from=${timeOf(1)}&event=article.updated&state=succeeded`)).toEqual([3, 2]);
  for (const state of DELIVERY_STATES.filter((each) => each !== "succeeded"))
    expect(await list(`state=${state}`)).toEqual([]);
  const wrong = `/api/webhooksubscriptions/${_id}/deliveries?event=article.published`;
  expect(await outcome(wrong, { as })).toBe("400 invalid_request");
});
