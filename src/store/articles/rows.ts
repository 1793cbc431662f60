/** Articles with the field names of the API: how they are read from the table, and how they are stored as JSON. */
import { sql, type SQL } from "drizzle-orm";
import type { SQLiteColumn } from "drizzle-orm/sqlite-core";
import { LISTED_TEXTS, NAMED_TEXTS, type ListedText, type NamedText } from "../../domain/article-fields.ts";
import { toOrigin, type GeneratedOrigin, type Origin } from "../../domain/origin.ts";
import { NO_SEO, type Seo } from "../../domain/seo.ts";
import { pick } from "../../lib/pick.ts";
import type { PageQuery, Versioned } from "../core/paging.ts";
import type { Heading } from "../../domain/rendering.ts";
import { blogs } from "../../schema/blogs.ts";
import { audit } from "../../schema/core.ts";
import { schedules } from "../../schema/schedules.ts";
import { articleRenderings, articles, revisions, workingCopies } from "../../schema/articles.ts";
import { completeRendering, hasRenderedPart, isLargePart, isUnmade, RENDERED, selectRendered } from "./renderings.ts";
import { AUTHORS, TAGS } from "../terms/assigning.ts";
import { compileFragment, jsonBoolean, jsonObject } from "../core/sql.ts";

/** An article (contract 4.1). */
export type ArticleRecord = { [Name in "_id" | "blogId" | ListedText | "creationTime" | "lastEditTime"]: string } & {
  published: boolean;
};

/** Members of an article that are returned only if `fields` names them (contract 18.1). */
export type NamedMembers = Record<NamedText, string> & {
  publishTime: string | null;
  schedule: Plan | null;
  workingCopy: Begun | null;
  origin: Origin;
  seo: Seo;
  tags: ShownTerm[];
  authors: ShownTerm[];
  createdBy: By | null;
  lastEditedBy: By | null;
  html: string;
  text: string;
  excerpt: string;
  readingMinutes: number;
  headings: Heading[];
  rendering: "done";
  /** Absolute, or a path below the service's own URL (domain/site.ts). */
  url: string;
};

export type By = { kind: string; id: string };

/** When the working copy of an article was begun, and last saved (contract 18.11). */
export type Begun = { creationTime: string; lastEditTime: string };

/** A tag or an author as an article shows them (contract 18.24). */
export type ShownTerm = { _id: string; slug: string; name: string };

export type ArticleField = keyof ArticleRecord | keyof NamedMembers;

/** The members of an article that a caller asked for. */
export type ArticlePart = Partial<ArticleRecord & NamedMembers>;

export type ArticleQuery = PageQuery & {
  readonly blogId: string;
  readonly locale?: string | undefined;
  /** Locales, best first: of each slug, only the article in the best of them. Replaces `locale`. */
  readonly fallback?: readonly string[] | undefined;
  readonly published?: boolean | undefined;
  readonly slug?: string | undefined;
  /** The slug of a tag or author: only their articles. At most one of `slug`, `tag` and `author` is given. */
  readonly tag?: string | undefined;
  readonly author?: string | undefined;
  readonly fields?: readonly ArticleField[] | undefined;
  /** Up to `LIMITS.page` articles; those that are not in the list are left out. */
  readonly ids?: readonly string[] | undefined;
  /** `publishTime`: only published articles, in the order of their publication. Undefined: the creation time. */
  readonly sort?: "publishTime" | "lastEditTime" | undefined;
};

/** A row of an article. Named members are there only if they were selected, those of {@link JSON_MEMBERS} as text. */
export type ArticleRow = Omit<ArticleRecord, "published"> & { published?: number; rowVersion: string } & {
  [Name in keyof NamedMembers]?: string | null;
};

export const ARTICLE_COLUMNS = {
  _id: articles.id,
  blogId: articles.blogId,
  ...pick(articles, LISTED_TEXTS),
  published: articles.published,
  creationTime: articles.creationTime,
  lastEditTime: articles.lastEditTime,
} as const satisfies Record<keyof ArticleRecord, SQLiteColumn>;

