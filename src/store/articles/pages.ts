/** Pages of a blog's articles, newest first. */
import { sql, type SQL } from "drizzle-orm";
import { LIMITS } from "../../domain/limits.ts";
import {
  articleColumns,
  selected,
  ARTICLE_FIELDS,
  toArticle,
  type ArticleField,
  type ArticleQuery,
  type ArticleRecord,
  type ArticleRow,
} from "./rows.ts";
import { boundedBy, boundsOf, toPage, type Bounds, type Page, type Versioned } from "../core/paging.ts";
import { articles } from "./schema.ts";
import { all, bare, frozen, isOneOf, type Reader, type Value } from "../core/sql.ts";

/** Bytes of content that every article of the largest page may have; what is heavier is read apart. */
const LIGHT_BYTES = Math.floor(LIMITS.pageBytes / LIMITS.page);

/** A row of a page; `content` is null where it is heavy, `bytes` is its size. */
export type PageRow = Omit<ArticleRow, "content"> & { content?: string | null; bytes?: number };

/** The sort key, which every page needs for its cursor. */
const KEY_FIELDS = ["_id", "creationTime"] as const satisfies readonly ArticleField[];

/**
 * The query for a page; reads one row more than it shows, to know whether more follow. `blogId`
 * is null in SQL where the caller may not see the blog.
 */
export function articlePage(query: ArticleQuery, blogId: SQL): SQL {
  const { locale, slug } = query;
  return selectPage({ ...boundsOf(query), blogId, locale, slug }, query.published, query.fields);
}

/** What a page is asked for with: values, or their names. */
export type PageBounds<V> = Bounds<V> & {
  readonly blogId: V;
  readonly locale?: V | undefined;
  readonly slug?: V | undefined;
};

/** The same, for values that may be named. */
export function selectPage(
  { blogId, locale, slug, ...bounds }: PageBounds<Value | SQL>,
  published: boolean | undefined,
  fields: readonly ArticleField[] | undefined,
): SQL {
  const where = all(
    sql`${articles.blogId} = ${blogId}`,
    published !== undefined && sql`${articles.published} = ${published ? 1 : 0}`,
    locale !== undefined && sql`${articles.locale} = ${locale}`,
    slug !== undefined && sql`${articles.slug} = ${slug}`,
  );
  // A blog has few rows of one slug: without the hint SQLite would walk the whole list for them.
  const index = slug === undefined ? sql`` : sql`indexed by articles_slug`;
  return sql`select ${pageColumns(fields)} from ${articles} ${index} where ${where}
    ${boundedBy(bounds, articles.creationTime, articles.id)}`;
}

/** How often a page is read again whose first article is heavy and changes under it. */
const MOST_READS = 5;

/**
 * A page with the fields asked for. It holds some megabytes of content at most and ends early where
 * there is more: a list must not exhaust the memory of a Worker. Heavy contents are read apart, and
 * only in the version that the page shows; the page ends before an article that has changed since.
 *
 * `readRows` reads the rows of {@link articlePage}; `readContents` must not lag behind it.
 */
export async function readArticlePage(
  query: ArticleQuery,
  readRows: () => Promise<readonly PageRow[]>,
  readContents: Reader,
): Promise<Page<Partial<ArticleRecord>>> {
  for (let reads = 0; reads < MOST_READS; reads++) {
    const rows = await readRows();
    const shown = rows.slice(0, fitting(query.limit, rows));
    const contents = await heavyContents(readContents, shown);
    const changed = shown.findIndex((row) => row.content === null && !contents.has(row.rowVersion));
    if (changed === 0) continue;
    const limit = changed === -1 ? Math.max(shown.length, 1) : changed;
    return toArticlePage({ ...query, limit }, rows, contents);
  }
  throw new Error("the page changes faster than it can be read");
}

function toArticlePage(
  query: ArticleQuery,
  rows: readonly PageRow[],
  contents: ReadonlyMap<string, string>,
): Page<Partial<ArticleRecord>> {
  const hidden = query.fields === undefined ? [] : KEY_FIELDS.filter((field) => !query.fields?.includes(field));
  return toPage(query, rows, (row) => {
    delete row.bytes;
    if (row.content === null) row.content = contents.get(row.rowVersion) ?? null;
    const item = toArticle(row as ArticleRow) as Versioned<Partial<ArticleRecord>>;
    for (const field of hidden) delete item.value[field];
    return item;
  });
}

function pageColumns(asked: readonly ArticleField[] | undefined): SQL {
  if (asked === undefined) return ALL_COLUMNS;
  const fields = [...new Set([...asked, ...KEY_FIELDS])];
  return fields.includes("content") ? withContent(fields) : articleColumns(fields);
}

function withContent(fields: readonly ArticleField[]): SQL {
  const most = sql.raw(String(LIGHT_BYTES));
  const light = sql`case when octet_length(${articles.content}) <= ${most} then ${articles.content} end`;
  return sql`${selected(fields, { content: light })}, octet_length(${articles.content}) as "bytes"`;
}

const ALL_COLUMNS = frozen(withContent(ARTICLE_FIELDS));

/** How many of the rows fit into a page: at least one. */
function fitting(limit: number, rows: readonly PageRow[]): number {
  let bytes = 0;
  const beyond = rows.slice(0, limit).findIndex((row) => (bytes += row.bytes ?? 0) > LIMITS.pageBytes);
  return beyond === -1 ? limit : Math.max(beyond, 1);
}

/** The heavy contents of a page, by version: an article that changed in the meantime may have become a draft. */
async function heavyContents(read: Reader, shown: readonly PageRow[]): Promise<Map<string, string>> {
  const heavy = shown.filter((row) => row.content === null);
  if (heavy.length === 0) return new Map();
  const found = await read<{ version: string; content: string }>(
    sql`select ${bare(articles.version)}, ${bare(articles.content)} from ${articles}
      where ${isOneOf(
        articles.id,
        heavy.map((row) => row._id),
      )}`,
  );
  return new Map(found.map((row) => [row.version, row.content]));
}
