/** The log of a subscription's deliveries, and the ping that tries it. */
import { sql } from "drizzle-orm";
import { DomainError } from "../errors.ts";
import { newId } from "../lib/ids.ts";
import { commit, newLicence, type EventKind, type Writer } from "./commit.ts";
import { pageClause, toPage, type Page, type PageQuery } from "./paging.ts";
import { deliveries, events, webhookSubscriptions as subscriptions } from "./schema.ts";
import { all, jsonObject, transaction } from "./sql.ts";
import { ownSubscription as own } from "./reach.ts";

/** One attempt to tell one subscription of one event. */
export type DeliveryRecord = {
  _id: string;
  event: EventKind;
  state: "open" | "claimed" | "succeeded" | "failed" | "skipped" | "unknown";
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

/** A page of a subscription's deliveries, newest first; `not_found` where there is no subscription. */
export async function listDeliveries(writer: Writer, id: string, query: PageQuery): Promise<Page<DeliveryRecord>> {
  const [known = [], found = []] = await transaction(writer.db, [
    sql`select 1 from ${subscriptions} where ${own(writer, id)}`,
    sql`select ${deliveries.id} as "_id", ${events.kind} as "event", ${deliveries.state} as "state",
        ${deliveries.status} as "status", ${deliveries.durationMs} as "durationMs",
        ${deliveries.error} as "error", ${deliveries.creationTime} as "creationTime",
        ${deliveries.claimTime} as "attemptTime", ${deliveries.settleTime} as "settleTime"
      from ${deliveries} join ${events} on ${events.id} = ${deliveries.eventId}
      where ${deliveries.subscriptionId} = (select id from ${subscriptions} where ${own(writer, id)})
      ${pageClause(query, deliveries.creationTime, deliveries.id)}`,
  ]);
  if (known.length === 0) throw new DomainError("not_found");
  return toPage(query, found as DeliveryRecord[], (row) => ({ value: row, version: `${row._id}:${row.state}` }));
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
  if (!("refused" in outcome)) return delivery;
  throw new DomainError(outcome.diagnosis.length > 0 ? "subscription_inactive" : "not_found");
}
