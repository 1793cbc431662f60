/**
 * Suspended organizations, also those that an owner has deleted: nobody acts for them, and their background work rests. And those that
 * have reached a ceiling of the month (store/ledger.ts): they are read as before, and what they have can be deleted, but nothing else is
 * written. The table is nearly always empty, so a lookup in it reads no row.
 */
import { sql, type SQL, type SQLWrapper } from "drizzle-orm";
import { DomainError } from "../../domain/errors.ts";
import { LIMITS } from "../../domain/limits.ts";
import { getMonth } from "../../lib/time.ts";
import { suspensions } from "../../schema/core.ts";
import type { Value } from "./sql.ts";

/**
 * The kinds of suspensions. A move (store/moving/) has rows of its own kinds, which hide nothing: `resting` while no webhook goes out, `moving` from the
 * moment on in which the database that an organization leaves takes no more writes, and `arriving` in the other one until then.
 */
const IS_SUSPENSION = sql`${suspensions.kind} in ('suspended', 'deleted', 'erased')`;

/** A ceiling of a former month stops nobody, also before its row is removed or replaced (store/ledger.ts). */
const find = (organizationId: SQLWrapper | Value): SQL =>
  sql`from ${suspensions} where ${suspensions.organizationId} = ${organizationId}
    and (${suspensions.kind} <> 'ceiling' or ${suspensions.creationTime} >= strftime('%Y-%m-01', 'now'))`;

/** SQL for the day (UTC) until which a deleted organization can be restored, on a row of `suspensions`. */
const LAST_DAY = sql`date(${suspensions.creationTime}, ${sql.raw(`'+${LIMITS.trashDays} days'`)})`;

const SUSPENDED = "The operator of the service has suspended the organization: ";
const DELETED = "An owner has deleted the organization. An owner can restore it in the console until ";
const ERASED = "The organization is deleted.";

/** Returns SQL for why an organization is suspended, as its people are told; NULL if it is not, also at its ceiling. */
export const selectSuspension = (organizationId: SQLWrapper | Value): SQL<string | null> =>
  sql<
    string | null
  >`(select case ${suspensions.kind} when 'suspended' then ${sql.raw(`'${SUSPENDED}'`)} || ${suspensions.reason}
    when 'deleted' then ${sql.raw(`'${DELETED}'`)} || ${LAST_DAY} || '.' when 'erased' then ${sql.raw(`'${ERASED}'`)} end ${find(organizationId)})`;

/** Returns SQL for whether an owner has deleted an organization, so that an owner can restore it: 1 or 0. */
export const selectIsDeleted = (organizationId: SQLWrapper | Value): SQL<number> =>
  sql<number>`exists (select 1 ${find(organizationId)} and ${suspensions.kind} = 'deleted')`;

/** Returns the condition that an organization is suspended. */
export const isSuspended = (organizationId: SQLWrapper | Value): SQL =>
  sql`exists (select 1 ${find(organizationId)} and ${IS_SUSPENSION})`;

/** Returns the condition that an organization is not suspended, and that this database may write for it. */
export const isActive = (organizationId: SQLWrapper | Value): SQL =>
  sql`not exists (select 1 ${find(organizationId)} and ${suspensions.kind} <> 'resting')`;

/** Returns the condition that this database may write for an organization: that it is not in another one, or on its way. */
export const isHere = (organizationId: SQLWrapper | Value): SQL =>
  sql`not exists (select 1 ${find(organizationId)} and ${suspensions.kind} in ('moving', 'arriving'))`;

/** Returns the condition that an organization is not one of which this database has only a copy, before a move has ended. */
export const hasArrived = (organizationId: SQLWrapper | Value): SQL =>
  sql`not exists (select 1 ${find(organizationId)} and ${suspensions.kind} = 'arriving')`;

/** Returns the condition that what an organization has may at least be read and deleted: that it is active, or at its ceiling. */
export const mayReadAndDelete = (organizationId: SQLWrapper | Value): SQL =>
  sql`not exists (select 1 ${find(organizationId)} and ${suspensions.kind} not in ('resting', 'ceiling'))`;

/** Returns SQL for what an organization has used up for this month; NULL if it is not at a ceiling. */
export const selectCeiling = (organizationId: SQLWrapper | Value): SQL<string | null> =>
  sql<string | null>`(select ${suspensions.reason} ${find(organizationId)} and ${suspensions.kind} = 'ceiling')`;

/** Returns the condition that deliveries of an organization go out: also those of its own deletion. */
export const isDelivering = (organizationId: SQLWrapper | Value): SQL =>
  sql`not exists (select 1 ${find(organizationId)} and ${suspensions.kind} <> 'deleted')`;

/** Returns `usage_limit`, which says what is used up. */
export function makeCeilingError(ceiling: string, now: Date): DomainError {
  const end = getMonth(now, 1);
  const day = end.toLocaleDateString("en-GB", { day: "numeric", month: "long", year: "numeric", timeZone: "UTC" });
  return new DomainError(
    "usage_limit",
    `The organization has reached its ceiling of ${ceiling} for this month. It can be read, and what it has can be deleted. It goes on at 00:00 UTC on ${day}, or once the operator of the service raises the ceiling.`,
    { retryAfterSeconds: Math.ceil((end.getTime() - now.getTime()) / 1000) },
  );
}

/** Throws `organization_suspended` if there is a suspension. */
export function requireActive(suspension: string | null): void {
  if (suspension !== null) throw makeSuspendedError(suspension);
}

/** Returns `organization_suspended`, which says why. */
export const makeSuspendedError = (suspension: string): DomainError =>
  new DomainError("organization_suspended", suspension);

/** Returns the error for a write while an organization changes its database, which takes less than a second. */
export const makeMovingError = (): DomainError =>
  new DomainError("not_ready", "The organization is moving to another database. Repeat the request.", {
    retryAfterSeconds: 1,
  });
