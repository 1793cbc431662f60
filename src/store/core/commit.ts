/**
 * One write, one transaction: the audit row, the change, its outbox row and the answer of an
 * idempotent call are all stored, or none of them.
 *
 * The audit row goes first and only where every precondition holds, tenancy included. It is the
 * licence: all other statements ask for it, so a refused write changes nothing.
 */
import { and, eq, isNull, sql, type SQL } from "drizzle-orm";
import { DomainError } from "../../errors.ts";
import type { DeliveredKind } from "../../domain/events.ts";
import { newId } from "../../lib/ids.ts";
import type { Role } from "../../domain/principal.ts";
import { assertThat, isFailedAssertion } from "./assertions.ts";
import type { StorageQuota } from "./quota.ts";
import { audit, idempotency } from "./schema.ts";
import { events } from "../webhooks/schema.ts";
import {
  all,
  bare,
  insertInto,
  orm,
  transaction,
  type Database,
  type Results,
  type Returning,
  type Statement,
  type Statements,
} from "./sql.ts";
import { fallen, standing } from "./standing.ts";

/** Who writes, closed over by an organization's store. */
export type Writer = {
  readonly db: Database;
  readonly organizationId: string;
  readonly pinnedBlogId: string | null;
  readonly actor: Actor;
  readonly requestId: string;
  readonly now: () => Date;
  /** What the organization may store. */
  readonly quota: StorageQuota;
  /** Tells the relay of a committed event. Best effort: the outbox is the truth. */
  readonly announce: (eventId: string) => void;
  /** The claim of the Idempotency-Key under which this call runs, if it carries one. */
  readonly idempotency?: IdempotencyClaim;
};

/**
 * Who writes: an API key ("key") or an operator token ("operator"); a member ("user") or an application that one
 * connected ("app"), with the member's role; or a signed-in "person" who acts for themselves, without a role in the
 * organization: founds it, accepts an invitation to it or leaves it. Such a write asks itself whether the person may.
 */
export type Actor =
  | { readonly kind: "key" | "operator" | "person"; readonly id: string }
  | { readonly kind: "user" | "app"; readonly id: string; readonly role: Role | null };

/** What an actor is called in the audit log, where every person is a "user". */
export const auditKind = ({ kind }: Actor): string => (kind === "person" ? "user" : kind);

export type IdempotencyClaim = { readonly key: string; readonly token: string };

/** A write, by which the rows `Row` come back; `Found` is what a refusal reads. */
export type Write<Row = unknown, Found = unknown> = {
  /** The operation, such as `articles.create`. */
  readonly action: string;
  readonly resourceId: string | SQL;
  readonly blogId: string | SQL | null;
  /** `FROM … WHERE …` of the licence: yields one row where all preconditions hold, else none. */
  readonly where: SQL;
  /** The statements of the change, each guarded by the licence; a list where no row of them is wanted. */
  readonly change: (licence: Licence) => readonly Statement[] | Change<Row>;
  /** What the subscribers are told: `from` is the `FROM … WHERE …` of the row that it reports. */
  readonly event?: NewEvent;
  /** When the event is recorded: a deletion's data has to be read before the row goes. */
  readonly eventFirst?: boolean;
  /** The answer as JSON text, for an idempotent call: `{"value": …, "version": …}`. */
  readonly answer: SQL;
  /** The `content` member of that answer, which is stored apart; left out where a repeated call brings it itself. */
  readonly answerContent?: SQL;
  /** Reads what is needed to say why a write was refused. */
  readonly diagnose?: SQL<Found>;
};

/** Statements in the order in which they run. The row of `returning` is handed to the caller: the write's answer. */
export type Change<Row = unknown> = {
  readonly before?: readonly Statement[];
  readonly returning?: Returning<Row>;
  readonly after?: readonly Statement[];
};

export type NewEvent = {
  readonly kind: DeliveredKind;
  readonly blogId: SQL;
  readonly data: SQL;
  readonly from: SQL;
};

export type Licence = { readonly id: string; readonly time: string; readonly held: SQL };

/** A write that was stored, with the row that its change returned. */
export type Committed<Row> = { readonly refused: false; readonly row: Row };
/** A write that was not, with what {@link Write.diagnose} found. */
export type Refused<Found> = { readonly refused: true; readonly diagnosis: readonly Found[] };

/** A licence for one write: its id becomes the version of what it changes and the id of its event. */
export function newLicence(writer: Writer): Licence {
  const id = newId();
  return { id, time: writer.now().toISOString(), held: sql`exists (select 1 from ${audit} where ${audit.id} = ${id})` };
}

