/** In the console, a delivery is sent again, and a webhook gets what it has missed. */
import { expect, it } from "vitest";
import { signedIn } from "../helpers/console.ts";
import { relayEvents, storeEvent, testRelay } from "../helpers/relay.ts";
import { sendJson } from "../helpers/requests.ts";
import { newTenant } from "../helpers/tenant.ts";
import { received, settled, subscribe, subscriptionNow } from "../helpers/webhooks.ts";

it("delivers one event again, and all that was missed while the webhook was inactive, which it reactivates", async () => {
  const tenant = await newTenant();
  const { browser } = await signedIn(tenant.organizationId, "admin");
  const { _id, name } = await subscribe(tenant, "fail-1");
  const failed = await storeEvent(tenant);
  await relayEvents(testRelay(), tenant);
  const [path, one] = [`/console/webhooks/${_id}`, `/console/webhooks/${_id}/deliveries/${failed}`];
  expect((await browser.submit(one, `${one}/redeliver`)).status).toBe(303);
  await received(name, 2);
  await settled(tenant, _id, 1);
  const { text } = await browser.get(one);
  expect(text).toMatch(/Delivered again<\/dt>\s*<dd>Once/);
  expect((await browser.get(`${path}?event=article.updated`)).text).toContain(failed);
  expect((await browser.get(`${path}?event=ping`)).text).not.toContain(failed);
  expect((await browser.get(`${path}?to=2026-01-01`)).text).toContain("No deliveries match.");

  // Of an active webhook, it leaves the count of failures as it is.
  const redelivered = await browser.submit(`${path}/redeliver`, `${path}/redeliver`, { from: "" });
  expect(redelivered.headers.get("Location")).toBe(`${path}?done=nothing-missing`);
  expect((await subscriptionNow(tenant, _id)).failureStreak).toBe(1);

  const as = { operatorToken: tenant.operatorToken };
  await sendJson(200, `/api/webhooksubscriptions/${_id}`, { as, method: "PUT", body: { active: false } });
  expect((await browser.get(one)).text).toContain("reactivate the webhook first");
  const missed = await storeEvent(tenant);
  await relayEvents(testRelay(), tenant);
  expect((await browser.get(`${path}/redeliver`)).text).toContain("It is reactivated first");
  const sent = await browser.submit(`${path}/redeliver`, `${path}/redeliver`, { from: "" });
  expect(sent.headers.get("Location")).toBe(`${path}?done=redeliveries-started`);
  const seen = await received(name, 3);
  expect(seen.at(-1)?.headers["webhook-id"]).toBe(missed);
  expect((await subscriptionNow(tenant, _id)).active).toBe(true);
  const again = await browser.submit(`${path}/redeliver`, `${path}/redeliver`, { from: "2026-01-01" });
  expect(again.headers.get("Location")).toBe(`${path}?done=nothing-missing`);
});

it("replaces a secret by that of a second webhook, and ends the old one now", async () => {
  const tenant = await newTenant();
  const { browser } = await signedIn(tenant.organizationId, "admin");
  const { _id, secret } = await subscribe(tenant);
  const path = `/console/webhooks/${_id}`;
  const page = await browser.submit(`${path}/replace`, `${path}/replace`);
  const [, shown] = /<input id="secret"[^>]* value="([^"]+)"/.exec(page.text) ?? [];
  expect(shown).toMatch(/^whsec_/);
  expect(shown).not.toBe(secret);
  const [, next] = /href="(\/console\/webhooks\/[\da-f-]{36})"/.exec(page.text) ?? [];
  const old = await browser.get(path);
  expect(old.text).toContain(`<a href="${next}">Another webhook</a>`);
  expect(old.text).not.toContain("Replace secret");
  expect((await browser.get(next ?? "")).text).toContain(`<a href="${path}/delete">End the old one now…</a>`);
  expect((await browser.get(`${path}/delete`)).text).toContain("with the old signing secret");
  await browser.submit(`${path}/delete`, `${path}/delete`);
  expect((await browser.get(next ?? "")).text).not.toContain("End the old one now");
});