export const ARTICLE_FIELDS = Object.keys(ARTICLE_COLUMNS) as (keyof ArticleRecord)[];

/** The plan of a schedule (contract 18.3). */
export type Plan = {
  publishTime: string | null;
  unpublishTime: string | null;
  timeZone: string;
  dueTime: string;
  state: "waiting" | "failed";
  failure: { code: string; detail: string; time: string } | null;
  scheduledBy: By;
  creationTime: string;
};

/** SQL expressions, on a row of `schedules`, for the members of its {@link Plan} in JSON. */
export const PLAN_MEMBERS = {
  publishTime: schedules.publishTime,
  unpublishTime: schedules.unpublishTime,
  timeZone: schedules.timeZone,
  dueTime: schedules.dueTime,
  state: sql`iif(${schedules.failureCode} is null, 'waiting', 'failed')`,
  failure: sql`iif(${schedules.failureCode} is null, null, ${jsonObject({
    code: schedules.failureCode,
    detail: schedules.failureDetail,
    time: schedules.failureTime,
  })})`,
  scheduledBy: jsonObject({ kind: schedules.actorKind, id: schedules.actorId }),
  creationTime: schedules.creationTime,
};

export const PLAN = sql<string>`${jsonObject(PLAN_MEMBERS)}`;

/** Returns SQL for who made an article's version, if its audit entry still exists and meets `condition`. */
function selectMaker(condition: SQL): SQL {
  return sql`(select ${jsonObject({ kind: audit.actorKind, id: audit.actorId })} from ${audit}
    where ${audit.organizationId} = ${articles.organizationId} and ${audit.id} = ${articles.version} and ${condition})`;
}

/**
 * Returns an SQL expression, on a row of `blogs` and one of `articles`, for the article's URL (contract 20.2):
 * absolute, or a path of the service. Without a site, that is its Markdown, which everybody may read. domain/site.ts
 * makes the same of an `articlePath`.
 */
export function buildArticleUrl(
  blog: Pick<typeof blogs, "id" | "siteUrl" | "articlePath" | "siteEnabled" | "vanityId" | "locales">,
  article: { readonly slug: SQLiteColumn; readonly locale: SQLiteColumn },
): SQL {
  return sql`case when ${blog.siteUrl} <> ''
      then ${blog.siteUrl}
        || iif(instr(${blog.articlePath}, '{locale}') or ${article.locale} = ${blog.locales} ->> '$[0]', '', '/' || ${article.locale})
        || replace(replace(${blog.articlePath}, '{locale}', ${article.locale}), '{slug}', ${article.slug})
    when ${blog.siteEnabled} then '/' || ${blog.vanityId} || '/' || ${article.locale} || '/' || ${article.slug}
    else '/blogs/' || ${blog.id} || '/articles/' || ${article.slug} || '.md?locale=' || ${article.locale} end`;
}

/** What feeds and sites list of an article, on a row of `articles` and one of `article_renderings`. */
export const SHOWN_ARTICLE = {
  _id: articles.id,
  title: articles.title,
  description: articles.description,
  slug: articles.slug,
  locale: articles.locale,
  coverUrl: articles.coverUrl,
  publishTime: articles.publishTime,
  excerpt: articleRenderings.excerpt,
  tags: sql`json(${TAGS})`,
};

/** The expression of each named member, on a row of `articles`. */
const NAMED_COLUMNS: Readonly<Record<keyof NamedMembers, SQL | SQLiteColumn>> = {
  ...pick(articles, NAMED_TEXTS),
  publishTime: articles.publishTime,
  schedule: sql`(select ${PLAN} from ${schedules} where ${schedules.articleId} = ${articles.id})`,
  workingCopy: sql`(select ${jsonObject({
    creationTime: workingCopies.creationTime,
    lastEditTime: workingCopies.lastEditTime,
  })} from ${workingCopies} where ${workingCopies.articleId} = ${articles.id})`,
  origin: articles.origin,
  seo: sql`coalesce(${articles.seo}, ${sql.raw(`'${JSON.stringify(NO_SEO)}'`)})`,
  tags: TAGS,
  authors: AUTHORS,
  // For articles that are older than the column: from the first revision or the audit log.
  createdBy: sql`coalesce(${articles.creator},
    (select ${jsonObject({ kind: revisions.actorKind, id: revisions.actorId })} from ${revisions}
      where ${revisions.articleId} = ${articles.id} and ${revisions.number} = 1 and ${revisions.workingCopy} = 0
        and ${revisions.actorKind} is not null),
    ${selectMaker(sql`${audit.action} in ('articles.create', 'articles.generate')`)})`,
  lastEditedBy: selectMaker(sql`true`),
  ...RENDERED,
  rendering: sql`'done'`,
  url: sql`(select ${buildArticleUrl(blogs, articles)} from ${blogs} where ${blogs.id} = ${articles.blogId})`,
};

