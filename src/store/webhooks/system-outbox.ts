/** Creates the deliveries of events, for all organizations. */
import { and, eq, isNull, sql, type SQL } from "drizzle-orm";
import { blogTag, mediaTag } from "../../domain/cache-tags.ts";
import { requestPurges } from "../edge/purges.ts";
import { matches } from "./matching.ts";
import { NEW_UUID, type Lane } from "./system-deliveries.ts";
import {
  deadLetters,
  deliveries,
  events,
  waitingOutboxes as waiting,
  webhookSubscriptions as subscriptions,
} from "../../schema/webhooks.ts";
import type { Quota } from "../../domain/quotas.ts";
import { selectQuota } from "../core/quota.ts";
import { organizations } from "../../schema/core.ts";
import { toDay } from "../../lib/time.ts";
import {
  selectDistinct,
  joinAnd,
  assertThat,
  toColumnName,
  defineQuery,
  insertWhere,
  isFailedAssertion,
  orm,
  queryRows,
  runTransaction,
  type Database,
  type Names,
} from "../core/sql.ts";

/** The most events of one fan-out: few, because D1 does nothing else during the transaction. */
const MOST_EVENTS = 10;

export type FannedOut = {
  /** The number of deliveries of these events, to quick and to slow receivers. */
  readonly quick: number;
  readonly slow: number;
  /** True if the organization has further events to fan out, or to purge, so that `fanOut` should be called again. */
  readonly more: boolean;
  readonly purges: boolean;
  /** True if events have begun to wait, because the organization has used up its deliveries of the day. */
  readonly putOff: boolean;
};

/** The organization whose oldest events to fan out. With `eventId`, only this event. */
export type ToFanOut = { readonly organizationId: string; readonly eventId?: string };

/**
 * Creates the deliveries of the organization's oldest events, or of one event. An event gets one delivery for each
 * subscription that matches it (contract 11.4) and began before it (contract 11.2). All of it is one transaction, so a
 * repeated or concurrent call continues with the next events.
 *
 * If the day has no room for the deliveries of ten events, it tries one event. If the day has no room for that either,
 * the events wait, and only the purges of what they changed are requested (contract 11.14).
 */
export async function fanOut(
  db: Database,
  chosen: ToFanOut,
  now: Date,
  { deliveriesPerDay }: Pick<Quota, "deliveriesPerDay">,
): Promise<FannedOut> {
  const time = now.toISOString();
  const values = { ...chosen, time, day: toDay(time), deliveriesPerDay };
  for (const most of chosen.eventId === undefined ? [MOST_EVENTS, 1] : [1]) {
    const done = await fanOutSome(db, { ...values, most });
    if (done !== null) return done;
  }
  return putOff(db, { ...values, most: MOST_EVENTS });
}

/** Fans out at most `most` events. Returns null, and changes nothing, if the day has no room for their deliveries. */
async function fanOutSome(db: Database, values: FanOut): Promise<FannedOut | null> {
  try {
    const { counted, purges, pending } = await runTransaction(db, {
      ready: assertMayFit(values),
      inserted: insertDeliveries(values),
      counted: countByLane(values),
      purges: requestTags(values),
      used: countDeliveries(values),
      fits: assertFits(values),
      marked: markFannedOut(values),
      caughtUp: forgetWaiting(values),
      cleared: values.eventId === undefined ? [] : clearDeadLetter(values.eventId),
      pending: findPending(values),
    });
    return {
      quick: counted[0]?.quick ?? 0,
      slow: counted[0]?.slow ?? 0,
      more: pending.length > 0,
      purges: purges.length > 0,
      putOff: false,
    };
  } catch (error) {
    if (isFailedAssertion(error)) return null;
    throw error;
  }
}

/** Stores that the organization's events wait, and requests the purges for the next of them. */
async function putOff(db: Database, values: FanOut): Promise<FannedOut> {
  const { purges, noted, unpurged } = await runTransaction(db, {
    purges: requestWaitingTags(values),
    noted: noteWaiting(values),
    unpurged: findUnpurged(values),
  });
  const begun = noted.some(({ since }) => since === values.time);
  return { quick: 0, slow: 0, more: unpurged.length > 0, purges: purges.length > 0, putOff: begun };
}

type FanOut = {
  readonly organizationId: string;
  readonly eventId?: string | undefined;
  readonly time: string;
  readonly day: string;
  readonly deliveriesPerDay: number;
  readonly most: number;
};

/** The condition of the index of events that wait for their fan-out. */
const IS_PENDING = isNull(events.fanOutTime);

const isPending = ({ organizationId }: Names<FanOut>): SQL =>
  sql`${events.organizationId} = ${organizationId} and ${IS_PENDING}`;

/**
 * Selects the events to fan out: the oldest pending ones, or the given event if it is pending or set aside. A repeated
 * call does not find it again, so no delivery is counted twice.
 */
