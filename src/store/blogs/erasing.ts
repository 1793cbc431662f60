/** Erases a contact, with everything that names the person elsewhere (contract 20.11). */
import { and, eq, sql, type SQL } from "drizzle-orm";
import type { SQLiteColumn } from "drizzle-orm/sqlite-core";
import type { IfMatch } from "../../domain/preconditions.ts";
import { DomainError } from "../../domain/errors.ts";
import { getIdRange, getIdTime } from "../../lib/ids.ts";
import { commit, makeLicense, type License } from "../core/commit.ts";
import type { Writer } from "../core/writer.ts";
import { matchVersion } from "../core/preconditions.ts";
import { idempotency } from "../../schema/core.ts";
import { joinAnd, toColumnName, builder, queryFirstRow, orm, type Statement } from "../core/sql.ts";
import { deadLetters, deliveries, events, webhookSubscriptions as subscriptions } from "../../schema/webhooks.ts";
import { CONTACT, isOwnContact } from "./contacts.ts";
import { contactRequests, contacts } from "../../schema/blogs.ts";

/** How long after the contact's creation the claim of its Idempotency-Key may be dated, in milliseconds. */
const NEAR_MS = 2000;
/** How long before it: the contact is dated when D1 answered the claim, after four tries of half a minute at most. */
const CLAIMED_MS = 3 * 60_000;

const NAMELESS = { email: "", name: "" } as const;

type Found = { readonly id: string; readonly blogId: string; readonly email: string; readonly time: string };

/**
 * Deletes a contact and any request of its address, and empties `email` and `name` in its event and in the stored
 * response of its creation. Waiting deliveries of the event are skipped; one that is being sent goes through. Throws
 * `not_found` and `precondition_failed`.
 */
export async function eraseContact(writer: Writer, id: string, ifMatch: IfMatch | undefined): Promise<void> {
  const { db } = writer;
  const mine = joinAnd(eq(contacts.id, id), isOwnContact(writer));
  const found = await queryFirstRow<Found>(
    db,
    sql`select ${contacts.id}, ${contacts.blogId} as "blogId", ${contacts.email}, ${contacts.creationTime} as "time"
      from ${contacts} where ${mine}`,
  );
  if (found === null) throw new DomainError("not_found");
  const { blogId, email } = found;
  const version = sql`coalesce(${contacts.version}, ${contacts.id})`;
  const outcome = await commit(writer, makeLicense(writer), {
    action: "contacts.erase",
    resourceId: id,
    blogId,
    where: sql`from ${contacts} where ${joinAnd(mine, eq(contacts.email, email), ...matchVersion(version, ifMatch))}`,
    change: (license) => [
      ...eraseEvent(writer, license, found),
      eraseAnswer(writer, license, found),
      builder
        .delete(contactRequests)
        .where(and(eq(contactRequests.blogId, blogId), eq(contactRequests.email, email), license.held)),
      builder.delete(contacts).where(and(eq(contacts.id, id), license.held)),
    ],
    answer: sql`json_object('value', json_object('_id', ${id}))`,
    diagnose: sql`select ${contacts.id} from ${contacts} where ${mine}`,
  });
  if (outcome.refused) throw new DomainError(outcome.diagnosis.length > 0 ? "precondition_failed" : "not_found");
}

const addMs = ({ time }: Found, ms: number): string => new Date(Date.parse(time) + ms).toISOString();

/** Returns the statements that remove the person from the contact's event, and skip its unsent deliveries. */
function eraseEvent({ organizationId }: Writer, { time, held }: License, found: Found): Statement[] {
  // A range of ids, because no index has the contacts of events. Both ids were made in the same request.
  const { from, to } = getIdRange(new Date(getIdTime(found.id)));
  const itsEvent = joinAnd(
    sql`${events.id} >= ${from} and ${events.id} < ${to}`,
    eq(events.organizationId, organizationId),
    sql`${events.kind} = 'contact.created' and json_valid(${events.data}) and ${events.data} ->> '_id' = ${found.id}`,
  );
  const isForItsOwn = sql`${deliveries.subscriptionId} in
    (select ${subscriptions.id} from ${subscriptions} where ${subscriptions.organizationId} = ${organizationId})`;
  const isForEvent = (column: SQLiteColumn) => sql`${column} in (select ${events.id} from ${events} where ${itsEvent})`;
  return [
    builder
      .update(deliveries)
      .set({ state: "skipped", settleTime: time, error: "contact_erased" })
      .where(and(isForItsOwn, isForEvent(deliveries.eventId), sql`${deliveries.state} in ('open', 'dead')`, held)),
    builder.delete(deadLetters).where(and(isForEvent(deadLetters.eventId), held)),
    builder
      .update(events)
      .set({
        // An event that has not been fanned out has no deliveries to skip, so it gets none.
        fanOutTime: sql`coalesce(${events.fanOutTime}, ${time})`,
        data: sql`json_patch(${events.data}, ${JSON.stringify(NAMELESS)})`,
      })
      .where(and(itsEvent, held)),
  ];
}

/**
 * Returns the statement that removes the person from the stored response of an idempotent creation. It searches only
 * claims around the contact's time: an organization may have thousands in a day.
 */
function eraseAnswer({ organizationId }: Writer, { held }: License, found: Found): SQL {
  const { creationTime, answer } = idempotency;
  const [from, to] = [addMs(found, -CLAIMED_MS), addMs(found, NEAR_MS)];
  return sql`update ${idempotency} indexed by idempotency_by_time
    set ${toColumnName(answer)} = json_patch(${answer}, ${JSON.stringify({ value: NAMELESS })})
    where ${joinAnd(
      sql`${creationTime} >= ${from} and ${creationTime} <= ${to}`,
      eq(idempotency.organizationId, organizationId),
      sql`json_valid(${answer}) and ${answer} ->> '$.value._id' = ${found.id}`,
      held,
    )}`;
}

/** Returns a contact. Throws `not_found`. */
export async function findContact(writer: Writer, id: string) {
  const [row] = await orm(writer.db)
    .select(CONTACT.fields)
    .from(contacts)
    .where(and(eq(contacts.id, id), isOwnContact(writer)));
  if (row === undefined) throw new DomainError("not_found");
  return CONTACT.toRecord(row);
}
