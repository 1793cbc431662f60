/** How the rows of an organization that is moving are read, and written to the database to which it goes: again and again, until they are equal. */
import type { Cell, Row } from "../../lib/rows.ts";
import { toHex } from "../../lib/hash.ts";
import { newId } from "../../lib/ids.ts";
import type { OwnedTable } from "../export/belongings.ts";
import type { Place, Statement } from "../export/database.ts";
import { listNames, quote, type Table } from "../export/tables.ts";

/** `token` is that of the run, which alone may write to the target. */
export type Moving = {
  readonly source: Place;
  readonly target: Place;
  readonly organizationId: string;
  readonly token: string;
};

/** Rows of a table. */
export type Rows = { readonly owned: OwnedTable; readonly rows: readonly Row[] };

/** The columns that each database has for itself: the place in its search index. */
const ITS_OWN: Readonly<Record<string, readonly string[]>> = { articles: ["search_id", "indexed_version"] };

/**
 * Names that only one row may have. A row that stands in the way has changed since it was copied, so it follows: until then it gets
 * another name, or it is removed if nothing belongs to it.
 */
export const UNIQUE: readonly {
  readonly table: string;
  readonly columns: readonly string[];
  readonly put?: string;
  /** Only among rows of which this column has this value, or any value but NULL. */
  readonly among?: readonly [column: string, value?: Cell];
}[] = [
  { table: "users", columns: ["email"], put: "email = id" },
  { table: "blogs", columns: ["vanity_id"], put: "vanity_id = id" },
  { table: "articles", columns: ["blog_id", "slug", "locale"], put: "slug = id" },
  { table: "terms", columns: ["blog_id", "kind", "slug"], put: "slug = id" },
  { table: "contacts", columns: ["blog_id", "email"], put: "email = id" },
  { table: "media", columns: ["organization_id", "sha256", "blog_id"], put: "sha256 = NULL", among: ["library", 1] },
  { table: "topic_refreshes", columns: ["blog_id"], put: "state = 'succeeded'", among: ["state", "running"] },
  { table: "connected_apps", columns: ["grant_id"], put: "grant_id = NULL", among: ["grant_id"] },
  { table: "site_hosts", columns: ["host"], put: "verified_time = NULL", among: ["verified_time"] },
  { table: "redirects", columns: ["blog_id", "source"] },
  { table: "contact_requests", columns: ["blog_id", "email"] },
  { table: "dead_letters", columns: ["event_id", "subscription_id"] },
  { table: "members", columns: ["organization_id", "user_id"] },
];

/** What identifies a row in both databases. */
export const getKey = ({ table, belonging: { numbered } }: OwnedTable): readonly string[] =>
  numbered?.identity ?? table.key;

/** Returns the columns that both databases have in common: not its number, nor what each has for itself. */
export function listCopied({ table, belonging: { numbered } }: OwnedTable): string[] {
  const left = new Set([numbered?.column, ...(ITS_OWN[table.name] ?? [])]);
  return table.columns.filter((column) => !left.has(column));
}

/** Returns the key of a row as it is noted. */
export const toKey = (owned: OwnedTable, row: Row): string =>
  JSON.stringify(getKey(owned).map((column) => row[column] ?? null));

/** Returns the statement that reads rows, by their keys, in the order of the table's own key; of events, that is their order. */
export function readNoted(
  { organizationId }: Moving,
  { table, belonging, ...owned }: OwnedTable & { readonly selected?: string },
  keys: readonly string[],
): Statement {
  return {
    sql: `SELECT ${owned.selected ?? listNames(table.columns)} FROM ${quote(table.name)}
      WHERE ${isAmongKeys({ table, belonging }, "?2")} AND (${belonging.where}) ORDER BY ${listNames(table.key)}`,
    values: [organizationId, `[${keys.join()}]`],
  };
}

/** Returns the statements that remove rows there, and what is noted of them. */
export const listRemovals = (owned: OwnedTable, keys: readonly string[]): Statement[] => [
  { sql: `DELETE FROM ${quote(owned.table.name)} WHERE ${isAmongKeys(owned, "?1")}`, values: [`[${keys.join()}]`] },
  forgetNotes(owned.table, keys),
];

function isAmongKeys(owned: OwnedTable, list: string): string {
  const key = getKey(owned);
  return `(${listNames(key)}) IN (SELECT ${key.map((_, n) => `k.value ->> ${n}`).join(", ")} FROM json_each(${list}) AS k)`;
}

