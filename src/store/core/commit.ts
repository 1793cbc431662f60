/**
 * Runs each write as one transaction. It stores the audit row, the change, the outbox row and the response of an
 * idempotent call: all of them or none.
 *
 * The first statement inserts the audit row, and only if every precondition holds, tenancy included. This row is the
 * license: every other statement checks that it exists, so a refused write changes nothing.
 */
import { getAuditKind, type IdempotencyClaim, type Writer } from "./writer.ts";
import { and, eq, isNull, sql, type SQL } from "drizzle-orm";
import { DomainError } from "../../domain/errors.ts";
import type { DeliveredKind } from "../../domain/events.ts";
import { newId } from "../../lib/ids.ts";
import { pick } from "../../lib/pick.ts";
import { storeReliably } from "./lost-answers.ts";
import { makeDayLimitError, eventFits, selectOwnQuota } from "./quota.ts";
import { audit, idempotency } from "../../schema/core.ts";
import { events, webhookSubscriptions as subscriptions } from "../../schema/webhooks.ts";
import { matches } from "../webhooks/matching.ts";
import {
  joinAnd,
  assertThat,
  toColumnName,
  builder,
  insertWhere,
  isFailedAssertion,
  runTransaction,
  type Returning,
  type Statement,
} from "./sql.ts";
import { findUnauthorizedError, isAuthorized } from "./standing.ts";

/** `Row` is the type of the row that the change returns, `Found` the type of the rows of the diagnosis. */
export type Write<Row = unknown, Found = unknown> = {
  /** Such as `articles.create`. */
  readonly action: string | SQL;
  readonly resourceId: string | SQL;
  readonly blogId: string | SQL | null;
  /** `FROM … WHERE …` of the license. Selects one row if all preconditions hold, otherwise none. */
  readonly where: SQL;
  /** Builds the statements of the change. Each must check the license. A plain list returns no row to the caller. */
  readonly change: (license: License) => readonly Statement[] | Change<Row>;
  readonly event?: NewEvent;
  /**
   * Of an update: the names of the fields that it changes, as JSON text ({@link listChanged}), on the row before it. They
   * are `changed` in the data of its event, and if there are none, it fires none.
   */
  readonly changed?: SQL | undefined;
  /** Records the event before the change. A deletion needs this: its event reads the row that it deletes. */
  readonly eventFirst?: boolean;
  /** The response to store for an idempotent call, as JSON text: `{"value": …, "version": …}`. */
  readonly answer: SQL;
  /** The response's `content` field, stored in its own column. Undefined if every repeated request sends it. */
  readonly answerContent?: SQL;
  /** Reads why the write was refused, in the same transaction. */
  readonly diagnose?: SQL<Found>;
};

/**
 * The statements of a change, in the order in which they run. `commit` returns the first row of `returning`. If the
 * response was lost, it returns the first row of `again`: the same row, which another write may have changed since.
 */
export type Change<Row = unknown> = {
  readonly before?: readonly Statement[];
  readonly after?: readonly Statement[];
} & ({ readonly returning: Returning<Row>; readonly again: () => Returning<Row> } | { readonly returning?: never });

export type NewEvent = {
  readonly kind: DeliveredKind;
  readonly blogId: SQL;
  readonly data: SQL;
  /** `FROM … WHERE …` that selects the row which the event describes. */
  readonly from: SQL;
  /** Whether the write fires the event at all; evaluated before the change. Without it, always. */
  readonly when?: SQL;
  /**
   * Whether caches may hold what has changed, so that the fan-out purges them (`requestTagPurges`). Without it, no. An update that
   * changes `published` always does.
   */
  readonly purges?: SQL | undefined;
};

/** The license of one write: the id and time of its audit row, and the condition that this row exists. */
export type License = { readonly id: string; readonly time: string; readonly held: SQL };

export type Committed<Row> = { readonly refused: false; readonly row: Row };
/** A refused write, with the rows that {@link Write.diagnose} read. */
export type Refused<Found> = { readonly refused: true; readonly diagnosis: readonly Found[] };

/** Returns the condition that the audit row of a write exists. */
export const isStored = (organizationId: string | SQL, id: string): SQL =>
  sql`exists (select 1 from ${audit} where ${audit.organizationId} = ${organizationId} and ${audit.id} = ${id})`;

/** Returns a license for one write. Its id becomes the version of the changed rows and the id of the event. */
export function makeLicense(writer: Writer): License {
  const id = newId();
  return { id, time: writer.now().toISOString(), held: isStored(writer.organizationId, id) };
}

/**
 * Runs a write as one transaction. Returns the row that its change returned, or the diagnosis if a precondition is
 * false. Throws {@link findUnauthorizedError} if the writer's rights have ended, `event_limit` if the day has no room for
 * the event, `idempotency_in_progress` if another call took over the claim on the Idempotency-Key, and `not_ready` if
 * D1 does not answer. If D1's response is lost, it looks for the audit row by the license's id, so D1 never stores the
 * write twice.
 */
