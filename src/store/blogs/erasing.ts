/** Erases a contact, with everything that names the person elsewhere (contract 20.24). */
import { and, eq, sql } from "drizzle-orm";
import type { SQLiteColumn } from "drizzle-orm/sqlite-core";
import { DomainError } from "../../errors.ts";
import { lowestIdAt } from "../../lib/ids.ts";
import { commit, newLicence, type Writer } from "../core/commit.ts";
import { versionIn, type IfMatch } from "../core/preconditions.ts";
import { idempotency } from "../core/schema.ts";
import { all, firstRow, orm } from "../core/sql.ts";
import { deadLetters, deliveries, events } from "../webhooks/schema.ts";
import { CONTACT, ofWriter } from "./contacts.ts";
import { contactRequests, contacts } from "./schema.ts";

/** How far the id of an event may be from the time of its contact, in milliseconds: both are of the same write. */
const NEAR_MS = 2000;
/** How long before its contact the claim of an Idempotency-Key may have been made, in milliseconds: requests end sooner. */
const CLAIMED_MS = 15 * 60_000;

const NAMELESS = { email: "", name: "" } as const;

/**
 * Deletes a contact and a request of its address, and empties `email` and `name` in its event and in the stored response of its
 * creation. Deliveries of the event that wait are skipped, as the receivers need not be told of somebody who is gone; one that
 * is being sent is let go. Throws `not_found` and `precondition_failed`.
 */
export async function eraseContact(writer: Writer, id: string, ifMatch: IfMatch | undefined): Promise<void> {
  const { db, organizationId } = writer;
  const mine = all(eq(contacts.id, id), ofWriter(writer));
  const found = await firstRow<{ blogId: string; email: string; time: string }>(
    db,
    sql`select ${contacts.blogId} as "blogId", ${contacts.email}, ${contacts.creationTime} as "time" from ${contacts} where ${mine}`,
  );
  if (found === null) throw new DomainError("not_found");
  const made = Date.parse(found.time);
  const at = (ms: number) => new Date(made + ms);
  // A range of ids, because no index has the contacts of events.
  const itsEvent = all(
    sql`${events.id} >= ${lowestIdAt(at(-NEAR_MS))} and ${events.id} < ${lowestIdAt(at(NEAR_MS))}`,
    eq(events.organizationId, organizationId),
    sql`${events.kind} = 'contact.created' and json_valid(${events.data}) and ${events.data} ->> '_id' = ${id}`,
  );
  const isOfEvent = (column: SQLiteColumn) => sql`${column} in (select ${events.id} from ${events} where ${itsEvent})`;
  const licence = newLicence(writer);
  const version = sql`coalesce(${contacts.version}, ${contacts.id})`;
  const outcome = await commit(writer, licence, {
    action: "contacts.erase",
    resourceId: id,
    blogId: sql`${contacts.blogId}`,
    where: sql`from ${contacts} where ${all(mine, eq(contacts.email, found.email), ...versionIn(version, ifMatch))}`,
    change: ({ held }) => [
      orm(db)
        .update(deliveries)
        .set({ state: "skipped", settleTime: licence.time, error: "contact_erased" })
        .where(and(isOfEvent(deliveries.eventId), sql`${deliveries.state} in ('open', 'dead')`, held)),
      orm(db)
        .delete(deadLetters)
        .where(and(isOfEvent(deadLetters.eventId), held)),
      orm(db)
        .update(events)
        .set({
          // One that has not been fanned out has no deliveries to be skipped, so it gets none.
          fanOutTime: sql`coalesce(${events.fanOutTime}, ${licence.time})`,
          data: sql`json_patch(${events.data}, ${JSON.stringify(NAMELESS)})`,
        })
        .where(and(itsEvent, held)),
      orm(db)
        .update(idempotency)
        .set({ answer: sql`json_patch(${idempotency.answer}, ${JSON.stringify({ value: NAMELESS })})` })
        .where(
          and(
            eq(idempotency.organizationId, organizationId),
            sql`${idempotency.creationTime} >= ${at(-CLAIMED_MS).toISOString()} and ${idempotency.creationTime} <= ${at(NEAR_MS).toISOString()}`,
            sql`json_valid(${idempotency.answer}) and ${idempotency.answer} ->> '$.value._id' = ${id}`,
            held,
          ),
        ),
      orm(db)
        .delete(contactRequests)
        .where(and(eq(contactRequests.blogId, found.blogId), eq(contactRequests.email, found.email), held)),
      orm(db)
        .delete(contacts)
        .where(and(eq(contacts.id, id), held)),
    ],
    answer: sql`json_object('value', json_object('_id', ${id}))`,
    diagnose: sql`select ${contacts.id} from ${contacts} where ${mine}`,
  });
  if (outcome.refused) throw new DomainError(outcome.diagnosis.length > 0 ? "precondition_failed" : "not_found");
}

/** Returns a contact. Throws `not_found`. */
export async function findContact(writer: Writer, id: string) {
  const [row] = await orm(writer.db)
    .select(CONTACT.fields)
    .from(contacts)
    .where(and(eq(contacts.id, id), ofWriter(writer)));
  if (row === undefined) throw new DomainError("not_found");
  return CONTACT.toRecord(row);
}
