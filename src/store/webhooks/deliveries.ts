/** Reads the log of a subscription's deliveries and the counts of each hour, and stores pings. */
import { and, eq, gte, lt, sql, type SQL } from "drizzle-orm";
import type { SelectResultFields } from "drizzle-orm/query-builders/select.types";
import { DomainError } from "../../domain/errors.ts";
import { encodeCursor } from "../../domain/cursor.ts";
import type { DeliveredKind, DeliveryState } from "../../domain/events.ts";
import { listHours } from "../../lib/time.ts";
import { makeLowestId, newId } from "../../lib/ids.ts";
import { commit, makeLicense } from "../core/commit.ts";
import type { Writer } from "../core/writer.ts";
import { paginateById, type Page, type PageQuery, toPage } from "../core/paging.ts";
import {
  deadLetters,
  deliveries,
  deliveryHours,
  events,
  webhookSubscriptions as subscriptions,
} from "../../schema/webhooks.ts";
import { makeDayLimitError, deliveriesFit, readQuota } from "../core/quota.ts";
import { joinAnd, builder, insertWhere, jsonObject, orm, runTransaction } from "../core/sql.ts";
import { isOwnSubscription } from "../core/reach.ts";
import { BY_OPEN, BY_SETTLED, IS_UNSUCCESSFUL } from "./system-deliveries.ts";

export const DELIVERY = {
  _id: deliveries.id,
  eventId: deliveries.eventId,
  event: events.kind,
  state: deliveries.state,
  /** Null if the receiver did not respond. */
  status: deliveries.status,
  /** Milliseconds from the start of the request to the response headers or the failure. */
  durationMs: deliveries.durationMs,
  /** The kind of failure, such as `timeout`; null if there was none. */
  error: deliveries.error,
  creationTime: deliveries.creationTime,
  attemptTime: deliveries.claimTime,
  settleTime: deliveries.settleTime,
  redeliveries: deliveries.redeliveries,
};

export type DeliveryRecord = SelectResultFields<typeof DELIVERY>;

const COLUMNS = sql.join(
  Object.entries(DELIVERY).map(([name, column]) => sql`${column} as ${sql.identifier(name)}`),
  sql`, `,
);

export type DeliveryQuery = PageQuery & {
  readonly state?: DeliveryState | undefined;
  readonly event?: DeliveredKind | undefined;
  /** The times between which the events happened; `until` is excluded. */
  readonly from?: string | undefined;
  readonly until?: string | undefined;
};

/**
 * Returns a page of deliveries, newest event first. Throws `not_found` if there is no such subscription. No index has
 * the kinds of events: to filter by one reads the log until the page is full.
 */
export async function listDeliveries(writer: Writer, id: string, query: DeliveryQuery): Promise<Page<DeliveryRecord>> {
  const page = paginateById(query, deliveries.eventId);
  const { known, found } = await runTransaction(writer.db, {
    known: sql`select 1 from ${subscriptions} where ${isOwnSubscription(writer, id)}`,
    found: sql<DeliveryRecord>`select ${COLUMNS} from ${deliveries} ${useIndexOf(query.state)}
      join ${events} on ${events.id} = ${deliveries.eventId}
      where ${joinAnd(
        sql`${deliveries.subscriptionId} =
          (select ${subscriptions.id} from ${subscriptions} where ${isOwnSubscription(writer, id)})`,
        query.state && isInState(query.state),
        // Few are claimed, and the index has them by organization.
        query.state === "claimed" && eq(deliveries.organizationId, writer.organizationId),
        page.from,
        matchEvents(query),
      )} order by ${page.order} limit ${page.limit} offset ${page.offset}`,
  });
  if (known.length === 0) throw new DomainError("not_found");
  const following = found[query.limit];
  const next = following && encodeCursor({ time: following.creationTime, id: following.eventId });
  const items = found
    .slice(0, query.limit)
    .map((value) => ({ value, version: `${value._id}:${value.state}:${value.redeliveries}` }));
  return { items, next };
}

