/** The people of an organization and their roles. */
import { sql, type SQL } from "drizzle-orm";
import { DomainError } from "../../errors.ts";
import { ROLES, type Role } from "../../domain/principal.ts";
import { invitations, members, users } from "./schema.ts";
import { commit, newLicence, type Writer } from "../core/commit.ts";
import { disconnecting } from "../access/disconnection.ts";
import { all, rows } from "../core/sql.ts";

export type MemberRecord = {
  _id: string;
  userId: string;
  name: string;
  email: string;
  role: Role;
  creationTime: string;
};

const COLUMNS = sql`${members.id} as "_id", ${members.userId} as "userId", ${users.name} as "name",
  ${users.email} as "email", ${members.role} as "role", ${members.creationTime} as "creationTime"`;

/** All members, the oldest first. */
export function listMembers(writer: Writer): Promise<MemberRecord[]> {
  return rows<MemberRecord>(
    writer.db,
    sql`select ${COLUMNS} from ${members} join ${users} on ${users.id} = ${members.userId}
      where ${members.organizationId} = ${writer.organizationId}
      order by ${members.creationTime}, ${members.id}`,
  );
}

/** Changes a member's role. `byOwner` says that an owner asks: only owners appoint and remove owners. */
export async function changeRole(writer: Writer, id: string, role: Role, byOwner: boolean): Promise<MemberRecord> {
  const target = own(writer, id);
  const allowed = byOwner ? sql`true` : sql`(${members.role} <> 'owner' and ${role} <> 'owner')`;
  const shown = sql`${members} join ${users} on ${users.id} = ${members.userId} where ${members.id} = ${id}`;
  const outcome = await commit(writer, newLicence(writer), {
    action: "members.update",
    resourceId: id,
    blogId: null,
    where: sql`from ${members} where ${all(target, allowed, role !== "owner" && ownersRemain(writer))}`,
    change: ({ held }) => ({
      before: [
        cancelInvitationsOf(writer, target, held, INVITABLE[role]),
        sql`update ${members} set role = ${role} where ${all(sql`id = ${id}`, held)}`,
      ],
      returning: sql<MemberRecord>`select ${COLUMNS} from ${shown} and ${held}`,
    }),
    answer: sql`(select json_object('value', json_object('_id', ${members.id}, 'userId', ${members.userId},
      'name', ${users.name}, 'email', ${users.email}, 'role', ${members.role}, 'creationTime',
      ${members.creationTime})) from ${shown})`,
    diagnose: sql<{ role: Role }>`select role from ${members} where ${target}`,
  });
  if (outcome.refused) throw refusal(outcome.diagnosis, byOwner, role);
  return outcome.row;
}

/** Removes a member: out at once, as every call asks for the membership. */
export async function removeMember(writer: Writer, id: string, byOwner: boolean): Promise<void> {
  await remove(writer, own(writer, id), id, byOwner);
}

/** Ends a user's own membership, whatever the role. */
export async function leave(writer: Writer, userId: string): Promise<void> {
  const target = all(sql`${members.userId} = ${userId}`, sql`${members.organizationId} = ${writer.organizationId}`);
  await remove(writer, target, sql`${members.id}`, true);
}

async function remove(writer: Writer, target: SQL, id: string | SQL, byOwner: boolean): Promise<void> {
  const allowed = byOwner ? sql`true` : sql`${members.role} <> 'owner'`;
  const outcome = await commit(writer, newLicence(writer), {
    action: "members.remove",
    resourceId: id,
    blogId: null,
    where: sql`from ${members} where ${all(target, allowed, ownersRemain(writer))}`,
    change: ({ held, time }) => [
      cancelInvitationsOf(writer, target, held, []),
      ...disconnectAppsOf(writer, target, held, time),
      sql`delete from ${members} where ${all(target, held)}`,
    ],
    answer: sql`json_object('value', json_object('_id', ${typeof id === "string" ? id : null}))`,
    diagnose: sql<{ role: Role }>`select role from ${members} where ${target}`,
  });
  if (outcome.refused) throw refusal(outcome.diagnosis, byOwner);
}

/** Whom each role may invite. */
const INVITABLE: Readonly<Record<Role, readonly Role[]>> = {
  owner: ROLES,
  admin: ["admin", "writer", "reader"],
  writer: [],
  reader: [],
};

/** Cancels what a member may no longer have sent: an invitation to oneself would be a way back. */
function cancelInvitationsOf(writer: Writer, member: SQL, held: SQL, kept: readonly Role[]): SQL {
  return sql`update ${invitations} set status = 'canceled'
    where organization_id = ${writer.organizationId} and status = 'pending'
      and inviter_id = (select ${members.userId} from ${members} where ${member})
      and role not in (select value from json_each(${JSON.stringify(kept)})) and ${held}`;
}

/** Ends what a member has connected: coming back later, they connect anew. */
function disconnectAppsOf({ actor, requestId, organizationId }: Writer, member: SQL, held: SQL, time: string): SQL[] {
  const where = sql`organization_id = ${organizationId}
    and user_id = (select ${members.userId} from ${members} where ${member}) and ${held}`;
  return disconnecting({ where, actor, requestId, time });
}

function own(writer: Writer, id: string): SQL {
  return all(sql`${members.id} = ${id}`, sql`${members.organizationId} = ${writer.organizationId}`);
}

/** That an owner remains when this member no longer is one. */
function ownersRemain(writer: Writer): SQL {
  return sql`(${members.role} <> 'owner' or exists (select 1 from ${members} x
    where x.organization_id = ${writer.organizationId} and x.role = 'owner' and x.id <> ${members.id}))`;
}

function refusal([found]: readonly { readonly role: Role }[], byOwner: boolean, wanted?: Role): DomainError {
  if (found === undefined) return new DomainError("not_found", "There is no such member.");
  const owners = found.role === "owner" || wanted === "owner";
  return new DomainError(owners && !byOwner ? "role_forbidden" : "last_owner");
}
