/** Completes the full text index: indexes articles that were not written by a commit of the service. */
import { sql } from "drizzle-orm";
import { articles } from "./schema.ts";
import { indexNow, isUnindexed } from "./search-index.ts";
import { distinctValues } from "../core/distinct.ts";
import { isOneOf, orm, rows, type Database } from "../core/sql.ts";

/**
 * The most articles, and the most bytes of content, in one transaction. A single article may have more bytes. D1
 * answers no other query during a transaction, so it must not index several large articles.
 */
const MOST = 20;
const MOST_BYTES = 1024 * 1024;
/** How many transactions one run makes at most, of up to 2 * {@link MOST} queries each. The next run continues. */
const ROUNDS = 20;

type Due = { readonly id: string; readonly organizationId: string; readonly bytes: number };

/**
 * Indexes articles that wait for it, in several transactions, and returns how many it indexed. Organizations take turns,
 * so that nobody waits until another organization's thousands of articles are indexed.
 */
export async function indexDueArticles(db: Database): Promise<number> {
  let done = 0;
  let after = "";
  for (let round = 0; round < ROUNDS; round++) {
    const behind = after === "" ? [] : await waitingOrganizations(db, after);
    // Behind the last organization, it is the first one's turn again.
    const organizations = behind.length > 0 ? behind : await waitingOrganizations(db, "");
    if (organizations.length === 0) break;
    const taken = fitting(await dueOf(db, organizations));
    done += await index(db, taken);
    after = taken.at(-1)?.organizationId ?? "";
  }
  return done;
}

/** Returns the ids of organizations with articles that wait: the first ones behind `after`. */
async function waitingOrganizations(db: Database, after: string): Promise<string[]> {
  const found = await rows<{ id: string }>(db, distinctValues(articles.organizationId, isUnindexed, after, MOST));
  return found.map(({ id }) => id);
}

/** Returns the oldest articles that wait in these organizations: an equal number of each, {@link MOST} in all. */
async function dueOf(db: Database, organizations: readonly string[]): Promise<Due[]> {
  const most = Math.max(Math.floor(MOST / organizations.length), 1);
  return rows<Due>(
    db,
    sql`select a.id, a.organization_id as "organizationId", octet_length(a.content) as "bytes"
      from json_each(${JSON.stringify(organizations)}) o cross join ${articles} a
      where a.id in (select ${articles.id} from ${articles} where ${articles.organizationId} = o.value and ${isUnindexed}
        order by ${articles.id} limit ${most})
      order by o.key, a.id`,
  );
}

/** Returns the first articles, as many as fit into one transaction: at least one. */
function fitting(due: readonly Due[]): readonly Due[] {
  let sum = 0;
  const beyond = due.findIndex(({ bytes }) => (sum += bytes) > MOST_BYTES);
  return beyond === -1 ? due : due.slice(0, Math.max(beyond, 1));
}

/** Reads the articles and indexes them in one transaction. Returns how many it indexed ({@link indexNow}). */
async function index(db: Database, due: readonly Due[]): Promise<number> {
  const ids = due.map((article) => article.id);
  const { id, organizationId, version, title, description, content } = articles;
  const found = await orm(db)
    .select({ id, organizationId, version, title, description, content })
    .from(articles)
    .where(isOneOf(id, ids));
  return indexNow(db, found);
}