/**
 * Names the index of the deliveries in a state: SQLite would read all of the subscription, as it prefers the key of the
 * table. Those that succeeded are nearly all.
 */
const useIndexOf = (state: DeliveryState | undefined): SQL => {
  if (state === undefined || state === "succeeded") return sql``;
  if (state === "open") return BY_OPEN;
  return state === "claimed" ? sql`indexed by deliveries_claimed` : BY_SETTLED;
};

const matchEvents = ({ event, from, until }: DeliveryQuery): SQL | undefined =>
  and(
    from === undefined ? undefined : gte(deliveries.eventId, makeLowestId(new Date(from))),
    until === undefined ? undefined : lt(deliveries.eventId, makeLowestId(new Date(until))),
    event && eq(events.kind, event),
  );

/** A delivery with the parts of its request. */
export type DeliveryDetails = {
  readonly value: DeliveryRecord;
  /** Where it is sent: the current URL, even if it has changed since. */
  readonly url: string;
  /** JSON text. */
  readonly data: string;
  /** Its dead letter, if the service itself failed on it. */
  readonly deadLetterId: string | null;
};

/** Returns the delivery of an event to a subscription of the organization, or null if there is none. */
export async function findDelivery(writer: Writer, id: string, eventId: string): Promise<DeliveryDetails | null> {
  const [found] = await orm(writer.db)
    .select({
      value: DELIVERY,
      url: subscriptions.url,
      data: events.data,
      deadLetterId: sql<string | null>`${deadLetters.id}`.as("deadLetterId"),
    })
    .from(deliveries)
    .innerJoin(events, eq(events.id, deliveries.eventId))
    .innerJoin(subscriptions, and(eq(subscriptions.id, deliveries.subscriptionId), isOwnSubscription(writer, id)))
    .leftJoin(
      deadLetters,
      and(eq(deadLetters.eventId, deliveries.eventId), eq(deadLetters.subscriptionId, deliveries.subscriptionId)),
    )
    .where(and(eq(deliveries.eventId, eventId), eq(deliveries.subscriptionId, id)))
    .limit(1);
  return found ?? null;
}

/** Returns the condition of a state, worded as in an index: otherwise SQLite does not use the index. */
const isInState = (state: DeliveryState): SQL =>
  joinAnd(
    sql`${deliveries.state} = ${sql.raw(`'${state}'`)}`,
    !["open", "claimed", "succeeded"].includes(state) && IS_UNSUCCESSFUL,
  );

/** How many deliveries ended in an hour. `hour` is its start. */
export type DeliveryHour = { hour: string; succeeded: number; failed: number };

const HOURS_SHOWN = 24;

/** Returns the last 24 hours, the current one included, oldest first. Hours without deliveries have zeros. */
export async function listDeliveryHours(writer: Writer): Promise<DeliveryHour[]> {
  const hours = listHours(writer.now(), HOURS_SHOWN);
  const found = await orm(writer.db)
    .select({ hour: deliveryHours.hour, succeeded: deliveryHours.succeeded, failed: deliveryHours.failed })
    .from(deliveryHours)
    .where(and(eq(deliveryHours.organizationId, writer.organizationId), gte(deliveryHours.hour, hours[0] ?? "")))
    .orderBy(deliveryHours.hour)
    .limit(HOURS_SHOWN);
  const counted = new Map(found.map((row) => [row.hour, row]));
  return hours.map((hour) => counted.get(hour) ?? { hour, succeeded: 0, failed: 0 });
}

