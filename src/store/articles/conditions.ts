/** The conditions and statements that creations, updates and deletions of articles share. */
import { and, eq, sql, type SQL } from "drizzle-orm";
import { alias } from "drizzle-orm/sqlite-core";
import { DomainError, invalidField } from "../../domain/errors.ts";
import type { EventKind } from "../../domain/events.ts";
import { isUuid, newId } from "../../lib/ids.ts";
import { LIMITS } from "../../domain/limits.ts";
import { addChanged, insertEvent, type License, type NewEvent, type Write } from "../core/commit.ts";
import type { Writer } from "../core/writer.ts";
import { isReachableArticle } from "../core/reach.ts";
import { builder, joinAnd, queryFirstRow, toColumnName } from "../core/sql.ts";
import { BLOG } from "../blogs/blogs.ts";
import { blogs } from "../../schema/blogs.ts";
import { approvals, deletions } from "../../schema/schedules.ts";
import { articleAnswer, selectColumns, articleEventData, type ArticleRow } from "./rows.ts";
import { articles } from "../../schema/articles.ts";

/** Where a write publishes an article. `isNew`, on the row before: it is not yet published in this locale. */
export type Appearance = { readonly locale: SQL; readonly isNew: SQL };

const CREATED: Appearance = { locale: sql`${articles.locale}`, isNew: sql`true` };

/**
 * Returns the statements that add the locale of a published article to the locales of its blog, and fire `blog.updated` if
 * it is new there. Do not run them for a draft, because the blog's locales are public. In an update they must run before
 * the change: `isNew` needs the old row.
 */
export function addLocale(articleId: string, license: License, { locale, isNew }: Appearance = CREATED): SQL[] {
  const added = sql`update ${blogs} set ${toColumnName(blogs.locales)} = json_insert(${blogs.locales}, '$[#]', ${locale}),
      ${toColumnName(blogs.version)} = ${license.id}, ${toColumnName(blogs.lastEditTime)} = ${license.time}
    from ${articles} where ${articles.id} = ${articleId} and ${blogs.id} = ${articles.blogId} and ${license.held}
      and ${isNew} and not exists (select 1 from json_each(${blogs.locales}) where value = ${locale})`;
  const event = {
    id: newId(),
    organizationId: blogs.organizationId,
    blogId: blogs.id,
    kind: "blog.updated" as const,
    data: addChanged(BLOG.json(), sql`'["locales"]'`),
    time: license.time,
  };
  const isIts = sql`${blogs.id} = (select ${articles.blogId} from ${articles} where ${articles.id} = ${articleId})`;
  return [added, insertEvent(event, sql`from ${blogs} where ${isIts} and ${blogs.version} = ${license.id}`)];
}

export const selectArticle = (id: string): SQL<ArticleRow> =>
  sql<ArticleRow>`select ${selectColumns(undefined)} from ${articles} where ${articles.id} = ${id}`;

/** Returns the response of a write to an article. It lacks content that was sent: only the same request gets it. */
export function buildAnswer(id: string, sent: string | undefined): Pick<Write, "answer" | "answerContent"> {
  const stored = sql`from ${articles} where ${articles.id} = ${id}`;
  return {
    answer: sql`(select ${articleAnswer} ${stored})`,
    ...(!sent && { answerContent: sql`(select ${articles.content} ${stored})` }),
  };
}

/** Returns the response of a write that returns something else than what it has stored, under the version of the write. */
export const storeAs = (value: object, { id: version }: License): SQL => sql`${JSON.stringify({ value, version })}`;

/** Returns the condition that an article has this id and the writer may touch it. */
export const isOwnArticle = (writer: Pick<Writer, "organizationId" | "pinnedBlogId">, id: string): SQL =>
  joinAnd(sql`${articles.id} = ${id}`, isReachableArticle(writer));

/** Returns the error for an id that no article within reach has. Reads take slugs, so it says that a slug is no id. */
export const makeArticleNotFoundError = (id: string): DomainError =>
  new DomainError("not_found", isUuid(id) ? undefined : "There is no such article. Use its `_id`, not its slug.");

/** Returns the event of a write to an article. `which` is the condition that selects the article. */
export function buildArticleEvent(kind: EventKind, which: SQL): NewEvent {
  const purges = kind === "article.deleted" ? sql`true` : sql`${articles.published} = 1`;
  const from = sql`from ${articles} where ${which}`;
  return { kind, blogId: sql`${articles.blogId}`, data: articleEventData, from, purges };
}

/**
 * Returns the condition, on a row of `blogs`, that the blog has the locale or room for one more. A request to change a
 * blog may contain `LIMITS.locales` locales, so a blog with more could not be sent back as it was read.
 */
export function localeFits(locale: SQL): SQL {
  return sql`(json_array_length(${blogs.locales}) < ${LIMITS.locales}
    or exists (select 1 from json_each(${blogs.locales}) where value = ${locale}))`;
}

/**
 * Returns why an article cannot be stored in a blog: an error on `locale` if the blog has no room for one more locale,
 * otherwise `slug_taken`. `locale` is undefined for a draft.
 */
export function makeConflictError(blog: { readonly locales: string }, locale: string | undefined): DomainError {
  const locales = JSON.parse(blog.locales) as string[];
  const full = locale !== undefined && locales.length >= LIMITS.locales && !locales.includes(locale);
  return full
    ? invalidField("locale", `the blog already has ${LIMITS.locales} locales`)
    : new DomainError("slug_taken");
}

type Place = { readonly blogId: string; readonly slug: string | undefined; readonly locale: string };

/** Returns the error, or instead of `slug_taken` one that says that the article at this place is being deleted. */
export async function explainTaken({ db }: Writer, error: DomainError, place: Place): Promise<DomainError> {
  const { blogId, slug, locale } = place;
  if (error.code !== "slug_taken" || slug === undefined) return error;
  const found = await queryFirstRow(
    db,
    sql`select 1 from ${articles} join ${deletions} on ${deletions.articleId} = ${articles.id}
      where ${articles.blogId} = ${blogId} and ${articles.slug} = ${slug} and ${articles.locale} = ${locale}
        and ${deletions.failureCode} is null`,
  );
  if (found === null) return error;
  const detail = `The article with this slug in ${locale} is being deleted. Undo the deletion, or try again in two minutes.`;
  return new DomainError("slug_taken", detail, { worded: true, passes: true });
}

/** Returns the condition that a slug has `LIMITS.translations` articles: one response lists all of them. */
export const isSlugFull = (blogId: SQL, slug: SQL): SQL =>
  sql`(select count(*) from (select 1 from ${articles} ${same} where ${same.blogId} = ${blogId}
    and ${same.slug} = ${slug} limit ${LIMITS.translations})) = ${LIMITS.translations}`;

const same = alias(articles, "same");

/**
 * Returns the statement that ends the request for approval of an article, which a write has made pointless or carried out. With `published`, only if
 * that changes: then it must run before the change.
 */
export const endApproval = (articleId: string, { held }: License, published?: boolean) =>
  builder
    .delete(approvals)
    .where(
      and(eq(approvals.articleId, articleId), published === undefined ? undefined : turns(articleId, published), held),
    );

/** Returns the condition that an article is not yet published, or still is. */
export const turns = (articleId: string, published: boolean): SQL =>
  sql`exists (select 1 from ${articles} where ${articles.id} = ${articleId} and ${articles.published} <> ${Number(published)})`;
