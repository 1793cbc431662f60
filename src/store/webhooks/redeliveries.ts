/** Opens deliveries again, because an operator asks for it. Nothing else sends an event a second time (contract 11.20). */
import { and, eq, sql, type SQL } from "drizzle-orm";
import { DomainError } from "../../domain/errors.ts";
import { LIMITS } from "../../domain/limits.ts";
import { getIdTime, makeLowestId } from "../../lib/ids.ts";
import { toDay } from "../../lib/time.ts";
import { organizations } from "../../schema/core.ts";
import { deadLetters, deliveries, events, webhookSubscriptions as subscriptions } from "../../schema/webhooks.ts";
import { commit, makeLicense, type Committed, type License, type Refused } from "../core/commit.ts";
import { deliveriesFit, makeDayLimitError, readQuota, selectQuota } from "../core/quota.ts";
import { isOwnSubscription } from "../core/reach.ts";
import {
  builder,
  insertWhere,
  isAmong,
  joinAnd,
  jsonObject,
  runTransaction,
  toColumnName,
  type Returning,
} from "../core/sql.ts";
import type { Writer } from "../core/writer.ts";
import { DELIVERY, type DeliveryRecord } from "./deliveries.ts";
import { selectSeqBefore } from "./feed.ts";
import { REACTIVATED } from "./subscriptions.ts";
import { matches } from "./matching.ts";
import { NEW_UUID, REOPENED } from "./system-deliveries.ts";

/** How many events one call looks at, and so the most that it opens. */
const MOST = LIMITS.redeliveries;

const joinDelivery = sql`left join ${deliveries} on ${deliveries.eventId} = ${events.id}
  and ${deliveries.subscriptionId} = ${subscriptions.id}`;

/** What an open delivery is left with if its subscription was deactivated meanwhile: nobody would send it. */
const IS_STRANDED = sql`${deliveries.state} = 'open' and (${subscriptions.active} = 0
  or ${deliveries.epoch} <> ${subscriptions.epoch})`;

/**
 * The condition, on a subscription, an event and their delivery, if any, that nothing will send the event to the
 * subscription. Without a delivery, the event's fan-out must be over, or leave the subscription out.
 */
const IS_UNDER_NO_WAY = sql`case when ${deliveries.state} is not null
  then ${deliveries.state} in ('failed', 'succeeded', 'skipped', 'unknown') or ${IS_STRANDED}
  else (${events.fanOutTime} is not null or ${subscriptions.active} = 0 or ${events.seq} <= ${subscriptions.sinceSeq})
    and not exists (select 1 from ${deadLetters} where ${deadLetters.eventId} = ${events.id}
      and ${deadLetters.subscriptionId} = '') end`;

/** The condition that a subscription may get an event: it matches, and the event is not that of an erased contact. */
const MAY_GET = sql`(${events.kind} = 'ping' and ${deliveries.state} is not null or ${events.kind} <> 'ping' and ${matches(events)})
  and (${events.kind} <> 'contact.created' or not json_valid(${events.data}) or ${events.data} ->> '$.email' <> '')`;

/** The condition that an event is one that a subscription should have got, and has not. A ping tells nothing. */
const IS_MISSING = sql`(coalesce(${deliveries.state}, '') <> 'succeeded' and ${events.kind} <> 'ping'
  and ${IS_UNDER_NO_WAY} and ${MAY_GET})`;

type Opening<Row> = {
  readonly license: License;
  readonly id: string;
  readonly eventIds: readonly string[];
  /** The condition that one of the events may be opened. If it is false for any of them, nothing changes. */
  readonly mayOpen: SQL;
  readonly action: string;
  /** Reactivates the subscription, if it is inactive. */
  readonly activate: boolean;
  readonly answer: SQL;
  /** The statements that return its row, if it returns one. */
  readonly returned?: () => Returning<Row>;
};

type Refusal = { readonly active: number; readonly fits: number };

/** Opens the deliveries of events to a subscription, all or none. */
async function open<Row>(
  writer: Writer,
  { license, id, eventIds, mayOpen, action, activate, answer, returned }: Opening<Row>,
): Promise<Committed<Row> | Refused<Refusal>> {
  const own = isOwnSubscription(writer, id);
  const isAsked = joinAnd(eq(events.organizationId, writer.organizationId), isAmong(events.id, eventIds));
  const fits = deliveriesFit(writer, license.time, eventIds.length);
  const outcome = await commit(writer, license, {
    action,
    resourceId: id,
    blogId: sql`${subscriptions.blogId}`,
    where: sql`from ${subscriptions} where ${joinAnd(own, !activate && eq(subscriptions.active, true), fits)}
      and (select count(*) from ${events} ${joinDelivery} where ${isAsked} and ${mayOpen}) = ${eventIds.length}`,
    change: ({ held }) => {
      const before = [
        ...(activate ? [reactivate(license, and(own, held))] : []),
        insertOpen(license.time, sql`from ${subscriptions} join ${events} on ${isAsked} where ${own} and ${held}`),
        countDeliveries(writer, license, eventIds.length),
      ];
      return returned === undefined ? { before } : { before, returning: returned(), again: returned };
    },
    answer,
    diagnose: sql<Refusal>`select ${subscriptions.active}, ${fits} as "fits" from ${subscriptions} where ${own}`,
  });
  if (!outcome.refused && eventIds.length > 0) writer.announce("deliveries");
  return outcome;
}