/**
 * Executes statements in the target, in one transaction. Throws, and changes nothing, if the organization has arrived and others write, or another
 * run goes on with the move.
 */
export const executeThere = ({ target, organizationId, token }: Moving, statements: readonly Statement[]) =>
  target.execute([
    {
      sql: `INSERT INTO assertions (holds) SELECT 0 WHERE NOT EXISTS
        (SELECT 1 FROM suspensions WHERE organization_id = ?1 AND kind = 'arriving' AND reason = ?2)`,
      values: [organizationId, token],
    },
    ...statements,
  ]);

const forgetNotes = ({ name }: Table, keys: readonly string[]): Statement => ({
  sql: "DELETE FROM move_changes WHERE table_name = ?1 AND key IN (SELECT value FROM json_each(?2))",
  values: [name, JSON.stringify(keys)],
});

/** The most bytes of rows that are one value of a statement: D1 takes 2 MB. */
const MOST_BYTES = 500_000;

/**
 * Writes rows in one transaction; one whose parent is not there follows with it. What is noted there of these rows is forgotten: what they
 * make triggers change in other rows stays noted.
 */
export async function writeRows(moving: Moving, all: readonly Rows[]): Promise<void> {
  const statements: Statement[] = [];
  for (const { owned, rows } of all) {
    const { table } = owned;
    const copied = { ...table, key: getKey(owned), columns: listCopied(owned) };
    const given = table.name === "webhook_subscriptions" ? await nameLastEvents(moving, rows) : rows;
    if (table.name === "articles") statements.push(freeFormerSlugs(rows));
    statements.push(...listStale(copied, given), ...listWrites(copied, given));
    statements.push(
      forgetNotes(
        table,
        rows.map((row) => toKey(owned, row)),
      ),
    );
  }
  await executeThere(moving, statements);
}

/** Returns few statements with many rows each. */
function listWrites(table: Table, rows: readonly Row[]): Statement[] {
  const statements: Statement[] = [];
  const write = (toPlace: (n: number) => string, from: string, values: readonly Cell[]) =>
    statements.push(...buildWrite(table, toPlace, from).map((sql) => ({ sql, values })));
  const isBlob = table.columns.map((column) => rows.some((row) => Array.isArray(row[column])));
  const place = (n: number) => (isBlob[n] ? `unhex(e.value ->> '$[${n}]')` : `e.value ->> '$[${n}]'`);
  // SQLite ends a text at U+0000.
  const isPlain = (row: Row) =>
    table.columns.every((column, n) => {
      const cell = row[column] ?? null;
      return isBlob[n] ? cell === null || Array.isArray(cell) : !(typeof cell === "string" && cell.includes("\0"));
    });
  let [group, bytes]: [Row[], number] = [[], 0];
  const flush = () => {
    if (group.length > 0) write(place, "FROM json_each(?1) AS e", [toList(table.columns, group)]);
    [group, bytes] = [[], 0];
  };
  for (const row of rows) {
    const size = isPlain(row) ? toList(table.columns, [row]).length * 2 : MOST_BYTES;
    if (bytes + size > MOST_BYTES) flush();
    if (size < MOST_BYTES) [group, bytes] = [[...group, row], bytes + size];
    else
      write(
        (n) => `?${n + 1}`,
        "",
        table.columns.map((column) => toCell(row[column])),
      );
  }
  flush();
  return statements;
}

/** D1 gives bytes as a list of numbers. */
const toCell = (cell: unknown): Cell =>
  Array.isArray(cell) ? Uint8Array.from(cell as number[]) : ((cell ?? null) as Cell);

const toList = (columns: readonly string[], rows: readonly Row[]): string =>
  JSON.stringify(rows.map((row) => columns.map((column) => toText(row[column]))));

const toText = (cell: unknown): unknown =>
  Array.isArray(cell) ? toHex(Uint8Array.from(cell as number[])) : (cell ?? null);

/**
 * Returns a statement that changes the rows that are there, and one that inserts the others. One for both, with ON CONFLICT, would overrule
 * the OR IGNORE of triggers (SQLite, CREATE TRIGGER).
 */
