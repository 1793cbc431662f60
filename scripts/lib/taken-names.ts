/** Finds what only one row may have, and another one has already. */
import { listNames, quote, type Table } from "../../src/store/export/tables.ts";
import type { Bindings, Row } from "./place-bindings.ts";

type Unique = {
  readonly columns: readonly string[];
  /** The condition of a partial index. */
  readonly where: string;
};

const MOST_ROWS = 500;

/** Returns the first values of rows that would violate a unique index, such as "vanity_id notes". */
export async function listTaken(target: Bindings, table: Table, rows: AsyncIterable<Row>): Promise<string[]> {
  const uniques = await listUniques(target, table);
  let some: Row[] = [];
  const find = async () => {
    for (const unique of uniques) {
      const taken = some.length === 0 ? [] : await findTaken(target, table, unique, some);
      if (taken.length > 0) return taken;
    }
    some = [];
    return [];
  };
  for await (const row of rows) {
    some.push(row);
    const taken = some.length < MOST_ROWS ? [] : await find();
    if (taken.length > 0) return taken;
  }
  return find();
}

/** Returns the unique indexes of a table, but for those within an organization. */
async function listUniques({ query }: Bindings, { name }: Table): Promise<Unique[]> {
  const found = await query(
    `SELECT list.name AS "index", info.name AS "column", coalesce(schema.sql, '') AS sql
     FROM pragma_index_list(?1) AS list JOIN pragma_index_info(list.name) AS info
       LEFT JOIN sqlite_schema AS schema ON schema.name = list.name
     WHERE list."unique" = 1 ORDER BY list.name, info.seqno`,
    [name],
  );
  return Array.from(Map.groupBy(found, ({ index }) => index).values(), (rows) => ({
    columns: rows.map(({ column }) => String(column)),
    where: /\bWHERE\b(.*)$/is.exec(String(rows[0]?.["sql"]))?.[1] ?? "true",
  })).filter(({ columns }) => columns[0] !== "organization_id");
}

async function findTaken(
  { query }: Bindings,
  { name, columns }: Table,
  unique: Unique,
  rows: readonly Row[],
): Promise<string[]> {
  // Only the columns that decide, because others may be large.
  const named = columns.filter((column) => unique.columns.includes(column) || unique.where.includes(column));
  const values = named.map((column, n) => `value ->> ${n} AS ${quote(column)}`).join(", ");
  const isSame = unique.columns.map((column) => `there.${quote(column)} = coming.${quote(column)}`).join(" AND ");
  const found = await query(
    `SELECT ${unique.columns.map((column) => `coming.${quote(column)}`).join(", ")}
     FROM (SELECT * FROM (SELECT ${values} FROM json_each(?1)) WHERE ${unique.where}) AS coming
       JOIN (SELECT ${listNames(named)} FROM ${quote(name)} WHERE ${unique.where}) AS there ON ${isSame} LIMIT 5`,
    [JSON.stringify(rows.map((row) => named.map((column) => row[column])))],
  );
  return found.map((row) =>
    Object.entries(row)
      .map(([column, cell]) => `${column} ${String(cell)}`)
      .join(", "),
  );
}
