/**
 * Suspended organizations: nobody acts for them, and their background work rests. The table is nearly always empty, so a
 * lookup in it reads no row.
 */
import { sql, type SQL, type SQLWrapper } from "drizzle-orm";
import { DomainError } from "../../domain/errors.ts";
import { suspensions } from "../../schema/core.ts";
import type { Value } from "./sql.ts";

const find = (organizationId: SQLWrapper | Value): SQL =>
  sql`from ${suspensions} where ${suspensions.organizationId} = ${organizationId}`;

/** Returns SQL for the reason for which an organization is suspended; NULL if it is not. */
export const selectSuspension = (organizationId: SQLWrapper | Value): SQL<string | null> =>
  sql<string | null>`(select ${suspensions.reason} ${find(organizationId)})`;

/** Returns the condition that an organization is not suspended. */
export const isActive = (organizationId: SQLWrapper | Value): SQL => sql`not exists (select 1 ${find(organizationId)})`;

/** Throws `organization_suspended` if there is a reason. */
export function requireActive(suspension: string | null): void {
  if (suspension !== null) throw makeSuspendedError(suspension);
}

/** Returns `organization_suspended`, which says why. */
export const makeSuspendedError = (reason: string): DomainError =>
  new DomainError("organization_suspended", `The operator of the service has suspended the organization: ${reason}`);