const selectChosen = (names: Names<FanOut>): SQL =>
  names.eventId === undefined
    ? sql`select ${events.seq} from ${events} where ${isPending(names)} order by ${events.seq} limit ${names.most}`
    : sql`select ${events.seq} from ${events}
        where ${events.organizationId} = ${names.organizationId} and ${events.id} = ${names.eventId}
        and (${events.fanOutTime} is null or exists (select 1 from ${deadLetters}
          where ${deadLetters.eventId} = ${events.id} and ${deadLetters.subscriptionId} = ''))`;

const clearDeadLetter = (eventId: string): SQL =>
  sql`delete from ${deadLetters} where ${deadLetters.eventId} = ${eventId} and ${deadLetters.subscriptionId} = ''`;

/** Returns the sequence number up to which the purges of waiting events were requested; 0 if no event waits. */
const selectPurgedSeq = ({ organizationId }: Names<FanOut>): SQL =>
  sql`coalesce((select ${waiting.purgedSeq} from ${waiting} where ${waiting.organizationId} = ${organizationId}), 0)`;

const selectUnpurged = (names: Names<FanOut>): SQL =>
  sql`select ${events.seq} from ${events} where ${isPending(names)} and ${events.seq} > ${selectPurgedSeq(names)}
    order by ${events.seq} limit ${names.most}`;

/** Fails the transaction if the oldest event waits, and the day still has no room for its deliveries. */
const assertMayFit = defineQuery<FanOut>((names) =>
  assertThat(sql`not exists (select 1 from ${waiting} join ${organizations}
      on ${organizations.id} = ${waiting.organizationId}
    where ${waiting.organizationId} = ${names.organizationId} and ${organizations.day} >= ${names.day}
      and ${organizations.dayDeliveries} > 0
      and ${organizations.dayDeliveries} + ${waiting.deliveries} > ${selectQuota(names, "deliveriesPerDay")})`),
);

/** The condition that an event is to be delivered to a subscription. Leaves out pings, which are stored with their one delivery. */
const IS_DELIVERED = sql`${events.kind} <> 'ping' and ${subscriptions.active} = 1
  and ${subscriptions.sinceSeq} < ${events.seq} and ${matches(events)}`;

/** Joins events with subscriptions of their organization. */
const joinSubscriptions = (seqs: SQL, which = IS_DELIVERED): SQL =>
  sql`from ${events} join ${subscriptions} on ${subscriptions.organizationId} = ${events.organizationId}
    where ${events.seq} in (${seqs}) and ${which}`;

const insertDeliveries = defineQuery<FanOut>((names) =>
  insertWhere(
    deliveries,
    {
      eventId: events.id,
      subscriptionId: subscriptions.id,
      id: NEW_UUID,
      organizationId: events.organizationId,
      epoch: subscriptions.epoch,
      state: "open",
      creationTime: sql`${names.time}`,
    },
    joinSubscriptions(selectChosen(names)),
  ).onConflictDoNothing(),
);

/** Counts what {@link insertDeliveries} makes: by the subscriptions, because no index has the deliveries of an event. */
const countMade = (names: Names<FanOut>): SQL => sql`select count(*) as n ${joinSubscriptions(selectChosen(names))}`;

const isNewDay = ({ day }: Names<FanOut>): SQL => sql`${organizations.day} < ${day}`;

const countDeliveries = defineQuery<FanOut>(
  (names) => sql`update ${organizations} set
      ${toColumnName(organizations.dayDeliveries)} = case when ${isNewDay(names)} then 0 else ${organizations.dayDeliveries} end + m.n,
      ${toColumnName(organizations.dayEvents)} = case when ${isNewDay(names)} then 0 else ${organizations.dayEvents} end,
      ${toColumnName(organizations.day)} = max(${organizations.day}, ${names.day})
    from (${countMade(names)}) m where ${organizations.id} = ${names.organizationId} and m.n > 0`,
);

/**
 * Fails the transaction if the day has no room for the new deliveries. A single event whose deliveries are the first of
 * the day always fits: otherwise an event that needs more deliveries than a day allows would wait forever.
 */
const assertFits = defineQuery<FanOut>((names) =>
  assertThat(sql`not exists (select 1 from ${organizations} where ${organizations.id} = ${names.organizationId}
    and not ${isNewDay(names)} and ${organizations.dayDeliveries} > ${selectQuota(names, "deliveriesPerDay")}
    and (select n from (${countMade(names)}))
      not in (0, case when ${names.most} = 1 then ${organizations.dayDeliveries} else 0 end))`),
);

const IS_TO_BE_SENT = sql`case ${events.kind} when 'ping' then ${subscriptions.id} = ${events.data} ->> '$.subscriptionId'
  else ${IS_DELIVERED} end`;

