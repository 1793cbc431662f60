/** What the operator of the service does to an organization, by `npm run admin`. Each is one transaction, with an audit entry. */
import { sql, type SQL } from "drizzle-orm";
import type { Quota } from "../../domain/quotas.ts";
import { newId } from "../../lib/ids.ts";
import { audit, organizations, suspensions } from "../../schema/core.ts";
import { isStored } from "../core/commit.ts";
import { insertWhere, toColumnName, type Statement } from "../core/sql.ts";
import { beginSuspension, endSuspension } from "./suspending.ts";

/** Returns the statements that suspend an organization and hide its blogs, unless it is suspended or erased already. Its owner can no longer restore one that was deleted. */
export function suspend(organizationId: string, reason: string, now: Date): Statement[] {
  const time = now.toISOString();
  const where = sql`not exists (select 1 from ${suspensions}
    where ${suspensions.organizationId} = ${organizationId} and ${suspensions.kind} not in ('deleted', 'ceiling'))`;
  const { logged, held } = log(organizationId, "organization.suspend", { time, where });
  return [logged, ...beginSuspension({ organizationId, reason, kind: "suspended", creationTime: time }, held)];
}

/** Returns the statements that end the suspension of an organization, also one that an owner has deleted, if it is suspended and not erased. */
export function resume(organizationId: string, now: Date): Statement[] {
  const time = now.toISOString();
  const where = sql`exists (select 1 from ${suspensions}
    where ${suspensions.organizationId} = ${organizationId} and ${suspensions.kind} in ('suspended', 'deleted'))`;
  const { logged, held } = log(organizationId, "organization.resume", { time, where });
  return [logged, ...endSuspension(organizationId, time, held)];
}

/**
 * Returns the statements that change an organization's own quotas: those given; if `isReset`, it has no others any more. One that is at a ceiling
 * goes on, until the next count finds it at one.
 */
export function changeQuotas(organizationId: string, given: Partial<Quota>, isReset: boolean, now: Date): Statement[] {
  const before = isReset ? sql`'{}'` : sql`coalesce(${organizations.quotas}, '{}')`;
  const time = now.toISOString();
  return [
    log(organizationId, "organization.quotas", { time, where: sql`true` }).logged,
    sql`update ${organizations} set ${toColumnName(organizations.quotas)} = nullif(json_patch(${before}, ${JSON.stringify(given)}), '{}')
      where ${organizations.id} = ${organizationId}`,
    sql`delete from ${suspensions} where ${suspensions.organizationId} = ${organizationId} and ${suspensions.kind} = 'ceiling'`,
  ];
}

/** Returns the statement that notes an action in the audit log if it is done, and the condition that it was. */
function log(organizationId: string, action: string, { time, where }: { readonly time: string; readonly where: SQL }) {
  const id = newId();
  const entry = {
    id,
    organizationId: organizations.id,
    actorKind: "service",
    actorId: organizations.id,
    action,
    resourceId: organizations.id,
    requestId: id,
    creationTime: time,
  };
  const from = sql`from ${organizations} where ${organizations.id} = ${organizationId} and ${where}`;
  return { logged: insertWhere(audit, entry, from), held: isStored(organizationId, id) };
}
