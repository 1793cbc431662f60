import { sql, type SQL } from "drizzle-orm";
import type { SQLiteColumn } from "drizzle-orm/sqlite-core";

/**
 * Returns the query of a column's distinct values (`id`) after `after`, in order. Each step looks up the next
 * value in an index, so it costs as many index entries as there are values, whatever the number of rows; `select
 * distinct` would read all rows. There must be an index on the rows of `where` that begins with the column. `most` bounds
 * the number of values.
 */
export function distinctValues(column: SQLiteColumn, where: SQL, after = "", most?: number): SQL<{ id: string }> {
  const next = (before: SQL) =>
    sql`(select min(${column}) from ${column.table} where ${where} and ${column} > ${before})`;
  return sql<{ id: string }>`with recursive found(id) as (select ${next(sql`${after}`)}
      union all select ${next(sql`found.id`)} from found where id is not null ${most === undefined ? sql`` : sql`limit ${most}`})
    select id from found where id is not null`;
}
