/** Articles as the API shows them, read from SQL under their wire names. */
import { sql, type SQL } from "drizzle-orm";
import type { SQLiteColumn } from "drizzle-orm/sqlite-core";
import { pageClause, toPage, type Page, type PageQuery, type Versioned } from "./paging.ts";
import { articles } from "./schema.ts";
import { all, bare, jsonBoolean, jsonObject } from "./sql.ts";

/** An Article (specification, Resources). */
export type ArticleRecord = {
  _id: string;
  blogId: string;
  title: string;
  description: string;
  content: string;
  slug: string;
  locale: string;
  coverUrl: string;
  published: boolean;
  creationTime: string;
  lastEditTime: string;
};

export type ArticleField = keyof ArticleRecord;

export type ArticleQuery = PageQuery & {
  readonly blogId: string;
  readonly locale?: string | undefined;
  readonly published?: boolean | undefined;
  readonly slug?: string | undefined;
  readonly fields?: readonly ArticleField[] | undefined;
};

export type ArticleRow = Omit<ArticleRecord, "published"> & { published?: number; rowVersion: string };

export const ARTICLE_COLUMNS = {
  _id: articles.id,
  blogId: articles.blogId,
  title: articles.title,
  description: articles.description,
  content: articles.content,
  slug: articles.slug,
  locale: articles.locale,
  coverUrl: articles.coverUrl,
  published: articles.published,
  creationTime: articles.creationTime,
  lastEditTime: articles.lastEditTime,
} as const satisfies Record<ArticleField, SQLiteColumn>;

export const ARTICLE_FIELDS = Object.keys(ARTICLE_COLUMNS) as ArticleField[];

/** The SELECT list of an article, under its wire names and with its version. */
export function articleColumns(fields: readonly ArticleField[] = ARTICLE_FIELDS): SQL {
  const parts = fields.map((field) => sql`${ARTICLE_COLUMNS[field]} as ${sql.identifier(field)}`);
  return sql.join([...parts, sql`${articles.version} as "rowVersion"`], sql`, `);
}

/** What RETURNING gives: the same, without the table's name, which SQLite does not allow there. */
export const RETURNED_ARTICLE: SQL = sql.join(
  [
    ...ARTICLE_FIELDS.map((field) => sql`${bare(ARTICLE_COLUMNS[field])} as ${sql.identifier(field)}`),
    sql`version as "rowVersion"`,
  ],
  sql`, `,
);

/** A row as the record that it stands for; members keep their order. */
export function toArticle(row: ArticleRow): Versioned<ArticleRecord> {
  const { rowVersion, ...rest } = row;
  const value = rest as Omit<ArticleRow, "rowVersion" | "published"> & { published?: number | boolean };
  if (value.published !== undefined) value.published = value.published === 1;
  return { value: value as ArticleRecord, version: rowVersion };
}

const { content: _, published: __, ...TEXT_COLUMNS } = ARTICLE_COLUMNS;

/** `data` of an article's events: the resource without its content. */
export const articleEventData: SQL = jsonObject({ ...TEXT_COLUMNS, published: jsonBoolean(articles.published) });

/** The stored answer of a write: the whole resource with its version. */
export const articleAnswer: SQL = jsonObject({
  value: jsonObject({ ...ARTICLE_COLUMNS, published: jsonBoolean(articles.published) }),
  version: sql`${articles.version}`,
});

/**
 * A page of a blog's articles, newest first; reads one row more than it shows, to know whether more
 * follow. `scope` says which of them the caller may see.
 */
export function articlePage(query: ArticleQuery, scope: SQL): SQL {
  const where = all(
    sql`${articles.blogId} = ${query.blogId}`,
    scope,
    query.published !== undefined && sql`${articles.published} = ${query.published ? 1 : 0}`,
    query.locale !== undefined && sql`${articles.locale} = ${query.locale}`,
    query.slug !== undefined && sql`${articles.slug} = ${query.slug}`,
  );
  // A blog has few rows of one slug: without the hint SQLite would walk the whole list for them.
  const index = query.slug === undefined ? sql`` : sql`indexed by articles_slug`;
  return sql`select ${articleColumns(pageFields(query))} from ${articles} ${index} where ${where}
    ${pageClause(query, articles.creationTime, articles.id)}`;
}

/** The rows of {@link articlePage} as a page that shows the fields asked for. */
export function toArticlePage(query: ArticleQuery, rows: readonly ArticleRow[]): Page<Partial<ArticleRecord>> {
  const hidden = query.fields === undefined ? [] : KEY_FIELDS.filter((field) => !query.fields?.includes(field));
  return toPage(query, rows, (row) => {
    const item = toArticle(row) as Versioned<Partial<ArticleRecord>>;
    for (const field of hidden) delete item.value[field];
    return item;
  });
}

/** The sort key, which every page needs for its cursor. */
const KEY_FIELDS = ["_id", "creationTime"] as const satisfies readonly ArticleField[];

function pageFields(query: ArticleQuery): readonly ArticleField[] {
  return query.fields === undefined ? ARTICLE_FIELDS : [...new Set([...query.fields, ...KEY_FIELDS])];
}
