/**
 * What has changed of an organization that is moving. Temporary triggers note each row in `move_changes`: in the database that it leaves, what
 * was written since it was copied; in the other one, what the triggers of the schema have made or counted there of what was copied.
 */
import { toChunks } from "../../lib/chunks.ts";
import type { Row } from "../../lib/rows.ts";
import type { OwnedTable } from "../export/belongings.ts";
import type { Statement, Target } from "../export/database.ts";
import { listNames, quote } from "../export/tables.ts";
import {
  executeThere,
  getKey,
  listCopied,
  listRemovals,
  readNoted,
  toKey,
  writeRows,
  type Moving,
  type Rows,
} from "./rows.ts";

/** Returns SQL for the organization of a row of a trigger. NULL if its parent is gone. */
function findOwner({ table, belonging: { parent } }: OwnedTable, row: "old" | "new"): string {
  if (table.name === "organizations") return `${row}.id`;
  if (parent === undefined || table.columns.includes("organization_id")) return `${row}.organization_id`;
  const { column, table: name, to = "id" } = parent;
  return `(SELECT p.organization_id FROM ${name} AS p WHERE p.${to} = ${row}.${column})`;
}

/** Returns the triggers that note an organization's changed rows; also rows whose parent is gone, which may have been its. */
function buildTriggers(owned: OwnedTable, organizationId: string): string[] {
  const { name } = owned.table;
  const key = getKey(owned);
  const note = (row: "old" | "new", where = "true") =>
    `INSERT INTO move_changes (table_name, key, change)
      SELECT '${name}', json_array(${key.map((column) => `${row}.${column}`).join()}), lower(hex(randomblob(8)))
      WHERE coalesce(${findOwner(owned, row)}, '${organizationId}') = '${organizationId}' AND ${where}
      ON CONFLICT (table_name, key) DO UPDATE SET change = excluded.change;`;
  const make = (event: string, body: string, of = "") =>
    `CREATE TRIGGER moving_${event}_${name} AFTER ${event} ${of} ON ${name} BEGIN ${body} END`;
  const isRenamed = `(${key.map((column) => `old.${column} IS NOT new.${column}`).join(" OR ")})`;
  return [
    make("INSERT", note("new")),
    make("UPDATE", note("old", isRenamed) + note("new"), `OF ${listNames(listCopied(owned))}`),
    make("DELETE", note("old")),
  ];
}

/** Makes the triggers in a database, or only removes those that are there. */
export async function replaceTriggers({ query, execute }: Target, tables: readonly OwnedTable[], organizationId = "") {
  const found = await query("SELECT name FROM sqlite_schema WHERE type = 'trigger' AND name GLOB 'moving_*'");
  const statements = [
    ...found.map(({ name }) => `DROP TRIGGER ${String(name)}`),
    "DELETE FROM move_changes",
    ...tables.flatMap((owned) => buildTriggers(owned, organizationId)),
  ];
  await execute(statements.map((sql) => ({ sql, values: [] })));
}

/** Whether a database still has all these triggers: a migration that makes a table anew drops those of the former one. */
export async function hasTriggers({ query }: Target, tables: readonly OwnedTable[]): Promise<boolean> {
  const [found] = await query(
    "SELECT count(*) AS n FROM sqlite_schema WHERE type = 'trigger' AND name GLOB 'moving_*'",
  );
  return found?.["n"] === tables.length * 3;
}

/** The most notes of each database in one round, the most keys of one value, and the most bytes and rows that are written at once. */
const [MOST, KEYS, MOST_BYTES, MOST_ROWS] = [2000, 1000, 2_000_000, 300];

type Noted = { readonly owned: OwnedTable; readonly keys: readonly string[] };

/**
 * Writes the rows that were noted as they are now in the source, and removes those that are gone there. Returns how many were noted; a round can cause
 * further ones, of tables that triggers change. `prepare` is called before rows are written. A few notes take six round trips. It ends early, with what is left
 * noted, when `goesOn` returns false.
 */
