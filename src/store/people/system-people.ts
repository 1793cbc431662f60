/** Queries on people's accounts that better-auth does not offer. */
import { and, eq, ne, sql, type SQL, type SQLWrapper } from "drizzle-orm";
import { accounts, members, sessions, users, verifications } from "../../schema/people.ts";
import { directory } from "../../schema/shards.ts";
import { orm, queryFirstRow, type Database } from "../core/sql.ts";

/** Invalidates all password reset links that were sent to a user so far. */
export async function forgetLinks(db: Database, userId: string): Promise<void> {
  await orm(db).delete(verifications).where(eq(verifications.value, userId));
}

/** Records that a user has proven their email address. */
export async function proveAddress(db: Database, userId: string): Promise<void> {
  await orm(db).update(users).set({ emailVerified: true }).where(eq(users.id, userId));
}

/** Returns the stored password hash of the account with this email address, or null if it has no password. */
export async function findPassword(db: Database, email: string): Promise<string | null> {
  const [found] = await orm(db)
    .select({ password: accounts.password })
    .from(users)
    .innerJoin(accounts, eq(accounts.userId, users.id))
    .where(and(eq(users.email, email), eq(accounts.providerId, "credential")));
  return found?.password ?? null;
}

/** Sets the organization for which a session acts. It takes effect only while the user is a member. */
export async function chooseOrganization(db: Database, token: string, organizationId: string | null): Promise<void> {
  await orm(db).update(sessions).set({ activeOrganizationId: organizationId }).where(eq(sessions.token, token));
}

/** Ends all sessions of a user except the one with this token. better-auth would end only the first hundred. */
export async function endOtherSessions(db: Database, userId: string, token: string): Promise<void> {
  await orm(db)
    .delete(sessions)
    .where(and(eq(sessions.userId, userId), ne(sessions.token, token)));
}

/**
 * Returns the id of the organization for which a user's new session acts: that of their last session if they are still
 * a member, otherwise that of their oldest membership. Null if they are not a member anywhere.
 */
export async function findSessionOrganization(db: Database, userId: string): Promise<string | null> {
  const last = sql`(select ${sessions.activeOrganizationId} from ${sessions} where ${sessions.userId} = ${userId}
    order by ${sessions.creationTime} desc limit 1)`;
  const found = await queryFirstRow<{ id: string }>(
    db,
    sql`select "id" from (select ${members.organizationId} as "id", ${members.creationTime} as "since" from ${members} where ${members.userId} = ${userId}
        union all select ${directory.id}, ${AFTER_ALL} from ${directory} where ${isListedMember(userId)})
      order by "id" is ${last} desc, "since", "id" limit 1`,
  );
  return found?.id ?? null;
}

/** After all times. */
const AFTER_ALL = "~";

/** Returns the condition that an entry is the membership of a user in an organization of a shard. */
export const isListedMember = (userId: SQLWrapper | string): SQL =>
  sql`${directory.kind} = 'member' and ${directory.key} = ${userId} and ${directory.gone} = 0`;

/**
 * Deletes the user with this email address if they have no way to sign in and no membership. An interrupted sign-up
 * leaves such a row, which would keep the address taken forever.
 */
export async function removeHalfMadeUser(db: Database, email: string): Promise<void> {
  await orm(db)
    .delete(users)
    .where(
      and(
        eq(users.email, email),
        sql`not exists (select 1 from ${accounts} where ${accounts.userId} = ${users.id})`,
        sql`not exists (select 1 from ${members} where ${members.userId} = ${users.id})`,
        sql`not exists (select 1 from ${directory} where ${isListedMember(users.id)})`,
      ),
    );
}
