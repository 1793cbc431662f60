/** Ends subscriptions whose secret was replaced, without losing an event that still waits for them. */
import { sql, type SQL } from "drizzle-orm";
import { newId } from "../../lib/ids.ts";
import { audit } from "../../schema/core.ts";
import { deliveries, webhookSubscriptions as subscriptions } from "../../schema/webhooks.ts";
import { isStored } from "../core/commit.ts";
import { insertWhere, queryRows, runTransaction, type Database } from "../core/sql.ts";
import { BY_OPEN, NEW_UUID, REOPENED } from "./system-deliveries.ts";

const MOST = 20;

const successor = (id: SQL | string): SQL => sql`${subscriptions} s on s.replaces = ${id}`;

/**
 * Returns the statement that opens the waiting deliveries of a subscription for the one that replaces it. One that it has had itself is
 * sent once more only if somebody asked for that.
 */
export const handOver = (id: string, held: SQL) =>
  insertWhere(
    deliveries,
    {
      eventId: sql`d.event_id`,
      subscriptionId: sql`s.id`,
      id: NEW_UUID,
      organizationId: sql`s.organization_id`,
      epoch: sql`s.epoch`,
      state: "open",
      creationTime: sql`d.creation_time`,
      redeliveries: sql`d.redeliveries`,
    },
    sql`from ${subscriptions} old join ${successor(sql`old.id`)} and s.organization_id = old.organization_id
      join ${deliveries} d ${BY_OPEN} on d.subscription_id = old.id and d.state = 'open'
      where old.id = ${id} and old.end_time is not null and ${held}`,
  ).onConflictDoUpdate({
    target: [deliveries.subscriptionId, deliveries.eventId],
    set: REOPENED,
    setWhere: sql`excluded.redeliveries > 0 and ${deliveries.state} in ('succeeded', 'failed', 'skipped', 'unknown')`,
  });

/** Ends the subscriptions that are due, unless the one that replaces it is inactive: then nobody would get the events. */
export async function endReplaced(db: Database, now: Date): Promise<void> {
  const time = now.toISOString();
  const due = (of: SQL) => sql`from ${subscriptions} old join ${successor(sql`old.id`)}
    and s.organization_id = old.organization_id and s.active = 1 where old.end_time <= ${time} and ${of}`;
  const found = await queryRows<{ id: string; organizationId: string }>(
    db,
    sql`select old.id, old.organization_id as "organizationId" ${due(sql`true`)} limit ${MOST}`,
  );
  for (const { id, organizationId } of found) {
    const entry = newId();
    const held = isStored(organizationId, entry);
    const logged = {
      id: entry,
      organizationId,
      actorKind: "service",
      actorId: id,
      action: "webhooksubscriptions.end",
      resourceId: id,
      blogId: sql`old.blog_id`,
      requestId: entry,
      creationTime: time,
    };
    await runTransaction(db, {
      logged: insertWhere(audit, logged, due(sql`old.id = ${id}`)),
      handedOver: handOver(id, held),
      deleted: sql`delete from ${subscriptions} where ${subscriptions.id} = ${id} and ${held}`,
    });
  }
}