export async function commit<Row, Found>(
  writer: Writer,
  license: License,
  write: Write<Row, Found>,
): Promise<Committed<Row> | Refused<Found>> {
  const made = write.change(license);
  const change: Change<Row> = Symbol.iterator in made ? { before: made } : made;
  const event = write.event === undefined ? [] : [insertOutboxRow(writer, license, write, write.event)];
  const statements = {
    claim: assertClaimHeld(writer),
    licensed: insertLicense(writer, license, write),
    eventFirst: write.eventFirst ? event : [],
    before: change.before ?? [],
    returned: change.returning ?? [],
    after: change.after ?? [],
    eventLast: write.eventFirst ? [] : event,
    answer: storeAnswer(writer, license, write),
    diagnosis: selectDiagnosis<Found>(writer, license, write),
  };
  const run = (): Promise<Ran<Found>> => runTransaction(writer.db, statements);
  const stored = () => findStored(writer, license, change);
  const { licensed, returned, diagnosis, ...fired } = await storeReliably(run, async () => {
    const ran = (await stored()) ?? (await run());
    // The attempt before may have been stored late, so that its repetition is refused.
    return ran.licensed.length > 0 ? ran : ((await stored()) ?? ran);
  }).catch(throwRefusal);
  if (licensed.length === 0) return { refused: true, diagnosis: await checkDiagnosis(writer, diagnosis) };
  const { eventFirst, eventLast } = fired;
  if (write.event !== undefined && (write.event.purges === undefined || isWaiting(eventFirst) || isWaiting(eventLast)))
    writer.announce();
  return { refused: false, row: returned[0] as Row };
}

type Ran<Found> = {
  readonly licensed: readonly unknown[];
  readonly returned: readonly unknown[];
  readonly diagnosis: readonly (Diagnosed & Found)[];
  readonly eventFirst: Inserted;
  readonly eventLast: Inserted;
};

/** What the statement of the event returned, if the write has one. */
type Inserted = readonly (readonly unknown[])[];

const WAITING = { waiting: 1 };

/** Returns whether an event waits for its fan-out. */
const isWaiting = ([rows]: Inserted): boolean => (rows as readonly (typeof WAITING)[] | undefined)?.[0]?.waiting === 1;

/** Returns null if the write was not stored. Throws `not_found` if its row has been deleted since. */
async function findStored<Row>({ db }: Writer, { held }: License, change: Change<Row>) {
  const { licensed, returned } = await runTransaction(db, {
    licensed: sql`select 1 where ${held}`,
    returned: change.returning === undefined ? [] : change.again(),
  });
  if (licensed.length === 0) return null;
  if (change.returning !== undefined && returned.length === 0) throw new DomainError("not_found");
  // Whether its event waits is unknown, so the queue is told.
  return { licensed, returned, diagnosis: [], eventFirst: [[WAITING]], eventLast: [] };
}

function throwRefusal(error: unknown): never {
  // A later call has taken over the claim, and may already have committed under the same key.
  if (isFailedAssertion(error)) {
    throw new DomainError("idempotency_in_progress", undefined, { retryAfterSeconds: 1 });
  }
  throw error;
}

const hasRoomFor = (writer: Writer, { when }: NewEvent, time: string): SQL =>
  when === undefined ? eventFits(writer, time) : sql`(not ${when} or ${eventFits(writer, time)})`;

function insertLicense(
  writer: Writer,
  license: License,
  write: Pick<Write, "action" | "resourceId" | "blogId" | "where" | "event" | "changed">,
) {
  const entry = {
    id: license.id,
    organizationId: writer.organizationId,
    actorKind: getAuditKind(writer.actor),
    actorId: writer.actor.id,
    action: writer.within?.action ?? write.action,
    resourceId: write.resourceId,
    blogId: write.blogId,
    requestId: writer.requestId,
    creationTime: license.time,
    changed: write.changed ?? null,
  };
  const isAllowed = joinAnd(
    isAuthorized(writer),
    writer.within?.holds,
    write.event && hasRoomFor(writer, write.event, license.time),
  );
  return insertWhere(audit, entry, sql`${write.where} and ${isAllowed}`).returning({ id: audit.id });
}

/**
 * Returns the query of the diagnosis. Each row says whether the writer is still authorized, and the quota of events if
 * only the missing room for the event refused the write. If the write's own query finds rows, their columns are added and
 * `found` is 1; otherwise there is one row, with `found` NULL.
 */
function selectDiagnosis<Found>(
  writer: Writer,
  { time }: License,
  { where, event, diagnose = sql`select 1 where false` }: Pick<Write, "where" | "event" | "diagnose">,
): SQL<Diagnosed & Found> {
  // SQLite evaluates the other preconditions only once the day is full.
  const fullAt =
    event === undefined
      ? sql`null`
      : sql`case when not ${hasRoomFor(writer, event, time)} and exists (select 1 ${where}) then ${selectOwnQuota(writer, "eventsPerDay")} end`;
  return sql`select ${isAuthorized(writer)} as "standing", ${fullAt} as "fullAt", d.*
    from (select 1) left join (select 1 as "found", x.* from (${diagnose}) x) d`;
}

