/** Opens the database and the files of a place, local or deployed, to copy, restore or remove what is in it. */
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import type { DatabaseSync } from "node:sqlite";
import type { D1Database, R2Bucket } from "@cloudflare/workers-types";
import type { Cell, Row } from "../../src/lib/rows.ts";
import { bindD1 as bind, type Statement, type Target } from "../../src/store/export/database.ts";
import { Failure } from "./failure.ts";
import { getDatabaseFile, openDatabase } from "./local-database.ts";
import type { Place } from "./organization.ts";
import { ROOT } from "./wrangler.ts";

export type { Cell, Row } from "../../src/lib/rows.ts";
export type { Statement } from "../../src/store/export/database.ts";

export type Bindings = Target & {
  /** Whether all queries see the database as it was at the first one. */
  readonly isSnapshot: boolean;
  readonly bucket: Pick<R2Bucket, "list" | "get" | "put" | "delete">;
  readonly close: () => Promise<void>;
};

export const openBindings = (place: Place, access: "read" | "write"): Promise<Bindings> =>
  "config" in place ? openRemote(place.config) : openLocal(place.folder, access);

/**
 * Opens a state folder. To read, it begins a transaction that sees one moment, whatever a running Worker writes. Only
 * Miniflare knows how it keeps files.
 */
async function openLocal(folder: string, access: "read" | "write"): Promise<Bindings> {
  if (!existsSync(getDatabaseFile(folder))) throw new Failure(`There is no database in ${folder}: npm start makes it.`);
  const database = openDatabase(folder, access === "read");
  if (access === "read") database.exec("BEGIN");
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
    isSnapshot: access === "read",
    query: async (sql, values = []) => database.prepare(sql).all(...values) as Row[],
    execute: async (statements) => executeAll(database, statements),
    bucket: (await miniflare.getR2Bucket("MEDIA")) as unknown as R2Bucket,
    async close() {
      database.close();
      await miniflare.dispose();
    },
  };
}

function executeAll(database: DatabaseSync, statements: readonly Statement[]): void {
  database.exec("BEGIN IMMEDIATE");
  try {
    for (const { sql, values } of statements) database.prepare(sql).run(...values);
    database.exec("COMMIT");
  } catch (error) {
    database.exec("ROLLBACK");
    throw error;
  }
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
    const { env, dispose } = await getPlatformProxy<{ DB: D1Database; MEDIA: R2Bucket }>({
      configPath,
      persist: false,
    });
    return { ...bindD1(env.DB), bucket: env.MEDIA, close: dispose };
  } catch (error) {
    throw new Failure(`Cloudflare cannot be reached as wrangler is signed in. ${(error as Error).message}`);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

const markRemote = (bindings: readonly object[]): object[] =>
  bindings.map((binding) => Object.assign({}, binding, { remote: true }));

/** Returns queries of a D1 database. */
export function bindD1(db: D1Database): Pick<Bindings, "isSnapshot" | "query" | "execute"> {
  const { query, execute } = bind(db);
  return {
    isSnapshot: false,
    execute,
    query: async (...asked) =>
      (await query(...asked)).map((row) =>
        Object.fromEntries(Object.entries(row).map(([name, cell]) => [name, toCell(cell)])),
      ),
  };
}

/** D1 returns a blob as an array of numbers. */
const toCell = (value: unknown): Cell => (Array.isArray(value) ? Uint8Array.from(value as number[]) : (value as Cell));
