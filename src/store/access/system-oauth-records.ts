/**
 * What the authorization server keeps, by key: the shape of a KV namespace over D1, which answers at once
 * with what was just written (KV may take a minute, and breaks clients that exchange their code at once).
 */
import { and, eq, gt, gte, isNull, lt, lte, or } from "drizzle-orm";
import type { SelectResultFields } from "drizzle-orm/query-builders/select.types";
import { newId } from "../../lib/ids.ts";
import { oauthRecords } from "./schema.ts";
import { orm, type Database } from "../core/sql.ts";

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
      const [found] = await orm(db)
        .select({ value: oauthRecords.value, version: oauthRecords.version })
        .from(oauthRecords)
        .where(and(eq(oauthRecords.key, key), current(seconds())));
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
      // What can be used once belongs to whoever removes it; anything else is revoked whatever became of it.
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

/** Lets a record live at least as long as this from now; it stays the same one to whoever has read it. */
export async function extendRecord(db: Database, key: string, seconds: number, now: Date): Promise<void> {
  const from = Math.floor(now.getTime() / 1000);
  const { expirationTime } = oauthRecords;
  await orm(db)
    .update(oauthRecords)
    .set({ expirationTime: from + seconds })
    .where(and(eq(oauthRecords.key, key), gt(expirationTime, from), lt(expirationTime, from + seconds)));
}

/** Consent pages that wait for their answer. */
const ONCE = "transaction:";

const current = (now: number) => or(isNull(oauthRecords.expirationTime), gt(oauthRecords.expirationTime, now));

type Written = PutOptions & {
  readonly key: string;
  readonly value: string;
  readonly version: string;
  /** The version that was read; null where there was no record; undefined where nobody looked. */
  readonly read: string | null | undefined;
  readonly now: number;
};

/** What tells that a record was written. */
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
          .where(and(eq(oauthRecords.key, key), eq(oauthRecords.version, read), current(now)))
          .returning(WRITTEN)
      : orm(db)
          .insert(oauthRecords)
          .values({ key, ...set })
          .onConflictDoUpdate({
            target: oauthRecords.key,
            set,
            // What has expired is as if it were not there.
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
    .where(and(startsWith(prefix), cursor === undefined ? undefined : gt(oauthRecords.key, cursor), current(now)))
    .orderBy(oauthRecords.key)
    .limit(size + 1);
  const keys = found.slice(0, size).map(listed);
  const last = keys.at(-1);
  if (found.length <= size || last === undefined) return { keys, list_complete: true };
  return { keys, list_complete: false, cursor: last.name };
}

const LISTED = { name: oauthRecords.key, expiration: oauthRecords.expirationTime, metadata: oauthRecords.metadata };

type ListedRow = SelectResultFields<typeof LISTED>;

const listed = ({ name, expiration, metadata }: ListedRow): Listed["keys"][number] => ({
  name,
  ...(expiration !== null && { expiration }),
  ...(metadata !== null && { metadata: JSON.parse(metadata) as unknown }),
});

/** As a range: LIKE would read the whole table. */
export const startsWith = (prefix: string) =>
  and(gte(oauthRecords.key, prefix), lt(oauthRecords.key, `${prefix}\u{10FFFF}`));