const reactivate = ({ id, time }: License, which: SQL | undefined) =>
  builder
    .update(subscriptions)
    .set({ active: true, ...REACTIVATED, version: id, lastEditTime: time })
    .where(and(which, eq(subscriptions.active, false)));

/** A delivery that exists keeps its id, so that receivers and the log know it. */
const insertOpen = (time: string, from: SQL) =>
  insertWhere(
    deliveries,
    {
      eventId: events.id,
      subscriptionId: subscriptions.id,
      id: NEW_UUID,
      organizationId: subscriptions.organizationId,
      epoch: subscriptions.epoch,
      state: "open",
      creationTime: time,
      redeliveries: 1,
    },
    from,
  ).onConflictDoUpdate({
    target: [deliveries.subscriptionId, deliveries.eventId],
    set: REOPENED,
  });

const countDeliveries = ({ organizationId }: Writer, { time, held }: License, count: number): SQL => {
  const isNewDay = sql`${organizations.day} < ${toDay(time)}`;
  return sql`update ${organizations} set
      ${toColumnName(organizations.dayDeliveries)} = case when ${isNewDay} then 0 else ${organizations.dayDeliveries} end + ${count},
      ${toColumnName(organizations.dayEvents)} = case when ${isNewDay} then 0 else ${organizations.dayEvents} end,
      ${toColumnName(organizations.day)} = max(${organizations.day}, ${toDay(time)})
    where ${organizations.id} = ${organizationId} and ${count} > 0 and ${held}`;
};

/**
 * Has an event sent to a subscription once more, or for the first time. Throws `not_found` if the event is not kept or
 * not for this subscription, `subscription_inactive`, `delivery_limit`, and `delivery_not_settled` if it is still to be
 * sent anyway.
 */
export async function redeliver(writer: Writer, id: string, eventId: string): Promise<DeliveryRecord> {
  const itself = and(eq(deliveries.eventId, eventId), eq(deliveries.subscriptionId, id));
  const from = sql`from ${deliveries} join ${events} on ${events.id} = ${deliveries.eventId} where ${itself}`;
  const stored = () =>
    builder
      .select({ value: DELIVERY })
      .from(deliveries)
      .innerJoin(events, eq(events.id, deliveries.eventId))
      .where(itself);
  const outcome = await open(writer, {
    license: makeLicense(writer),
    id,
    eventIds: [eventId],
    mayOpen: sql`(${IS_UNDER_NO_WAY} and ${MAY_GET})`,
    action: "webhooksubscriptions.redeliver",
    activate: false,
    answer: sql`(select ${jsonObject({ value: jsonObject(DELIVERY) })} ${from})`,
    returned: stored,
  });
  if (outcome.refused) throw await explainRefusal(writer, id, eventId, outcome.diagnosis[0]);
  return outcome.row.value;
}

async function explainRefusal(writer: Writer, id: string, eventId: string, found: Refusal | undefined) {
  if (found === undefined) return new DomainError("not_found", "There is no such webhook subscription.");
  if (found.active === 0) return new DomainError("subscription_inactive");
  const { event } = await runTransaction(writer.db, {
    event: sql<{ possible: number }>`select ${MAY_GET} as "possible" from ${subscriptions} join ${events} on ${joinAnd(
      eq(events.organizationId, writer.organizationId),
      eq(events.id, eventId),
    )} ${joinDelivery} where ${isOwnSubscription(writer, id)}`,
  });
  if (event[0]?.possible !== 1) {
    return new DomainError("not_found", "There is no such event for this subscription, or it is no longer kept.");
  }
  return found.fits === 0
    ? makeDayLimitError("delivery_limit", await readQuota(writer, "deliveriesPerDay"), writer.now())
    : new DomainError("delivery_not_settled");
}

export type Asked = {
  /** Undefined: since the last success. */
  readonly from: string | undefined;
  /** The event after which to go on. */
  readonly after: string | undefined;
  readonly activate: boolean;
};

export type Redelivered = {
  /** How many were opened. */
  readonly deliveries: number;
  /** How many are being sent now, so that nobody knows whether they will be missing. */
  readonly underWay: number;
  readonly from: string;
  readonly more: boolean;
  /** The event after which to go on; null if there is no more. */
  readonly next: string | null;
};

/** How often to read again what is missing, because it has changed before it could be opened. */
const TRIES = 5;

/**
 * Opens what a subscription has not got of the next events. `uncommitted` if there was nothing to open. Throws `not_found`, `invalid_cursor`, `subscription_inactive` and `delivery_limit`.
 */
