/** The names of the fields that an update changes (`data.changed`, contract 11.15). */
import { sql, type SQL } from "drizzle-orm";
import type { SQLiteColumn } from "drizzle-orm/sqlite-core";

/** Returns the condition that a column differs from a new value; undefined if it gets none. */
export const differsFrom = (column: SQLiteColumn, value: unknown): SQL | undefined =>
  value === undefined ? undefined : sql`${column} is not ${sql.param(value, column)}`;

/**
 * Returns an SQL expression, on a row before its update, for a JSON array of the names whose conditions hold, sorted. Not
 * a subquery of all names: D1 allows five SELECTs in one.
 */
export function listChanged(differs: Readonly<Record<string, SQL | undefined>>): SQL {
  const parts = Object.entries(differs).flatMap(([name, condition]) => (condition ? [[name, condition] as const] : []));
  const sorted = parts.toSorted(([a], [b]) => (a < b ? -1 : 1));
  const listed = sorted.map(([name, condition]) => sql`iif(${condition}, ${sql.raw(`',"${name}"'`)}, '')`);
  return sql`'[' || substr(${sql.join([sql`''`, ...listed], sql` || `)}, 2) || ']'`;
}
