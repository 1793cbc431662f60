/** What better-auth leaves open about people's accounts. */
import { and, desc, eq, sql } from "drizzle-orm";
import { accounts, members, sessions, users, verifications } from "./schema.ts";
import { orm, type Database } from "../core/sql.ts";

/** Makes all links for a new password useless that were sent to a user so far. */
export async function forgetLinks(db: Database, userId: string): Promise<void> {
  await orm(db).delete(verifications).where(eq(verifications.value, userId));
}

/** The stored hash of the password of an e-mail address's account; null where there is none. */
export async function findPassword(db: Database, email: string): Promise<string | null> {
  const [found] = await orm(db)
    .select({ password: accounts.password })
    .from(users)
    .innerJoin(accounts, eq(accounts.userId, users.id))
    .where(and(eq(users.email, email), eq(accounts.providerId, "credential")));
  return found?.password ?? null;
}

/** Lets a session act for an organization; without a membership this has no effect. */
export async function chooseOrganization(db: Database, token: string, organizationId: string | null): Promise<void> {
  await orm(db).update(sessions).set({ activeOrganizationId: organizationId }).where(eq(sessions.token, token));
}

/** For which organization a user's new session acts: the one of their last session, else their first one. */
export async function organizationOfNewSession(db: Database, userId: string): Promise<string | null> {
  const last = orm(db)
    .select({ id: sessions.activeOrganizationId })
    .from(sessions)
    .where(eq(sessions.userId, userId))
    .orderBy(desc(sessions.creationTime))
    .limit(1);
  const [found] = await orm(db)
    .select({ id: members.organizationId })
    .from(members)
    .where(eq(members.userId, userId))
    .orderBy(sql`${members.organizationId} is ${last} desc`, members.creationTime, members.id)
    .limit(1);
  return found?.id ?? null;
}

/**
 * Removes a user who cannot sign in by anything and belongs nowhere: what is left of an account whose
 * creation was interrupted. It would keep its address taken for ever.
 */
export async function removeHalfMadeUser(db: Database, email: string): Promise<void> {
  await orm(db)
    .delete(users)
    .where(
      and(
        eq(users.email, email),
        sql`not exists (select 1 from ${accounts} where ${accounts.userId} = ${users.id})`,
        sql`not exists (select 1 from ${members} where ${members.userId} = ${users.id})`,
      ),
    );
}
