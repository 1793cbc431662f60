/** Articles as the API shows them, read from SQL under their wire names. */
import { sql, type SQL } from "drizzle-orm";
import type { SQLiteColumn } from "drizzle-orm/sqlite-core";
import type { PageQuery, Versioned } from "../core/paging.ts";
import { articles } from "./schema.ts";
import { frozen, jsonBoolean, jsonObject, returned } from "../core/sql.ts";

/** An article (contract 4.1). */
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
export const articleColumns = (fields: readonly ArticleField[] | undefined): SQL =>
  fields === undefined ? ALL_COLUMNS : selected(fields);

/** The same, with expressions in place of some columns. */
export function selected(
  fields: readonly ArticleField[],
  instead: { readonly [Field in ArticleField]?: SQL } = {},
): SQL {
  const parts = fields.map((field) => sql`${instead[field] ?? ARTICLE_COLUMNS[field]} as ${sql.identifier(field)}`);
  return sql.join([...parts, sql`${articles.version} as "rowVersion"`], sql`, `);
}

const ALL_COLUMNS = frozen(selected(ARTICLE_FIELDS));

/** What RETURNING gives: the same, without the table's name, which SQLite does not allow there. */
export const RETURNED_ARTICLE = frozen(returned(ARTICLE_COLUMNS, articles.version));

/** The same for the builder. */
export const ARTICLE_ROW = { ...ARTICLE_COLUMNS, rowVersion: articles.version };

/** A row as the record that it stands for; members keep their order. */
export function toArticle(row: ArticleRow): Versioned<ArticleRecord> {
  const { rowVersion, ...rest } = row;
  const value = rest as Omit<ArticleRow, "rowVersion" | "published"> & { published?: number | boolean };
  if (value.published !== undefined) value.published = value.published === 1;
  return { value: value as ArticleRecord, version: rowVersion };
}

const { content: _, published: __, ...TEXT_COLUMNS } = ARTICLE_COLUMNS;

/** `data` of an article's events: the resource without its content. */
export const articleEventData = frozen(jsonObject({ ...TEXT_COLUMNS, published: jsonBoolean(articles.published) }));

/** The stored answer of a write: the resource with its version; its content is stored apart. */
export const articleAnswer = frozen(
  jsonObject({
    value: jsonObject({ ...ARTICLE_COLUMNS, content: sql`''`, published: jsonBoolean(articles.published) }),
    version: sql`${articles.version}`,
  }),
);
