/** Deletes the account of a person. */
import { and, eq, ne, sql } from "drizzle-orm";
import { alias } from "drizzle-orm/sqlite-core";
import { organizations } from "../../schema/core.ts";
import { invitations, members, sessions, users, verifications } from "../../schema/people.ts";
import { directory } from "../../schema/shards.ts";
import { getDirectory, listShards, openDatabasesOfMember, type Bindings } from "../database.ts";
import { isListedMember } from "./system-people.ts";
import { builder, orm, runTransaction, type Database } from "../core/sql.ts";

const others = alias(members, "others");

/** Returns the names of the organizations whose only owner is this person. */
export async function listSoleOwnerships(env: Bindings, userId: string): Promise<string[]> {
  const databases = await openDatabasesOfMember(env, userId);
  return (await Promise.all(databases.map((db) => listSoleOwnershipsIn(db, userId)))).flat();
}

async function listSoleOwnershipsIn(db: Database, userId: string): Promise<string[]> {
  const found = await orm(db)
    .select({ name: organizations.name })
    .from(members)
    .innerJoin(organizations, eq(organizations.id, members.organizationId))
    .where(
      and(
        eq(members.userId, userId),
        eq(members.role, "owner"),
        sql`not exists (select 1 from ${members} ${others} where ${others.organizationId} = ${members.organizationId}
          and ${others.role} = 'owner' and ${others.userId} <> ${userId})`,
      ),
    );
  return found.map(({ name }) => name);
}

/** Returns when the session with this id began; null if it has ended. */
export async function findSessionStart(db: Database, id: string): Promise<Date | null> {
  const [found] = await orm(db).select({ time: sessions.creationTime }).from(sessions).where(eq(sessions.id, id));
  return found?.time ?? null;
}

/**
 * Deletes a person without memberships: their account, their sessions and what else names them, except for their id in logs.
 * Returns false, and deletes nothing, if they are a member of an organization. Their copies in shards go first, so if one does not
 * answer, the account stays.
 */
export async function deletePerson(env: Bindings, { id, email }: { readonly id: string; readonly email: string }) {
  const isAlone = sql`(not exists (select 1 from ${members} where ${members.userId} = ${id})
    and not exists (select 1 from ${directory} where ${isListedMember(id)}))`;
  const named = {
    invited: builder
      .delete(invitations)
      .where(and(eq(invitations.email, email), ne(invitations.status, "pending"), isAlone)),
    deleted: builder
      .delete(users)
      .where(and(eq(users.id, id), isAlone))
      .returning({ id: users.id }),
  };
  for (const { db } of listShards(env)) await runTransaction(db, named);
  const { deleted } = await runTransaction(getDirectory(env), {
    links: builder.delete(verifications).where(and(eq(verifications.value, id), isAlone)),
    ...named,
  });
  return deleted.length > 0;
}
