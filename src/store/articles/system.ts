/** Completes the full text index: indexes articles that were not written by a commit of the service. */
import { sql } from "drizzle-orm";
import { articles } from "./schema.ts";
import { indexNow, isUnindexed } from "./search-index.ts";
import { isOneOf, orm, type Database } from "../core/sql.ts";

/**
 * The most articles, and the most bytes of content, in one transaction. A single article may have more bytes. D1
 * answers no other query during a transaction, so it must not index several large articles.
 */
const MOST = 20;
const MOST_BYTES = 1024 * 1024;
/** How many transactions one run makes at most. The next run continues. */
const ROUNDS = 50;

type Due = { readonly id: string; readonly bytes: number };

/** Indexes articles that wait for it, in several transactions. Returns how many articles it indexed. */
export async function indexDueArticles(db: Database): Promise<number> {
  let done = 0;
  for (let round = 0; round < ROUNDS; round++) {
    const due = await orm(db)
      .select({ id: articles.id, bytes: sql<number>`octet_length(${articles.content})` })
      .from(articles)
      .where(isUnindexed)
      .orderBy(articles.id)
      .limit(MOST);
    if (due.length === 0) break;
    done += await index(db, fitting(due));
  }
  return done;
}

/** Returns the ids of the articles that fit into one transaction: at least the first. */
function fitting(due: readonly Due[]): string[] {
  let sum = 0;
  return due.filter(({ bytes }, place) => (sum += bytes) <= MOST_BYTES || place === 0).map(({ id }) => id);
}

/** Reads the articles and indexes them in one transaction. Returns how many it indexed ({@link indexNow}). */
async function index(db: Database, ids: readonly string[]): Promise<number> {
  const { id, organizationId, version, title, description, content } = articles;
  const found = await orm(db)
    .select({ id, organizationId, version, title, description, content })
    .from(articles)
    .where(isOneOf(id, ids));
  return indexNow(db, found);
}
