/** Opens the database and the files of a place, local or deployed, to copy, restore or remove what is in it. */
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import type { DatabaseSync } from "node:sqlite";
import type { D1Database, R2Bucket } from "@cloudflare/workers-types";
import type { Cell, Row } from "../../src/lib/rows.ts";
import { bindD1 as bind, type Target } from "../../src/store/export/database.ts";
import type { Config } from "./deployment.ts";
import { Failure } from "./failure.ts";
import { getDatabaseFile, listLocalDatabases, openDatabase } from "./local-database.ts";
import type { Place } from "./organization.ts";
import { listLostShards } from "./shards.ts";
import { ROOT } from "./wrangler.ts";

export type { Cell, Row } from "../../src/lib/rows.ts";
export type { Statement } from "../../src/store/export/database.ts";

export type Bindings = Target & {
  /** Whether all queries see the database as it was at the first one. */
  readonly isSnapshot: boolean;
  readonly bucket: Pick<R2Bucket, "list" | "get" | "put" | "delete">;
  readonly close: () => Promise<void>;
  /** All databases of the place. */
  readonly env?: Databases | undefined;
  /** The shard of these bindings ({@link bindTo}); none for `DB`. */
  readonly name?: string;
};

/** As the Worker has them: `DB`, and its shards. */
export type Databases = { readonly DB: D1Database };

/** Opens the databases and the files of a place. Returns bindings to `DB`. Throws a `Failure` if a shard with organizations is missing. */
export async function openBindings(place: Place, access: "read" | "write"): Promise<Bindings> {
  const bindings = await ("config" in place ? openRemote(place.config) : openLocal(place.folder, access));
  const [homes] = await bindings.query("SELECT 1 FROM sqlite_schema WHERE name = 'homes'");
  const lost = homes === undefined ? [] : await listLostShards(bindings.query, listShards(bindings));
  if (lost.length === 0) return bindings;
  await bindings.close();
  throw new Failure(`Organizations are in ${lost.join(", ")}, which the settings lack: name all shards in them.`);
}

/** Returns bindings to one of the databases of a place. Throws a `Failure` if it has none with this name. */
export function bindTo(bindings: Bindings, name: string): Bindings {
  const { env, isSnapshot, bucket, close } = bindings;
  const db = (env as Readonly<Record<string, D1Database>> | undefined)?.[name];
  if (db !== undefined) return { env, bucket, close, ...bindD1(db, isSnapshot), ...(name !== "DB" && { name }) };
  if (name === "DB") return bindings;
  throw new Failure(`There is no shard ${name}.`);
}

/** Returns the names of the shards of a place; none if everything is in `DB`. */
export const listShards = ({ env }: Pick<Bindings, "env">): string[] =>
  Object.keys(env ?? {}).filter((name) => name !== "DB");

/** Returns whether a place has shards. */
export const hasShards = (place: Place): boolean =>
  "config" in place
    ? (JSON.parse(readFileSync(place.config, "utf8")) as Config).d1_databases?.[1] !== undefined
    : listLocalDatabases(place.folder).length > 1;

/**
 * Opens a state folder. To read, it begins a transaction that sees one moment, whatever a running Worker writes. Only
 * Miniflare knows how it keeps files.
 */
async function openLocal(folder: string, access: "read" | "write"): Promise<Bindings> {
  if (!existsSync(getDatabaseFile(folder))) throw new Failure(`There is no database in ${folder}: npm start makes it.`);
  const opened = listLocalDatabases(folder).map((name) => ({
    name,
    file: openDatabase(folder, access === "read", name),
  }));
  if (access === "read") for (const { file } of opened) file.exec("BEGIN");
  const env = Object.fromEntries(opened.map(({ name, file }) => [name, asD1(file)])) as unknown as Databases;
  const { Miniflare, convertV4MiniflareOptions } = await import("miniflare");
  const miniflare = new Miniflare(
    convertV4MiniflareOptions({
      modules: true,
      script: "export default {};",
      r2Buckets: { MEDIA: readBucketName() },
      resourcePersistencePath: path.join(folder, "v3"),
    }),
  );
  return {
    ...bindD1(env.DB, access === "read"),
    env,
    bucket: (await miniflare.getR2Bucket("MEDIA")) as unknown as R2Bucket,
    async close() {
      for (const { file } of opened) file.close();
      await miniflare.dispose();
    },
  };
}

