/** Writes rows of tables, and reads them from lines. */
import type { Cell, Row } from "../../src/lib/rows.ts";
import { listNames, quote, type Table } from "../../src/store/export/tables.ts";
import type { Statement } from "./place-bindings.ts";

/**
 * Returns the statement that inserts a row, unless its key is there. A row whose parent is missing is left out: it was read before
 * its parent was deleted. `organizationId` is that of the parents that must be of the same.
 */
export function insertRow(table: Table, row: Row, organizationId = ""): Statement {
  const { columns, parents } = table;
  const owner = parents.some(({ isOwned }) => isOwned) ? [organizationId] : [];
  const sql = buildInsert(table, (column) => `?${columns.indexOf(column) + 1}`, "");
  return { sql, values: [...columns.map((column): Cell => row[column] ?? null), ...owner] };
}

/** Returns the statement that inserts rows of a whole database as {@link insertRow} does. JSON must hold them as they are ({@link isPlain}). */
export function insertPlainRows(table: Table, rows: readonly Row[]): Statement {
  const { columns } = table;
  const sql = buildInsert(table, (column) => `value ->> '$[${columns.indexOf(column)}]'`, "FROM json_each(?1)");
  return { sql, values: [JSON.stringify(rows.map((row) => columns.map((column) => row[column] ?? null)))] };
}

/** SQLite ends a text of JSON at U+0000, and has a number in another form. */
export const isPlain = (row: Row): boolean =>
  Object.values(row).every((cell) =>
    typeof cell === "string" ? !cell.includes("\0") : cell === null || Number.isSafeInteger(cell),
  );

function buildInsert({ name, columns, key, parents }: Table, place: (column: string) => string, from: string): string {
  const conditions = parents.map(({ column, table, to, isOwned }) => {
    const isOf = isOwned ? ` AND organization_id = ?${columns.length + 1}` : "";
    const isThere = `EXISTS (SELECT 1 FROM ${quote(table)} WHERE ${quote(to)} = ${place(column)}${isOf})`;
    return `(${place(column)} IS NULL OR ${isThere})`;
  });
  const where = ["true", ...conditions].join(" AND ");
  return `INSERT INTO ${quote(name)} (${listNames(columns)}) SELECT ${columns.map(place).join(", ")} ${from} WHERE ${where}
    ON CONFLICT (${listNames(key)}) DO NOTHING`;
}

/** Returns the row of a line of JSON, with its bytes ({@link toPlainRow}). */
export const parseRow = (line: string): Row =>
  Object.fromEntries(
    Object.entries(JSON.parse(line) as Record<string, Cell | { readonly base64: string }>).map(([name, value]) => [
      name,
      value !== null && typeof value === "object" && "base64" in value
        ? new Uint8Array(Buffer.from(value.base64, "base64"))
        : value,
    ]),
  );
