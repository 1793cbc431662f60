/** How the rows of an organization that is moving are read, and written to the database to which it goes: again and again, until they are equal. */
import type { Cell, Row } from "../../lib/rows.ts";
import { newId } from "../../lib/ids.ts";
import { toChunks } from "../../lib/chunks.ts";
import type { OwnedTable } from "../export/belongings.ts";
import type { Statement, Target } from "../export/database.ts";
import { listNames, quote, type Table } from "../export/tables.ts";

export type Moving = { readonly source: Target; readonly target: Target; readonly organizationId: string };

/** The columns that each database has for itself: the place in its search index. */
const ITS_OWN: Readonly<Record<string, readonly string[]>> = { articles: ["search_id", "indexed_version"] };

/**
 * Names that only one row may have. A row that stands in the way has changed since it was copied, so it follows: until then it gets
 * another name, or it is removed if nothing belongs to it.
 */
const UNIQUE: readonly {
  readonly table: string;
  readonly columns: readonly string[];
  readonly put?: string;
  readonly if?: readonly [column: string, value: Cell];
}[] = [
  { table: "blogs", columns: ["vanity_id"], put: "vanity_id = id" },
  { table: "articles", columns: ["blog_id", "slug", "locale"], put: "slug = id" },
  { table: "terms", columns: ["blog_id", "kind", "slug"], put: "slug = id" },
  { table: "contacts", columns: ["blog_id", "email"], put: "email = id" },
  { table: "media", columns: ["organization_id", "sha256", "blog_id"], put: "sha256 = NULL", if: ["library", 1] },
  { table: "topic_refreshes", columns: ["blog_id"], put: "state = 'succeeded'", if: ["state", "running"] },
  { table: "connected_apps", columns: ["grant_id"], put: "grant_id = NULL" },
  { table: "redirects", columns: ["blog_id", "source"] },
  { table: "contact_requests", columns: ["blog_id", "email"] },
  { table: "dead_letters", columns: ["event_id", "subscription_id"] },
  { table: "members", columns: ["organization_id", "user_id"] },
];

/** What identifies a row in both databases. */
export const getKey = ({ table, belonging: { numbered } }: OwnedTable): readonly string[] =>
  numbered?.identity ?? table.key;

/** Returns the key of a row as it is noted. */
export const toKey = (owned: OwnedTable, row: Row): string =>
  JSON.stringify(getKey(owned).map((column) => row[column] ?? null));

/** Returns the rows that the source has now, by their keys, in the order of its own key; of events, that is their order. */
export function readNoted(
  { source, organizationId }: Moving,
  owned: OwnedTable,
  keys: readonly string[],
  only?: "keys",
) {
  const { table, belonging } = owned;
  const columns = only === "keys" ? getKey(owned) : table.columns;
  return source.query(
    `SELECT ${listNames(columns)} FROM ${quote(table.name)} WHERE ${isAmongKeys(owned, "?2")} AND (${belonging.where})
      ORDER BY ${listNames(table.key)}`,
    [organizationId, `[${keys.join()}]`],
  );
}

/** Removes rows there, and what is noted of them. */
export async function removeNoted(moving: Moving, owned: OwnedTable, keys: readonly string[]): Promise<void> {
  const sql = `DELETE FROM ${quote(owned.table.name)} WHERE ${isAmongKeys(owned, "?1")} AND ${isArriving(moving)}`;
  if (keys.length > 0)
    await moving.target.execute([{ sql, values: [`[${keys.join()}]`] }, forgetNotes(owned.table, keys)]);
}

function isAmongKeys(owned: OwnedTable, list: string): string {
  const key = getKey(owned);
  return `(${listNames(key)}) IN (SELECT ${key.map((_, n) => `k.value ->> ${n}`).join(", ")} FROM json_each(${list}) AS k)`;
}

/** Each statement asks this: one that comes late changes nothing, once the organization has arrived and others write. */
const isArriving = ({ organizationId }: Moving): string =>
  `EXISTS (SELECT 1 FROM suspensions WHERE organization_id = '${organizationId}' AND kind = 'arriving')`;

const forgetNotes = ({ name }: Table, keys: readonly string[]): Statement => ({
  sql: "DELETE FROM move_changes WHERE table_name = ?1 AND key IN (SELECT value FROM json_each(?2))",
  values: [name, JSON.stringify(keys)],
});

/** How many rows are written in one transaction, and the most bytes of them that are one value of a statement: D1 takes 2 MB. */
const [AT_ONCE, MOST_BYTES] = [100, 500_000];

/**
 * Writes rows; one whose parent is not there follows with it. What is noted there of these rows is forgotten in the same transaction: what it
 * makes triggers change in other rows stays noted.
 */
export async function writeRows(moving: Moving, owned: OwnedTable, rows: readonly Row[]): Promise<void> {
  const { table, belonging } = owned;
  const left = new Set([belonging.numbered?.column, ...(ITS_OWN[table.name] ?? [])]);
  const copied = { ...table, key: getKey(owned), columns: table.columns.filter((column) => !left.has(column)) };
  const given = table.name === "webhook_subscriptions" ? await renumber(moving, rows) : rows;
  for (const some of toChunks(given, AT_ONCE))
    await moving.target.execute([
      ...(table.name === "articles" ? [freeFormerSlugs(moving, some)] : []),
      ...listStale(moving, copied, some),
      ...listWrites(moving, copied, some),
      forgetNotes(
        table,
        some.map((row) => toKey(owned, row)),
      ),
    ]);
}

