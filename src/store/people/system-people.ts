/** What better-auth leaves open about people's accounts. */
import { sql } from "drizzle-orm";
import { accounts, members, sessions, users, verifications } from "./schema.ts";
import { firstRow, prepare, type Database } from "../core/sql.ts";

/** Makes all links for a new password useless that were sent to a user so far. */
export async function forgetLinks(db: Database, userId: string): Promise<void> {
  await prepare(db, sql`delete from ${verifications} where value = ${userId}`).run();
}

/** The stored hash of the password of an e-mail address's account; null where there is none. */
export async function findPassword(db: Database, email: string): Promise<string | null> {
  const found = await firstRow<{ password: string | null }>(
    db,
    sql`select a.password as "password" from ${users} u join ${accounts} a on a.user_id = u.id
        where u.email = ${email} and a.provider_id = 'credential'`,
  );
  return found?.password ?? null;
}

/** Lets a session act for an organization; without a membership this has no effect. */
export async function chooseOrganization(db: Database, token: string, organizationId: string | null): Promise<void> {
  await prepare(
    db,
    sql`update ${sessions} set active_organization_id = ${organizationId} where token = ${token}`,
  ).run();
}

/** For which organization a user's new session acts: the one of their last session, else their first one. */
export async function organizationOfNewSession(db: Database, userId: string): Promise<string | null> {
  const own = sql`select m.organization_id as "id" from ${members} m where m.user_id = ${userId}`;
  const found = await firstRow<{ id: string }>(
    db,
    sql`${own} order by m.organization_id is (select s.active_organization_id from ${sessions} s
        where s.user_id = ${userId} order by s.creation_time desc limit 1) desc, m.creation_time, m.id limit 1`,
  );
  return found?.id ?? null;
}

/**
 * Removes a user who cannot sign in by anything and belongs nowhere: what is left of an account whose
 * creation was interrupted. It would keep its address taken for ever.
 */
export async function removeHalfMadeUser(db: Database, email: string): Promise<void> {
  await prepare(
    db,
    sql`delete from ${users} where email = ${email}
      and not exists (select 1 from ${accounts} a where a.user_id = ${users.id})
      and not exists (select 1 from ${members} m where m.user_id = ${users.id})`,
  ).run();
}
