/** Invitations to an organization. The database holds only hashes of their secrets. */
import { and, desc, eq, gt, sql, type SQL } from "drizzle-orm";
import type { SelectResultFields } from "drizzle-orm/query-builders/select.types";
import { DomainError } from "../../domain/errors.ts";
import { newId } from "../../lib/ids.ts";
import { LIMITS } from "../../domain/limits.ts";
import type { Role } from "../../domain/principal.ts";
import { invitations, members, users } from "../../schema/people.ts";
import { commit, makeLicense } from "../core/commit.ts";
import { isActive } from "../core/suspension.ts";
import type { Writer } from "../core/writer.ts";
import { joinAnd, builder, insertWhere, orm, type Statement } from "../core/sql.ts";

const INVITATION = {
  _id: invitations.id,
  email: invitations.email,
  role: invitations.role,
  expirationTime: sql<string>`${invitations.expirationTime}`,
  creationTime: sql<string>`${invitations.creationTime}`,
};

export type InvitationRecord = SelectResultFields<typeof INVITATION>;

export type NewInvitation = Pick<InvitationRecord, "email" | "role" | "expirationTime"> & {
  /** SHA-256 of the secret in the link that the inviter gets. */
  readonly hash: string;
  /** SHA-256 of the secret in the emailed link. */
  readonly mailHash: string;
  /** Returns the response to store for a repeated call. It contains the link, so it must already be sealed. */
  readonly answer: (record: InvitationRecord) => Promise<string>;
};

/** Returns the invitations that can still be accepted, newest first. */
export async function listInvitations(writer: Writer): Promise<InvitationRecord[]> {
  return orm(writer.db)
    .select(INVITATION)
    .from(invitations)
    .where(isPending(writer, writer.now()))
    .orderBy(desc(invitations.creationTime), desc(invitations.id));
}

const isPending = ({ organizationId }: Writer, time: Date): SQL =>
  joinAnd(
    eq(invitations.organizationId, organizationId),
    eq(invitations.status, "pending"),
    gt(invitations.expirationTime, time),
  );

/** Stores an invitation in place of one to the same address. Throws `member_exists` and `invitation_limit`. */
export async function createInvitation(writer: Writer, invitation: NewInvitation): Promise<InvitationRecord> {
  const license = makeLicense(writer);
  const { email, role, expirationTime, hash, mailHash } = invitation;
  const record: InvitationRecord = { _id: newId(), email, role, expirationTime, creationTime: license.time };
  const now = new Date(license.time);
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
  // Does not count the invitation for the same address, because the new one replaces it.
  const hasRoom = sql`(select count(*) from ${invitations}
    where ${isPending(writer, now)} and ${invitations.email} <> ${email}) < ${LIMITS.invitations}`;
  const outcome = await commit(writer, license, {
    action: "invitations.create",
    resourceId: record._id,
    blogId: null,
    where: sql`where ${joinAnd(sql`not ${isMember}`, hasRoom)}`,
    change: ({ held }) => [
      cancelPending(writer, eq(invitations.email, email), held),
      insertWhere(invitations, row, sql`where ${held}`),
    ],
    answer: sql`${answer}`,
    diagnose: sql`select 1 where ${isMember}`,
  });
  if (!outcome.refused) return record;
  throw new DomainError(outcome.diagnosis.length > 0 ? "member_exists" : "invitation_limit");
}

/** Cancels a pending invitation: its links stop working. Throws `not_found` if there is none with this id. */
export async function cancelInvitation(writer: Writer, id: string): Promise<void> {
  const target = and(
    eq(invitations.id, id),
    eq(invitations.organizationId, writer.organizationId),
    eq(invitations.status, "pending"),
  );
  const outcome = await commit(writer, makeLicense(writer), {
    action: "invitations.cancel",
    resourceId: id,
    blogId: null,
    where: sql`from ${invitations} where ${target}`,
    change: ({ held }) => [
      builder
        .update(invitations)
        .set({ status: "canceled" })
        .where(and(eq(invitations.id, id), held)),
    ],
    answer: sql`json_object('value', json_object('_id', ${id}))`,
  });
  if (outcome.refused) throw new DomainError("not_found", "There is no such invitation.");
}

/**
 * Accepts the invitation whose link has this hash: makes the user a member. A user who is already a member keeps their
 * role. Throws `not_found` if the invitation was accepted, was canceled, has expired or is for another address, or the organization is suspended.
 */
export async function acceptInvitation(
  writer: Writer,
  hash: string,
  user: { readonly id: string; readonly email: string },
): Promise<void> {
  const license = makeLicense(writer);
  const now = new Date(license.time);
  const isNamed = sql`${hash} in (${invitations.hash}, ${invitations.mailHash})`;
  const open = joinAnd(
    isNamed,
    eq(invitations.email, user.email),
    isPending(writer, now),
    isActive(writer.organizationId),
  );
  const outcome = await commit(writer, license, {
    action: "invitations.accept",
    resourceId: sql`${invitations.id}`,
    blogId: null,
    where: sql`from ${invitations} where ${open}`,
    change: ({ held }) => [
      insertWhere(
        members,
        {
          id: newId(),
          organizationId: sql`${invitations.organizationId}`,
          userId: user.id,
          role: sql`${invitations.role}`,
          creationTime: now,
        },
        sql`from ${invitations} where ${joinAnd(open, held)}`,
      ).onConflictDoNothing({ target: [members.organizationId, members.userId] }),
      builder.update(invitations).set({ status: "accepted" }).where(and(isNamed, held)),
    ],
    answer: sql`''`,
  });
  if (outcome.refused) throw new DomainError("not_found", "This invitation can no longer be accepted.");
}

/**
 * Returns the statement that cancels the pending invitations of an inviter (a user or an operator token), except those
 * with a role in `kept`. Otherwise, the inviter could invite another address of their own in advance, and return with
 * it.
 */
export const cancelInvitationsBy = (writer: Writer, inviterId: SQL, held: SQL, kept: readonly Role[] = []): Statement =>
  cancelPending(
    writer,
    sql`${invitations.inviterId} = ${inviterId}`,
    sql`${invitations.role} not in (select value from json_each(${JSON.stringify(kept)}))`,
    held,
  );

/** Returns the statement that cancels the organization's pending invitations that meet all conditions. */
const cancelPending = ({ organizationId }: Writer, ...conditions: readonly SQL[]): Statement =>
  builder
    .update(invitations)
    .set({ status: "canceled" })
    .where(and(eq(invitations.organizationId, organizationId), eq(invitations.status, "pending"), ...conditions));
