/**
 * Standing: whether a caller is still authorized at the moment of a write or a response. A sender can hold a request
 * open for as long as they like. Meanwhile their credential can be revoked or their membership removed.
 */
import { sql, type SQL } from "drizzle-orm";
import type { SQLiteColumn } from "drizzle-orm/sqlite-core";
import { DomainError } from "../../domain/errors.ts";
import { ROLE_GRANTS, ROLES } from "../../domain/principal.ts";
import { connectedApps, credentials } from "../../schema/access.ts";
import { blogs } from "../../schema/blogs.ts";
import { members } from "../../schema/people.ts";
import { hasBlogName } from "../blogs/names.ts";
import {
  isActive,
  isHere,
  makeCeilingError,
  makeMovingError,
  makeSuspendedError,
  mayReadAndDelete,
  selectCeiling,
  selectSuspension,
} from "./suspension.ts";
import type { Writer } from "./writer.ts";
import { queryFirstRow, isAmong } from "./sql.ts";

/**
 * Returns the condition that the writer is authorized at this moment:
 * - "key" and "operator": the credential exists, has not expired, a key has all scopes that it had, and the blog to which it is pinned is
 *   not hidden.
 * - "app": the connection is in force, has not expired, its person is still a member with the same role, and the blog to which it is pinned is not hidden.
 * - "user": the person is still a member with the same role.
 * - "person", "reader" and "schedule": always true; the write itself checks what they may do.
 *
 * It is false for any other kind of actor, and, but for a "person" or "reader", while the organization is suspended: somebody can
 * still leave it, or unsubscribe. At its ceiling, it is true only for who reads or deletes. While the organization changes its database,
 * it is false for all.
 */
export function isAuthorized(writer: Writer): SQL {
  const { actor, organizationId, effect = "write" } = writer;
  const rights = hasRights(writer);
  const ofOrganization = effect === "write" ? isActive : mayReadAndDelete;
  const mayAct = actor.kind === "person" || actor.kind === "reader" ? isHere : ofOrganization;
  return sql`(${mayAct(organizationId)} and ${rights})`;
}

function hasRights({ actor, organizationId, pinnedBlogId, now }: Writer): SQL {
  const hasPinnedBlog =
    pinnedBlogId === null ? sql`true` : sql`exists (select 1 from ${blogs} where ${hasBlogName({ id: pinnedBlogId })})`;
  switch (actor.kind) {
    case "key":
    case "operator":
      return sql`exists (select 1 from ${credentials}
        where ${credentials.id} = ${actor.id} and ${credentials.organizationId} = ${organizationId}
        and (${credentials.expirationTime} is null or ${credentials.expirationTime} > ${now().toISOString()})
        and ${actor.kind === "key" ? hasScopes(actor.scopes) : sql`true`} and ${hasPinnedBlog})`;
    case "app":
      return sql`exists (select 1 from ${connectedApps} join ${members}
        on ${members.organizationId} = ${connectedApps.organizationId} and ${members.userId} = ${connectedApps.userId}
        where ${connectedApps.id} = ${actor.id} and ${connectedApps.organizationId} = ${organizationId}
        and ${isInForce(now().toISOString())} and ${members.role} = ${actor.role} and ${hasPinnedBlog})`;
    case "user":
      return sql`exists (select 1 from ${members} where ${members.organizationId} = ${organizationId}
        and ${members.userId} = ${actor.id} and ${members.role} = ${actor.role})`;
    case "person":
    case "reader":
    case "schedule":
      return sql`true`;
    default:
      return sql`false`;
  }
}

/** Returns the condition that a connection has not ended at this time. */
const isInForce = (time: string): SQL =>
  sql`${connectedApps.disconnectTime} is null and (${connectedApps.expirationTime} is null or ${connectedApps.expirationTime} > ${time})`;

/** Returns the condition that a key has these scopes. They are compared one by one only if the key's scopes have changed. */
function hasScopes(scopes: readonly string[]): SQL {
  const asJson = JSON.stringify(scopes);
  return sql`(${credentials.scopes} = ${asJson} or not exists (select 1 from json_each(${asJson}) had
    where had.value not in (select value from json_each(${credentials.scopes}))))`;
}

/**
 * Returns the error for a writer who is not authorized: `organization_suspended`, `usage_limit`, `not_ready` while the organization moves,
 * otherwise `role_forbidden` for a "user" and `credentials_invalid` for the rest.
 */
export async function findUnauthorizedError({ db, actor, organizationId, effect, now }: Writer): Promise<DomainError> {
  const row = await queryFirstRow<{ reason: string | null; ceiling: string | null; here: number }>(
    db,
    sql`select ${selectSuspension(organizationId)} as "reason", ${selectCeiling(organizationId)} as "ceiling", ${isHere(organizationId)} as "here"`,
  );
  if (row?.here === 0) return makeMovingError();
  if (row?.reason) return makeSuspendedError(row.reason);
  if (row?.ceiling && (effect ?? "write") === "write") return makeCeilingError(row.ceiling, now());
  return new DomainError(actor.kind === "user" ? "role_forbidden" : "credentials_invalid");
}

/** Throws {@link findUnauthorizedError} if the writer is no longer authorized. */
export async function requireAuthorized(writer: Writer): Promise<void> {
  const row = await queryFirstRow<{ standing: number }>(writer.db, sql`select ${isAuthorized(writer)} as "standing"`);
  if (row?.standing !== 1) throw await findUnauthorizedError(writer);
}

/** The columns of a row that say who made it, with the kinds of the audit log. */
type MadeBy = {
  readonly organizationId: SQLiteColumn;
  readonly actorKind: SQLiteColumn;
  readonly actorId: SQLiteColumn;
};

const WRITERS = ROLES.filter((role) => ROLE_GRANTS[role].includes("articles:write"));

/**
 * Returns the condition that whoever made a row may still write articles at this time: the credential exists, has
 * not expired, and has the scope, or the person is a member whose role may write. For an app, the connection must also be in force.
 */
export function mayStillWrite({ organizationId, actorKind, actorId }: MadeBy, time: string): SQL {
  return sql`case ${actorKind}
    when 'user' then exists (select 1 from ${members} where ${members.organizationId} = ${organizationId}
      and ${members.userId} = ${actorId} and ${isAmong(members.role, WRITERS)})
    when 'app' then exists (select 1 from ${connectedApps} join ${members}
      on ${members.organizationId} = ${connectedApps.organizationId} and ${members.userId} = ${connectedApps.userId}
      where ${connectedApps.id} = ${actorId} and ${connectedApps.organizationId} = ${organizationId}
      and ${isInForce(time)} and ${isAmong(members.role, WRITERS)})
    else exists (select 1 from ${credentials} where ${credentials.id} = ${actorId}
      and ${credentials.organizationId} = ${organizationId}
      and (${credentials.expirationTime} is null or ${credentials.expirationTime} > ${time})
      and (${credentials.kind} = 'token' or instr(${credentials.scopes}, '"articles:write"') > 0)) end`;
}
