/** Removes an organization: its rows, its files, and what caches have of it. */
import { newId } from "../../src/lib/ids.ts";
import { listFiles } from "./backup.ts";
import { listNames, quote, readPages, type Table } from "../../src/store/export/tables.ts";
import {
  listOwnedTables,
  listPrefixes,
  selectPart,
  type Belonging,
  type OwnedTable,
} from "../../src/store/export/belongings.ts";
import type { Bindings, Row, Statement } from "./place-bindings.ts";

/** How many rows one transaction deletes: few, because triggers delete more, and D1 does nothing else meanwhile. */
const MOST_ROWS = 100;

export type Removed = {
  readonly rows: number;
  readonly files: number;
  /** How many people were members of nothing else. */
  readonly accounts: number;
};

/**
 * Removes everything of an organization, its credentials first and its own row last, so that it goes on after an interruption.
 * Accounts of people stay. Caches are purged by the service.
 */
export async function removeOrganization(target: Bindings, organizationId: string): Promise<Removed> {
  const accounts = await countAccounts(target, organizationId);
  const tables = (await listOwnedTables(target)).toReversed().filter(({ belonging }) => !belonging.stays);
  const deleteFrom = async (some: readonly OwnedTable[]) => {
    let rows = 0;
    for (const table of some) rows += await deleteRows(target, table, organizationId);
    return rows;
  };
  const rows = await deleteFrom(tables.filter(({ table }) => table.name !== "organizations"));
  const files = await deleteFiles(target, organizationId);
  // Once more, because the service may have been at work for it until its subscriptions and schedules were gone.
  const late = await deleteFrom(tables);
  await target.execute(await listLeftovers(target, organizationId));
  return { rows: rows + late, files, accounts };
}

async function countAccounts({ query }: Bindings, organizationId: string): Promise<number> {
  const [counted] = await query(
    `SELECT count(*) AS n FROM members AS m WHERE organization_id = ?1
       AND NOT EXISTS (SELECT 1 FROM members WHERE user_id = m.user_id AND organization_id <> ?1)`,
    [organizationId],
  );
  return Number(counted?.["n"]);
}

async function deleteRows(target: Bindings, { table, belonging }: OwnedTable, organizationId: string): Promise<number> {
  let rows = 0;
  const keys: Table = { ...table, columns: table.key };
  for await (const page of readPages(target, keys, { part: selectPart(belonging, organizationId) })) {
    for (let from = 0; from < page.length; from += MOST_ROWS) {
      const some = page.slice(from, from + MOST_ROWS);
      const before = BEFORE[table.name]?.(organizationId, some) ?? [];
      await target.execute([...before, deleteKeys(keys, belonging, organizationId, some)]);
    }
    rows += page.length;
  }
  return rows;
}

function deleteKeys(
  { name, key }: Table,
  { where }: Belonging,
  organizationId: string,
  rows: readonly Row[],
): Statement {
  const values = key.map((_, n) => `value ->> ${n}`).join(", ");
  return {
    sql: `DELETE FROM ${quote(name)} WHERE (${listNames(key)}) IN (SELECT ${values} FROM json_each(?2)) AND (${where})`,
    values: [organizationId, JSON.stringify(rows.map((row) => key.map((column) => row[column])))],
  };
}

/** What has to happen in the transaction that deletes rows of a table, before it deletes them. */
const BEFORE: Readonly<Record<string, (organizationId: string, rows: readonly Row[]) => Statement[]>> = {
  /** The last event of all stays, with nothing of the organization: the next one would get its number (schema/webhooks.ts). */
  events: (organizationId) => [
    {
      sql: `UPDATE events SET id = ?2, organization_id = '', blog_id = NULL, kind = 'ping', data = '{}',
          fan_out_time = coalesce(fan_out_time, creation_time)
        WHERE organization_id = ?1 AND seq = (SELECT max(seq) FROM events)`,
      values: [organizationId, newId()],
    },
  ],
  media: (_, rows) => [requestPurges("'media-' || coalesce(article_id, id)", "media", rows)],
  blogs: (_, rows) => [requestPurges("'blog-' || id", "blogs", rows)],
};

/** Requests the purge of what readers' caches have, as src/store/edge/purges.ts does. */
const requestPurges = (tag: string, table: string, rows: readonly Row[]): Statement => ({
  sql: `INSERT INTO purges (tag, organization_id, urgent, time, round, due_time)
    SELECT DISTINCT ${tag}, '', 1, ?2, 0, ?2 FROM ${quote(table)} WHERE id IN (SELECT value FROM json_each(?1))
    ON CONFLICT (tag) DO UPDATE SET urgent = 1, organization_id = '', time = excluded.time, round = 0, due_time = excluded.due_time`,
  values: [JSON.stringify(rows.map(({ id }) => id)), new Date().toISOString()],
});

/** Nobody's session is in the organization, caches are purged for nobody, and a restoration that was not completed is forgotten. */
async function listLeftovers({ query }: Bindings, organizationId: string): Promise<Statement[]> {
  const notes = await query("SELECT name FROM sqlite_schema WHERE name = 'restoring_organizations'");
  return [
    "UPDATE sessions SET active_organization_id = NULL WHERE active_organization_id = ?1",
    "UPDATE purges SET organization_id = '' WHERE organization_id = ?1",
    ...notes.map(({ name }) => `DELETE FROM ${String(name)} WHERE organization_id = ?1`),
  ].map((sql) => ({ sql, values: [organizationId] }));
}

async function deleteFiles({ bucket }: Bindings, organizationId: string): Promise<number> {
  let files = 0;
  for await (const objects of listFiles(bucket, listPrefixes(organizationId))) {
    if (objects.length > 0) await bucket.delete(objects.map(({ key }) => key));
    files += objects.length;
  }
  return files;
}
