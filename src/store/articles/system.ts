/** Keeps the full text index whole: articles that something else than a commit of the service wrote. */
import { and, eq, sql, type SQL } from "drizzle-orm";
import { articles, articleSearch } from "./schema.ts";
import { addRow } from "./search-index.ts";
import { all, isOneOf, orm, transaction, type Database } from "../core/sql.ts";

/**
 * Articles of one transaction, and the bytes of their contents after which it ends early: D1 answers nobody else
 * meanwhile, and so is not to be asked for more than one large article at a time.
 */
const MOST = 20;
const MOST_BYTES = 1024 * 1024;
/** Transactions of one run; the next run does more. */
const ROUNDS = 50;

type Due = { readonly id: string; readonly bytes: number };

/** Indexes articles that wait for it; returns how many. */
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

function fitting(due: readonly Due[]): string[] {
  let sum = 0;
  return due.filter(({ bytes }, place) => (sum += bytes) <= MOST_BYTES || place === 0).map(({ id }) => id);
}

/** That an article still waits. */
const waits = (id: string): SQL => all(eq(articleSearch.articleId, id), eq(articleSearch.version, ""));

/** Returns how many it indexed. What has changed since it was read here waits on: its version is another. */
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