function buildWrite({ name, columns, key, parents }: Table, toPlace: (n: number) => string, from: string): string[] {
  const place = (column: string) => {
    const value = toPlace(columns.indexOf(column));
    return column === "since_seq" ? `coalesce((SELECT seq FROM events WHERE id = ${value}), 0)` : value;
  };
  const isThere = parents.map(
    ({ column, table: parent, to }) =>
      `AND (${place(column)} IS NULL OR EXISTS (SELECT 1 FROM ${quote(parent)} AS p WHERE p.${quote(to)} = ${place(column)}))`,
  );
  const isIt = key.map((column) => `t.${quote(column)} = ${place(column)}`).join(" AND ");
  const changed = columns.filter((column) => !key.includes(column));
  const set = changed.map((column) => `${quote(column)} = ${place(column)}`).join(", ");
  return [
    ...(set === "" ? [] : [`UPDATE ${quote(name)} AS t SET ${set} ${from} WHERE ${isIt} ${isThere.join(" ")}`]),
    `INSERT INTO ${quote(name)} (${listNames(columns)}) SELECT ${columns.map(place).join(", ")} ${from}
      WHERE NOT EXISTS (SELECT 1 FROM ${quote(name)} AS t WHERE ${isIt}) ${isThere.join(" ")}`,
  ];
}

/** Returns the statements that put rows out of the way of these. */
function listStale({ name, key }: Table, rows: readonly Row[]): Statement[] {
  return UNIQUE.filter(({ table }) => table === name).flatMap(({ columns, put, among }) => {
    const [only, value] = among ?? [];
    const isAmong = (cell: unknown) => (value === undefined ? (cell ?? null) !== null : cell === value);
    const some = only === undefined ? rows : rows.filter((row) => isAmong(row[only]));
    const names = [...columns, ...key];
    const same = columns.map((column, n) => `s.${quote(column)} = e.value ->> ${n}`);
    const other = key.map((column, n) => `s.${quote(column)} <> e.value ->> ${columns.length + n}`).join(" OR ");
    const wanted =
      value === undefined ? "IS NOT NULL" : `= ${typeof value === "string" ? `'${value}'` : String(value)}`;
    const also = only === undefined ? [] : [`s.${quote(only)} ${wanted}`];
    const stale = `(${listNames(key)}) IN (SELECT ${key.map((column) => `s.${quote(column)}`).join(", ")}
      FROM json_each(?1) AS e CROSS JOIN ${quote(name)} AS s ON ${[...same, ...also].join(" AND ")} WHERE ${other})`;
    const what = put === undefined ? `DELETE FROM ${quote(name)}` : `UPDATE ${quote(name)} SET ${put}`;
    return some.length === 0 ? [] : [{ sql: `${what} WHERE ${stale}`, values: [toList(names, some)] }];
  });
}

/** Removes former slugs that a trigger will note again when these articles get other slugs. They are noted as changed. */
const freeFormerSlugs = (rows: readonly Row[]): Statement => ({
  sql: `DELETE FROM moved_slugs WHERE (blog_id, slug, locale) IN (
      SELECT value ->> 1, value ->> 2, value ->> 3 FROM json_each(?1) UNION ALL
      SELECT a.blog_id, a.slug, a.locale FROM json_each(?1) AS e JOIN articles AS a ON a.id = e.value ->> 0)`,
  values: [toList(["id", "blog_id", "slug", "locale"], rows)],
});

/** Returns subscriptions with the id of the last event that they are not sent, as its number (`since_seq`) is another one there. */
async function nameLastEvents({ source, organizationId }: Moving, rows: readonly Row[]): Promise<Row[]> {
  const last = await source.query(
    `SELECT (SELECT id FROM events WHERE organization_id = ?1 AND seq <= e.value ORDER BY seq DESC LIMIT 1) AS id
      FROM json_each(?2) AS e`,
    [organizationId, JSON.stringify(rows.map((row) => row["since_seq"]))],
  );
  return rows.map((row, n) => ({ ...row, since_seq: last[n]?.["id"] ?? null }));
}

/** More events than a source gets while an organization leaves it. */
const MOST_EVENTS = 1_000_000;

/**
 * Makes the numbers of events there begin above all of the source: a cursor of the feed that was given before then means the oldest event, so a reader
 * gets events again, but misses none. An empty event of nobody keeps the number (export/removing.ts).
 */
export async function raiseNumbers({ source, target }: Moving, now: Date): Promise<void> {
  const [last] = await source.query("SELECT coalesce(max(seq), 0) AS seq FROM events");
  await target.execute([
    {
      sql: `INSERT INTO events (seq, id, organization_id, kind, data, creation_time, enqueue_time, fan_out_time)
        SELECT ?1, ?2, '', 'ping', '{}', ?3, ?3, ?3 WHERE ?1 > (SELECT coalesce(max(seq), 0) FROM events)`,
      values: [Number(last?.["seq"]) + MOST_EVENTS, newId(), now.toISOString()],
    },
  ]);
}