const countByLane = defineQuery<FanOut, never, Readonly<Record<Lane, number>>>(
  (names) => sql`select count(*) filter (where ${subscriptions.slow} = 0) as "quick",
      count(*) filter (where ${subscriptions.slow} = 1) as "slow"
    ${joinSubscriptions(selectChosen(names), IS_TO_BE_SENT)}`,
);

const markFannedOut = defineQuery<FanOut>(
  (names) => sql`update ${events} set ${toColumnName(events.fanOutTime)} = ${names.time}
    where ${events.seq} in (${selectChosen(names)})`,
);

const forgetWaiting = defineQuery<FanOut>(
  (names) => sql`delete from ${waiting} where ${waiting.organizationId} = ${names.organizationId}
    and not exists (select 1 from ${events} where ${isPending(names)} and ${events.seq} <= ${waiting.purgedSeq})`,
);

const noteWaiting = defineQuery<FanOut, never, { since: string }>((names) => {
  const pending = sql`from ${events} where ${isPending(names)}`;
  const row = {
    organizationId: sql`${names.organizationId}`,
    deliveries: sql`(select count(*) ${joinSubscriptions(sql`select min(${events.seq}) ${pending}`)})`,
    purgedSeq: sql`coalesce((select max(seq) from (${selectUnpurged(names)})), ${selectPurgedSeq(names)})`,
    time: sql`${names.time}`,
  };
  return sql`${insertWhere(waiting, row, sql`where exists (select 1 ${pending})`).getSQL()}
    on conflict (${toColumnName(waiting.organizationId)}) do update
      set ${toColumnName(waiting.deliveries)} = excluded.deliveries, ${toColumnName(waiting.purgedSeq)} = excluded.purged_seq
      where ${waiting.deliveries} <> excluded.deliveries or ${waiting.purgedSeq} <> excluded.purged_seq
    returning ${toColumnName(waiting.time)} as "since"`;
});

const findUnpurged = defineQuery<FanOut>((names) => sql`select 1 from (${selectUnpurged(names)}) limit 1`);

const IS_PUBLISHED = sql`coalesce(${events.data} ->> '$.published', 0) = 1`;

/** The condition that an update took an article from its readers. Version 1.0.0 does not say what has changed. */
const MAY_BE_UNPUBLISHED = sql`(${events.kind} = 'article.updated'
  and instr(coalesce(${events.data} ->> '$.changed', '"published"'), '"published"'))`;

/**
 * Returns the statement that requests the purges for changed articles: the tag of the blog, and for a deleted article
 * also the tag of its images. A draft needs none, because no reader has seen it. If its slug was a former slug of
 * another article, the cached redirects expire by themselves (contract 18.18). `which` is the condition on the events.
 */
const requestTagPurges = (which: SQL, names: Names<FanOut>): SQL =>
  sql`${requestPurges(
    sql`select ${sql.raw(`'${blogTag("")}'`)} || ${events.blogId} as tag, ${events.organizationId} as organization_id,
        max(${events.kind} = 'article.deleted' or not (${IS_PUBLISHED})) as urgent
      from ${events} where ${which} and (${events.kind} = 'article.deleted'
        or ${events.kind} in ('article.created', 'article.updated') and ${IS_PUBLISHED} or ${MAY_BE_UNPUBLISHED})
      group by ${events.blogId}
      union all
      select ${sql.raw(`'${mediaTag("")}'`)} || (${events.data} ->> '$._id'), ${events.organizationId}, 1
      from ${events} where ${which} and ${events.kind} = 'article.deleted'`,
    names.time,
  )} returning 1`;

// An event that was set aside can be older than `purgedSeq`, although its purge was not requested yet.
const requestTags = defineQuery<FanOut>((names) =>
  requestTagPurges(
    joinAnd(
      sql`${events.seq} in (${selectChosen(names)})`,
      names.eventId === undefined && sql`${events.seq} > ${selectPurgedSeq(names)}`,
    ),
    names,
  ),
);

const requestWaitingTags = defineQuery<FanOut>((names) =>
  requestTagPurges(sql`${events.seq} in (${selectUnpurged(names)})`, names),
);

const findPending = defineQuery<FanOut>((names) => sql`select 1 from ${events} where ${isPending(names)} limit 1`);

/** Returns the ids of the events that {@link fanOut} would take next. */
export async function listNextEvents(db: Database, organizationId: string): Promise<string[]> {
  const found = await orm(db)
    .select({ id: events.id })
    .from(events)
    .where(and(eq(events.organizationId, organizationId), IS_PENDING))
    .orderBy(events.seq)
    .limit(MOST_EVENTS);
  return found.map(({ id }) => id);
}

/** Returns each organization that has events to fan out once. */
export async function listOrganizationsWithEvents(db: Database): Promise<string[]> {
  const found = await queryRows<{ id: string }>(db, selectDistinct(events.organizationId, IS_PENDING));
  return found.map(({ id }) => id);
}
