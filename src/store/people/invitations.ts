/** Invitations to an organization. Their secrets are never stored. */
import { and, desc, eq, gt, sql, type SQL } from "drizzle-orm";
import type { SelectResultFields } from "drizzle-orm/query-builders/select.types";
import { DomainError } from "../../errors.ts";
import { newId } from "../../lib/ids.ts";
import { LIMITS } from "../../domain/limits.ts";
import { invitations, members, users } from "./schema.ts";
import { commit, newLicence, type Writer } from "../core/commit.ts";
import { all, insertWhere, orm } from "../core/sql.ts";

const INVITATION = {
  _id: invitations.id,
  email: invitations.email,
  role: invitations.role,
  expirationTime: sql<string>`${invitations.expirationTime}`,
  creationTime: sql<string>`${invitations.creationTime}`,
};

export type InvitationRecord = SelectResultFields<typeof INVITATION>;

export type NewInvitation = Pick<InvitationRecord, "email" | "role" | "expirationTime"> & {
  readonly hash: string;
  readonly mailHash: string;
  /** The stored form of the answer, which carries the link: already sealed. */
  readonly answer: (record: InvitationRecord) => Promise<string>;
};

/** The invitations that wait for an answer, newest first. */
export async function listInvitations(writer: Writer): Promise<InvitationRecord[]> {
  return orm(writer.db)
    .select(INVITATION)
    .from(invitations)
    .where(pending(writer, writer.now()))
    .orderBy(desc(invitations.creationTime), desc(invitations.id));
}

/** That an invitation of the organization can be accepted at a time. */
const pending = ({ organizationId }: Writer, time: Date): SQL =>
  all(
    eq(invitations.organizationId, organizationId),
    eq(invitations.status, "pending"),
    gt(invitations.expirationTime, time),
  );

/** Stores an invitation, if the organization has room for one more; an earlier one of the same address is canceled. */
export async function createInvitation(writer: Writer, invitation: NewInvitation): Promise<InvitationRecord> {
  const licence = newLicence(writer);
  const { email, role, expirationTime, hash, mailHash } = invitation;
  const record: InvitationRecord = { _id: newId(), email, role, expirationTime, creationTime: licence.time };
  const now = new Date(licence.time);
  const row = {
    id: record._id,
    organizationId: writer.organizationId,
    email,
    role,
    status: "pending" as const,
    hash,
    mailHash,
    inviterId: writer.actor.id,
    expirationTime: new Date(expirationTime),
    creationTime: now,
  };
  const answer = writer.idempotency === undefined ? "" : await invitation.answer(record);
  const isMember = sql`exists (select 1 from ${members} join ${users} on ${users.id} = ${members.userId}
    where ${members.organizationId} = ${writer.organizationId} and ${users.email} = ${email})`;
  // Without the one of the same address, which this one replaces.
  const hasRoom = sql`(select count(*) from ${invitations}
    where ${pending(writer, now)} and ${invitations.email} <> ${email}) < ${LIMITS.invitations}`;
  const outcome = await commit(writer, licence, {
    action: "invitations.create",
    resourceId: record._id,
    blogId: null,
    where: sql`where ${all(sql`not ${isMember}`, hasRoom)}`,
    change: ({ held }) => [
      orm(writer.db)
        .update(invitations)
        .set({ status: "canceled" })
        .where(
          and(
            eq(invitations.organizationId, writer.organizationId),
            eq(invitations.status, "pending"),
            eq(invitations.email, email),
            held,
          ),
        ),
      insertWhere(writer.db, invitations, row, sql`where ${held}`),
    ],
    answer: sql`${answer}`,
    diagnose: sql`select 1 where ${isMember}`,
  });
  if (!outcome.refused) return record;
  throw new DomainError(outcome.diagnosis.length > 0 ? "member_exists" : "invitation_limit");
}

/** Cancels an invitation: its link stops working at once. */
export async function cancelInvitation(writer: Writer, id: string): Promise<void> {
  const target = and(
    eq(invitations.id, id),
    eq(invitations.organizationId, writer.organizationId),
    eq(invitations.status, "pending"),
  );
  const outcome = await commit(writer, newLicence(writer), {
    action: "invitations.cancel",
    resourceId: id,
    blogId: null,
    where: sql`from ${invitations} where ${target}`,
    change: ({ held }) => [
      orm(writer.db)
        .update(invitations)
        .set({ status: "canceled" })
        .where(and(eq(invitations.id, id), held)),
    ],
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
  const now = new Date(licence.time);
  const isNamed = sql`${hash} in (${invitations.hash}, ${invitations.mailHash})`;
  const open = all(isNamed, eq(invitations.email, user.email), pending(writer, now));
  const outcome = await commit(writer, licence, {
    action: "invitations.accept",
    resourceId: sql`${invitations.id}`,
    blogId: null,
    where: sql`from ${invitations} where ${open}`,
    change: ({ held }) => [
      insertWhere(
        writer.db,
        members,
        {
          id: newId(),
          organizationId: sql`${invitations.organizationId}`,
          userId: user.id,
          role: sql`${invitations.role}`,
          creationTime: now,
        },
        sql`from ${invitations} where ${all(open, held)}`,
      ).onConflictDoNothing({ target: [members.organizationId, members.userId] }),
      orm(writer.db).update(invitations).set({ status: "accepted" }).where(and(isNamed, held)),
    ],
    answer: sql`''`,
  });
  if (outcome.refused) throw new DomainError("not_found", "This invitation can no longer be accepted.");
}
