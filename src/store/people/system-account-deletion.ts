/** Deletes the account of a person. */
import { and, eq, ne, sql } from "drizzle-orm";
import { alias } from "drizzle-orm/sqlite-core";
import { DomainError } from "../../domain/errors.ts";
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
 * Returns false, and deletes nothing, if they are a member of an organization.
 */
export async function deletePerson(env: Bindings, person: Leaving): Promise<boolean> {
  const { isAlone, ...named } = remove(person);
  const { deleted } = await runTransaction(getDirectory(env), {
    links: builder.delete(verifications).where(and(eq(verifications.value, person.id), isAlone)),
    ...named,
  });
  return deleted.length > 0;
}

/** Deletes the copies of a person in shards. It comes first: throws if a shard does not answer, or they are a member of an organization there. */
export async function deleteCopies(env: Bindings, person: Leaving): Promise<void> {
  const { isAlone, ...named } = remove(person);
  const stays = sql<{ n: number }>`select 1 as n where not ${isAlone}`;
  const shards = listShards(env).map(({ db }) => runTransaction(db, { ...named, stays }));
  const memberships = (await Promise.all(shards)).flatMap((done) => done.stays);
  if (memberships.length > 0) throw new DomainError("role_forbidden", JOINED);
}

export const JOINED = "You have joined an organization meanwhile. Sign in, and try again.";

type Leaving = { readonly id: string; readonly email: string };

function remove({ id, email }: Leaving) {
  const isAlone = sql`(not exists (select 1 from ${members} where ${members.userId} = ${id})
    and not exists (select 1 from ${directory} where ${isListedMember(id)}))`;
  return {
    isAlone,
    invited: builder
      .delete(invitations)
      .where(and(eq(invitations.email, email), ne(invitations.status, "pending"), isAlone)),
    deleted: builder
      .delete(users)
      .where(and(eq(users.id, id), isAlone))
      .returning({ id: users.id }),
  };
}
