/** What the operator of the service does to an organization, by `npm run admin`. Each is one transaction, with an audit entry. */
import { eq, sql, type SQL } from "drizzle-orm";
import type { SQLiteColumn } from "drizzle-orm/sqlite-core";
import { imagesTag } from "../../domain/cache-tags.ts";
import { LIMITS } from "../../domain/limits.ts";
import type { Quota } from "../../domain/quotas.ts";
import { newId } from "../../lib/ids.ts";
import { blogs, hiddenBlogs } from "../../schema/blogs.ts";
import { audit, organizations, suspensions } from "../../schema/core.ts";
import { trash } from "../../schema/trash.ts";
import { hideBlogs, showBlogs } from "../blogs/hiding.ts";
import { isStored } from "../core/commit.ts";
import { insertWhere, joinAnd, toColumnName, type Statement } from "../core/sql.ts";
import { isActive } from "../core/suspension.ts";
import { requestPurges } from "../edge/purges.ts";

/** Returns the statements that suspend an organization and hide its blogs, unless it is suspended already. */
export function suspend(organizationId: string, reason: string, now: Date): Statement[] {
  const time = now.toISOString();
  const { logged, held } = log(organizationId, "organization.suspend", { time, where: isActive(organizationId) });
  return [
    logged,
    insertWhere(suspensions, { organizationId, reason, creationTime: time }, sql`where ${held}`),
    ...hideBlogs("suspended", joinAnd(eq(blogs.organizationId, organizationId), held), time),
    // Also if it has no blog.
    requestPurges(
      sql`select ${imagesTag(organizationId)} as tag, ${organizationId} as organization_id, 1 as urgent where ${held}`,
      time,
    ),
  ];
}

/**
 * Returns the statements that end the suspension of an organization and show its blogs, if it is suspended. What could still be restored when it
 * began, can be for as long as was left then.
 */
export function resume(organizationId: string, now: Date): Statement[] {
  const where = sql`not ${isActive(organizationId)}`;
  const time = now.toISOString();
  const { logged, held } = log(organizationId, "organization.resume", { time, where });
  const ofSuspension = (value: SQL) =>
    sql`(select ${value} from ${suspensions} where ${suspensions.organizationId} = ${organizationId})`;
  const began = suspensions.creationTime;
  const length = ofSuspension(sql`printf('+%.3f seconds', (julianday(${time}) - julianday(${began})) * 86400)`);
  const move = (column: SQLiteColumn) =>
    sql`${toColumnName(column)} = strftime('%Y-%m-%dT%H:%M:%fZ', ${column}, ${length})`;
  const oldest = ofSuspension(sql`strftime('%Y-%m-%dT%H:%M:%fZ', ${began}, ${`-${LIMITS.trashDays} days`})`);
  return [
    logged,
    sql`update ${trash} set ${move(trash.dueTime)}
      where ${trash.organizationId} = ${organizationId} and ${trash.dueTime} > ${ofSuspension(sql`${began}`)} and ${held}`,
    sql`update ${hiddenBlogs} set ${move(hiddenBlogs.time)} where ${hiddenBlogs.organizationId} = ${organizationId}
      and ${hiddenBlogs.reason} = 'deleted' and ${hiddenBlogs.time} > ${oldest} and ${held}`,
    sql`delete from ${suspensions} where ${suspensions.organizationId} = ${organizationId} and ${held}`,
    showBlogs("suspended", joinAnd(eq(hiddenBlogs.organizationId, organizationId), held)),
  ];
}

/** Returns the statements that change an organization's own quotas: those given; if `isReset`, it has no others any more. */
export function changeQuotas(organizationId: string, given: Partial<Quota>, isReset: boolean, now: Date): Statement[] {
  const before = isReset ? sql`'{}'` : sql`coalesce(${organizations.quotas}, '{}')`;
  const time = now.toISOString();
  return [
    log(organizationId, "organization.quotas", { time, where: sql`true` }).logged,
    sql`update ${organizations} set ${toColumnName(organizations.quotas)} = nullif(json_patch(${before}, ${JSON.stringify(given)}), '{}')
      where ${organizations.id} = ${organizationId}`,
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
