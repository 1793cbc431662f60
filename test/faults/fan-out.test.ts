/** One event for ten thousand subscriptions. */
import { env } from "cloudflare:workers";
import { expect, it } from "vitest";
import { newId } from "../../src/lib/ids.ts";
import { newTenant } from "../helpers/tenant.ts";
import { consumeDeliveriesOf, consumeEventsOf, storeEvent, testRelay } from "../helpers/relay.ts";
import { seenBy } from "../helpers/webhooks.ts";

const COUNT = 10_000;
/** Of these, so many are sent: the others wait in the same messages. */
const SENT = 1000;

it("10,000 subscriptions on one event: each gets one request, within the platform's limits", async () => {
  const tenant = await newTenant();
  const name = newId();
  const time = new Date().toISOString();
  const ids = Array.from({ length: COUNT }, newId);
  await env.DB.prepare(
    `insert into webhook_subscriptions (id, organization_id, url, events, active, secret, failure_streak, epoch,
       since_seq, version, creation_time, last_edit_time)
     select value, ?1, ?2, '[]', 1, 'whsec_x', 0, 0, (select max(seq) from events), value, ?3, ?3 from json_each(?4)`,
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
  await consumeEventsOf(relay, [eventId]);
  // 1,000 subrequests are allowed in an invocation (paid plan).
  expect(calls).toBeLessThan(100);
  const messages = relay.deliveries.take();
  const fannedOut = messages.flatMap(({ deliveryIds }) => deliveryIds);
  expect(new Set(fannedOut).size).toBe(COUNT);
  for (const message of messages) expect(JSON.stringify(message).length).toBeLessThan(128_000);

  // The queue runs many consumers at once; here are 8, and every tenth message comes twice.
  const perMessage = messages[0]?.deliveryIds.length ?? 1;
  const delivered = messages.slice(0, SENT / perMessage);
  const waiting = delivered.flatMap((message, i) => (i % 10 === 0 ? [message, message] : [message]));
  const consumer = async () => {
    for (let message = waiting.shift(); message !== undefined; message = waiting.shift()) {
      await consumeDeliveriesOf(relay, message.deliveryIds);
    }
  };
  await Promise.all(Array.from({ length: 8 }, consumer));

  const states = await env.DB.prepare("select state, count(*) as n from deliveries where event_id = ? group by state")
    .bind(eventId)
    .all();
  expect(states.results).toEqual([
    { state: "open", n: COUNT - SENT },
    { state: "succeeded", n: SENT },
  ]);
  const seen = await seenBy(name);
  expect(seen).toHaveLength(SENT);
  expect(new Set(seen.map(({ headers }) => headers["x-service-delivery"])).size).toBe(SENT);
});
