/** What the minute's sweep does beside sending again: purging the edge, and forgetting what is old. */
import { env } from "cloudflare:workers";
import { createScheduledController } from "cloudflare:test";
import { describe, expect, it } from "vitest";
import worker from "../../src/worker.ts";
import { sweepWebhooks } from "../../src/background/webhooks/sweep.ts";
import { newIdeas } from "../helpers/ideas.ts";
import { quiet } from "../helpers/refusals.ts";
import {
  consumeDeliveriesOf,
  consumeEventsOf,
  deliveryRowsOf,
  relayEvents,
  storeEvent,
  testRelay,
} from "../helpers/relay.ts";
import { sendJson } from "../helpers/requests.ts";
import { newArticle, newTenant } from "../helpers/tenant.ts";
import { received, seenBy, subscribe } from "../helpers/webhooks.ts";

const inDays = (days: number) => () => new Date(Date.now() + days * 86_400_000);

async function eventsOf(blogId: string): Promise<string[]> {
  const query = env.DB.prepare("select id from events where blog_id = ? and kind like 'article.%' order by seq");
  return (await query.bind(blogId).all<{ id: string }>()).results.map(({ id }) => id);
}

it("a queue of purges that takes nothing is logged, and does not keep webhooks from going out", async () => {
  const tenant = await newTenant();
  const { name } = await subscribe(tenant, "ok");
  const relay = testRelay();
  relay.purges.send = () => Promise.reject(new Error("queue is down"));
  await storeEvent(tenant);
  await relayEvents(relay, tenant);
  expect(relay.logged).toMatchObject([{ level: "warn", message: "purge not asked for" }]);
  await received(name);
  const again = testRelay();
  await sweepWebhooks(again);
  expect(again.purges.held).toHaveLength(1);
});

