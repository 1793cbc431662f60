/** The log of a subscription's deliveries, their counts by the hour, and the ping that tries it. */
import { sql } from "drizzle-orm";
import { DomainError } from "../../errors.ts";
import type { DeliveredKind, DeliveryState } from "../../domain/events.ts";
import { hoursUntil } from "../../lib/hours.ts";
import { newId } from "../../lib/ids.ts";
import { commit, newLicence, type Writer } from "../core/commit.ts";
import { pageClause, toPage, type Page, type PageQuery } from "../core/paging.ts";
import { deliveries, deliveryHours, events, webhookSubscriptions as subscriptions } from "./schema.ts";
import { all, jsonObject, rows, transaction } from "../core/sql.ts";
import { ownSubscription as own } from "../core/reach.ts";

/** One attempt to tell one subscription of one event. */
export type DeliveryRecord = {
  _id: string;
  event: DeliveredKind;
  state: DeliveryState;
  /** The receiver's HTTP status, where it answered. */
  status: number | null;
  /** Milliseconds from the request to the response headers or the failure. */
  durationMs: number | null;
  /** The class of the failure, such as `timeout`. */
  error: string | null;
  creationTime: string;
  attemptTime: string | null;
  settleTime: string | null;
};

export type DeliveryQuery = PageQuery & { readonly state?: DeliveryState | undefined };

/** A page of a subscription's deliveries, newest first; `not_found` where there is no subscription. */
export async function listDeliveries(writer: Writer, id: string, query: DeliveryQuery): Promise<Page<DeliveryRecord>> {
  const where = all(
    sql`${deliveries.subscriptionId} = (select id from ${subscriptions} where ${own(writer, id)})`,
    query.state !== undefined && sql`${deliveries.state} = ${query.state}`,
  );
  const { known, found } = await transaction(writer.db, {
    known: sql`select 1 from ${subscriptions} where ${own(writer, id)}`,
    found: sql<DeliveryRecord>`select ${deliveries.id} as "_id", ${events.kind} as "event", ${deliveries.state} as "state",
        ${deliveries.status} as "status", ${deliveries.durationMs} as "durationMs",
        ${deliveries.error} as "error", ${deliveries.creationTime} as "creationTime",
        ${deliveries.claimTime} as "attemptTime", ${deliveries.settleTime} as "settleTime"
      from ${deliveries} join ${events} on ${events.id} = ${deliveries.eventId}
      where ${where} ${pageClause(query, deliveries.creationTime, deliveries.id)}`,
  });
  if (known.length === 0) throw new DomainError("not_found");
  return toPage(query, found, (row) => ({ value: row, version: `${row._id}:${row.state}` }));
}

/** How many deliveries ended in an hour, which is named by its beginning. */
export type DeliveryHour = { hour: string; succeeded: number; failed: number };

const HOURS_SHOWN = 24;

/** The organization's last 24 hours, oldest first, the current one last; hours without deliveries are zeros. */
export async function listDeliveryHours(writer: Writer): Promise<DeliveryHour[]> {
  const hours = hoursUntil(writer.now(), HOURS_SHOWN);
  const found = await rows<DeliveryHour>(
    writer.db,
    sql`select hour, succeeded, failed from ${deliveryHours} where organization_id = ${writer.organizationId}
      and hour >= ${hours[0]} order by hour limit ${HOURS_SHOWN}`,
  );
  const counted = new Map(found.map((row) => [row.hour, row]));
  return hours.map((hour) => counted.get(hour) ?? { hour, succeeded: 0, failed: 0 });
}

/** Stores a `ping` for one active subscription alone; returns its delivery. */
export async function ping(writer: Writer, id: string): Promise<DeliveryRecord> {
  const licence = newLicence(writer);
  const deliveryId = newId();
  const target = all(own(writer, id), sql`${subscriptions.active} = 1`);
  const delivery: DeliveryRecord = {
    _id: deliveryId,
    event: "ping",
    state: "open",
    status: null,
    durationMs: null,
    error: null,
    creationTime: licence.time,
    attemptTime: null,
    settleTime: null,
  };
  const outcome = await commit(writer, licence, {
    action: "webhooksubscriptions.ping",
    resourceId: id,
    blogId: sql`${subscriptions.blogId}`,
    where: sql`from ${subscriptions} where ${target}`,
    change: ({ held }) => [
      sql`insert into ${deliveries}
          (id, organization_id, event_id, subscription_id, epoch, state, creation_time, enqueue_time)
        select ${deliveryId}, organization_id, ${licence.id}, id, epoch, 'open', ${licence.time}, ${licence.time}
        from ${subscriptions} where ${all(target, held)}`,
    ],
    event: {
      kind: "ping",
      blogId: sql`${subscriptions.blogId}`,
      data: jsonObject({ subscriptionId: sql`${subscriptions.id}` }),
      from: sql`from ${subscriptions} where ${target}`,
    },
    answer: sql`${JSON.stringify({ value: delivery })}`,
    diagnose: sql`select id from ${subscriptions} where ${own(writer, id)}`,
  });
  if (!outcome.refused) return delivery;
  throw new DomainError(outcome.diagnosis.length > 0 ? "subscription_inactive" : "not_found");
}
