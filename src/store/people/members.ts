import { and, eq, sql, type SQL } from "drizzle-orm";
import type { SelectResultFields } from "drizzle-orm/query-builders/select.types";
import { alias } from "drizzle-orm/sqlite-core";
import { DomainError } from "../../domain/errors.ts";
import { ROLES, type Role } from "../../domain/principal.ts";
import { isStale, type IfMatch } from "../../domain/preconditions.ts";
import { cancelInvitationsBy } from "./invitations.ts";
import { members, users } from "../../schema/people.ts";
import { commit, makeLicense } from "../core/commit.ts";
import type { Writer } from "../core/writer.ts";
import { paginate, toPage, type Paged, type PageQuery, type Versioned } from "../core/paging.ts";
import { matchVersion } from "../core/preconditions.ts";
import { endConnections } from "./disconnection.ts";
import { connectedApps } from "../../schema/access.ts";
import { joinAnd, builder, jsonObject, orm, type Statement } from "../core/sql.ts";

const MEMBER = {
  _id: members.id,
  userId: members.userId,
  name: users.name,
  email: users.email,
  role: members.role,
  creationTime: sql<string>`${members.creationTime}`.as("creationTime"),
};

export type MemberRecord = SelectResultFields<typeof MEMBER>;

/** The version of a member, in SQL. It changes with the role, and when the user edits their account. */
const VERSION = sql<string>`(${members.role} || '.' || (select ${users.lastEditTime} from ${users}
  where ${users.id} = ${members.userId}))`;

const selectMembers = ({ db }: Writer) =>
  orm(db)
    .select({ ...MEMBER, rowVersion: VERSION.as("rowVersion") })
    .from(members)
    .innerJoin(users, eq(users.id, members.userId));

const toMember = ({ rowVersion, ...value }: MemberRecord & { rowVersion: string }): Versioned<MemberRecord> => ({
  value,
  version: rowVersion,
});

/** Returns a page of the organization's members, oldest first. Throws `invalid_cursor`. */
export async function listMembers(writer: Writer, query: PageQuery): Promise<Paged<MemberRecord>> {
  const page = paginate(query, members.creationTime, members.id, "oldest");
  const found = await orm(writer.db)
    .select(MEMBER)
    .from(members)
    .innerJoin(users, eq(users.id, members.userId))
    .where(and(eq(members.organizationId, writer.organizationId), page.from))
    .orderBy(...page.order)
    .limit(page.limit)
    .offset(page.offset);
  return toPage(query, found, (record) => record);
}

/** Returns a member of the organization, or null if there is none with this id. */
export async function findMember(writer: Writer, id: string): Promise<Versioned<MemberRecord> | null> {
  const [row] = await selectMembers(writer).where(isOwnMember(writer, id));
  return row === undefined ? null : toMember(row);
}

/** `byOwner` is true if an owner makes the change: only owners appoint and remove owners. */
type Asked = { readonly byOwner: boolean; readonly ifMatch?: IfMatch | undefined };

/**
 * Changes a member's role and returns the member. Cancels the pending invitations that the member sent for roles that
 * the new role may not invite. Throws `not_found`, `precondition_failed`, `last_owner` if no owner would remain, and
 * `role_forbidden` if somebody who is not an owner appoints or demotes an owner.
 */
export async function changeRole(
  writer: Writer,
  id: string,
  role: Role,
  { byOwner, ifMatch }: Asked,
): Promise<Versioned<MemberRecord>> {
  const target = isOwnMember(writer, id);
  const allowed = byOwner ? sql`true` : sql`(${members.role} <> 'owner' and ${role} <> 'owner')`;
  const outcome = await commit(writer, makeLicense(writer), {
    action: "members.update",
    resourceId: id,
    blogId: null,
    where: sql`from ${members} where ${joinAnd(target, allowed, role !== "owner" && ownersRemain(writer), ...matchVersion(VERSION, ifMatch))}`,
    change: ({ held }) => ({
      before: [
        cancelInvitationsBy(writer, selectUser(target), held, INVITABLE[role]),
        builder
          .update(members)
          .set({ role })
          .where(and(eq(members.id, id), held)),
      ],
      returning: selectMembers(writer).where(and(eq(members.id, id), held)),
      again: () => selectMembers(writer).where(eq(members.id, id)),
    }),
    answer: sql`(select ${jsonObject({
      value: jsonObject({ ...MEMBER, creationTime: members.creationTime }),
      version: VERSION,
    })}
      from ${members} join ${users} on ${users.id} = ${members.userId} where ${members.id} = ${id})`,
    diagnose: selectDiagnosis(target),
  });
  if (outcome.refused) throw explainRefusal(outcome.diagnosis, { byOwner, ifMatch }, role);
  return toMember(outcome.row);
}