type Diagnosed = { readonly standing: number; readonly fullAt: number | null; readonly found: number | null };

/** Returns the rows of the diagnosis. Throws {@link findUnauthorizedError} and `event_limit` where they say so. */
async function checkDiagnosis<Row extends Diagnosed>(writer: Writer, rows: readonly Row[]): Promise<Row[]> {
  if (rows[0]?.standing === 0) throw await findUnauthorizedError(writer);
  const fullAt = rows[0]?.fullAt ?? null;
  if (fullAt !== null) throw makeDayLimitError("event_limit", fullAt, writer.now());
  return rows.filter(({ found }) => found === 1);
}

/** Returns the names of the fields that a write changes, as they are stored with its license: JSON text. */
export const selectChanged = (organizationId: string, id: string): SQL =>
  sql`(select ${audit.changed} from ${audit} where ${audit.organizationId} = ${organizationId} and ${audit.id} = ${id})`;

/** Returns the data of the event of an update: the resource, and the names of the fields that changed. */
export const addChanged = (data: SQL, changed: SQL): SQL => sql`json_set(${data}, '$.changed', json(${changed}))`;

function insertOutboxRow(
  { organizationId }: Writer,
  { id, time, held }: License,
  { changed }: Pick<Write, "changed">,
  { blogId, kind, data, from, purges }: NewEvent,
): SQL {
  const event = { id, organizationId, blogId, kind, time };
  const stored = selectChanged(organizationId, id);
  const inserted =
    changed === undefined
      ? insertEvent({ ...event, data, purges }, sql`${from} and ${held}`)
      : insertEvent(
          {
            ...event,
            data: addChanged(data, stored),
            purges: purges && sql`(${purges} or instr(${stored}, '"published"'))`,
          },
          sql`${from} and ${stored} <> '[]'`,
        );
  // A row more is read: only for articles, of which drafts are saved often.
  return purges === undefined
    ? inserted
    : sql`${inserted} returning ${toColumnName(events.fanOutTime)} is null as "waiting"`;
}

type Event = Pick<NewEvent, "kind" | "data" | "purges"> & { readonly time: string } & Record<
    "id" | "organizationId" | "blogId",
    unknown
  >;

/** Returns the INSERT of an event. It omits `seq`, which numbers itself: a NULL there costs one more row read. */
export function insertEvent({ data, ...event }: Event, from: SQL): SQL {
  const { id, organizationId, blogId, kind, time } = event;
  const names = pick(events, [
    "id",
    "organizationId",
    "blogId",
    "kind",
    "data",
    "creationTime",
    "enqueueTime",
    "fanOutTime",
  ]);
  return sql`insert into ${events} (${sql.join(Object.values(names).map(toColumnName), sql`, `)})
    select ${id}, ${organizationId}, ${blogId}, ${kind}, ${data}, ${time}, ${time},
      ${computeFanOutTime(event)} ${from}`;
}

/**
 * Returns the time if no subscription wants the event and it purges nothing, so that it costs no fan-out; else NULL. The
 * fan-out of a ping sends it.
 */
function computeFanOutTime({
  organizationId,
  blogId,
  kind,
  time,
  purges = sql`false`,
}: Omit<Event, "id" | "data">): SQL {
  if (kind === "ping") return sql`null`;
  const isWanted = matches({ blogId, kind: sql.raw(`'${kind}'`) });
  return sql`iif(${purges} or exists (select 1 from ${subscriptions} where ${subscriptions.organizationId} = ${organizationId}
    and ${subscriptions.active} = 1 and ${isWanted}), null, ${time})`;
}

/** The condition, on a row of `idempotency`, that the call still holds its claim and no response is stored yet. */
export const isClaimed = (organizationId: string, claim: IdempotencyClaim): SQL =>
  joinAnd(
    eq(idempotency.organizationId, organizationId),
    eq(idempotency.key, claim.key),
    eq(idempotency.token, claim.token),
    isNull(idempotency.answer),
  );

function assertClaimHeld({ organizationId, idempotency: claim }: Writer): Statement[] {
  if (claim === undefined) return [];
  return [assertThat(sql`exists (select 1 from ${idempotency} where ${isClaimed(organizationId, claim)})`)];
}

function storeAnswer(
  { organizationId, idempotency: claim, within }: Writer,
  { held }: License,
  { answer, answerContent }: Pick<Write, "answer" | "answerContent">,
): Statement[] {
  if (claim === undefined) return [];
  const stored = within?.answer
    ? { answer: JSON.stringify({ value: within.answer }) }
    : { answer, content: answerContent ?? null };
  return [
    builder
      .update(idempotency)
      .set(stored)
      .where(and(isClaimed(organizationId, claim), held)),
  ];
}