export async function follow(
  moving: Moving,
  tables: readonly OwnedTable[],
  {
    prepare,
    goesOn,
  }: { readonly prepare: (rows: readonly Rows[]) => Promise<void>; readonly goesOn: () => Promise<boolean> },
): Promise<number> {
  const { source, target } = moving;
  const [changed, caused] = await Promise.all([listNotes(source, tables), listNotes(target, tables)]);
  const notes = [...changed, ...caused];
  if (notes.length === 0) return 0;
  const byTable = Map.groupBy(notes, ({ table_name: name }) => String(name));
  const noted: Noted[] = tables.flatMap((owned) => {
    const keys = new Set(byTable.get(owned.table.name)?.map(({ key }) => String(key)));
    return toChunks([...keys], KEYS).map((some) => ({ owned, keys: some }));
  });
  const found = await measure(moving, noted);
  const gone = noted.map(({ owned, keys }, n) => {
    const there = new Set(found[n]?.map(({ key }) => key));
    return { owned, keys: keys.filter((key) => !there.has(key)) };
  });
  // Children first. Parents first: a row without its parent was noted again since.
  const removals = gone.toReversed().flatMap(({ owned, keys }) => (keys.length > 0 ? listRemovals(owned, keys) : []));
  for (const some of toChunks(removals, 40)) await executeThere(moving, some);
  const forgetDone = async (done: readonly Noted[]) => {
    const keys = new Set(done.flatMap(({ owned, keys: some }) => some.map((key) => `${owned.table.name} ${key}`)));
    const those = changed.filter(({ table_name: table, key }) => keys.has(`${String(table)} ${String(key)}`));
    for (const some of toChunks(those, 2 * KEYS)) await source.execute([forget(some)]);
  };
  await forgetDone(gone);
  for (const some of toPortions(noted, found)) {
    if (!(await goesOn())) return Infinity;
    const read = await source.queryAll(some.map(({ owned, keys }) => readNoted(moving, owned, keys)));
    const rows = some.map(({ owned }, n) => ({ owned, rows: read[n] ?? [] }));
    await prepare(rows);
    await writeRows(moving, rows);
    await forgetDone(some);
  }
  return notes.length;
}

/** Returns what is noted, parents first, and events in their order. */
function listNotes({ query }: Target, tables: readonly OwnedTable[]): Promise<Row[]> {
  const seq = "iif(c.table_name = 'events', (SELECT seq FROM events WHERE id = c.key ->> 0), 0)";
  return query(
    `SELECT c.table_name, c.key, c.change FROM move_changes AS c JOIN json_each(?1) AS t ON t.value = c.table_name
      ORDER BY t.key, ${seq}, c.key LIMIT ${MOST}`,
    [JSON.stringify(tables.map(({ table }) => table.name))],
  );
}

/** Returns the keys and sizes of the rows that the source has. */
async function measure(moving: Moving, noted: readonly Noted[]) {
  const statements = noted.map(({ owned, keys }) => {
    const bytes = owned.table.columns.map((column) => `coalesce(octet_length(${quote(column)}), 0)`).join(" + ");
    return readNoted(moving, { ...owned, selected: `${listNames(getKey(owned))}, ${bytes} AS "_size"` }, keys);
  });
  const found = await moving.source.queryAll(statements);
  return noted.map(({ owned }, n) =>
    (found[n] ?? []).map((row) => ({ key: toKey(owned, row), size: Number(row["_size"]) })),
  );
}

/** Divides rows into portions that are read and written at once, in the same order. */
function toPortions(noted: readonly Noted[], found: readonly (readonly { key: string; size: number }[])[]): Noted[][] {
  const portions: { owned: OwnedTable; keys: string[] }[][] = [];
  let [bytes, rows] = [MOST_BYTES, 0];
  noted.forEach(({ owned }, n) => {
    for (const { key, size } of found[n] ?? []) {
      if (bytes + size > MOST_BYTES || rows >= MOST_ROWS) {
        portions.push([]);
        [bytes, rows] = [0, 0];
      }
      const portion = portions.at(-1);
      const same = portion?.at(-1);
      if (same?.owned === owned) same.keys.push(key);
      else portion?.push({ owned, keys: [key] });
      [bytes, rows] = [bytes + size, rows + 1];
    }
  });
  return portions;
}

const forget = (notes: readonly Row[]): Statement => ({
  sql: `DELETE FROM move_changes WHERE (table_name, key, change) IN
    (SELECT value ->> 0, value ->> 1, value ->> 2 FROM json_each(?1))`,
  values: [JSON.stringify(notes.map(({ table_name: table, key, change }) => [table, key, change]))],
});
