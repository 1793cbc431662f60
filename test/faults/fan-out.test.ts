/** One event for thousands of subscriptions. */
import { env } from "cloudflare:workers";
import { expect, inject, it } from "vitest";
import { newId } from "../../src/lib/ids.ts";
import { LIMITS } from "../../src/domain/limits.ts";
import { newTenant } from "../helpers/tenant.ts";
import { consumeDeliveriesOf, consumeEventsOf, storeEvent, testRelay } from "../helpers/relay.ts";
import { seenBy } from "../helpers/webhooks.ts";

const COUNT = inject("exhaustive") ? 10_000 : 2000;
/** Of these, so many are sent, or a few more. */
const SENT = 60;
/** A claim and a settlement read all subscriptions of the organization: nowhere else has one so many. */
const TIMEOUT_MS = 240_000;

it(
  "thousands of subscriptions on one event: each gets one request, within the platform's limits",
  async () => {
    const tenant = await newTenant();
    const name = newId();
    const time = new Date().toISOString();
    const ids = Array.from({ length: COUNT }, newId);
    await env.DB.prepare(
      `insert into webhook_subscriptions (id, organization_id, url, events, active, secret, failure_streak, epoch,
       since_seq, version, creation_time, last_edit_time)
     select value, ?1, ?2, '[]', 1, 'whsec_test', 0, 0, (select coalesce(max(seq), 0) from events), value, ?3, ?3 from json_each(?4)`,
    )
      .bind(tenant.organizationId, `${env.RECEIVER.url}/status-204/${name}`, time, JSON.stringify(ids))
      .run();
    const eventId = await storeEvent(tenant);

    let calls = 0;
    const counted = {
      prepare: env.DB.prepare.bind(env.DB),
      batch: (statements) => (calls++, env.DB.batch(statements)),
    } as typeof env.DB;
    const relay = testRelay({ db: counted });
    await consumeEventsOf(relay, tenant);
    // 1,000 subrequests are allowed in an invocation (paid plan): ten thousand subscriptions take a tenth.
    expect(calls).toBeLessThan(COUNT / 100);
    const found = env.DB.prepare(
      "select count(*) as made, count(distinct subscription_id) as subscriptions from deliveries where event_id = ?",
    );
    expect(await found.bind(eventId).first()).toEqual({ made: COUNT, subscriptions: COUNT });
    // As many turns as may be taken at once.
    const turns = LIMITS.deliveryCredits.quick / LIMITS.connectionsAtOnce;
    expect(relay.deliveries.quick.take()).toEqual(
      Array.from({ length: turns }, () => ({ organizationId: tenant.organizationId })),
    );

    // The queue runs many consumers at once; here are 8, more than there are credits for.
    const sent = async () => (await seenBy(name)).length;
    const consumer = async () => {
      while ((await sent()) < SENT) await consumeDeliveriesOf(relay, tenant);
    };
    await Promise.all(Array.from({ length: 8 }, consumer));

    const states = await env.DB.prepare("select state, count(*) as n from deliveries where event_id = ? group by state")
      .bind(eventId)
      .all<{ state: string; n: number }>();
    const seen = await seenBy(name);
    expect(seen.length).toBeGreaterThanOrEqual(SENT);
    expect(states.results).toEqual([
      { state: "open", n: COUNT - seen.length },
      { state: "succeeded", n: seen.length },
    ]);
    expect(new Set(seen.map(({ headers }) => headers["x-service-delivery"])).size).toBe(seen.length);
  },
  TIMEOUT_MS,
);
