/** Contract 11.23: operators are warned of failures in a row. */
import { env } from "cloudflare:workers";
import { expect, it } from "vitest";
import type { Mail } from "../../src/background/mail/mail.ts";
import { warnOfStreaks } from "../../src/background/webhooks/warnings.ts";
import { settleDeliveries } from "../../src/store/webhooks/system-settlement.ts";
import { newPerson, signedIn } from "../helpers/console.ts";
import { claimOf, consumeEventsOf, endedAs, relayEvents, storeEvent, testRelay } from "../helpers/relay.ts";
import { sendJson } from "../helpers/requests.ts";
import { newTenant } from "../helpers/tenant.ts";
import { subscribe, subscriptionNow } from "../helpers/webhooks.ts";

const FAILED = { succeeded: false, status: 503, durationMs: 1, error: "status" };

/** An organization with a webhook, and what its operators are told. */
async function warned(behaviour = "status-503") {
  const tenant = await newTenant("Harbor & Pine");
  const people = await Promise.all(
    (["owner", "admin", "writer"] as const).map((role) => newPerson(tenant.organizationId, role)),
  );
  const subscription = await subscribe(tenant, behaviour, { name: "Static site" });
  const mails: Mail[] = [];
  const relay = testRelay({ mailer: async (mail) => void mails.push(mail) });
  const emailsOf = (count: number) =>
    people
      .slice(0, count)
      .map(({ email }) => email)
      .sort();
  return {
    tenant,
    subscription,
    operators: emailsOf(2),
    fail: async (count: number) => {
      for (let n = 0; n < count; n++) await storeEvent(tenant);
      await relayEvents(testRelay(), tenant);
    },
    /** Warns, as two sweeps at once; returns the mails of this organization. */
    sweep: async (): Promise<Mail[]> => {
      mails.length = 0;
      await Promise.all([warnOfStreaks(relay), warnOfStreaks(relay)]);
      return mails.filter(({ to }) => emailsOf(3).includes(to)).sort((one, other) => (one.to < other.to ? -1 : 1));
    },
    audit: async () => {
      const as = { operatorToken: tenant.operatorToken };
      const entries = await sendJson<{ action: string; actor: { kind: string }; resourceId: string }[]>(
        200,
        "/api/audit",
        { as },
      );
      return entries.filter(({ actor }) => actor.kind === "service").map(({ action }) => action);
    },
  };
}

it("at 10, 14, 18 and 20 failures, each operator gets one mail, and the log an entry", async () => {
  const { tenant, subscription, operators, fail, sweep, audit } = await warned();
  await fail(9);
  expect(await sweep()).toEqual([]);
  await fail(1);
  const first = await sweep();
  expect(first.map(({ to }) => to)).toEqual(operators);
  expect(first[0]?.subject).toBe("A webhook has failed 10 times in a row");
  for (const text of [
    '"Static site"',
    new URL(subscription.url).host,
    "Harbor & Pine",
    "status 503",
    "/console/webhooks/",
  ]) {
    expect(first[0]?.text).toContain(text);
  }
  expect(await sweep()).toEqual([]);
  for (const count of [4, 4]) {
    await fail(count);
    expect(await sweep()).toHaveLength(2);
  }
  await fail(2);
  const last = await sweep();
  expect(last.map(({ to, subject }) => [to, subject])).toEqual(
    operators.map((to) => [to, "A webhook was deactivated"]),
  );
  expect(last[0]?.text).toContain(`edgepress webhooks redeliver ${subscription._id} --activate`);
  expect(await audit()).toEqual([
    "webhooksubscriptions.deactivate",
    ...Array.from({ length: 3 }, () => "webhooksubscriptions.warn"),
  ]);
  const { browser } = await signedIn(tenant.organizationId);
  expect((await browser.get("/console/audit")).text).toContain("after 20 failures in a row");
});

it("a streak that jumps over 10 and 14 is warned of once, and a success begins anew", async () => {
  const { tenant, subscription, fail, sweep } = await warned("fail-13");
  await fail(9);
  for (let n = 0; n < 5; n++) await storeEvent(tenant);
  await consumeEventsOf(testRelay(), tenant);
  const { claim, claimed } = await claimOf(tenant);
  expect(claimed).toHaveLength(5);
  await settleDeliveries(env.DB, claim, endedAs(claimed, FAILED), new Date());
  expect((await subscriptionNow(tenant, subscription._id)).failureStreak).toBe(14);
  expect((await sweep()).map(({ subject }) => subject)).toEqual(
    Array(2).fill("A webhook has failed 14 times in a row"),
  );
  const { browser } = await signedIn(tenant.organizationId);
  for (const path of ["/console/webhooks", `/console/webhooks/${subscription._id}`]) {
    expect((await browser.get(path)).text, path).toContain("14 failures in a row");
  }
  // The receiver fails 13 times, of which there were 9.
  await fail(5);
  expect((await subscriptionNow(tenant, subscription._id)).failureStreak).toBe(0);
  await env.DB.prepare("update webhook_subscriptions set failure_streak = 10 where id = ?")
    .bind(subscription._id)
    .run();
  expect(await sweep()).toHaveLength(2);
});
