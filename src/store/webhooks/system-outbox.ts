/** The outbox and the deliveries that are made of it: all organizations, for the relay alone. */
import { and, eq, gt, gte, inArray, isNull, like, lt, lte, sql, type SQL } from "drizzle-orm";
import { newId } from "../../lib/ids.ts";
import { blogTag, mediaTag } from "../../domain/cache-tags.ts";
import { matches } from "./matching.ts";
import { deliveries, events, webhookSubscriptions as subscriptions } from "./schema.ts";
import { bare, insertInto, isOneOf, orm, transaction, type Database } from "../core/sql.ts";
import type { OpenDelivery } from "./system-deliveries.ts";

/** Subscriptions that one page of a fan-out serves. */
const PAGE = 500;

export type OutboxEvent = Pick<typeof events.$inferSelect, "seq" | "id" | "organizationId" | "blogId" | "kind">;

/** An event that has not been fanned out to the end, or null. */
export async function findPendingEvent(db: Database, id: string): Promise<OutboxEvent | null> {
  const { seq, organizationId, blogId, kind } = events;
  const [event] = await orm(db)
    .select({ seq, id: events.id, organizationId, blogId, kind })
    .from(events)
    .where(and(eq(events.id, id), isNull(events.fanOutTime)));
  return event ?? null;
}

const INTO_DELIVERIES = insertInto(deliveries, [
  "id",
  "organizationId",
  "eventId",
  "subscriptionId",
  "epoch",
  "state",
  "creationTime",
  "enqueueTime",
]);

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
    inserted: sql`${INTO_DELIVERIES}
      select value ->> 0, ${event.organizationId}, ${event.id}, value ->> 1, value ->> 2, 'open', ${time}, ${time}
      from json_each(${JSON.stringify(planned)}) where true
      on conflict (${bare(deliveries.eventId)}, ${bare(deliveries.subscriptionId)}) do nothing`,
    found: orm(db)
      .select({ id: deliveries.id, subscriptionId: deliveries.subscriptionId })
      .from(deliveries)
      .where(
        and(
          eq(deliveries.eventId, event.id),
          gt(deliveries.subscriptionId, after),
          lte(deliveries.subscriptionId, last.id),
          eq(deliveries.state, "open"),
        ),
      ),
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
  const { id, epoch, slow } = subscriptions;
  return orm(db)
    .select({ id, epoch, slow })
    .from(subscriptions)
    .where(
      and(
        eq(subscriptions.organizationId, event.organizationId),
        gt(id, after),
        eq(subscriptions.active, true),
        lt(subscriptions.sinceSeq, event.seq),
        matches(event),
      ),
    )
    .orderBy(id)
    .limit(PAGE);
}

/** The open deliveries of an event that is not fanned out: a ping is made with its one delivery. */
export async function openDeliveriesOf(db: Database, { id, organizationId }: OutboxEvent): Promise<OpenDelivery[]> {
  const found = await orm(db)
    .select({ id: deliveries.id, slow: subscriptions.slow })
    .from(deliveries)
    .leftJoin(subscriptions, eq(subscriptions.id, deliveries.subscriptionId))
    .where(and(eq(deliveries.eventId, id), eq(deliveries.state, "open")));
  return found.map((row) => ({ id: row.id, organizationId, slow: row.slow === 1 }));
}

/** Notes that all deliveries of an event exist and are with the queues. */
export async function markFannedOut(db: Database, eventId: string, now: Date): Promise<void> {
  await orm(db).update(events).set({ fanOutTime: now.toISOString() }).where(eq(events.id, eventId));
}

/** Events that should have been fanned out by now, taken for sending again. */
export async function takeStrandedEvents(db: Database, olderThan: Date, now: Date, most: number): Promise<string[]> {
  const stranded = orm(db)
    .select({ seq: events.seq })
    .from(events)
    .where(and(isNull(events.fanOutTime), lt(events.enqueueTime, olderThan.toISOString())))
    .orderBy(events.enqueueTime)
    .limit(most);
  const found = await orm(db)
    .update(events)
    .set({ enqueueTime: now.toISOString() })
    .where(inArray(events.seq, stranded))
    .returning({ id: events.id });
  return found.map((row) => row.id);
}

/** What the edge may hold of articles that have changed since a time: its tags. */
export const changedTags = (db: Database, since: Date): Promise<string[]> =>
  tagsOf(db, gte(events.creationTime, since.toISOString()));

/** The tags of what the edge may hold of the articles that these events are about. */
export const findEventTags = (db: Database, eventIds: readonly string[]): Promise<string[]> =>
  tagsOf(db, isOneOf(events.id, eventIds));

/** One tag for all articles of a blog; an article that is gone takes its images along. */
async function tagsOf(db: Database, which: SQL): Promise<string[]> {
  const found = await orm(db)
    .selectDistinct({
      blogId: sql<string>`${events.blogId}`,
      removed: sql<string | null>`case ${events.kind} when 'article.deleted' then ${events.data} ->> '$._id' end`,
    })
    .from(events)
    .where(and(which, like(events.kind, "article.%")))
    .limit(1000);
  const tags = new Set<string>();
  for (const { blogId, removed } of found) {
    tags.add(blogTag(blogId));
    if (removed !== null) tags.add(mediaTag(removed));
  }
  return [...tags];
}