/**
 * Removes a member. They lose access at once, because every request checks the membership. Cancels the member's pending
 * invitations and ends their connections. Throws the same errors as {@link changeRole}.
 */
export async function removeMember(writer: Writer, id: string, asked: Asked): Promise<void> {
  await remove(writer, isOwnMember(writer, id), id, asked);
}

/** Ends the user's own membership, with any role. Throws `not_found`, and `last_owner` if no owner would remain. */
export async function leaveOrganization(writer: Writer, userId: string): Promise<void> {
  const target = joinAnd(eq(members.userId, userId), eq(members.organizationId, writer.organizationId));
  await remove(writer, target, sql`${members.id}`, { byOwner: true });
}

async function remove(writer: Writer, target: SQL, id: string | SQL, asked: Asked): Promise<void> {
  const { byOwner, ifMatch } = asked;
  const allowed = byOwner ? sql`true` : sql`${members.role} <> 'owner'`;
  const outcome = await commit(writer, makeLicense(writer), {
    action: "members.remove",
    resourceId: id,
    blogId: null,
    where: sql`from ${members} where ${joinAnd(target, allowed, ownersRemain(writer), ...matchVersion(VERSION, ifMatch))}`,
    change: ({ held, time }) => [
      cancelInvitationsBy(writer, selectUser(target), held),
      ...disconnectApps(writer, target, held, time),
      builder.delete(members).where(and(target, held)),
    ],
    answer: sql`json_object('value', json_object('_id', ${typeof id === "string" ? id : null}))`,
    diagnose: selectDiagnosis(target),
  });
  if (outcome.refused) throw explainRefusal(outcome.diagnosis, asked);
}

/** The roles for which a member of each role may send invitations. */
const INVITABLE: Readonly<Record<Role, readonly Role[]>> = {
  owner: ROLES,
  admin: ["admin", "writer", "contributor", "reader"],
  writer: [],
  contributor: [],
  reader: [],
};

const selectUser = (member: SQL): SQL => sql`(select ${members.userId} from ${members} where ${member})`;

/** Returns the statements that end the member's connections. A member who comes back must connect again. */
function disconnectApps(
  { actor, requestId, organizationId }: Writer,
  member: SQL,
  held: SQL,
  time: string,
): Statement[] {
  const where = sql`${connectedApps.organizationId} = ${organizationId}
    and ${connectedApps.userId} = ${selectUser(member)} and ${held}`;
  return endConnections({ where, actor, requestId, time });
}

function isOwnMember(writer: Writer, id: string): SQL {
  return joinAnd(eq(members.id, id), eq(members.organizationId, writer.organizationId));
}

/** Returns the condition that the organization still has an owner if this member stops being one. */
function ownersRemain(writer: Writer): SQL {
  return sql`(${members.role} <> 'owner' or exists (select 1 from ${members} ${others}
    where ${others.organizationId} = ${writer.organizationId} and ${others.role} = 'owner'
      and ${others.id} <> ${members.id}))`;
}

const others = alias(members, "others");

type Diagnosed = { readonly role: Role; readonly version: string };

const selectDiagnosis = (target: SQL) =>
  sql<Diagnosed>`select ${members.role}, ${VERSION} as "version" from ${members} where ${target}`;

function explainRefusal([found]: readonly Diagnosed[], { byOwner, ifMatch }: Asked, wanted?: Role): DomainError {
  if (found === undefined) return new DomainError("not_found", "There is no such member.");
  if (isStale(ifMatch, found.version)) return new DomainError("precondition_failed");
  const owners = found.role === "owner" || wanted === "owner";
  return new DomainError(owners && !byOwner ? "role_forbidden" : "last_owner");
}
