/** Invitations to an organization. Their secrets are never stored. */
import { sql } from "drizzle-orm";
import { DomainError } from "../../errors.ts";
import { newId } from "../../lib/ids.ts";
import { LIMITS } from "../../domain/limits.ts";
import type { Role } from "../../domain/principal.ts";
import { invitations, members, users } from "./schema.ts";
import { commit, newLicence, type Writer } from "../core/commit.ts";
import { all, insertInto, rows } from "../core/sql.ts";

export type InvitationRecord = {
  _id: string;
  email: string;
  role: Role;
  expirationTime: string;
  creationTime: string;
};

export type NewInvitation = Pick<InvitationRecord, "email" | "role" | "expirationTime"> & {
  readonly hash: string;
  readonly mailHash: string;
  /** The stored form of the answer, which carries the link: already sealed. */
  readonly answer: (record: InvitationRecord) => Promise<string>;
};

/** The invitations that wait for an answer, newest first. */
export function listInvitations(writer: Writer): Promise<InvitationRecord[]> {
  return rows<InvitationRecord>(
    writer.db,
    sql`select id as "_id", email, role, expiration_time as "expirationTime", creation_time as "creationTime"
      from ${invitations} where organization_id = ${writer.organizationId} and status = 'pending'
        and expiration_time > ${writer.now().toISOString()}
      order by creation_time desc, id desc`,
  );
}

/** Stores an invitation, if the organization has room for one more; an earlier one of the same address is canceled. */
export async function createInvitation(writer: Writer, invitation: NewInvitation): Promise<InvitationRecord> {
  const licence = newLicence(writer);
  const { email, role, expirationTime, hash, mailHash } = invitation;
  const record: InvitationRecord = { _id: newId(), email, role, expirationTime, creationTime: licence.time };
  const { into, values } = insertInto(invitations, {
    id: record._id,
    organizationId: writer.organizationId,
    email,
    role,
    status: "pending",
    hash,
    mailHash,
    inviterId: writer.actor.id,
    expirationTime,
    creationTime: licence.time,
  });
  const answer = writer.idempotency === undefined ? "" : await invitation.answer(record);
  const isMember = sql`exists (select 1 from ${members} join ${users} on ${users.id} = ${members.userId}
    where ${members.organizationId} = ${writer.organizationId} and ${users.email} = ${email})`;
  // Without the one of the same address, which this one replaces.
  const hasRoom = sql`(select count(*) from ${invitations} where organization_id = ${writer.organizationId}
    and status = 'pending' and expiration_time > ${licence.time} and email <> ${email}) < ${LIMITS.invitations}`;
  const outcome = await commit(writer, licence, {
    action: "invitations.create",
    resourceId: record._id,
    blogId: null,
    where: sql`where ${all(sql`not ${isMember}`, hasRoom)}`,
    change: ({ held }) => [
      sql`update ${invitations} set status = 'canceled' where organization_id = ${writer.organizationId}
        and status = 'pending' and email = ${email} and ${held}`,
      sql`${into} select ${values} where ${held}`,
    ],
    answer: sql`${answer}`,
    diagnose: sql`select 1 where ${isMember}`,
  });
  if (!outcome.refused) return record;
  throw new DomainError(outcome.diagnosis.length > 0 ? "member_exists" : "invitation_limit");
}

/** Cancels an invitation: its link stops working at once. */
export async function cancelInvitation(writer: Writer, id: string): Promise<void> {
  const target = all(
    sql`${invitations.id} = ${id}`,
    sql`${invitations.organizationId} = ${writer.organizationId}`,
    sql`${invitations.status} = 'pending'`,
  );
  const outcome = await commit(writer, newLicence(writer), {
    action: "invitations.cancel",
    resourceId: id,
    blogId: null,
    where: sql`from ${invitations} where ${target}`,
    change: ({ held }) => [sql`update ${invitations} set status = 'canceled' where ${all(sql`id = ${id}`, held)}`],
    answer: sql`json_object('value', json_object('_id', ${id}))`,
  });
  if (outcome.refused) throw new DomainError("not_found", "There is no such invitation.");
}

/**
 * Makes a user a member by an invitation, once; an existing member keeps their role. `not_found` where
 * the invitation is spent, canceled, expired or for another address.
 */
export async function acceptInvitation(
  writer: Writer,
  hash: string,
  user: { readonly id: string; readonly email: string },
): Promise<void> {
  const licence = newLicence(writer);
  const open = all(
    sql`${hash} in (${invitations.hash}, ${invitations.mailHash})`,
    sql`${invitations.organizationId} = ${writer.organizationId}`,
    sql`${invitations.email} = ${user.email}`,
    sql`${invitations.status} = 'pending'`,
    sql`${invitations.expirationTime} > ${licence.time}`,
  );
  const outcome = await commit(writer, licence, {
    action: "invitations.accept",
    resourceId: sql`${invitations.id}`,
    blogId: null,
    where: sql`from ${invitations} where ${open}`,
    change: ({ held }) => [
      sql`insert into ${members} (id, organization_id, user_id, role, creation_time)
        select ${newId()}, ${invitations.organizationId}, ${user.id}, ${invitations.role}, ${licence.time}
        from ${invitations} where ${all(open, held)}
        on conflict (organization_id, user_id) do nothing`,
      sql`update ${invitations} set status = 'accepted' where ${all(sql`${hash} in (hash, mail_hash)`, held)}`,
    ],
    answer: sql`''`,
  });
  if (outcome.refused) throw new DomainError("not_found", "This invitation can no longer be accepted.");
}
