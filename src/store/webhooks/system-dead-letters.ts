/** Sets aside failing events and deliveries, so that they do not block others, and retries them until they are dead. */
import { sql, type SQL } from "drizzle-orm";
import { LIMITS } from "../../domain/limits.ts";
import { newId } from "../../lib/ids.ts";
import { toColumnName, insertWhere, runTransaction, type Database } from "../core/sql.ts";
import { deadLetters, deliveries, events } from "../../schema/webhooks.ts";
import type { Claim, ClaimedDelivery } from "./system-deliveries.ts";

export type FailedEvent = { readonly organizationId: string; readonly eventId: string };

/** How often it was tried. `isDead`: it will not be tried again. */
export type Tries = { readonly tries: number; readonly isDead: boolean };

const MOST_EVENTS = 30;

/**
 * Sets aside an event that cannot be fanned out, and marks it as fanned out, so that it does not wait in the outbox.
 * Returns how often it was tried, or null if the event has been deleted.
 */
export async function setEventAside(
  db: Database,
  { organizationId, eventId }: FailedEvent,
  now: Date,
): Promise<Tries | null> {
  const time = now.toISOString();
  const { letter } = await runTransaction(db, {
    letter: recordFailedTry({ organizationId, eventId, subscriptionId: "" }, time, sql`true`),
    event: sql`update ${events} set ${toColumnName(events.fanOutTime)} = ${time}
      where ${events.id} = ${eventId} and ${events.fanOutTime} is null`,
  });
  return toTries(letter);
}

/** Sets an unsendable delivery to `dead`. Returns null if the claim no longer holds. */
export async function setDeliveryAside(
  db: Database,
  { organizationId, token }: Claim,
  { eventId, subscriptionId }: Pick<ClaimedDelivery, "eventId" | "subscriptionId">,
  now: Date,
): Promise<Tries | null> {
  const time = now.toISOString();
  const held = sql`${deliveries.eventId} = ${eventId} and ${deliveries.subscriptionId} = ${subscriptionId}
    and ${deliveries.token} = ${token} and ${deliveries.state} = 'claimed'`;
  const { letter } = await runTransaction(db, {
    letter: recordFailedTry(
      { organizationId, eventId, subscriptionId },
      time,
      sql`exists (select 1 from ${deliveries} where ${held})`,
    ),
    delivery: sql`update ${deliveries} set ${toColumnName(deliveries.state)} = 'dead', ${toColumnName(deliveries.token)} = null,
        ${toColumnName(deliveries.claimTime)} = null, ${toColumnName(deliveries.error)} = 'unsendable',
        ${toColumnName(deliveries.settleTime)} = ${time}
      where ${held}`,
  });
  return toTries(letter);
}

type Noted = { readonly tries: number; readonly deadTime: string | null };

function recordFailedTry(
  failed: FailedEvent & { readonly subscriptionId: string },
  time: string,
  condition: SQL,
): SQL<Noted> {
  const tries = sql`${deadLetters.tries} + 1`;
  const { organizationId, eventId, subscriptionId } = failed;
  const letter = { id: newId(), organizationId, eventId, subscriptionId, kind: events.kind, tries: 1 };
  const from = sql`from ${events} where ${events.id} = ${eventId} and ${condition}`;
  return sql<Noted>`${insertWhere(deadLetters, { ...letter, creationTime: time, tryTime: time }, from).getSQL()}
    on conflict (${toColumnName(deadLetters.eventId)}, ${toColumnName(deadLetters.subscriptionId)}) do update
      set ${toColumnName(deadLetters.tries)} = ${tries}, ${toColumnName(deadLetters.tryTime)} = excluded.try_time,
        ${toColumnName(deadLetters.deadTime)} = case when ${tries} >= ${LIMITS.relayTries} then excluded.try_time end
    returning ${toColumnName(deadLetters.tries)} as "tries", ${toColumnName(deadLetters.deadTime)} as "deadTime"`;
}

function toTries([letter]: readonly Noted[]): Tries | null {
  return letter === undefined ? null : { tries: letter.tries, isDead: letter.deadTime !== null };
}

/**
 * Reopens the set-aside deliveries that are not dead yet, and returns the events to fan out again. Deletes the rows of
 * deliveries that have been settled, and of deliveries and events that have been deleted.
 */
export async function retryDue(db: Database): Promise<FailedEvent[]> {
  const waiting = sql`from ${deadLetters} where ${deadLetters.deadTime} is null`;
  const { found } = await runTransaction(db, {
    forgotten: sql`delete from ${deadLetters} where case ${deadLetters.subscriptionId}
      when '' then not exists (select 1 from ${events} where ${events.id} = ${deadLetters.eventId})
      else not exists (select 1 from ${deliveries} where ${deliveries.eventId} = ${deadLetters.eventId}
        and ${deliveries.subscriptionId} = ${deadLetters.subscriptionId}
        and ${deliveries.state} in ('dead', 'open', 'claimed')) end`,
    opened: sql`update ${deliveries} set ${toColumnName(deliveries.state)} = 'open', ${toColumnName(deliveries.error)} = null,
        ${toColumnName(deliveries.settleTime)} = null
      where (${toColumnName(deliveries.subscriptionId)}, ${toColumnName(deliveries.eventId)}) in
        (select ${deadLetters.subscriptionId}, ${deadLetters.eventId} ${waiting} and ${deadLetters.subscriptionId} <> '')
        and ${deliveries.state} = 'dead'`,
    found: sql<FailedEvent>`select ${deadLetters.organizationId} as "organizationId", ${deadLetters.eventId} as "eventId"
      ${waiting} and ${deadLetters.subscriptionId} = '' order by ${deadLetters.tryTime} limit ${MOST_EVENTS}`,
  });
  return found;
}
