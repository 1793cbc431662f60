/** Completes the full text index with articles that wait for it. */
import { eq, sql } from "drizzle-orm";
import { isAmong, orm, queryFirstRow, type Database } from "../core/sql.ts";
import { articleRenderings, articles } from "../../schema/articles.ts";
import { readStored, selectStored } from "./renderings.ts";
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
  const { renderer } = articleRenderings;
  const text = sql<string | null>`${selectStored(articleRenderings.text)}`;
  const found = await orm(db)
    .select({ id, organizationId, version, title, description, content, text, renderer })
    .from(articles)
    .leftJoin(articleRenderings, eq(articleRenderings.articleId, id))
    .where(isAmong(id, ids));
  return indexNow(
    db,
    found.map((article) => Object.assign(article, { text: readStored("text", article.text) })),
  );
}

/** Pages of some 4 KB that one step merges: 1.4 GB a day. */
const PAGES = 250;

/**
 * Does a step of removing the words of deleted articles and of former texts from the index, if there are any. FTS5 only marks them
 * as deleted, in rows with ids above 2^53 (its "tombstone" pages), and leaves them out when it merges its segments.
 */
export async function removeDeletedWords(db: Database): Promise<void> {
  const marked = await queryFirstRow(db, sql`select 1 from article_text_data where id > 9007199254740992 limit 1`);
  if (marked === null) return;
  // https://sqlite.org/fts5.html#the_merge_command: a negative number begins to merge everything, a positive one goes on.
  const merge = (pages: number) =>
    db.prepare("insert into article_text (article_text, rank) values ('merge', ?)").bind(pages).run();
  const { meta } = await merge(PAGES);
  if (meta.changes < 2) await merge(-PAGES);
}
