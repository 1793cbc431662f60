/**
 * One write, one transaction: the audit row, the change, its outbox row and the answer of an
 * idempotent call are all stored, or none of them.
 *
 * The audit row goes first and only where every precondition holds, tenancy included. It is the
 * licence: all other statements ask for it, so a refused write changes nothing.
 */
import { sql, type SQL } from "drizzle-orm";
import { DomainError } from "../../errors.ts";
import type { DeliveredKind } from "../../domain/events.ts";
import { newId } from "../../lib/ids.ts";
import type { Role } from "../../domain/principal.ts";
import { assertThat, isFailedAssertion } from "./assertions.ts";
import type { StorageQuota } from "./quota.ts";
import { audit, idempotency } from "./schema.ts";
import { events } from "../webhooks/schema.ts";
import { transaction, type Database } from "./sql.ts";
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

export type Write = {
  /** The operation, such as `articles.create`. */
  readonly action: string;
  readonly resourceId: string | SQL;
  readonly blogId: string | SQL | null;
  /** `FROM … WHERE …` of the licence: yields one row where all preconditions hold, else none. */
  readonly where: SQL;
  /** The statements of the change, each guarded by the licence. */
  readonly change: (write: Licence) => readonly SQL[];
  /** What the subscribers are told: `from` is the `FROM … WHERE …` of the row that it reports. */
  readonly event?: NewEvent;
  /** When the event is recorded: a deletion's data has to be read before the row goes. */
  readonly eventFirst?: boolean;
  /** The answer as JSON text, for an idempotent call: `{"value": …, "version": …}`. */
  readonly answer: SQL;
  /** The `content` member of that answer, which is stored apart; left out where a repeated call brings it itself. */
  readonly answerContent?: SQL;
  /** Reads what is needed to say why a write was refused. */
  readonly diagnose?: SQL;
};

export type NewEvent = {
  readonly kind: DeliveredKind;
  readonly blogId: SQL;
  readonly data: SQL;
  readonly from: SQL;
};

export type Licence = { readonly id: string; readonly time: string; readonly held: SQL };

export type Committed = { readonly id: string; readonly rows: unknown[][] };
export type Refused = { readonly refused: true; readonly diagnosis: unknown[] };

/** A licence for one write: its id becomes the version of what it changes and the id of its event. */
export function newLicence(writer: Writer): Licence {
  const id = newId();
  return { id, time: writer.now().toISOString(), held: sql`exists (select 1 from ${audit} where ${audit.id} = ${id})` };
}

/** Runs a write; returns the rows of each statement of its change, or the diagnosis of its refusal. */
export async function commit(writer: Writer, licence: Licence, write: Write): Promise<Committed | Refused> {
  const change = write.change(licence);
  const event = write.event === undefined ? [] : [outboxRow(writer, licence, write.event)];
  const before = [...claimStillHeld(writer), licenceRow(writer, licence, write), ...(write.eventFirst ? event : [])];
  const after = [
    ...(write.eventFirst ? [] : event),
    ...storedAnswer(writer, licence, write),
    diagnosis(writer, write.diagnose),
  ];
  const results = await run(writer, [...before, ...change, ...after]);

  const licensed = results[before.length - 1 - (write.eventFirst ? event.length : 0)] ?? [];
  if (licensed.length === 0) {
    return { refused: true, diagnosis: diagnosed(writer, results.at(-1) as Diagnosed[]) };
  }
  if (event.length > 0) writer.announce(licence.id);
  return { id: licence.id, rows: results.slice(before.length, before.length + change.length) };
}

async function run(writer: Writer, queries: readonly SQL[]): Promise<unknown[][]> {
  try {
    return await transaction(writer.db, queries);
  } catch (error) {
    // The claim went to a later call, which may already have committed under the same key.
    if (isFailedAssertion(error)) {
      throw new DomainError("idempotency_in_progress", undefined, { retryAfterSeconds: 1 });
    }
    throw error;
  }
}

function licenceRow(writer: Writer, licence: Licence, write: Write): SQL {
  return sql`insert into ${audit}
    (id, organization_id, actor_kind, actor_id, action, resource_id, blog_id, request_id, creation_time)
    select ${licence.id}, ${writer.organizationId}, ${auditKind(writer.actor)}, ${writer.actor.id}, ${write.action},
      ${write.resourceId}, ${write.blogId}, ${writer.requestId}, ${licence.time}
    ${write.where} and ${standing(writer)} returning id`;
}

/** Reads why a write was refused: whether its writer still may, and what the write itself asks for. */
function diagnosis(writer: Writer, asked: SQL = sql`select 1 where false`): SQL {
  return sql`select ${standing(writer)} as "standing", d.*
    from (select 1) left join (select 1 as "found", x.* from (${asked}) x) d`;
}

type Diagnosed = { readonly standing: number; readonly found: number | null };

function diagnosed(writer: Writer, rows: readonly Diagnosed[]): Diagnosed[] {
  if (rows[0]?.standing === 0) throw fallen(writer);
  return rows.filter(({ found }) => found === 1);
}

function outboxRow(writer: Writer, licence: Licence, event: NewEvent): SQL {
  return sql`insert into ${events} (id, organization_id, blog_id, kind, data, creation_time, enqueue_time)
    select ${licence.id}, ${writer.organizationId}, ${event.blogId}, ${event.kind}, ${event.data},
      ${licence.time}, ${licence.time}
    ${event.from} and ${licence.held}`;
}

/** That a call still has its claim and has not answered yet, of the row of `idempotency`. */
export const isClaimed = (organizationId: string, claim: IdempotencyClaim): SQL =>
  sql`organization_id = ${organizationId} and key = ${claim.key} and token = ${claim.token} and answer is null`;

function claimStillHeld({ organizationId, idempotency: claim }: Writer): SQL[] {
  if (claim === undefined) return [];
  return [assertThat(sql`exists (select 1 from ${idempotency} where ${isClaimed(organizationId, claim)})`)];
}

function storedAnswer(writer: Writer, licence: Licence, { answer, answerContent }: Write): SQL[] {
  if (writer.idempotency === undefined) return [];
  return [
    sql`update ${idempotency} set answer = ${answer}, content = ${answerContent ?? null}
      where ${isClaimed(writer.organizationId, writer.idempotency)} and ${licence.held}`,
  ];
}
