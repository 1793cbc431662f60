/**
 * Reads and writes the database of a local run without wrangler, which takes seconds to start. The Worker may be running:
 * SQLite's locks keep the two apart.
 */
import { createHash, createHmac } from "node:crypto";
import { existsSync, mkdirSync, readFileSync } from "node:fs";
import path from "node:path";
import type { DatabaseSync, SQLInputValue } from "node:sqlite";
import { Failure } from "./failure.ts";
import { ROOT } from "./wrangler.ts";

/** Milliseconds to wait for another process that writes. */
const BUSY_MS = 5000;

export function listAppliedMigrations(folder: string, binding = "DB"): ReadonlySet<string> {
  return new Set(queryRows(folder, "SELECT name FROM d1_migrations", [], binding).map(({ name }) => String(name)));
}

export type Demo = {
  /** Whether an earlier start has loaded it into this database. Somebody may have deleted its blogs since. */
  readonly isLoaded: boolean;
  /** How its organization is: of a kind of suspension, "active", or "absent" from the database. */
  readonly state: "active" | "suspended" | "deleted" | "erased" | "absent";
};

/** Returns how the demo of an organization is. The service cannot be asked: it refuses a suspended organization. */
export function findDemo(folder: string, organizationId: string): Demo {
  // The day of its last event stays, while blogs and the entries of the audit log go for good.
  const [found] = queryRows(
    folder,
    `SELECT day > '' AS loaded, coalesce((SELECT kind FROM suspensions WHERE organization_id = ?1 AND kind <> 'ceiling'), 'active') AS state
     FROM organizations WHERE id = ?1`,
    [organizationId],
  );
  return { isLoaded: found?.["loaded"] === 1, state: (found?.["state"] ?? "absent") as Demo["state"] };
}

/** Executes all statements or, if one fails, none. Creates the database if necessary. */
export function executeLocally(folder: string, sql: string, binding = "DB"): void {
  mkdirSync(path.dirname(getDatabaseFile(folder)), { recursive: true });
  withDatabase(folder, { readOnly: false, binding }, (database) => {
    // As workerd opens it.
    database.exec("PRAGMA journal_mode = WAL");
    database.exec("BEGIN IMMEDIATE");
    try {
      database.exec(sql);
      database.exec("COMMIT");
    } catch (error) {
      database.exec("ROLLBACK");
      throw error;
    }
  });
}

export const queryLocally = (folder: string, sql: string, binding = "DB"): Record<string, unknown>[] =>
  withDatabase(folder, { readOnly: false, binding }, (database) => database.prepare(sql).all());

/** Returns the rows of a query; none without a database or its tables. Throws if it cannot be read. */
function queryRows(
  folder: string,
  sql: string,
  values: readonly SQLInputValue[] = [],
  binding = "DB",
): Record<string, unknown>[] {
  if (!existsSync(getDatabaseFile(folder, binding))) return [];
  try {
    return withDatabase(folder, { readOnly: true, binding }, (database) => database.prepare(sql).all(...values));
  } catch (error) {
    if (error instanceof Error && error.message.startsWith("no such table")) return [];
    if (!DAMAGE.has((error as { errcode?: number }).errcode)) throw error;
    throw new Failure(
      `${getDatabaseFile(folder, binding)} is damaged. Restore it, or remove the folder ${folder} to start over.`,
    );
  }
}

/** SQLITE_CORRUPT and SQLITE_NOTADB. */
const DAMAGE = new Set<number | undefined>([11, 26]);

/** Opens a database of a state folder. The caller closes it. */
export function openDatabase(folder: string, readOnly: boolean, binding = "DB"): DatabaseSync {
  // Node prints a warning when it loads this module, so it is loaded only when it is needed (package.json).
  const sqlite = process.getBuiltinModule("node:sqlite");
  return new sqlite.DatabaseSync(getDatabaseFile(folder, binding), { readOnly, timeout: BUSY_MS });
}

function withDatabase<T>(
  folder: string,
  { readOnly, binding }: { readOnly: boolean; binding?: string },
  work: (database: DatabaseSync) => T,
): T {
  const database = openDatabase(folder, readOnly, binding);
  try {
    return work(database);
  } finally {
    database.close();
  }
}

/** Returns the bindings of the databases in a state folder: `DB`, and its shards. */
export function listLocalDatabases(folder: string): string[] {
  const names = ["DB"];
  while (existsSync(getDatabaseFile(folder, `DB_${names.length}`))) names.push(`DB_${names.length}`);
  return names;
}

/** Returns the path at which wrangler keeps a database, which may not exist. */
export const getDatabaseFile = (folder: string, binding = "DB"): string =>
  path.join(folder, "v3/d1", CLASS, `${toObjectId(getDatabaseId(binding))}.sqlite`);

/** Returns the id of a local database: that of wrangler.toml, which ends with the number of a shard. */
export function getDatabaseId(binding: string): string {
  const [, id = ""] = /^database_id = "(.*)"$/m.exec(readFileSync(path.join(ROOT, "wrangler.toml"), "utf8")) ?? [];
  const number = binding.slice("DB_".length);
  return id.slice(0, id.length - number.length) + number;
}

const CLASS = "miniflare-D1DatabaseObject";

/** Returns the id of a Durable Object, as workerd derives it from a name (`idFromName`). */
function toObjectId(name: string): string {
  const key = createHash("sha256").update(CLASS).digest();
  const part = (value: string | Buffer) => createHmac("sha256", key).update(value).digest().subarray(0, 16);
  const ofName = part(name);
  return Buffer.concat([ofName, part(ofName)]).toString("hex");
}
