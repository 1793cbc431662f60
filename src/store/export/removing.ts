/** Removes the rows of an organization, and what caches have of it: for `admin remove` and for one that its owner has deleted. */
import { sql, type SQL } from "drizzle-orm";
import { blogTag, mediaTag } from "../../domain/cache-tags.ts";
import { newId } from "../../lib/ids.ts";
import type { Row } from "../../lib/rows.ts";
import { blogs } from "../../schema/blogs.ts";
import { media } from "../../schema/media.ts";
import { toPrefix } from "../blogs/hiding.ts";
import { isAmong } from "../core/sql.ts";
import { requestPurges } from "../edge/purges.ts";
import { listOwnedTables, selectPart, type Belonging, type OwnedTable } from "./belongings.ts";
import { toStatement, type Statement, type Target } from "./database.ts";
import { listNames, quote, readPages, type Table } from "./tables.ts";

/** How many rows one transaction deletes: few, because triggers and foreign keys delete more, and D1 does nothing else meanwhile. */
export const PORTION = 100;

/** How many portions a run may still delete, of two queries at most; to look through a table costs one, too. */
export type Left = {
  portions: number;
  /** False after a move: readers find everything elsewhere, so caches are not purged. */
  readonly purges?: false;
};

/**
 * Removes the rows of an organization, but for its own and that of its suspension; credentials go first. Accounts of people stay. Returns how many, or null
 * once nothing is left: the rest is for the next run.
 */
export async function removeRows(target: Target, organizationId: string, left: Left): Promise<number | null> {
  const tables = (await listOwnedTables(target))
    .toReversed()
    .filter(({ table, belonging }) => !belonging.stays && !LAST.has(table.name));
  const unindexed = tables.filter(({ belonging }) => belonging.exported !== undefined);
  const byIndex = tables.map(({ table, belonging }) => ({
    table,
    belonging: { ...belonging, where: belonging.exported ?? belonging.where },
  }));
  let rows = 0;
  for (const table of [...byIndex, ...unindexed]) {
    const removed = await removeFrom(target, table, organizationId, left);
    if (removed === null) return null;
    rows += removed;
  }
  return rows;
}

/** Without this, an organization whose removal is interrupted would not be suspended any more, and readers would find what is left. */
const LAST: ReadonlySet<string> = new Set(["suspensions", "hidden_blogs", "organizations"]);

/** Removes the row of an organization without other rows, and what still names it. */
export async function removeOrganizationRow(target: Target, organizationId: string): Promise<void> {
  const notes = await target.query("SELECT name FROM sqlite_schema WHERE name = 'restoring_organizations'");
  const statements = [
    // Nobody's session is in it, caches are purged for nobody, and a restoration that was not completed is forgotten.
    "UPDATE sessions SET active_organization_id = NULL WHERE active_organization_id = ?1",
    "UPDATE purges SET organization_id = '' WHERE organization_id = ?1",
    ...notes.map(({ name }) => `DELETE FROM ${String(name)} WHERE organization_id = ?1`),
    // What was counted meanwhile.
    "DELETE FROM ledger WHERE organization_id = ?1",
    "DELETE FROM hidden_blogs WHERE organization_id = ?1",
    "DELETE FROM suspensions WHERE organization_id = ?1",
    "DELETE FROM organizations WHERE id = ?1",
  ];
  await target.execute(statements.map((sql) => ({ sql, values: [organizationId] })));
}

async function removeFrom(
  target: Target,
  { table, belonging }: OwnedTable,
  organizationId: string,
  left: Left,
): Promise<number | null> {
  let rows = 0;
  left.portions--;
  const keys: Table = { ...table, columns: table.key };
  for await (const page of readPages(target, keys, { part: selectPart(belonging, organizationId) })) {
    for (let from = 0; from < page.length; from += PORTION) {
      if (left.portions-- <= 0) return null;
      const some = page.slice(from, from + PORTION);
      const isDone = left.purges !== false || table.name === "events";
      const before = (isDone ? BEFORE[table.name]?.(organizationId, some) : undefined) ?? [];
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

/**
 * Returns the statement that takes everything out of the last event of all, if it is the organization's (and of this blog, if one is named). The
 * row stays, because the next event would get its number (schema/webhooks.ts).
 */
export const emptyLastEvent = (organizationId: string, blogId: string | null): Statement => ({
  sql: `UPDATE events SET id = ?3, organization_id = '', blog_id = NULL, kind = 'ping', data = '{}',
      fan_out_time = coalesce(fan_out_time, creation_time)
    WHERE organization_id = ?1 AND (?2 IS NULL OR blog_id = ?2) AND seq = (SELECT max(seq) FROM events)`,
  values: [organizationId, blogId, newId()],
});

/** What has to happen in the transaction that deletes rows of a table, before it deletes them. */
const BEFORE: Readonly<Record<string, (organizationId: string, rows: readonly Row[]) => Statement[]>> = {
  events: (organizationId) => [emptyLastEvent(organizationId, null)],
  media: (_, rows) => [purge(media, sql`${toPrefix(mediaTag)} || coalesce(${media.articleId}, ${media.id})`, rows)],
  blogs: (_, rows) => [purge(blogs, sql`${toPrefix(blogTag)} || ${blogs.id}`, rows)],
};

/** Requests, for nobody, the purge of what readers' caches have of these rows. */
function purge(table: typeof media | typeof blogs, tag: SQL, rows: readonly Row[]): Statement {
  const ids = rows.map(({ id }) => String(id));
  const tags = sql`select distinct ${tag} as tag, '' as organization_id, 1 as urgent from ${table} where ${isAmong(table.id, ids)}`;
  return toStatement(requestPurges(tags, new Date().toISOString()));
}
