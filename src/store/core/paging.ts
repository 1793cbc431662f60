/** Pages of lists that are sorted by time. A page that begins at a cursor costs the same at any depth. */
import { asc, desc, gte, lte, sql, type SQL } from "drizzle-orm";
import type { SQLiteColumn } from "drizzle-orm/sqlite-core";
import { decodeCursor, encodeCursor, type Cursor } from "../../domain/cursor.ts";
import type { Value } from "./sql.ts";

export type Versioned<T> = { readonly value: T; readonly version: string };

export type Paged<Item> = {
  readonly items: readonly Item[];
  /** Undefined on the last page. */
  readonly next: string | undefined;
};

/** A page whose items have versions, so that it can have an ETag. */
export type Page<T> = Paged<Versioned<T>>;

export type PageQuery = {
  /** 1 to `LIMITS.page`. */
  readonly limit: number;
  /** How many rows to leave out before the first item. */
  readonly skip: number;
  readonly cursor?: string | undefined;
  /** The time that orders the list; undefined for the creation time. */
  readonly sort?: string | undefined;
};

/** Where a page begins (`time`, `id`, then `skipped` rows), and how many rows the query reads. */
export type Bounds<V = string | number, N = V> = {
  readonly rows: N;
  readonly skipped: N;
  readonly time?: V | undefined;
  readonly id?: V | undefined;
};

/** Returns the bounds of a page. Throws `invalid_cursor`. */
export function parseBounds({ limit, skip, cursor, sort }: PageQuery): Bounds<string, number> {
  const from = cursor === undefined ? undefined : decodeCursor(cursor, sort);
  return { rows: limit + 1, skipped: skip, time: from?.time, id: from?.id };
}

/**
 * Returns the parts of a page's query for Drizzle's builder, newest first unless `order` says otherwise. `time` and
 * `id` are the columns of the order. Throws `invalid_cursor`. The query reads one row more than the page shows: if it
 * exists, the next page begins with it, and the cursor names it.
 */
export function paginate(
  query: PageQuery,
  time: SQLiteColumn,
  id: SQLiteColumn,
  order: "newest" | "oldest" = "newest",
) {
  const bounds = parseBounds(query);
  const [from, by] = order === "newest" ? [sql`<=`, desc] : [sql`>=`, asc];
  return {
    /** The condition where the page begins; undefined without a cursor. */
    from: bounds.time === undefined ? undefined : sql`(${time}, ${id}) ${from} (${bounds.time}, ${bounds.id})`,
    order: [by(time), by(id)],
    limit: bounds.rows,
    offset: bounds.skipped,
  };
}

/** Like {@link paginate}, for a list in the order of its ids. Ids are UUIDv7, so their order is time order. */
export function paginateById(query: PageQuery, id: SQLiteColumn, order: "newest" | "oldest" = "newest") {
  const bounds = parseBounds(query);
  const [from, by] = order === "newest" ? [lte, desc] : [gte, asc];
  return {
    from: bounds.id === undefined ? undefined : from(id, bounds.id),
    order: by(id),
    limit: bounds.rows,
    offset: bounds.skipped,
  };
}

/** Returns the parts of {@link paginate} as raw SQL, to append to a WHERE clause. The bounds may be placeholders. */
export function buildBounds(bounds: Bounds<Value | SQL>, time: SQLiteColumn, id: SQLiteColumn): SQL {
  const from = bounds.time === undefined ? sql`` : sql`and (${time}, ${id}) <= (${bounds.time}, ${bounds.id})`;
  return sql`${from} order by ${time} desc, ${id} desc limit ${bounds.rows} offset ${bounds.skipped}`;
}

type Placed = { readonly _id: string; readonly creationTime: string };

/**
 * Returns the page: at most `limit` items, and the cursor of the next page if `rows` has one row more. `toCursor`
 * returns the cursor that begins at a row; by default, in the order of creation.
 */
export function toPage<Row extends Placed, Item>(
  query: PageQuery,
  rows: readonly Row[],
  toItem: (row: Row) => Item,
): Paged<Item>;
export function toPage<Row, Item>(
  query: PageQuery,
  rows: readonly Row[],
  toItem: (row: Row) => Item,
  toCursor: (row: Row) => Cursor,
): Paged<Item>;
export function toPage<Item>(
  query: PageQuery,
  rows: readonly Placed[],
  toItem: (row: Placed) => Item,
  toCursor = ({ creationTime, _id }: Placed): Cursor => ({ time: creationTime, id: _id }),
): Paged<Item> {
  const following = rows[query.limit];
  const next = following && encodeCursor(toCursor(following), query.sort);
  return { items: rows.slice(0, query.limit).map(toItem), next };
}