/** Runs a write; returns the row that its change returned, or the diagnosis of its refusal. */
export async function commit<Row, Found>(
  writer: Writer,
  licence: Licence,
  write: Write<Row, Found>,
): Promise<Committed<Row> | Refused<Found>> {
  const change = write.change(licence);
  const { before = [], returning, after = [] } = Symbol.iterator in change ? { before: change } : change;
  const event = write.event === undefined ? [] : [outboxRow(writer, licence, write.event)];
  const { licensed, returned, diagnosis } = await run(writer, {
    claim: claimStillHeld(writer),
    licensed: licenceRow(writer, licence, write),
    eventFirst: write.eventFirst ? event : [],
    before,
    returned: returning ?? [],
    after,
    eventLast: write.eventFirst ? [] : event,
    answer: storedAnswer(writer, licence, write),
    diagnosis: diagnosisOf<Found>(writer, write.diagnose),
  });
  if (licensed.length === 0) return { refused: true, diagnosis: diagnosed(writer, diagnosis) };
  if (event.length > 0) writer.announce(licence.id);
  return { refused: false, row: returned[0] as Row };
}

async function run<S extends Statements>(writer: Writer, statements: S): Promise<Results<S>> {
  try {
    return await transaction(writer.db, statements);
  } catch (error) {
    // The claim went to a later call, which may already have committed under the same key.
    if (isFailedAssertion(error)) {
      throw new DomainError("idempotency_in_progress", undefined, { retryAfterSeconds: 1 });
    }
    throw error;
  }
}

/** An audit row, whose SELECT gives the columns in this order. */
export const INTO_AUDIT = insertInto(audit, [
  "id",
  "organizationId",
  "actorKind",
  "actorId",
  "action",
  "resourceId",
  "blogId",
  "requestId",
  "creationTime",
]);

function licenceRow(
  writer: Writer,
  licence: Licence,
  write: Pick<Write, "action" | "resourceId" | "blogId" | "where">,
): SQL {
  return sql`${INTO_AUDIT}
    select ${licence.id}, ${writer.organizationId}, ${auditKind(writer.actor)}, ${writer.actor.id}, ${write.action},
      ${write.resourceId}, ${write.blogId}, ${writer.requestId}, ${licence.time}
    ${write.where} and ${standing(writer)} returning ${bare(audit.id)}`;
}

/** Reads why a write was refused: whether its writer still may, and what the write itself asks for. */
function diagnosisOf<Found>(writer: Writer, asked: SQL = sql`select 1 where false`): SQL<Diagnosed & Found> {
  return sql`select ${standing(writer)} as "standing", d.*
    from (select 1) left join (select 1 as "found", x.* from (${asked}) x) d`;
}

type Diagnosed = { readonly standing: number; readonly found: number | null };

function diagnosed<Row extends Diagnosed>(writer: Writer, rows: readonly Row[]): Row[] {
  if (rows[0]?.standing === 0) throw fallen(writer);
  return rows.filter(({ found }) => found === 1);
}

const INTO_EVENTS = insertInto(events, [
  "id",
  "organizationId",
  "blogId",
  "kind",
  "data",
  "creationTime",
  "enqueueTime",
]);

function outboxRow(writer: Writer, licence: Licence, event: NewEvent): SQL {
  return sql`${INTO_EVENTS}
    select ${licence.id}, ${writer.organizationId}, ${event.blogId}, ${event.kind}, ${event.data},
      ${licence.time}, ${licence.time}
    ${event.from} and ${licence.held}`;
}

/** That a call still has its claim and has not answered yet, of the row of `idempotency`. */
export const isClaimed = (organizationId: string, claim: IdempotencyClaim): SQL =>
  all(
    eq(idempotency.organizationId, organizationId),
    eq(idempotency.key, claim.key),
    eq(idempotency.token, claim.token),
    isNull(idempotency.answer),
  );

function claimStillHeld({ organizationId, idempotency: claim }: Writer): SQL[] {
  if (claim === undefined) return [];
  return [assertThat(sql`exists (select 1 from ${idempotency} where ${isClaimed(organizationId, claim)})`)];
}

function storedAnswer(
  { db, organizationId, idempotency: claim }: Writer,
  { held }: Licence,
  { answer, answerContent }: Pick<Write, "answer" | "answerContent">,
): Statement[] {
  if (claim === undefined) return [];
  const stored = { answer, content: answerContent ?? null };
  return [
    orm(db)
      .update(idempotency)
      .set(stored)
      .where(and(isClaimed(organizationId, claim), held)),
  ];
}
