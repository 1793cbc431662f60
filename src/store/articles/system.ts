/** Keeps the full text index whole: articles that something else than a commit of the service wrote. */
import { sql } from "drizzle-orm";
import { articleSearch } from "./schema.ts";
import { articles } from "./schema.ts";
import { addRow, type SearchedTexts } from "./search-index.ts";
import { rows, transaction, type Database } from "../core/sql.ts";

/**
 * Articles of one transaction, and the bytes of their contents after which it ends early: D1 answers nobody else
 * meanwhile, and so is not to be asked for more than one large article at a time.
 */
const MOST = 20;
const MOST_BYTES = 1024 * 1024;
/** Transactions of one run; the next run does more. */
const ROUNDS = 50;

type Due = { readonly id: string; readonly bytes: number };
type DueArticle = SearchedTexts & { readonly id: string; readonly organizationId: string; readonly version: string };

/** Indexes articles that wait for it; returns how many. */
export async function indexDueArticles(db: Database): Promise<number> {
  let done = 0;
  for (let round = 0; round < ROUNDS; round++) {
    const due = await rows<Due>(
      db,
      sql`select article_id as "id", octet_length(${articles.content}) as "bytes"
        from ${articleSearch} join ${articles} on ${articles.id} = ${articleSearch.articleId}
        where ${articleSearch.version} = '' order by ${articleSearch.id} limit ${MOST}`,
    );
    if (due.length === 0) break;
    done += await index(db, fitting(due));
  }
  return done;
}

function fitting(due: readonly Due[]): string[] {
  let sum = 0;
  return due.filter(({ bytes }, place) => (sum += bytes) <= MOST_BYTES || place === 0).map(({ id }) => id);
}

/** Returns how many it indexed. What has changed since it was read here waits on: its version is another. */
async function index(db: Database, ids: readonly string[]): Promise<number> {
  const found = await rows<DueArticle>(
    db,
    sql`select id, organization_id as "organizationId", version, title, description, content from ${articles}
      where id in (select value from json_each(${JSON.stringify(ids)}))`,
  );
  const { noted } = await transaction(db, {
    removed: found.map(
      ({ id }) =>
        sql`delete from article_text
          where rowid = (select id from ${articleSearch} where article_id = ${id} and version = '')`,
    ),
    noted: found.map(
      ({ id, version }) =>
        sql`update ${articleSearch} set version = ${version} where article_id = ${id} and version = ''
          and ${version} = (select ${articles.version} from ${articles} where ${articles.id} = ${id}) returning 1`,
    ),
    added: found.map(({ id, organizationId, version, ...texts }) => addRow(id, organizationId, texts, version)),
  });
  return noted.flat().length;
}
