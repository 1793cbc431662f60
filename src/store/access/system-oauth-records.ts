/**
 * What the authorization server keeps, by key: the shape of a KV namespace over D1, which answers at once
 * with what was just written (KV may take a minute, and breaks clients that exchange their code at once).
 */
import { sql } from "drizzle-orm";
import { newId } from "../../lib/ids.ts";
import { oauthRecords } from "./schema.ts";
import { firstRow, prepare, rows, type Database } from "../core/sql.ts";

/** Somebody else has written or used the record since it was read. */
export class RecordConflict extends Error {
  readonly key: string;

  constructor(key: string) {
    super("an OAuth record has changed since it was read");
    this.key = key;
  }
}

export type PutOptions = {
  /** Seconds since 1970. */
  readonly expiration?: number;
  /** Seconds from now. */
  readonly expirationTtl?: number;
  readonly metadata?: unknown;
};

export type ListOptions = { readonly prefix?: string; readonly limit?: number; readonly cursor?: string };

export type Listed = {
  readonly keys: readonly { readonly name: string; readonly expiration?: number; readonly metadata?: unknown }[];
  readonly list_complete: boolean;
  readonly cursor?: string;
};

export type Records = {
  get(key: string, options?: "text" | "json" | { readonly type?: "text" | "json" }): Promise<unknown>;
  put(key: string, value: string, options?: PutOptions): Promise<void>;
  delete(key: string): Promise<void>;
  list(options?: ListOptions): Promise<Listed>;
};

/** As many as KV lists at once. */
const PAGE = 1000;

/**
 * Opens the records for one request, which remembers what it has read: of two requests that read the same
 * record only the first can write it, and of two that use up a record only the first can. The other one
 * gets a {@link RecordConflict}. Records that have expired are as if they were not there.
 */
export function openRecords(db: Database, now: () => Date): Records {
  /** The version of each record that was read; null where there was none. */
  const seen = new Map<string, string | null>();
  const seconds = () => Math.floor(now().getTime() / 1000);
  return {
    async get(key, options) {
      const found = await firstRow<{ value: string; version: string }>(
        db,
        sql`select value, version from ${oauthRecords} where key = ${key} and ${current(seconds())}`,
      );
      seen.set(key, found?.version ?? null);
      if (found === null) return null;
      const type = typeof options === "string" ? options : options?.type;
      return type === "json" ? (JSON.parse(found.value) as unknown) : found.value;
    },
    async put(key, value, options = {}) {
      const version = newId();
      await write(db, { key, value, version, read: seen.get(key), now: seconds(), ...options });
      seen.set(key, version);
    },
    async delete(key) {
      const read = seen.get(key);
      // What can be used once belongs to whoever removes it; anything else is revoked whatever became of it.
      const once = key.startsWith(ONCE) && typeof read === "string";
      const removed = await firstRow(
        db,
        sql`delete from ${oauthRecords} where key = ${key} ${once ? sql`and version = ${read}` : sql``} returning 1`,
      );
      if (once && removed === null) throw new RecordConflict(key);
      seen.set(key, null);
    },
    list: (options = {}) => list(db, seconds(), options),
  };
}

/** Lets a record live at least as long as this from now; it stays the same one to whoever has read it. */
export async function extendRecord(db: Database, key: string, seconds: number, now: Date): Promise<void> {
  const from = Math.floor(now.getTime() / 1000);
  await prepare(
    db,
    sql`update ${oauthRecords} set expiration_time = ${from + seconds}
      where key = ${key} and expiration_time > ${from} and expiration_time < ${from + seconds}`,
  ).run();
}

/** Consent pages that wait for their answer. */
const ONCE = "transaction:";

const current = (now: number) => sql`(expiration_time is null or expiration_time > ${now})`;

type Written = PutOptions & {
  readonly key: string;
  readonly value: string;
  readonly version: string;
  /** The version that was read; null where there was no record; undefined where nobody looked. */
  readonly read: string | null | undefined;
  readonly now: number;
};

async function write(db: Database, record: Written): Promise<void> {
  const { key, value, version, read, now, metadata, expiration, expirationTtl } = record;
  const expires = expirationTtl === undefined ? (expiration ?? null) : now + expirationTtl;
  const noted = metadata === undefined || metadata === null ? null : JSON.stringify(metadata);
  const free = sql`${oauthRecords.expirationTime} <= ${now}`;
  const written =
    typeof read === "string"
      ? sql`update ${oauthRecords} set value = ${value}, metadata = ${noted}, version = ${version},
            expiration_time = ${expires}
          where key = ${key} and version = ${read} and ${current(now)} returning 1`
      : sql`insert into ${oauthRecords} (key, value, metadata, version, expiration_time)
          values (${key}, ${value}, ${noted}, ${version}, ${expires})
          on conflict (key) do update set value = excluded.value, metadata = excluded.metadata,
            version = excluded.version, expiration_time = excluded.expiration_time
          ${read === null ? sql`where ${free}` : sql``} returning 1`;
  if ((await firstRow(db, written)) === null) throw new RecordConflict(key);
}

async function list(db: Database, now: number, { prefix = "", limit = PAGE, cursor }: ListOptions): Promise<Listed> {
  const size = Math.min(Math.max(1, limit), PAGE);
  const found = await rows<ListedRow>(
    db,
    sql`select key as "name", expiration_time as "expiration", metadata from ${oauthRecords}
      where ${startsWith(prefix)} ${cursor === undefined ? sql`` : sql`and key > ${cursor}`} and ${current(now)}
      order by key limit ${size + 1}`,
  );
  const keys = found.slice(0, size).map(listed);
  const last = keys.at(-1);
  if (found.length <= size || last === undefined) return { keys, list_complete: true };
  return { keys, list_complete: false, cursor: last.name };
}

type ListedRow = { readonly name: string; readonly expiration: number | null; readonly metadata: string | null };

const listed = ({ name, expiration, metadata }: ListedRow): Listed["keys"][number] => ({
  name,
  ...(expiration !== null && { expiration }),
  ...(metadata !== null && { metadata: JSON.parse(metadata) as unknown }),
});

/** As a range: LIKE would read the whole table. */
export const startsWith = (prefix: string) => sql`key >= ${prefix} and key < ${`${prefix}\u{10FFFF}`}`;
