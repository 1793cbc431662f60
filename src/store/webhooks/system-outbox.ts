/** From events to their deliveries: all organizations, for the relay alone. */
import { sql, type SQL } from "drizzle-orm";
import { blogTag, mediaTag } from "../../domain/cache-tags.ts";
import { askForPurges } from "../edge/system-purges.ts";
import { matches } from "./matching.ts";
import { deadLetters, deliveries, events, webhookSubscriptions as subscriptions } from "./schema.ts";
import { bare, family, insertInto, rows, transaction, type Database, type Names } from "../core/sql.ts";

/** Events that one transaction fans out, to a hundred subscriptions each at most: D1 does nothing else meanwhile. */
const MOST_EVENTS = 10;

export type FannedOut = {
  /** Open deliveries of these events, of quick and of slow subscriptions. */
  readonly quick: number;
  readonly slow: number;
  /** Whether the organization has further events to fan out. */
  readonly more: boolean;
  /** Whether the edge may hold what has changed. */
  readonly purges: boolean;
};

/** The organization whose oldest events are fanned out, or one of its events alone. */
export type ToFanOut = { readonly organizationId: string; readonly eventId?: string };

/**
 * Creates the deliveries of the organization's oldest events, or of one event, one for each subscription that an event reaches (contract
 * 11.4), none that began after the event (contract 11.2). It is one transaction, so it may be repeated, and a second
 * call at the same time does the next events.
 */
export async function fanOut(db: Database, chosen: ToFanOut, now: Date): Promise<FannedOut> {
  const values = { ...chosen, time: now.toISOString() };
  const { counted, purges, pending } = await transaction(db, {
    inserted: insertDeliveries(values),
    counted: countOpen(values),
    purges: askForTags(values),
    marked: markFannedOut(values),
    cleared: chosen.eventId === undefined ? [] : clearDeadLetter(chosen.eventId),
    pending: findPending(values),
  });
  const of = (slow: number) => counted.find((row) => row.slow === slow)?.count ?? 0;
  return { quick: of(0), slow: of(1), more: pending.length > 0, purges: purges.length > 0 };
}

type FanOut = { readonly organizationId: string; readonly time: string; readonly eventId?: string | undefined };

const chosen = ({ organizationId, eventId }: Names<FanOut>): SQL =>
  eventId === undefined
    ? sql`select ${events.seq} from ${events}
        where ${events.organizationId} = ${organizationId} and ${events.fanOutTime} is null
        order by ${events.seq} limit ${sql.raw(String(MOST_EVENTS))}`
    : sql`select ${events.seq} from ${events}
        where ${events.organizationId} = ${organizationId} and ${events.id} = ${eventId}`;

const clearDeadLetter = (eventId: string): SQL =>
  sql`delete from ${deadLetters} where ${deadLetters.eventId} = ${eventId} and ${deadLetters.subscriptionId} = ''`;

const INTO_DELIVERIES = insertInto(deliveries, [
  "eventId",
  "subscriptionId",
  "id",
  "organizationId",
  "epoch",
  "state",
  "creationTime",
]);

/** A random UUID (RFC 9562, version 4). */
const NEW_UUID = sql.raw(`lower(hex(randomblob(4)) || '-' || hex(randomblob(2)) || '-4' || substr(hex(randomblob(2)), 2)
  || '-8' || substr(hex(randomblob(2)), 2) || '-' || hex(randomblob(6)))`);

// A ping was stored with its one delivery.
const insertDeliveries = family<FanOut>(
  (names) => sql`${INTO_DELIVERIES}
    select ${events.id}, ${subscriptions.id}, ${NEW_UUID}, ${events.organizationId}, ${subscriptions.epoch}, 'open',
      ${names.time}
    from ${events} join ${subscriptions} on ${subscriptions.organizationId} = ${events.organizationId}
    where ${events.seq} in (${chosen(names)}) and ${events.kind} <> 'ping' and ${subscriptions.active} = 1
      and ${subscriptions.sinceSeq} < ${events.seq} and ${matches(events)}
    on conflict do nothing`,
);

const countOpen = family<FanOut, never, { slow: number; count: number }>(
  (names) => sql`select ${subscriptions.slow} as "slow", count(*) as "count"
    from ${events} join ${deliveries} on ${deliveries.eventId} = ${events.id} and ${deliveries.state} = 'open'
      join ${subscriptions} on ${subscriptions.id} = ${deliveries.subscriptionId}
    where ${events.seq} in (${chosen(names)}) group by ${subscriptions.slow}`,
);

const markFannedOut = family<FanOut>(
  (names) => sql`update ${events} set ${bare(events.fanOutTime)} = ${names.time}
    where ${events.seq} in (${chosen(names)})`,
);

const IS_PUBLISHED = sql`coalesce(${events.data} ->> '$.published', 0) = 1`;

/**
 * Asks for the purge of what the edge may hold of the articles: one tag for all articles of a blog; one that is gone
 * takes its images along. A new draft was never seen.
 */
const askForTags = family<FanOut>(
  (names) =>
    sql`${askForPurges(
      sql`select ${sql.raw(`'${blogTag("")}'`)} || ${events.blogId} as tag, ${events.organizationId} as organization_id,
        max(${events.kind} = 'article.deleted' or not (${IS_PUBLISHED})) as urgent
      from ${events} where ${events.seq} in (${chosen(names)}) and (${events.kind} in ('article.updated', 'article.deleted')
        or ${events.kind} = 'article.created' and ${IS_PUBLISHED})
      group by ${events.blogId}
      union all
      select ${sql.raw(`'${mediaTag("")}'`)} || (${events.data} ->> '$._id'), ${events.organizationId}, 1
      from ${events} where ${events.seq} in (${chosen(names)}) and ${events.kind} = 'article.deleted'`,
      names.time,
    )} returning 1`,
);

const findPending = family<FanOut>(
  ({ organizationId }) => sql`select 1 from ${events}
    where ${events.organizationId} = ${organizationId} and ${events.fanOutTime} is null limit 1`,
);

/** Returns the ids of the events that {@link fanOut} would take next. */
export async function nextEvents(db: Database, organizationId: string): Promise<string[]> {
  const found = await rows<{ id: string }>(
    db,
    sql`select ${events.id} from ${events}
      where ${events.organizationId} = ${organizationId} and ${events.fanOutTime} is null
      order by ${events.seq} limit ${MOST_EVENTS}`,
  );
  return found.map(({ id }) => id);
}

/** The organizations that have events to fan out, each once, however many events it has. */
export async function organizationsWithEvents(db: Database): Promise<string[]> {
  const found = await rows<{ id: string }>(
    db,
    sql`with recursive found(id) as (
        select ${nextPending(sql`''`)} union all select ${nextPending(sql`found.id`)} from found where id is not null)
      select id from found where id is not null`,
  );
  return found.map(({ id }) => id);
}

/** Reads one entry of the index: the first one of the next organization. */
const nextPending = (after: SQL): SQL =>
  sql`(select min(${events.organizationId}) from ${events}
    where ${events.fanOutTime} is null and ${events.organizationId} > ${after})`;
