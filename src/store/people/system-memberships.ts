/** Memberships and invitations of all organizations: looked up before an organization is known. */
import { and, eq, gt, sql } from "drizzle-orm";
import type { SQLiteColumn } from "drizzle-orm/sqlite-core";
import type { Role } from "../../domain/principal.ts";
import { invitations, members } from "../../schema/people.ts";
import { organizations } from "../../schema/core.ts";
import { hasArrived, isActive, selectIsDeleted, selectSuspension } from "../core/suspension.ts";
import { askEach, openDatabaseOf, openDatabasesOfMember, type Bindings } from "../database.ts";
import { orm, type Database } from "../core/sql.ts";

export type Membership = { readonly organizationId: string; readonly name: string; readonly role: Role };

/** `suspension` is why the organization is suspended, null if it is not; `isDeleted` is 1 if its owners can restore it. */
export type OwnMembership = Membership & { readonly suspension: string | null; readonly isDeleted: number };

/** Returns all organizations of a user with their role, oldest membership first. */
export async function listMemberships(env: Bindings, userId: string): Promise<OwnMembership[]> {
  const found = await askEach(await openDatabasesOfMember(env, userId), (db) => listMembershipsIn(db, userId));
  // In the moment in which an organization changes its database, it may be in both.
  return [...new Map(found.map((membership) => [membership.organizationId, membership])).values()];
}

async function listMembershipsIn(db: Database, userId: string): Promise<OwnMembership[]> {
  return orm(db)
    .select({
      organizationId: organizations.id,
      name: organizations.name,
      role: members.role,
      suspension: selectSuspension(organizations.id),
      isDeleted: selectIsDeleted(organizations.id),
    })
    .from(members)
    .innerJoin(organizations, eq(organizations.id, members.organizationId))
    .where(and(eq(members.userId, userId), hasArrived(organizations.id)))
    .orderBy(members.creationTime, members.id);
}

export type OpenInvitation = Membership & {
  readonly id: string;
  readonly email: string;
  /** True if the link was the emailed one, which proves that its visitor can read the invited mailbox. */
  readonly proven: boolean;
};

/** Returns the invitation whose link has this hash, or null if there is none that can be accepted, for example while its organization is suspended. */
export async function findInvitation(env: Bindings, hash: string, now: Date): Promise<OpenInvitation | null> {
  const db = openDatabaseOf(env, "invitation", hash);
  // A UNION with one query for each index: a condition with OR would read the whole table.
  const selectBy = (column: SQLiteColumn) =>
    orm(db)
      .select({
        organizationId: organizations.id,
        name: organizations.name,
        id: invitations.id,
        role: invitations.role,
        email: invitations.email,
        proven: sql<number>`${column} = ${invitations.mailHash}`,
      })
      .from(invitations)
      .innerJoin(organizations, eq(organizations.id, invitations.organizationId))
      .where(
        and(
          eq(column, hash),
          eq(invitations.status, "pending"),
          gt(invitations.expirationTime, now),
          isActive(organizations.id),
        ),
      );
  const [found] = await selectBy(invitations.hash).unionAll(selectBy(invitations.mailHash));
  return found === undefined ? null : { ...found, proven: found.proven === 1 };
}

/** Replaces the emailed link of an invitation. The previous one stops working. */
export async function renewMailedLink(db: Database, invitationId: string, mailHash: string): Promise<void> {
  await orm(db).update(invitations).set({ mailHash }).where(eq(invitations.id, invitationId));
}
