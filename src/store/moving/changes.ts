/**
 * What has changed of an organization that is moving. Temporary triggers note each row in `move_changes`: in the database that it leaves, what
 * was written since it was copied; in the other one, what the triggers of the schema have made or counted there of what was copied.
 */
import { toChunks } from "../../lib/chunks.ts";
import type { Row } from "../../lib/rows.ts";
import type { OwnedTable } from "../export/belongings.ts";
import type { Statement, Target } from "../export/database.ts";
import { getKey, readNoted, removeNoted, toKey, writeRows, type Moving } from "./rows.ts";

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
  const note = (row: "old" | "new") =>
    `INSERT INTO move_changes (table_name, key, change)
      SELECT '${name}', json_array(${getKey(owned)
        .map((column) => `${row}.${column}`)
        .join()}), lower(hex(randomblob(8)))
      WHERE coalesce(${findOwner(owned, row)}, '${organizationId}') = '${organizationId}'
      ON CONFLICT (table_name, key) DO UPDATE SET change = excluded.change;`;
  const make = (event: string, body: string) =>
    `CREATE TRIGGER moving_${event}_${name} AFTER ${event} ON ${name} BEGIN ${body} END`;
  // A row that is emptied gets another key (export/removing.ts).
  const renamed = owned.belonging.numbered === undefined ? "" : note("old");
  return [make("INSERT", note("new")), make("UPDATE", renamed + note("new")), make("DELETE", note("old"))];
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

/** The most changes of each database in one round, and how many rows are read at once: they may be large. */
const [MOST, AT_ONCE] = [200, 25];

/**
 * Writes the rows that were noted as they are now in the source, and removes those that are gone there. Returns how many were noted; a round can cause
 * further ones, of tables that triggers change. `prepare` is called before rows are written. Both lists are taken parents first, so that a row without its parent was noted again since.
 */
export async function follow(
  moving: Moving,
  tables: readonly OwnedTable[],
  prepare: (owned: OwnedTable, rows: readonly Row[]) => Promise<void>,
): Promise<number> {
  const { source, target } = moving;
  const names = JSON.stringify(tables.map(({ table }) => table.name));
  const list = ({ query }: Target) =>
    query(
      `SELECT c.table_name, c.key, c.change FROM move_changes AS c JOIN json_each(?1) AS t ON t.value = c.table_name
        ORDER BY t.key, c.key LIMIT ${MOST}`,
      [names],
    );
  const [changed, caused] = await Promise.all([list(source), list(target)]);
  const notes = [...changed, ...caused];
  const noted = tables.flatMap((owned) => {
    const own = notes.filter((note) => note["table_name"] === owned.table.name).map(({ key }) => String(key));
    return own.length === 0 ? [] : [{ owned, keys: [...new Set(own)] }];
  });
  for (const { owned, keys } of noted.toReversed()) {
    const found = new Set((await readNoted(moving, owned, keys, "keys")).map((row) => toKey(owned, row)));
    await removeNoted(
      moving,
      owned,
      keys.filter((key) => !found.has(key)),
    );
  }
  for (const { owned, keys } of noted)
    for (const some of toChunks(keys, AT_ONCE)) {
      const rows = await readNoted(moving, owned, some);
      await prepare(owned, rows);
      await writeRows(moving, owned, rows);
    }
  if (changed.length > 0)
    await source.execute([forget(changed.map(({ table_name: table, key, change }) => [table, key, change]))]);
  return notes.length;
}

const forget = (notes: readonly (readonly unknown[])[]): Statement => ({
  sql: `DELETE FROM move_changes WHERE (table_name, key, change) IN
    (SELECT value ->> 0, value ->> 1, value ->> 2 FROM json_each(?1))`,
  values: [JSON.stringify(notes)],
});
