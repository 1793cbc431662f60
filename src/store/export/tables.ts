/** The tables of a database, and how their rows are read by pages: by backups, archives and the export of an organization. */
import type { Cell, Row } from "../../lib/rows.ts";

/** What answers queries; in SQL, ?1 is the first of the values. */
export type Source = { readonly query: (sql: string, values?: readonly Cell[]) => Promise<Row[]> };

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
 * What is in no backup: the list of migrations, which is compared instead; the full text index, which the service makes again; where
 * organizations are, and the directory, which are made again of what shards have; and tables of SQLite and D1 themselves.
 */
const OURS = `FROM pragma_table_list AS t WHERE t.schema = 'main' AND t.type = 'table' AND t.name <> 'd1_migrations'
  AND t.name NOT IN ('homes', 'directory', 'unlisted', 'shard', 'moves', 'move_changes') AND t.name NOT GLOB 'sqlite_*' AND t.name NOT GLOB '_cf_*' AND t.name NOT GLOB 'restoring*'`;

/** Returns the tables of a database, each after those to which its foreign keys refer. */
export async function listTables({ query }: Source): Promise<Table[]> {
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
const [MOST_ROWS, LEAST_ROWS, PAGE_BYTES] = [500, 10, 4 * 1024 * 1024];

export const quote = (name: string): string => `"${name}"`;
export const listNames = (names: readonly string[]): string => names.map(quote).join(", ");

/** Some rows of a table: those that fulfil a condition, whose values are ?1, ?2 and so on. */
export type Part = { readonly where: string; readonly values: readonly Cell[] };

export type PageOptions = {
  /** Only the rows after this one. */
  readonly last?: Row | undefined;
  readonly part?: Part | undefined;
};

type PageSize = {
  readonly most?: number | undefined;
  readonly mostBytes?: number | undefined;
};

/** Yields the pages of a table, in the order of its key. */
export async function* readPages(
  source: Source,
  table: Table,
  { last, part }: PageOptions = {},
): AsyncGenerator<Row[]> {
  let most: number = MOST_ROWS;
  for (let after = last; ;) {
    const page = await readPage(source, table, { last: after, part, most });
    if (page.rows.length === 0) return;
    yield page.rows;
    after = page.rows.at(-1);
    most = page.most;
  }
}

/** Returns a page of a table, in the order of its key, and how many rows the next page should have. `most` may come from a cursor. */
export async function readPage(
  { query }: Source,
  table: Table,
  { last, part, most = MOST_ROWS, mostBytes = PAGE_BYTES }: PageOptions & PageSize,
): Promise<{ readonly rows: Row[]; readonly most: number }> {
  const { name, columns, key } = table;
  const order = listNames(key);
  const chosen = part?.values ?? [];
  const values = last === undefined ? chosen : [...chosen, ...key.map((column) => last[column] ?? null)];
  const places = key.map((_, n) => `?${chosen.length + n + 1}`).join(", ");
  const from = last === undefined ? "true" : `(${order}) > (${places})`;
  const same = key.map((column) => `fits.${quote(column)} = ${quote(name)}.${quote(column)}`).join(" AND ");
  // Only rows that fit are read whole: a sort of large rows takes long.
  const rows = await query(
    `SELECT ${columns.map((column) => `${quote(name)}.${quote(column)}`).join(", ")} FROM (
       SELECT ${order}, sum("_size") OVER (ORDER BY ${order}) AS "_bytes", row_number() OVER (ORDER BY ${order}) AS "_row"
       FROM (${selectSizes(table, from, { part, most: Math.min(most, MOST_ROWS) })})) AS fits
     CROSS JOIN ${quote(name)} ON ${same}
     WHERE "_bytes" <= ${mostBytes} OR "_row" = 1 ORDER BY ${key.map((column) => `fits.${quote(column)}`).join(", ")}`,
    values,
  );
  // Large rows: the next page does not read many more than it returns.
  return { rows, most: Math.min(MOST_ROWS, Math.max(LEAST_ROWS, rows.length * 2)) };
}

/** Selects the keys and the sizes of the next rows. Of a part, it selects the keys first, so that others are not measured. */
function selectSizes(
  { name, columns, key }: Table,
  from: string,
  { part, most }: { part?: Part | undefined; most: number },
): string {
  const order = listNames(key);
  const bytes = columns.map((column) => `coalesce(octet_length(${quote(column)}), 0)`).join(" + ");
  const next = (selected: string, where: string) =>
    `SELECT ${selected} FROM ${quote(name)} WHERE ${where} ORDER BY ${order} LIMIT ${most}`;
  const sizes = `${order}, ${bytes} AS "_size"`;
  return part === undefined
    ? next(sizes, from)
    : next(sizes, `(${order}) IN (${next(order, `${from} AND (${part.where})`)})`);
}
