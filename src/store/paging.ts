/** Lists in the order newest first, by cursor: a page costs the same at any depth. */
import { sql, type SQL } from "drizzle-orm";
import type { SQLiteColumn } from "drizzle-orm/sqlite-core";
import { decodeCursor, encodeCursor } from "../lib/cursor.ts";

/** A record with the version that its ETag is made of. */
export type Versioned<T> = { readonly value: T; readonly version: string };

export type Page<T> = {
  readonly items: readonly Versioned<T>[];
  /** The cursor of the page after this one, where more follow. */
  readonly next: string | undefined;
};

export type PageQuery = {
  /** 1 to the largest page. */
  readonly limit: number;
  readonly skip: number;
  readonly cursor?: string | undefined;
};

/**
 * `and …` up to `offset …` of a page: one row more than it shows tells whether more follow. A cursor
 * names that row, the first of its page, so that no page reads a row only to leave it out.
 */
export function pageClause(query: PageQuery, time: SQLiteColumn, id: SQLiteColumn): SQL {
  const cursor = query.cursor === undefined ? undefined : decodeCursor(query.cursor);
  const from = cursor ? sql`and (${time}, ${id}) <= (${cursor.time}, ${cursor.id})` : sql``;
  return sql`${from} order by ${time} desc, ${id} desc limit ${query.limit + 1} offset ${query.skip}`;
}

/** The rows of a page and the cursor of the next one. */
export function toPage<Row extends { _id: string; creationTime: string }, T>(
  query: PageQuery,
  rows: readonly Row[],
  toRecord: (row: Row) => Versioned<T>,
): Page<T> {
  const following = rows[query.limit];
  const next = following && encodeCursor({ time: following.creationTime, id: following._id });
  return { items: rows.slice(0, query.limit).map(toRecord), next };
}
