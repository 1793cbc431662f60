/**
 * The key-value store of the authorization server, on D1. It has the interface of a Workers KV namespace. A read of KV
 * may return old data for up to a minute, which breaks clients that exchange their code right after the consent. A read
 * of D1 returns what was written last.
 */
import { and, eq, gt, gte, isNull, lt, lte, or, sql } from "drizzle-orm";
import type { SelectResultFields } from "drizzle-orm/query-builders/select.types";
import { newId } from "../../lib/ids.ts";
import { oauthRecords } from "../../schema/access.ts";
import { orm, type Database } from "../core/sql.ts";

/** Thrown if another request has written or used up a record after this request read it. */
export class RecordConflict extends Error {
  readonly key: string;

  constructor(key: string) {
    super("an OAuth record has changed since it was read");
    this.key = key;
  }
}

export type PutOptions = {
  /** Unix time in seconds. Without either field the record does not expire. */
  readonly expiration?: number;
  /** In seconds from now. Takes precedence over `expiration`. */
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

/** The largest page of `list`: as many keys as KV returns at once. */
const PAGE = 1000;

/**
 * Opens the records for one request and remembers the versions that it reads. If two requests read the same record,
 * only the first can write it, and only the first can delete a single-use record ({@link ONCE}). For the second
 * request, `put` and `delete` throw {@link RecordConflict}. Expired records count as missing.
 */
export function openRecords(db: Database, now: () => Date): Records {
  /** The version of each record that this request has read; null if the record did not exist. */
  const seen = new Map<string, string | null>();
  const seconds = () => Math.floor(now().getTime() / 1000);
  return {
    async get(key, options) {
      const [found] = await orm(db)
        .select({ value: oauthRecords.value, version: oauthRecords.version })
        .from(oauthRecords)
        .where(and(eq(oauthRecords.key, key), isUnexpired(seconds())));
      seen.set(key, found?.version ?? null);
      if (found === undefined) return null;
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
      // A single-use record goes to the request that deletes it first. Any other record is deleted (revoked) in any
      // case, even if it has changed meanwhile.
      const once = key.startsWith(ONCE) && typeof read === "string";
      const removed = await orm(db)
        .delete(oauthRecords)
        .where(and(eq(oauthRecords.key, key), once ? eq(oauthRecords.version, read) : undefined))
        .returning(WRITTEN);
      if (once && removed.length === 0) throw new RecordConflict(key);
      seen.set(key, null);
    },
    list: (options = {}) => list(db, seconds(), options),
  };
}

/**
 * Extends the life of an existing record to at least `seconds` from now. Does nothing if it lives longer or does not
 * expire. The version stays the same, so requests that have read the record can still write it.
 */
export async function extendRecord(db: Database, key: string, seconds: number, now: Date): Promise<void> {
  const from = Math.floor(now.getTime() / 1000);
  const { expirationTime } = oauthRecords;
  await orm(db)
    .update(oauthRecords)
    .set({ expirationTime: from + seconds })
    .where(and(eq(oauthRecords.key, key), gt(expirationTime, from), lt(expirationTime, from + seconds)));
}

/** Adds one to the counter in a record that expires at `end` (Unix seconds). Returns false if it has reached `most`. */
export async function incrementRecord(
  db: Database,
  { key, most, end }: { readonly key: string; readonly most: number; readonly end: number },
): Promise<boolean> {
  const next = sql<string>`cast(${oauthRecords.value} as integer) + 1`;
  const counted = await orm(db)
    .insert(oauthRecords)
    .values({ key, value: "1", version: newId(), expirationTime: end })
    .onConflictDoUpdate({
      target: oauthRecords.key,
      set: { value: next },
      setWhere: sql`cast(${oauthRecords.value} as integer) < ${most}`,
    })
    .returning(WRITTEN);
  return counted.length > 0;
}

/** The key prefix of single-use records: consent pages that wait for the person's decision. */
const ONCE = "transaction:";

/** Returns the condition that a record has not expired. `now` is Unix time in seconds. */
const isUnexpired = (now: number) => or(isNull(oauthRecords.expirationTime), gt(oauthRecords.expirationTime, now));

type Written = PutOptions & {
  readonly key: string;
  readonly value: string;
  readonly version: string;
  /** The version that this request read; null if there was no record; undefined if it did not read the record. */
  readonly read: string | null | undefined;
  /** Unix time in seconds. */
  readonly now: number;
};

const WRITTEN = { key: oauthRecords.key };

async function write(db: Database, record: Written): Promise<void> {
  const { key, value, version, read, now, metadata, expiration, expirationTtl } = record;
  const set = {
    value,
    metadata: metadata === undefined || metadata === null ? null : JSON.stringify(metadata),
    version,
    expirationTime: expirationTtl === undefined ? (expiration ?? null) : now + expirationTtl,
  };
  const written =
    typeof read === "string"
      ? orm(db)
          .update(oauthRecords)
          .set(set)
          .where(and(eq(oauthRecords.key, key), eq(oauthRecords.version, read), isUnexpired(now)))
          .returning(WRITTEN)
      : orm(db)
          .insert(oauthRecords)
          .values({ key, ...set })
          .onConflictDoUpdate({
            target: oauthRecords.key,
            set,
            // The request read no record, so it may only replace one that has expired.
            ...(read === null && { setWhere: lte(oauthRecords.expirationTime, now) }),
          })
          .returning(WRITTEN);
  if ((await written).length === 0) throw new RecordConflict(key);
}

async function list(db: Database, now: number, { prefix = "", limit = PAGE, cursor }: ListOptions): Promise<Listed> {
  const size = Math.min(Math.max(1, limit), PAGE);
  const found = await orm(db)
    .select(LISTED)
    .from(oauthRecords)
    .where(and(startsWith(prefix), cursor === undefined ? undefined : gt(oauthRecords.key, cursor), isUnexpired(now)))
    .orderBy(oauthRecords.key)
    .limit(size + 1);
  const keys = found.slice(0, size).map(toListed);
  const last = keys.at(-1);
  if (found.length <= size || last === undefined) return { keys, list_complete: true };
  return { keys, list_complete: false, cursor: last.name };
}

const LISTED = { name: oauthRecords.key, expiration: oauthRecords.expirationTime, metadata: oauthRecords.metadata };

type ListedRow = SelectResultFields<typeof LISTED>;

const toListed = ({ name, expiration, metadata }: ListedRow): Listed["keys"][number] => ({
  name,
  ...(expiration !== null && { expiration }),
  ...(metadata !== null && { metadata: JSON.parse(metadata) as unknown }),
});

/** Returns the condition that a key starts with a prefix. It is a range, because LIKE would read the whole table. */
export const startsWith = (prefix: string) =>
  and(gte(oauthRecords.key, prefix), lt(oauthRecords.key, `${prefix}\u{10FFFF}`));
