/**
 * People and shards: accounts are in `DB`, and each shard has a copy of the `users` rows that its organizations refer to
 * (docs/architecture.md, "Shards").
 */
import type { D1Database } from "@cloudflare/workers-types";
import { and, eq, ne } from "drizzle-orm";
import { homes } from "../../schema/shards.ts";
import { users } from "../../schema/people.ts";
import { log } from "../../lib/log.ts";
import { withTimeout } from "../../lib/within.ts";
import {
  findDatabase,
  getDirectory,
  listShards,
  openDatabase,
  openDatabasesOfMember,
  type Bindings,
} from "../database.ts";
import { prepareShard } from "../core/shard-triggers.ts";
import { builder, orm, runTransaction, type Database } from "../core/sql.ts";

/** Decides in which database a new organization will be: the one with the fewest bytes. A repetition changes nothing. */
export async function assignHome(env: Bindings, organizationId: string): Promise<void> {
  const shards = listShards(env);
  if (shards.length === 0) return;
  const sizes = await Promise.all(
    [{ name: "DB", db: env.DB }, ...shards].map(async ({ name, db }) => ({ name, db, bytes: await measure(db) })),
  );
  const [emptiest] = sizes.toSorted((one, other) => one.bytes - other.bytes);
  if (emptiest === undefined) return;
  if (emptiest.name !== "DB") await prepareShard(emptiest.db);
  // Also for `DB`: the next submission of the same form may find another one the emptiest.
  await orm(env.DB).insert(homes).values({ organizationId, shard: emptiest.name }).onConflictDoNothing();
}

/** Milliseconds within which a database has to answer. */
const ANSWER_MS = 2000;

/** Returns the size of a database; a database that does not answer gets no new organization. */
async function measure(db: D1Database): Promise<number> {
  const measured = db.prepare("select 1").all();
  const answer = await withTimeout(
    ANSWER_MS,
    measured.catch(() => null),
  );
  return answer?.meta.size_after ?? Number.POSITIVE_INFINITY;
}

/** Copies the row of a person to the shard of an organization, which then may refer to them. Does nothing if it is in `DB`. */
export async function bringPerson(env: Bindings, organizationId: string, userId: string): Promise<void> {
  if ((await findDatabase(env, organizationId)) !== "DB")
    await copyPerson(env, openDatabase(env, organizationId), userId);
}

/** Copies the row of a person again to all shards that have one. Only logs if one fails: it shows their former name. */
export async function refreshPerson(env: Bindings, userId: string): Promise<void> {
  const [, ...copies] = await openDatabasesOfMember(env, userId);
  for (const db of copies)
    await copyPerson(env, db, userId).catch((error: unknown) =>
      log({ level: "warn", message: "person not copied", error }),
    );
}

async function copyPerson(env: Bindings, db: Database, userId: string): Promise<void> {
  const [person] = await orm(getDirectory(env)).select().from(users).where(eq(users.id, userId));
  if (person === undefined) return;
  const { id: _, ...set } = person;
  await runTransaction(db, {
    // Of an account that was deleted, if a new one has its address.
    stale: builder.delete(users).where(and(eq(users.email, person.email), ne(users.id, userId))),
    copied: builder.insert(users).values(person).onConflictDoUpdate({ target: users.id, set }),
  });
}
