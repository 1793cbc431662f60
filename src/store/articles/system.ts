/** Completes the full text index: indexes articles that were not written by a commit of the service. */
import { and, eq, sql, type SQL } from "drizzle-orm";
import { articles, articleSearch } from "./schema.ts";
import { addRow } from "./search-index.ts";
import { all, isOneOf, orm, transaction, type Database } from "../core/sql.ts";

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
      .from(articleSearch)
      .innerJoin(articles, eq(articles.id, articleSearch.articleId))
      .where(eq(articleSearch.version, ""))
      .orderBy(articleSearch.id)
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

/** Returns the condition that an article still waits for the index. */
const waits = (id: string): SQL => all(eq(articleSearch.articleId, id), eq(articleSearch.version, ""));

/**
 * Indexes the articles in one transaction and returns how many it indexed. An article that changed after it was read
 * here has another version, so it is left out and keeps waiting.
 */
async function index(db: Database, ids: readonly string[]): Promise<number> {
  const { id: articleId, organizationId, version, title, description, content } = articles;
  const found = await orm(db)
    .select({ id: articleId, organizationId, version, title, description, content })
    .from(articles)
    .where(isOneOf(articleId, ids));
  const { noted } = await transaction(db, {
    removed: found.map(
      ({ id }) =>
        sql`delete from article_text
          where rowid = (select ${articleSearch.id} from ${articleSearch} where ${waits(id)})`,
    ),
    noted: found.map(({ id, version: read }) =>
      orm(db)
        .update(articleSearch)
        .set({ version: read })
        .where(and(waits(id), sql`${read} = (select ${version} from ${articles} where ${articleId} = ${id})`))
        .returning({ id: articleSearch.id }),
    ),
    added: found.map(({ id, organizationId: of, version: read, ...texts }) => addRow(id, of, texts, read)),
  });
  return noted.flat().length;
}
