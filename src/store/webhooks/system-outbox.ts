/** The outbox and the deliveries that are made of it: all organizations, for the relay alone. */
import { sql, type SQL } from "drizzle-orm";
import { newId } from "../../lib/ids.ts";
import { blogTag, mediaTag } from "../../domain/cache-tags.ts";
import { deliveries, events, webhookSubscriptions as subscriptions } from "./schema.ts";
import { firstRow, prepare, rows, transaction, type Database } from "../core/sql.ts";
import type { OpenDelivery } from "./system-deliveries.ts";

/** Subscriptions that one page of a fan-out serves. */
const PAGE = 500;

export type OutboxEvent = {
  readonly seq: number;
  readonly id: string;
  readonly organizationId: string;
  readonly blogId: string | null;
  readonly kind: string;
};

/** An event that has not been fanned out to the end, or null. */
export function findPendingEvent(db: Database, id: string): Promise<OutboxEvent | null> {
  return firstRow<OutboxEvent>(
    db,
    sql`select seq, id, organization_id as "organizationId", blog_id as "blogId", kind
      from ${events} where id = ${id} and fan_out_time is null`,
  );
}

/**
 * Inserts the deliveries of an event for one page of its matching subscriptions. Repeating it inserts
 * none twice: an event and a subscription have one delivery.
 *
 * Returns the page's open deliveries, and where the next page begins (null: nowhere).
 */
export async function fanOutPage(
  db: Database,
  event: OutboxEvent,
  after: string,
  now: Date,
): Promise<{ open: OpenDelivery[]; next: string | null }> {
  const matching = await matchingSubscriptions(db, event, after);
  const last = matching.at(-1);
  if (last === undefined) return { open: [], next: null };
  const time = now.toISOString();
  const planned = matching.map(({ id, epoch }) => [newId(), id, epoch]);
  const { found } = await transaction(db, {
    inserted: sql`insert into ${deliveries}
        (id, organization_id, event_id, subscription_id, epoch, state, creation_time, enqueue_time)
      select value ->> 0, ${event.organizationId}, ${event.id}, value ->> 1, value ->> 2, 'open', ${time}, ${time}
      from json_each(${JSON.stringify(planned)}) where true
      on conflict (event_id, subscription_id) do nothing`,
    found: sql<{
      id: string;
      subscriptionId: string;
    }>`select id, subscription_id as "subscriptionId" from ${deliveries} where event_id = ${event.id}
      and subscription_id > ${after} and subscription_id <= ${last.id} and state = 'open'`,
  });
  const { organizationId } = event;
  const slow = new Set(matching.flatMap((subscription) => (subscription.slow === 1 ? [subscription.id] : [])));
  const open = found.map(({ id, subscriptionId }) => ({
    id,
    organizationId,
    slow: slow.has(subscriptionId),
  }));
  return { open, next: matching.length < PAGE ? null : last.id };
}

/** The subscriptions that an event reaches (contract 11.4); none that began after the event (contract 11.2). */
function matchingSubscriptions(db: Database, event: OutboxEvent, after: string) {
  return rows<{ id: string; epoch: number; slow: number }>(
    db,
    sql`select id, epoch, slow from ${subscriptions}
      where organization_id = ${event.organizationId} and id > ${after} and active = 1 and since_seq < ${event.seq}
        and (blog_id is null or blog_id = ${event.blogId})
        and (events = '[]' or exists (select 1 from json_each(events) where value = ${event.kind}))
      order by id limit ${PAGE}`,
  );
}

/** The open deliveries of an event that is not fanned out: a ping is made with its one delivery. */
export async function openDeliveriesOf(db: Database, { id, organizationId }: OutboxEvent): Promise<OpenDelivery[]> {
  const found = await rows<{ id: string; slow: number | null }>(
    db,
    sql`select d.id, s.slow from ${deliveries} d left join ${subscriptions} s on s.id = d.subscription_id
      where d.event_id = ${id} and d.state = 'open'`,
  );
  return found.map((row) => ({ id: row.id, organizationId, slow: row.slow === 1 }));
}

/** Notes that all deliveries of an event exist and are with the queues. */
export async function markFannedOut(db: Database, eventId: string, now: Date): Promise<void> {
  await prepare(db, sql`update ${events} set fan_out_time = ${now.toISOString()} where id = ${eventId}`).run();
}

/** Events that should have been fanned out by now, taken for sending again. */
export async function takeStrandedEvents(db: Database, olderThan: Date, now: Date, most: number): Promise<string[]> {
  const found = await rows<{ id: string }>(
    db,
    sql`update ${events} set enqueue_time = ${now.toISOString()} where seq in (
        select seq from ${events} where fan_out_time is null and enqueue_time < ${olderThan.toISOString()}
        order by enqueue_time limit ${most}) returning id`,
  );
  return found.map((row) => row.id);
}

/** What the edge may hold of articles that have changed since a time: its tags. */
export const changedTags = (db: Database, since: Date): Promise<string[]> =>
  tagsOf(db, sql`creation_time >= ${since.toISOString()}`);

/** The tags of what the edge may hold of the articles that these events are about. */
export const findEventTags = (db: Database, eventIds: readonly string[]): Promise<string[]> =>
  tagsOf(db, sql`id in (select value from json_each(${JSON.stringify(eventIds)}))`);

/** One tag for all articles of a blog; an article that is gone takes its images along. */
async function tagsOf(db: Database, which: SQL): Promise<string[]> {
  const found = await rows<{ blogId: string; removed: string | null }>(
    db,
    sql`select distinct blog_id as "blogId", case kind when 'article.deleted' then data ->> '$._id' end as "removed"
      from ${events} where ${which} and kind like 'article.%' limit 1000`,
  );
  const tags = new Set<string>();
  for (const { blogId, removed } of found) {
    tags.add(blogTag(blogId));
    if (removed !== null) tags.add(mediaTag(removed));
  }
  return [...tags];
}