/** Stores a `ping` for an active subscription. Throws `not_found`, `subscription_inactive` and `delivery_limit`. */
export async function ping(writer: Writer, id: string): Promise<DeliveryRecord> {
  const license = makeLicense(writer);
  const target = joinAnd(isOwnSubscription(writer, id), eq(subscriptions.active, true));
  const delivery: DeliveryRecord = {
    _id: newId(),
    eventId: license.id,
    event: "ping",
    state: "open",
    status: null,
    durationMs: null,
    error: null,
    creationTime: license.time,
    attemptTime: null,
    settleTime: null,
    redeliveries: 0,
  };
  const outcome = await commit(writer, license, {
    action: "webhooksubscriptions.ping",
    resourceId: id,
    blogId: sql`${subscriptions.blogId}`,
    where: sql`from ${subscriptions} where ${joinAnd(target, deliveriesFit(writer, license.time))}`,
    change: ({ held }) => [
      insertWhere(
        deliveries,
        {
          id: delivery._id,
          organizationId: sql`${subscriptions.organizationId}`,
          eventId: license.id,
          subscriptionId: sql`${subscriptions.id}`,
          epoch: sql`${subscriptions.epoch}`,
          state: "open",
          creationTime: license.time,
        },
        sql`from ${subscriptions} where ${joinAnd(target, held)}`,
      ),
    ],
    event: {
      kind: "ping",
      blogId: sql`${subscriptions.blogId}`,
      data: jsonObject({ subscriptionId: sql`${subscriptions.id}` }),
      from: sql`from ${subscriptions} where ${target}`,
    },
    answer: sql`${JSON.stringify({ value: delivery })}`,
    diagnose: sql<{
      active: number;
    }>`select ${subscriptions.active} from ${subscriptions} where ${isOwnSubscription(writer, id)}`,
  });
  if (outcome.refused) throw await makePingRefusal(writer, outcome.diagnosis[0]);
  return delivery;
}

async function makePingRefusal(writer: Writer, found: { readonly active: number } | undefined): Promise<DomainError> {
  if (found === undefined) return new DomainError("not_found");
  if (found.active === 0) return new DomainError("subscription_inactive");
  return makeDayLimitError("delivery_limit", await readQuota(writer, "deliveriesPerDay"), writer.now());
}

/** A dead letter (contract 11.13). */
const LETTER = {
  _id: deadLetters.id,
  event: deadLetters.kind,
  webhookSubscriptionId: sql<string | null>`nullif(${deadLetters.subscriptionId}, '')`,
  tries: deadLetters.tries,
  creationTime: deadLetters.creationTime,
  lastTryTime: deadLetters.tryTime,
  deadTime: deadLetters.deadTime,
};

export type DeadLetterRecord = SelectResultFields<typeof LETTER>;

/** Returns a page of the organization's dead letters, newest first. Throws `invalid_cursor`. */
export async function listDeadLetters(writer: Writer, query: PageQuery): Promise<Page<DeadLetterRecord>> {
  const page = paginateById(query, deadLetters.id);
  const found = await orm(writer.db)
    .select(LETTER)
    .from(deadLetters)
    .where(and(eq(deadLetters.organizationId, writer.organizationId), page.from))
    .orderBy(page.order)
    .limit(page.limit)
    .offset(page.offset);
  return toPage(query, found, (value) => ({ value, version: `${value._id}:${value.tries}:${value.lastTryTime}` }));
}

/** Starts the tries of a dead letter again. Throws `not_found`, for example if it has been sent meanwhile. */
export async function retryDeadLetter(writer: Writer, id: string): Promise<DeadLetterRecord> {
  const target = and(eq(deadLetters.id, id), eq(deadLetters.organizationId, writer.organizationId));
  const stored = builder.select(LETTER).from(deadLetters).where(target);
  const outcome = await commit(writer, makeLicense(writer), {
    action: "deadletters.retry",
    resourceId: id,
    blogId: null,
    where: sql`from ${deadLetters} where ${target}`,
    change: ({ held }) => ({
      before: [builder.update(deadLetters).set({ tries: 0, deadTime: null }).where(and(target, held))],
      returning: stored,
      again: () => stored,
    }),
    answer: sql`(select ${jsonObject({ value: jsonObject(LETTER) })} from ${deadLetters} where ${target})`,
  });
  if (outcome.refused) throw new DomainError("not_found", "There is no such dead letter, or it has been sent.");
  return outcome.row;
}
