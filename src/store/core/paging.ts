/** Lists in the order newest first, by cursor: a page costs the same at any depth. */
import { desc, sql, type SQL } from "drizzle-orm";
import type { SQLiteColumn } from "drizzle-orm/sqlite-core";
import { decodeCursor, encodeCursor } from "../../domain/cursor.ts";
import type { Value } from "./sql.ts";

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

/** Where a page begins, and how many rows it reads. */
export type Bounds<V = string | number, N = V> = {
  readonly rows: N;
  readonly skipped: N;
  readonly time?: V | undefined;
  readonly id?: V | undefined;
};

/** The bounds of a page; throws `invalid_cursor`. */
export function boundsOf({ limit, skip, cursor }: PageQuery): Bounds<string, number> {
  const from = cursor === undefined ? undefined : decodeCursor(cursor);
  return { rows: limit + 1, skipped: skip, time: from?.time, id: from?.id };
}

/**
 * A page for the builder's query, by the columns of its order. One row more than it shows tells whether more follow. A
 * cursor names that row, the first of its page, so that no page reads a row only to leave it out.
 */
export function pageOf(query: PageQuery, time: SQLiteColumn, id: SQLiteColumn) {
  const bounds = boundsOf(query);
  return {
    /** A condition; undefined for the first page. */
    from: bounds.time === undefined ? undefined : sql`(${time}, ${id}) <= (${bounds.time}, ${bounds.id})`,
    order: [desc(time), desc(id)],
    limit: bounds.rows,
    offset: bounds.skipped,
  };
}

/** The same as raw SQL, `and …` up to `offset …`, for bounds that may be named. */
export function boundedBy(bounds: Bounds<Value | SQL>, time: SQLiteColumn, id: SQLiteColumn): SQL {
  const from = bounds.time === undefined ? sql`` : sql`and (${time}, ${id}) <= (${bounds.time}, ${bounds.id})`;
  return sql`${from} order by ${time} desc, ${id} desc limit ${bounds.rows} offset ${bounds.skipped}`;
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