describe("retention", () => {
  it("deliveries go after 7 days, events after 30, audit rows after 90, idempotent answers after one", async () => {
    const tenant = await newTenant();
    await subscribe(tenant, "ok");
    const body = { blogId: tenant.blogId, title: "kept" };
    const asked = { as: { apiKey: tenant.apiKey }, body, headers: { "Idempotency-Key": "kept" } };
    await sendJson(200, "/api/articles", asked);
    const [eventId = ""] = await eventsOf(tenant.blogId);
    await relayEvents(testRelay(), tenant);
    await expect.poll(async () => (await deliveryRowsOf(eventId)).map(({ state }) => state)).toEqual(["succeeded"]);

    const kept = async () => {
      const count = async (table: string) =>
        (
          await env.DB.prepare(`select count(*) as n from ${table} where organization_id = ?`)
            .bind(tenant.organizationId)
            .first<{ n: number }>()
        )?.n;
      return [await count("deliveries"), await count("events"), await count("audit"), await count("idempotency")];
    };
    // The last event of all stays, so this one must not be it.
    await newArticle(await newTenant("Other"));
    // An event that was never fanned out would stay: that of the article is under way in the real queue.
    await quiet();
    const [, , rows = 0] = await kept();
    await sweepWebhooks(testRelay({ now: inDays(0.9) }));
    expect(await kept()).toMatchObject([expect.any(Number), expect.any(Number), rows, 1]);
    await sweepWebhooks(testRelay({ now: inDays(1.1) }));
    expect((await kept())[3]).toBe(0);
    const [, events] = await kept();
    await sweepWebhooks(testRelay({ now: inDays(6.9) }));
    expect(await kept()).toEqual([1, events, rows, 0]);
    await sweepWebhooks(testRelay({ now: inDays(7.1) }));
    await sweepWebhooks(testRelay({ now: inDays(7.1) }));
    expect(await kept()).toEqual([0, events, rows, 0]);
    await sweepWebhooks(testRelay({ now: inDays(29.9) }));
    expect(await kept()).toEqual([0, events, rows, 0]);
    await sweepWebhooks(testRelay({ now: inDays(89.9) }));
    expect(await kept()).toEqual([0, 0, rows, 0]);
    await sweepWebhooks(testRelay({ now: inDays(90.1) }));
    expect(await kept()).toEqual([0, 0, 0, 0]);
  });

  it("counts by the hour go after 30 days", async () => {
    const tenant = await newTenant();
    await subscribe(tenant, "ok");
    await storeEvent(tenant);
    await relayEvents(testRelay(), tenant);
    const count = () =>
      env.DB.prepare("select sum(succeeded) as n from delivery_hours where organization_id = ?")
        .bind(tenant.organizationId)
        .first<number | null>("n");
    expect(await count()).toBe(1);
    await sweepWebhooks(testRelay({ now: inDays(29.9) }));
    expect(await count()).toBe(1);
    // The hour began before the delivery ended: it is older than 30 days an hour later at the latest.
    await sweepWebhooks(testRelay({ now: inDays(30.1) }));
    expect(await count()).toBeNull();
  });

  it("refreshes, generations and what sources' servers gave go after 30 days", async () => {
    const { organizationId, blogId } = await newTenant();
    const put = (text: string, ...values: unknown[]) => env.DB.prepare(text).bind(organizationId, blogId, ...values);
    const time = new Date().toISOString();
    await env.DB.batch([
      put(
        "insert into topic_refreshes (id, organization_id, blog_id, state, creation_time) values (?2, ?1, ?2, 'done', ?3)",
        time,
      ),
      put(
        `insert into topic_refresh_sources (refresh_id, position, organization_id, source, state, enqueue_time)
         values (?2, 0, ?1, '{}', 'read', ?3)`,
        time,
      ),
      put(
        "insert into topic_source_states (organization_id, blog_id, source_key, read_time) values (?1, ?2, '{}', ?3)",
        time,
      ),
      put(
        `insert into generations (id, organization_id, blog_id, actor_kind, actor_id, provider, model, state, creation_time)
         values (?2, ?1, ?2, 'key', 'k', 'p', 'm', 'stored', ?3)`,
        time,
      ),
    ]);
    const kept = async () =>
      Promise.all(
        ["topic_refreshes", "topic_refresh_sources", "topic_source_states", "generations"].map((table) =>
          env.DB.prepare(`select count(*) as n from ${table} where organization_id = ?`)
            .bind(organizationId)
            .first("n"),
        ),
      );
    await sweepWebhooks(testRelay({ now: inDays(29.9) }));
    expect(await kept()).toEqual([1, 1, 1, 1]);
    await sweepWebhooks(testRelay({ now: inDays(30.1) }));
    expect(await kept()).toEqual([0, 0, 0, 0]);
  });

  it("ideas go after a year with what is known of their items, used ones stay", async () => {
    const tenant = await newTenant();
    const creationTime = new Date().toISOString();
    const statuses = ["new", "used", "dismissed"] as const;
    const ids = await newIdeas(
      tenant,
      statuses.map((status) => ({ status, creationTime })),
    );
    await env.DB.prepare(
      "insert into topic_items (organization_id, blog_id, url_key, topic_id) select ?1, ?2, value, value from json_each(?3)",
    )
      .bind(tenant.organizationId, tenant.blogId, JSON.stringify(ids))
      .run();
    const kept = async () => {
      const query = env.DB.prepare(
        "select id, (select count(*) from topic_items where blog_id = ?1) as items from topics where blog_id = ?1 order by id",
      );
      return (await query.bind(tenant.blogId).all<{ id: string; items: number }>()).results;
    };
    await sweepWebhooks(testRelay({ now: inDays(364.9) }));
    expect(await kept()).toEqual(ids.map((id) => ({ id, items: 3 })));
    await sweepWebhooks(testRelay({ now: inDays(365.1) }));
    expect(await kept()).toEqual([{ id: ids[1], items: 1 }]);
  });

  it("a delivery that was never sent is kept with its event, however old, and sent", async () => {
    const tenant = await newTenant();
    const { name } = await subscribe(tenant, "ok");
    const eventId = await storeEvent(tenant);
    await consumeEventsOf(testRelay(), tenant);
    const relay = testRelay({ now: inDays(40) });
    await sweepWebhooks(relay);
    expect(await deliveryRowsOf(eventId)).toMatchObject([{ state: "open" }]);
    expect(relay.deliveries.quick.held).toContainEqual({ organizationId: tenant.organizationId });
    await consumeDeliveriesOf(relay, tenant);
    expect(await seenBy(name)).toHaveLength(1);
  });

  it("an event that was never fanned out is kept, however old", async () => {
    const tenant = await newTenant();
    const eventId = await storeEvent(tenant, "contact.created");
    const queue = testRelay({ now: inDays(40) });
    await sweepWebhooks(queue);
    expect(queue.events.held).toContainEqual({ organizationId: tenant.organizationId });
    expect(await env.DB.prepare("select id from events where id = ?").bind(eventId).first()).not.toBeNull();
  });
});

describe("a sweep", () => {
  it("goes on where one of its parts fails", async () => {
    const tenant = await newTenant();
    await newArticle(tenant);
    const relay = testRelay();
    relay.events.sendBatch = () => Promise.reject(new Error("queue is down"));
    await storeEvent(tenant);
    const late = testRelay({ now: () => new Date(Date.now() + 60_000), events: relay.events });
    await sweepWebhooks(late);
    expect(late.logged).toContainEqual(expect.objectContaining({ message: "sweep failed", part: "events" }));
    expect(late.purges.held).toHaveLength(1);
  });

  it("is what the cron trigger runs", async () => {
    const tenant = await newTenant();
    const { name } = await subscribe(tenant, "ok");
    await storeEvent(tenant);
    await worker.scheduled(createScheduledController(), env);
    // From here the real queues of this run do the rest.
    await received(name);
  });
});
