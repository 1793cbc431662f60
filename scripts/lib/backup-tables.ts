/** The tables of a database, and how their rows are read by pages and written. */
import type { Bindings, Cell, Row, Statement } from "./place-bindings.ts";

type Parent = {
  readonly column: string;
  readonly table: string;
  readonly to: string;
  /** Whether it must be of the same organization ({@link insertRow}). */
  readonly isOwned?: true;
};

export type Table = {
  readonly name: string;
  readonly columns: readonly string[];
  /** The columns of the primary key, in its order. */
  readonly key: readonly string[];
  readonly parents: readonly Parent[];
};

/**
 * What is in no backup: the list of migrations, which is compared instead; the full text index, which the service makes again; and
 * tables of SQLite and D1 themselves.
 */
const OURS = `FROM pragma_table_list AS t WHERE t.schema = 'main' AND t.type = 'table' AND t.name <> 'd1_migrations'
  AND t.name NOT GLOB 'sqlite_*' AND t.name NOT GLOB '_cf_*' AND t.name NOT GLOB 'restoring*'`;

/** Returns the tables of a database, each after those to which its foreign keys refer. */
export async function listTables({ query }: Bindings): Promise<Table[]> {
  const columns = await query(
    `SELECT t.name AS "table", c.name, c.pk ${OURS.replace("WHERE", "JOIN pragma_table_info(t.name) AS c WHERE")} ORDER BY t.name, c.cid`,
  );
  const parents = await query(
    `SELECT t.name AS "table", f."from" AS "column", f."table" AS parent, f."to" ${OURS.replace("WHERE", "JOIN pragma_foreign_key_list(t.name) AS f WHERE")}`,
  );
  const tables = Map.groupBy(columns, ({ table }) => String(table));
  const found = Array.from(tables, ([name, all]) => ({
    name,
    columns: all.map((column) => String(column["name"])),
    key: all
      .filter(({ pk }) => Number(pk) > 0)
      .toSorted((one, other) => Number(one["pk"]) - Number(other["pk"]))
      .map((column) => String(column["name"])),
    parents: parents
      .filter(({ table }) => table === name)
      .map(({ column, parent, to }) => ({ column: String(column), table: String(parent), to: String(to) })),
  }));
  // `assertions` has no key, and never a row.
  return sortByParents(found.filter(({ key }) => key.length > 0));
}

function sortByParents(tables: readonly Table[]): Table[] {
  const sorted = new Set<Table>();
  const add = (table: Table): void => {
    for (const { table: parent } of table.parents) {
      const found = tables.find(({ name }) => name === parent);
      if (found !== undefined && found !== table && !sorted.has(found)) add(found);
    }
    sorted.add(table);
  };
  for (const table of tables) add(table);
  return [...sorted];
}

/** A page has at most this many rows, and as few as have these bytes: D1 holds a whole response in memory. */
const [MOST_ROWS, PAGE_BYTES] = [500, 4 * 1024 * 1024];

export const quote = (name: string): string => `"${name}"`;
export const listNames = (names: readonly string[]): string => names.map(quote).join(", ");

/** Some rows of a table: those that fulfil a condition, whose values are ?1, ?2 and so on. */
export type Part = { readonly where: string; readonly values: readonly Cell[] };

export type PageOptions = {
  /** Only the rows after this one. */
  readonly last?: Row | undefined;
  readonly part?: Part | undefined;
};

/** Yields the pages of a table, in the order of its key. */
export async function* readPages(
  { query }: Bindings,
  table: Table,
  { last, part }: PageOptions = {},
): AsyncGenerator<Row[]> {
  const { columns, key } = table;
  const bytes = columns.map((column) => `coalesce(octet_length(${quote(column)}), 0)`).join(" + ");
  const order = listNames(key);
  let most = MOST_ROWS;
  for (let after = last; ;) {
    const chosen = part?.values ?? [];
    const values = after === undefined ? chosen : [...chosen, ...key.map((column) => after?.[column] ?? null)];
    const places = key.map((_, n) => `?${chosen.length + n + 1}`).join(", ");
    const from = after === undefined ? "true" : `(${order}) > (${places})`;
    const rows = await query(
      `SELECT ${listNames(columns)} FROM (
         SELECT *, sum(${bytes}) OVER (ORDER BY ${order}) AS "_bytes", row_number() OVER (ORDER BY ${order}) AS "_row"
         FROM (${selectRows(table, from, { part, most })}))
       WHERE "_bytes" <= ${PAGE_BYTES} OR "_row" = 1 ORDER BY ${order}`,
      values,
    );
    if (rows.length === 0) return;
    yield rows;
    after = rows.at(-1);
    // Large rows: the next page does not read many more than it returns.
    most = Math.min(MOST_ROWS, Math.max(10, rows.length * 2));
  }
}

/** Selects the next rows. Of a part, it selects the keys first, because a sort of large rows takes long. */
function selectRows(
  { name, key }: Table,
  from: string,
  { part, most }: { part?: Part | undefined; most: number },
): string {
  const order = listNames(key);
  const next = (columns: string, where: string) =>
    `SELECT ${columns} FROM ${quote(name)} WHERE ${where} ORDER BY ${order} LIMIT ${most}`;
  return part === undefined
    ? next("*", from)
    : next("*", `(${order}) IN (${next(order, `${from} AND (${part.where})`)})`);
}

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

/** Returns a row as a line of JSON, and the reverse. Bytes are base64. Node takes U+2028 and U+2029 for ends of lines. */
export const formatRow = (row: Row): string => {
  const json = JSON.stringify(row, (_, value: unknown) => (value instanceof Uint8Array ? toBase64(value) : value));
  return `${json.replaceAll("\u2028", String.raw`\u2028`).replaceAll("\u2029", String.raw`\u2029`)}\n`;
};

const toBase64 = (bytes: Uint8Array) => ({ base64: Buffer.from(bytes).toString("base64") });

export const parseRow = (line: string): Row =>
  Object.fromEntries(
    Object.entries(JSON.parse(line) as Record<string, Cell | { readonly base64: string }>).map(([name, value]) => [
      name,
      value !== null && typeof value === "object" && "base64" in value
        ? new Uint8Array(Buffer.from(value.base64, "base64"))
        : value,
    ]),
  );