export async function redeliverMissing(
  writer: Writer,
  id: string,
  asked: Asked,
): Promise<{ readonly value: Redelivered; readonly uncommitted?: true }> {
  for (let tries = 0; tries < TRIES; tries++) {
    const { eventIds, ...value } = await findMissing(writer, id, asked);
    if (eventIds.length === 0 && !asked.activate) return { value, uncommitted: true };
    const outcome = await open(writer, {
      license: makeLicense(writer),
      id,
      eventIds,
      mayOpen: IS_MISSING,
      action: "webhooksubscriptions.redeliver-missing",
      activate: asked.activate,
      answer: sql`${JSON.stringify({ value })}`,
    });
    if (!outcome.refused) return { value };
  }
  throw new DomainError("delivery_not_settled", "The deliveries keep changing. Repeat the request.");
}

type Missing = Redelivered & { readonly eventIds: readonly string[] };

/** Finds what is missing of the next events, in the order of their commits: no event can get in before the cursor. */
async function findMissing(writer: Writer, id: string, { from, after, activate }: Asked): Promise<Missing> {
  const first = await findFirst(writer, id, { from, after });
  if (!first.active && !activate) throw new DomainError("subscription_inactive");
  const { room, found } = await runTransaction(writer.db, {
    room: sql<{
      used: number;
      most: number;
    }>`select ${selectQuota(writer.quota, "deliveriesPerDay")} as "most", case when ${organizations.day} < ${toDay(writer.now().toISOString())} then 0
      else ${organizations.dayDeliveries} end as "used" from ${organizations} where ${organizations.id} = ${writer.organizationId}`,
    found: sql<{ id: string; missing: number; claimed: number }>`select ${events.id}, ${IS_MISSING} as "missing",
        coalesce(${deliveries.state}, '') = 'claimed' as "claimed"
      from ${subscriptions} join ${events} on ${events.organizationId} = ${subscriptions.organizationId}
        and ${events.seq} > ${first.afterSeq} and ${events.id} >= ${first.id}
        and ${events.kind} <> 'ping' ${joinDelivery}
      where ${isOwnSubscription(writer, id)} order by ${events.seq} limit ${MOST}`,
  });
  const missing = found.filter((event) => event.missing === 1).map((event) => event.id);
  const { used = 0, most = 0 } = room[0] ?? {};
  const left = Math.max(0, most - used);
  if (missing.length > 0 && left === 0) throw makeDayLimitError("delivery_limit", most, writer.now());
  const eventIds = missing.slice(0, left);
  const isCut = eventIds.length < missing.length;
  const next = isCut ? eventIds.at(-1) : found.length === MOST ? found.at(-1)?.id : undefined;
  const last = found.findIndex((event) => event.id === next);
  const seen = isCut ? found.slice(0, last + 1) : found;
  return {
    eventIds,
    deliveries: eventIds.length,
    underWay: seen.filter(({ claimed }) => claimed === 1).length,
    from: first.time,
    more: next !== undefined,
    next: next ?? null,
  };
}

type First = {
  readonly active: boolean;
  /** The lowest id of the events to look at. */
  readonly id: string;
  readonly time: string;
  /** Only events with a higher sequence number can have such an id. */
  readonly afterSeq: number;
};

/** Finds where to begin. Throws `not_found`, and `invalid_cursor` if there is no event `after`. */
async function findFirst(writer: Writer, id: string, { from, after }: Pick<Asked, "from" | "after">): Promise<First> {
  const lastSuccess = sql`(select l.event_id from ${deliveries} l join ${events} on ${events.id} = l.event_id
    where l.subscription_id = ${subscriptions.id} and l.state = 'succeeded' and l.redeliveries = 0 and ${events.kind} <> 'ping'
    order by l.event_id desc limit 1)`;
  // What was under way beside the last success may have failed: as many as are sent at once.
  const besides = sql`(select min(id) from (select d.event_id as id from ${deliveries} d where d.subscription_id = ${subscriptions.id}
    and d.event_id <= ${lastSuccess} order by d.event_id desc limit ${LIMITS.requestsOfSubscription + 1}))`;
  const { subscription, cursor } = await runTransaction(writer.db, {
    subscription: sql<{ active: number; since: string | null; created: string }>`select ${subscriptions.active},
        ${subscriptions.creationTime} as "created", ${besides} as "since"
      from ${subscriptions} where ${isOwnSubscription(writer, id)}`,
    cursor: sql<{ seq: number }>`select ${events.seq} from ${events} where ${joinAnd(
      eq(events.organizationId, writer.organizationId),
      sql`${events.id} = ${after ?? ""}`,
    )}`,
  });
  const [known] = subscription;
  if (known === undefined) throw new DomainError("not_found", "There is no such webhook subscription.");
  const first =
    from === undefined && known.since !== null ? known.since : makeLowestId(new Date(from ?? known.created));
  const active = known.active === 1;
  if (after === undefined) {
    const time = getIdTime(first);
    const { before } = await runTransaction(writer.db, {
      before: sql<{ seq: number | null }>`select ${selectSeqBefore(new Date(time))} as "seq"`,
    });
    return { active, id: first, time, afterSeq: before[0]?.seq ?? 0 };
  }
  if (cursor[0] === undefined) throw new DomainError("invalid_cursor");
  return { active, id: from === undefined ? "" : first, time: from ?? getIdTime(after), afterSeq: cursor[0].seq };
}