/** Returns few statements with many rows each. */
function listWrites(moving: Moving, table: Table, rows: readonly Row[]): Statement[] {
  const statements: Statement[] = [];
  const write = (toPlace: (n: number) => string, from: string, values: readonly Cell[]) =>
    statements.push(...buildWrite(moving, table, toPlace, from).map((sql) => ({ sql, values })));
  let [group, bytes]: [Row[], number] = [[], 0];
  const flush = () => {
    const values = [toList(table.columns, group)];
    if (group.length > 0) write((n) => `e.value ->> '$[${n}]'`, "FROM json_each(?1) AS e", values);
    [group, bytes] = [[], 0];
  };
  for (const row of rows) {
    const size = isPlain(row) ? JSON.stringify(row).length * 2 : MOST_BYTES;
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

/** Rows that JSON holds as they are. SQLite ends a text at U+0000. */
const isPlain = (row: Row): boolean =>
  Object.values(row).every(
    (cell) => cell === null || typeof cell === "number" || (typeof cell === "string" && !cell.includes("\0")),
  );

/** D1 gives bytes as a list of numbers. */
const toCell = (cell: unknown): Cell =>
  Array.isArray(cell) ? Uint8Array.from(cell as number[]) : ((cell ?? null) as Cell);

const toList = (columns: readonly string[], rows: readonly Row[]): string =>
  JSON.stringify(rows.map((row) => columns.map((column) => row[column] ?? null)));

/**
 * Returns a statement that changes the rows that are there, and one that inserts the others. One for both, with ON CONFLICT, would overrule
 * the OR IGNORE of triggers (SQLite, CREATE TRIGGER).
 */
function buildWrite(moving: Moving, table: Table, toPlace: (n: number) => string, from: string): string[] {
  const { name, columns, key, parents } = table;
  const place = (column: string) => toPlace(columns.indexOf(column));
  const isThere = parents.map(
    ({ column, table: parent, to }) =>
      `(${place(column)} IS NULL OR EXISTS (SELECT 1 FROM ${quote(parent)} AS p WHERE p.${quote(to)} = ${place(column)}))`,
  );
  const where = [isArriving(moving), ...isThere].join(" AND ");
  const isIt = key.map((column) => `t.${quote(column)} = ${place(column)}`).join(" AND ");
  const changed = columns.filter((column) => !key.includes(column));
  const set = changed.map((column) => `${quote(column)} = ${place(column)}`).join(", ");
  return [
    ...(set === "" ? [] : [`UPDATE ${quote(name)} AS t SET ${set} ${from} WHERE ${isIt} AND ${where}`]),
    `INSERT INTO ${quote(name)} (${listNames(columns)}) SELECT ${columns.map(place).join(", ")} ${from}
      WHERE NOT EXISTS (SELECT 1 FROM ${quote(name)} AS t WHERE ${isIt}) AND ${where}`,
  ];
}

/** Returns the statements that put rows out of the way of these. */
function listStale(moving: Moving, { name, key }: Table, rows: readonly Row[]): Statement[] {
  return UNIQUE.filter(({ table }) => table === name).flatMap(({ columns, put, if: condition }) => {
    const [only, value] = condition ?? [];
    const some = only === undefined ? rows : rows.filter((row) => row[only] === value);
    const names = [...columns, ...key];
    const same = columns.map((column, n) => `s.${quote(column)} = e.value ->> ${n}`);
    const other = key.map((column, n) => `s.${quote(column)} <> e.value ->> ${columns.length + n}`).join(" OR ");
    const also =
      only === undefined ? [] : [`s.${quote(only)} = ${typeof value === "string" ? `'${value}'` : String(value)}`];
    const stale = `(${listNames(key)}) IN (SELECT ${key.map((column) => `s.${quote(column)}`).join(", ")}
      FROM json_each(?1) AS e CROSS JOIN ${quote(name)} AS s ON ${[...same, ...also].join(" AND ")} WHERE ${other}) AND ${isArriving(moving)}`;
    const what = put === undefined ? `DELETE FROM ${quote(name)}` : `UPDATE ${quote(name)} SET ${put}`;
    return some.length === 0 ? [] : [{ sql: `${what} WHERE ${stale}`, values: [toList(names, some)] }];
  });
}

/** Removes former slugs that a trigger will note again when these articles get other slugs. They are noted as changed. */
const freeFormerSlugs = (moving: Moving, rows: readonly Row[]): Statement => ({
  sql: `DELETE FROM moved_slugs WHERE (blog_id, slug, locale) IN (
      SELECT value ->> 1, value ->> 2, value ->> 3 FROM json_each(?1) UNION ALL
      SELECT a.blog_id, a.slug, a.locale FROM json_each(?1) AS e JOIN articles AS a ON a.id = e.value ->> 0) AND ${isArriving(moving)}`,
  values: [toList(["id", "blog_id", "slug", "locale"], rows)],
});

/** Gives subscriptions the number there of the last event that they are not sent. Events are there before them. */
async function renumber({ source, target, organizationId }: Moving, rows: readonly Row[]): Promise<Row[]> {
  const last = await source.query(
    `SELECT e.value AS since, (SELECT id FROM events WHERE organization_id = ?1 AND seq <= e.value ORDER BY seq DESC LIMIT 1) AS id
      FROM json_each(?2) AS e`,
    [organizationId, JSON.stringify(rows.map((row) => row["since_seq"]))],
  );
  const there = await target.query("SELECT id, seq FROM events WHERE id IN (SELECT value FROM json_each(?1))", [
    JSON.stringify(last.map(({ id }) => id)),
  ]);
  const seqOf = new Map(there.map(({ id, seq }) => [id, seq]));
  return rows.map((row, n) => ({ ...row, since_seq: seqOf.get(last[n]?.["id"]) ?? 0 }));
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
