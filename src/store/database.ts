/**
 * The only file that names the D1 bindings. `DB` has what is asked before the organization is known (people, sessions, the
 * directory), and all organizations but those that are in one of the shards `DB_1`, `DB_2` and so on (docs/architecture.md, "Shards"). Without
 * shards, everything is in `DB`, and nothing is looked up.
 */
import type { D1Database, D1PreparedStatement, D1Result } from "@cloudflare/workers-types";
import { isUuid } from "../lib/ids.ts";
import { log } from "../lib/log.ts";
import { withTimeout } from "../lib/within.ts";
import { deferDatabase, type Opened } from "./core/deferred.ts";
import {
  findBlogOfSlug,
  findHome,
  findShardOf,
  listShardsOf,
  removeEnded,
  SELECT_UNLISTED,
  storeEntries,
  takeName,
  type Claim,
  type EntryKind,
  type Found,
  type Unlisted,
} from "./core/directory.ts";
import type { Place, Places } from "./core/places.ts";
import { prepareShard } from "./core/shard-triggers.ts";
import { makeReader, prepare, queryRows, type Database, type Reader } from "./core/sql.ts";

/** `DIRECTORY` is set by {@link bindTo}: `DB` is another one then. */
export type Bindings = { readonly DB: D1Database; readonly DIRECTORY?: D1Database };

export type Shard = { readonly name: string; readonly db: D1Database };

const SHARD = /^DB_[1-9]\d*$/;

/** The shards of an environment: every request asks for them. */
const shardsOf = new WeakMap<Bindings, readonly Shard[]>();

/** Returns the shards, which are bindings. */
export function listShards(env: Bindings): readonly Shard[] {
  const known = shardsOf.get(env);
  if (known !== undefined) return known;
  const shards = Object.entries(env).flatMap(([name, db]) => (SHARD.test(name) ? [{ name, db }] : []));
  shardsOf.set(env, shards);
  return shards;
}

/** Returns the names of all databases, `DB` first. */
export const listDatabases = (env: Bindings): string[] => ["DB", ...listShards(env).map(({ name }) => name)];

/** Returns the database of people, their sessions, and the directory. */
export const getDirectory = ({ DB, DIRECTORY = DB }: Bindings): D1Database => DIRECTORY;

/** Returns the one database in which a consumer or a part of the sweep works ({@link bindTo}). */
export const getBound = ({ DB }: Bindings): D1Database => DB;

/** Returns the bindings for what works through one database: its `DB` is that one, and it has no shards. */
export function bindTo<Env extends Bindings>(env: Env, name: string): Env {
  if (name === "DB" && listShards(env).length === 0) return env;
  const others = Object.fromEntries(Object.entries(env).filter(([each]) => !SHARD.test(each))) as unknown as Env;
  return { ...others, DB: openNamed(env, name), DIRECTORY: env.DB };
}

/** Returns the database that holds the rows of an organization. */
export const openDatabase = (env: Bindings, organizationId: string): D1Database =>
  listShards(env).length === 0
    ? env.DB
    : deferDatabase(async () => openNamed(env, await findDatabase(env, organizationId)));

/** Returns the name of the database that holds the rows of an organization. */
export const findDatabase = (env: Bindings, organizationId: string): Promise<string> =>
  find(`organization ${organizationId}`, () => findHome(env.DB, organizationId));

/** Returns the database with the rows of what a key names, such as the hash of a credential. */
export const openDatabaseOf = (env: Bindings, kind: EntryKind, key: string): D1Database =>
  listShards(env).length === 0
    ? env.DB
    : deferDatabase(async () =>
        openNamed(env, await find(`${kind} ${key}`, () => findShardOf(env.DB, kind, key), !CHOSEN.has(kind))),
      );

/** Names that somebody chooses, so that they may be asked for before they lead to a shard. The other keys are random. */
const CHOSEN: ReadonlySet<EntryKind> = new Set(["host", "vanity"]);

/** Returns the database of a blog, by its id or vanityId. */
export const openDatabaseOfBlog = (env: Bindings, blog: string): D1Database =>
  isUuid(blog) ? openDatabaseOf(env, "blog", blog.toLowerCase()) : openDatabaseOf(env, "vanity", blog);

/** Returns the databases in which a person is a member of organizations, `DB` first. */
export async function openDatabasesOfMember(env: Bindings, userId: string): Promise<D1Database[]> {
  if (listShards(env).length === 0) return [env.DB];
  const names = await listShardsOf(env.DB, "member", userId);
  return [env.DB, ...names.map((name) => openNamed(env, name))];
}

/** Returns what databases answer, together. The first is `DB`; a shard that fails, or takes more than two seconds, hides only its own. */
export async function askEach<T>(
  databases: readonly D1Database[],
  ask: (db: D1Database) => Promise<T[]>,
): Promise<T[]> {
  const answers = databases.map((db, n) =>
    n === 0
      ? ask(db)
      : withTimeout(
          2000,
          ask(db).catch(() => null),
        ),
  );
  return (await Promise.all(answers)).flatMap((answer) => answer ?? []);
}