type Prepared = { readonly rows: () => Row[] };

/** Returns a local database as what a Worker has of D1. */
function asD1(database: DatabaseSync): D1Database {
  const bind = (sql: string, values: readonly Cell[]) => {
    const rows = () => database.prepare(sql).all(...values) as Row[];
    const all = async () => ({ results: rows(), meta: { size_after: measure(database) } });
    const raw = async () => rows().map((row) => Object.values(row));
    return { rows, bind: (...given: Cell[]) => bind(sql, given), all, run: all, raw };
  };
  const batch = async (statements: readonly Prepared[]) => {
    database.exec("BEGIN IMMEDIATE");
    try {
      // A file does not count rows: each statement may have written.
      const results = statements.map(({ rows }) => ({ results: rows(), meta: { rows_written: 1 } }));
      database.exec("COMMIT");
      return results;
    } catch (error) {
      database.exec("ROLLBACK");
      throw error;
    }
  };
  return { prepare: (sql: string) => bind(sql, []), batch } as unknown as D1Database;
}

function measure(database: DatabaseSync): number {
  const sql = "SELECT page_count * page_size AS bytes FROM pragma_page_count(), pragma_page_size()";
  return Number(database.prepare(sql).get()?.["bytes"]);
}

const readBucketName = (): string =>
  /^bucket_name = "(.*)"$/m.exec(readFileSync(path.join(ROOT, "wrangler.toml"), "utf8"))?.[1] ?? "";

/** Opens a deployment's database and bucket as whoever wrangler is signed in as. Each query sees what was committed before it. */
async function openRemote(file: string): Promise<Bindings> {
  const { getPlatformProxy, unstable_readConfig } = await import("wrangler");
  const { name, compatibility_date, account_id, d1_databases, r2_buckets } = unstable_readConfig({ config: file });
  const config = {
    name,
    compatibility_date,
    account_id,
    d1_databases: markRemote(d1_databases),
    r2_buckets: markRemote(r2_buckets),
  };
  const folder = mkdtempSync(path.join(tmpdir(), "edgepress-remote-"));
  try {
    const configPath = path.join(folder, "wrangler.json");
    writeFileSync(configPath, JSON.stringify(config));
    const { env, dispose } = await getPlatformProxy<Databases & { MEDIA: R2Bucket }>({
      configPath,
      persist: false,
    });
    const databases = Object.fromEntries(
      Object.entries(env).filter(([name]) => name === "DB" || name.startsWith("DB_")),
    ) as unknown as Databases;
    return { ...bindD1(env.DB), env: databases, bucket: env.MEDIA, close: dispose };
  } catch (error) {
    throw new Failure(`Cloudflare cannot be reached as wrangler is signed in. ${(error as Error).message}`);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

const markRemote = (bindings: readonly object[]): object[] =>
  bindings.map((binding) => Object.assign({}, binding, { remote: true }));

/** Returns queries of a D1 database. */
export function bindD1(db: D1Database, isSnapshot = false): Pick<Bindings, "isSnapshot" | "query" | "execute"> {
  const { query, execute } = bind(db);
  return {
    isSnapshot,
    execute,
    query: async (...asked) =>
      (await query(...asked)).map((row) =>
        Object.fromEntries(Object.entries(row).map(([name, cell]) => [name, toCell(cell)])),
      ),
  };
}

/** D1 returns a blob as an array of numbers. */
const toCell = (value: unknown): Cell => (Array.isArray(value) ? Uint8Array.from(value as number[]) : (value as Cell));
