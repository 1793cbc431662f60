/** Finds the articles that wait for the sweep, to be rendered or indexed. Organizations take turns. */
import { sql, type SQL } from "drizzle-orm";
import type { SQLiteColumn } from "drizzle-orm/sqlite-core";
import { selectDistinct, queryRows, type Database } from "../core/sql.ts";
import { articles } from "../../schema/articles.ts";

/** The rows of waiting articles: those of `where`, which an index has by organization and article. */
type Waiting = { readonly organizationId: SQLiteColumn; readonly articleId: SQLiteColumn; readonly where: SQL };

/** A waiting article, with the size of its content. */
export type Due = { readonly id: string; readonly organizationId: string; readonly bytes: number };

/** The most articles that {@link findNextDue} returns. */
export const AT_ONCE = 20;

/**
 * Returns the articles to handle next: the oldest of the organizations whose ids follow `after`, an equal number of
 * each, starting with one of each. They are at most {@link AT_ONCE}, and have at most `bytes` of content, unless it is
 * a single article. After the last organization, the first one follows. Empty if nothing waits.
 */
export async function findNextDue(
  db: Database,
  waiting: Waiting,
  after: string,
  bytes: number,
): Promise<readonly Due[]> {
  const behind = after === "" ? [] : await listOrganizations(db, waiting, after);
  const organizations = behind.length > 0 ? behind : await listOrganizations(db, waiting, "");
  return organizations.length === 0 ? [] : takeFitting(await listOldest(db, waiting, organizations), bytes);
}

async function listOrganizations(db: Database, { organizationId, where }: Waiting, after: string): Promise<string[]> {
  const found = await queryRows<{ id: string }>(db, selectDistinct(organizationId, where, after, AT_ONCE));
  return found.map(({ id }) => id);
}

function listOldest(
  db: Database,
  { organizationId, articleId, where }: Waiting,
  organizations: readonly string[],
): Promise<Due[]> {
  const most = Math.max(Math.floor(AT_ONCE / organizations.length), 1);
  return queryRows<Due>(
    db,
    sql`select a.id, a.organization_id as "organizationId", octet_length(a.content) as "bytes"
      from json_each(${JSON.stringify(organizations)}) o cross join ${articles} a
      where a.id in (select ${articleId} from ${articleId.table} where ${where} and ${organizationId} = o.value
        order by ${articleId} limit ${most})
      order by row_number() over (partition by o.key order by a.id), o.key`,
  );
}

/** Returns the first articles that together have at most this many bytes: at least one. */
export function takeFitting<Of extends Pick<Due, "bytes">>(due: readonly Of[], most: number): readonly Of[] {
  let sum = 0;
  const beyond = due.findIndex(({ bytes }) => (sum += bytes) > most);
  return beyond === -1 ? due : due.slice(0, Math.max(beyond, 1));
}