/**
 * Returns where public reads find what they name. `reader` makes the reader of a database. `callers` is the database of a caller with
 * credentials, whose first query looks these up, too: without shards, it is the place of everything.
 */
export function openPlaces(env: Bindings, reader: (db: D1Database) => Reader, callers?: Database): Places {
  const at = (db: D1Database): Place => ({ read: reader(db), primary: makeReader(db) });
  if (listShards(env).length === 0) {
    const only = callers === undefined ? at(env.DB) : { read: makeReader(callers), primary: makeReader(callers) };
    return () => only;
  }
  return async (name) => {
    if ("blog" in name) return at(openDatabaseOfBlog(env, name.blog));
    if ("article" in name) return at(openDatabaseOf(env, "article", name.article));
    if ("preview" in name) return at(openDatabaseOf(env, "preview", name.preview));
    const found = await findBlogOfSlug(reader(env.DB), name);
    return found === null ? at(env.DB) : { ...at(openNamed(env, found.shard)), blogId: found.blogId };
  };
}

/** Returns a database by its binding. Throws if there is none. */
export const openNamed = (env: Bindings, name: string): D1Database =>
  name === "DB" ? env.DB : listAfterWrites({ name, db: openBare(env, name) }, env.DB);

/** Returns a database by its binding, whose writes store nothing in the directory. Throws if there is none. */
export function openBare(env: Bindings, name: string): D1Database {
  const db = name === "DB" ? env.DB : listShards(env).find((each) => each.name === name)?.db;
  if (db === undefined) throw new Error(`There is no binding ${name}, which has organizations.`);
  return db;
}

/** Returns a shard whose writes also store in the directory what they have noted for it, before their result is returned. */
function listAfterWrites(shard: Shard, directory: Database): D1Database {
  const { db } = shard;
  // The write is stored by then. What the directory cannot store now, the sweep stores within a minute.
  const store = (entries: readonly Unlisted[]): Promise<void> =>
    storeEntries(shard, directory, entries).catch((error: unknown) =>
      log({ level: "warn", message: "directory not written", shard: shard.name, error }),
    );
  const listing: Opened & Pick<D1Database, "withSession"> = {
    prepare: (text) => db.prepare(text),
    withSession: (at) => db.withSession(at),
    async batch<T>(statements: D1PreparedStatement[]) {
      const results = await db.batch([...statements, prepare(db, SELECT_UNLISTED)]);
      const entries = (results.pop()?.results ?? []) as Unlisted[];
      // Those of others are left to the requests that noted them.
      if (entries.length > 0 && results.some(({ meta }) => meta.rows_written > 0)) await store(entries);
      return results as D1Result<T>[];
    },
    async afterWrite() {
      const entries = await queryRows<Unlisted>(db, SELECT_UNLISTED);
      if (entries.length > 0) await store(entries);
    },
  };
  return listing as D1Database;
}

/**
 * Claims the first of these names that no other organization has, before the shard stores it ({@link takeName}). Undefined for an organization
 * in `DB`, whose statements look into the directory themselves.
 */
export async function claimName(
  env: Bindings,
  organizationId: string,
  kind: "host" | "vanity",
  keys: readonly string[],
): Promise<Claim | null | undefined> {
  const directory = getDirectory(env);
  if (directory === env.DB && listShards(env).length === 0) return undefined;
  const { shard } = await findHome(directory, organizationId);
  return shard === null || shard === "DB" ? undefined : takeName(directory, { organizationId, shard, kind, keys });
}

/** Prepares a shard, and stores in the directory what it has noted and nobody has stored. The sweep calls it. */
export async function listEntries(env: Bindings, name: string): Promise<void> {
  if (name === "DB") return;
  await prepareShard(openBare(env, name));
  await removeEnded(env.DB);
  await listNotes(env, name);
}

/** Stores in the directory what a shard has noted and nobody has stored. */
export async function listNotes(env: Bindings, name: string): Promise<void> {
  if (name === "DB") return;
  const shard = { name, db: openBare(env, name) };
  for (;;) {
    const entries = await queryRows<Unlisted>(shard.db, SELECT_UNLISTED);
    if (entries.length === 0) return;
    await storeEntries(shard, env.DB, entries);
  }
}

/** How long an isolate remembers in which database something is: an organization that moves leaves its database only later. */
export const REMEMBERED_MS = 60_000;
const MOST_REMEMBERED = 10_000;
/** Exported for tests, which do not wait. */
export const remembered = new Map<string, { readonly name: string; readonly until: number }>();

/**
 * Returns the name of the database with something: `DB` if `lookUp` finds none, which is remembered only with `keepsNull`. It keeps what
 * it looks up, but never a promise of another request, and nothing while an organization moves.
 */
async function find(what: string, lookUp: () => Promise<Found>, keepsNull = true): Promise<string> {
  const kept = remembered.get(what);
  if (kept !== undefined && kept.until > Date.now()) return kept.name;
  const until = Date.now() + REMEMBERED_MS;
  const { shard, isMoving } = await lookUp();
  const name = shard ?? "DB";
  if (isMoving || (shard === null && !keepsNull)) return name;
  if (remembered.size >= MOST_REMEMBERED) remembered.clear();
  remembered.set(what, { name, until });
  return name;
}