const COLUMNS: Readonly<Record<ArticleField, SQL | SQLiteColumn>> = { ...ARTICLE_COLUMNS, ...NAMED_COLUMNS };

const JSON_MEMBERS: ReadonlySet<ArticleField> = new Set([
  "schedule",
  "workingCopy",
  "seo",
  "tags",
  "authors",
  "createdBy",
  "lastEditedBy",
  "headings",
]);

/** Returns the SELECT list of an article with its version; `fields` undefined means all fields. */
export const selectColumns = (fields: readonly ArticleField[] | undefined): SQL =>
  fields === undefined ? ALL_COLUMNS : selectFields(fields);

/** Returns the SELECT list of these fields and the version, with the expressions of `instead` for some columns. */
export function selectFields(
  fields: readonly ArticleField[],
  instead: { readonly [Field in ArticleField]?: SQL } = {},
): SQL {
  const first = fields.find(isLargePart);
  const select = (field: ArticleField) =>
    isLargePart(field) && field !== first ? selectRendered(field, { first }) : COLUMNS[field];
  const parts = fields.map((field) => sql`${instead[field] ?? select(field)} as ${sql.identifier(field)}`);
  return sql.join([...parts, sql`${articles.version} as "rowVersion"`], sql`, `);
}

const ALL_COLUMNS = compileFragment(selectFields(ARTICLE_FIELDS));

/** The columns of an article with its version, for Drizzle's builder. */
export const ARTICLE_ROW = { ...ARTICLE_COLUMNS, rowVersion: articles.version };

/** Converts a row to the record with these fields, in their order, and its version. */
export function toArticle(row: ArticleRow, fields: readonly ArticleField[] = ARTICLE_FIELDS): Versioned<ArticleRecord> {
  const value: Record<string, unknown> = {};
  for (const field of fields) value[field] = toMember(field, row[field]);
  return { value: value as ArticleRecord, version: row.rowVersion };
}

function toMember(field: ArticleField, stored: string | number | null | undefined): unknown {
  if (field === "published") return stored === 1;
  if (field === "origin") return toOrigin(stored === null ? null : (JSON.parse(String(stored)) as GeneratedOrigin));
  const isJson = JSON_MEMBERS.has(field) && typeof stored === "string" && !isUnmade(stored);
  return isJson ? JSON.parse(stored) : stored;
}

/** Converts a row and makes the missing parts of its rendering. */
export async function completeArticle(
  row: ArticleRow,
  fields: readonly ArticleField[] | undefined,
): Promise<Versioned<ArticleRecord>> {
  const article = toArticle(row, fields);
  if (hasRenderedPart(fields)) await completeRendering(article.value);
  return article;
}

const { content: _, published: __, ...TEXT_COLUMNS } = ARTICLE_COLUMNS;

/** The `data` field of an article's events: the article without its content, as JSON. */
export const articleEventData = compileFragment(
  jsonObject({ ...TEXT_COLUMNS, published: jsonBoolean(articles.published) }),
);

/** The response that is stored for a write: the article with its version, as JSON. Its content is stored separately. */
export const articleAnswer = compileFragment(
  jsonObject({
    value: jsonObject({ ...ARTICLE_COLUMNS, content: sql`''`, published: jsonBoolean(articles.published) }),
    version: sql`${articles.version}`,
  }),
);
