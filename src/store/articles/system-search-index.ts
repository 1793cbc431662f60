/** Completes the full text index with articles that wait for it. */
import { eq } from "drizzle-orm";
import { isAmong, orm, type Database } from "../core/sql.ts";
import { articleRenderings, articles } from "../../schema/articles.ts";
import { indexNow, isUnindexed } from "./search-index.ts";
import { findNextDue, type Due } from "./system-waiting.ts";

/**
 * The most bytes of content in one transaction. A single article may have more. D1 answers no other query during a
 * transaction, so it must not index several large articles.
 */
const MOST_BYTES = 1024 * 1024;
/** The most transactions of one run, each of up to 2 * `AT_ONCE` queries. The next run continues. */
const ROUNDS = 20;

const UNINDEXED = { organizationId: articles.organizationId, articleId: articles.id, where: isUnindexed };

/** Indexes waiting articles and returns how many. Organizations take turns, so that nobody waits for another. */
export async function indexDueArticles(db: Database): Promise<number> {
  let [done, after] = [0, ""];
  for (let round = 0; round < ROUNDS; round++) {
    const due = await findNextDue(db, UNINDEXED, after, MOST_BYTES);
    if (due.length === 0) break;
    done += await index(db, due);
    after = due.at(-1)?.organizationId ?? "";
  }
  return done;
}

async function index(db: Database, due: readonly Due[]): Promise<number> {
  const ids = due.map((article) => article.id);
  const { id, organizationId, version, title, description, content } = articles;
  const { text, renderer } = articleRenderings;
  const found = await orm(db)
    .select({ id, organizationId, version, title, description, content, text, renderer })
    .from(articles)
    .leftJoin(articleRenderings, eq(articleRenderings.articleId, id))
    .where(isAmong(id, ids));
  return indexNow(db, found);
}
