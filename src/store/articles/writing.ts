/** The creation of articles, and the conditions and statements that updates and deletions share with it. */
import { sql, type SQL } from "drizzle-orm";
import { alias } from "drizzle-orm/sqlite-core";
import { DomainError, invalidField } from "../../errors.ts";
import type { EventKind } from "../../domain/events.ts";
import type { GeneratedOrigin } from "../../domain/origin.ts";
import { newId } from "../../lib/ids.ts";
import { LIMITS } from "../../domain/limits.ts";
import {
  articleAnswer,
  articleColumns,
  articleEventData,
  RETURNED_ARTICLE,
  toArticle,
  type ArticleRecord,
  type ArticleRow,
} from "./rows.ts";
import { commit, newLicence, type Licence, type NewEvent, type Write, type Writer } from "../core/commit.ts";
import type { Versioned } from "../core/paging.ts";
import { firstFree } from "../core/preconditions.ts";
import { articleFits, bytesOf, quotaRefusal, usageOf } from "../core/quota.ts";
import { targetBlog } from "../core/reach.ts";
import { articles, movedSlugs } from "./schema.ts";
import { blogs } from "../blogs/schema.ts";
import { renderContent, storeRendering } from "./renderings.ts";
import { NEXT_SEARCH_ID, writeRow } from "./search-index.ts";
import { giveTerms, termsFit, type GivenTerms } from "../terms/assigning.ts";
import { all, bare, insertInto, type Statement } from "../core/sql.ts";

/** The writable fields of an article. */
export type ArticleFields = Pick<
  ArticleRecord,
  "title" | "description" | "content" | "slug" | "locale" | "coverUrl" | "published"
> & {
  publishTime?: string | undefined;
  /** As it is stored: JSON text, or null ({@link storedSeo}). */
  seo?: string | null | undefined;
};

export type NewArticle = Omit<ArticleFields, "slug" | "locale"> & {
  readonly blogId?: string | undefined;
  readonly locale?: string | undefined;
  /** `given`: this slug must be free. `derived`: if this one is taken, a suffix makes it unique. */
  readonly slug: { readonly given: string } | { readonly derived: string };
  /** What the slug is to have. A translation that is given none has those that its slug has already. */
  readonly terms?: GivenTerms;
};

/** What else a creation checks and changes in the same transaction. */
export type Extras = {
  /** The operation for the audit log; `articles.create` by default. */
  readonly action?: string;
  /** How the article came about; undefined for one that a person wrote. */
  readonly origin?: GeneratedOrigin;
  /** A further precondition, and the error if it does not hold. */
  readonly condition?: { readonly holds: SQL; readonly refusal: () => DomainError };
  /** Further statements, which run after the article's own. Each must check the licence. */
  readonly change?: (licence: Licence, articleId: string) => readonly Statement[];
  /** The response to store for an idempotent call, if it is more than the article. */
  readonly answer?: (articleId: string) => Pick<Write, "answer" | "answerContent">;
};

/**
 * Stores a new article and its event `article.created`, and returns the article. Throws `blog_required`,
 * `blog_forbidden`, `quota_exceeded`, `slug_taken`, an error on `locale` if the blog has too many locales, and the
 * error of `extras.condition`.
 */
export async function storeArticle(
  writer: Writer,
  article: NewArticle,
  extras: Extras = {},
): Promise<Versioned<ArticleRecord>> {
  const licence = newLicence(writer);
  const id = newId();
  const target = targetBlog(writer, article.blogId);
  const locale = sql`coalesce(${article.locale ?? null}, ${blogs.locales} ->> '$[0]')`;
  const bytes = bytesOf(article);
  const given = article.terms ?? {};
  const fit = termsFit(given, sql`${blogs.id}`);
  const answer = extras.answer?.(id) ?? answerOf(id, article.content);
  const rendering = storeRendering(writer, id, await renderContent(article.content), licence);
  const outcome = await commit(writer, licence, {
    action: extras.action ?? "articles.create",
    resourceId: id,
    blogId: sql`${blogs.id}`,
    where: sql`from ${blogs} where ${all(
      target.is,
      article.published && localeFits(locale),
      "given" in article.slug && sql`not ${slugTaken(sql`${article.slug.given}`, locale)}`,
      articleFits(writer, bytes),
      ...fit,
      extras.condition?.holds,
    )}`,
    change: ({ held }) => ({
      before: [rendering],
      returning: insertArticle(article, extras.origin, { id, locale, licence, where: all(target.is, held) }),
      again: () => wholeArticle(id),
      after: [
        writeRow(id, writer.organizationId, article, licence.id),
        ...(article.published ? [addLocale(id, licence)] : []),
        ...giveTerms(id, given, licence),
        ...(extras.change?.(licence, id) ?? []),
      ],
    }),
    event: tells("article.created", sql`${articles.id} = ${id}`),
    ...answer,
    diagnose: sql<Diagnosed>`select f.*, ${extras.condition?.holds ?? sql`true`} as "condition", ${usageOf(writer)} as "usage",
        ${all(...termsFit(given, sql`f.id`), sql`true`)} as "termsFit"
      from (${target.found}) f`,
  });
  if (outcome.refused) {
    const full = (usage: string) => quotaRefusal(writer, usage, { articles: 1, articleBytes: bytes });
    throw creationRefusal(target.one(outcome.diagnosis), article, { ...extras, full });
  }
  return toArticle(outcome.row);
}

type Diagnosed = {
  readonly locales: string;
  readonly condition: number;
  readonly usage: string;
  readonly termsFit: number;
};

function creationRefusal(
  blog: Diagnosed,
  { locale, published }: NewArticle,
  { condition, full }: Pick<Extras, "condition"> & { full: (usage: string) => DomainError | null },
): DomainError {
  if (blog.condition === 0 && condition) return condition.refusal();
  if (blog.termsFit === 0) return new DomainError("term_limit");
  return full(blog.usage) ?? conflict(blog, published ? locale : undefined);
}

const INTO_ARTICLES = insertInto(articles, [
  "id",
  "organizationId",
  "blogId",
  "title",
  "description",
  "content",
  "slug",
  "locale",
  "coverUrl",
  "published",
  "publicTime",
  "version",
  "creationTime",
  "lastEditTime",
  "searchId",
  "indexedVersion",
  "publishTime",
  "origin",
  "seo",
]);

/**
 * Returns the INSERT of an article. Its column lists are constants, composed once, because it is the most frequent one.
 */
function insertArticle(
  article: NewArticle,
  origin: GeneratedOrigin | undefined,
  { id, locale, licence, where }: { id: string; locale: SQL; licence: Licence; where: SQL },
): SQL<ArticleRow> {
  const { id: version, time } = licence;
  const slug =
    "given" in article.slug
      ? sql`${article.slug.given}`
      : firstFree(
          article.slug.derived,
          id,
          (candidate) => sql`(${slugTaken(candidate, locale)} or ${isFormer(candidate, locale)})`,
        );
  return sql<ArticleRow>`${INTO_ARTICLES} select ${id}, ${blogs.organizationId}, ${blogs.id}, ${article.title},
      ${article.description}, ${article.content}, ${slug}, ${locale}, ${article.coverUrl}, ${Number(article.published)},
      ${article.published ? time : null}, ${version}, ${time}, ${time}, ${NEXT_SEARCH_ID}, ${version},
      ${article.publishTime ?? (article.published ? time : null)}, ${origin ? JSON.stringify(origin) : null},
      ${article.seo ?? null}
    from ${blogs} where ${where} returning ${RETURNED_ARTICLE}`;
}

/**
 * The locale in which a write publishes an article. `isNew` is the condition, on the article's row before the write,
 * that the article is not yet published in this locale.
 */
export type Appearance = { readonly locale: SQL; readonly isNew: SQL };

const CREATED: Appearance = { locale: sql`${articles.locale}`, isNew: sql`true` };

/**
 * Returns the statement that adds the locale of a published article to the locales of its blog. Do not run it for a
 * draft, because the blog's locales are public. In an update it must run before the change: `isNew` needs the old row.
 */
export function addLocale(articleId: string, licence: Licence, { locale, isNew }: Appearance = CREATED): SQL {
  return sql`update ${blogs} set ${bare(blogs.locales)} = json_insert(${blogs.locales}, '$[#]', ${locale}),
      ${bare(blogs.version)} = ${licence.id}, ${bare(blogs.lastEditTime)} = ${licence.time}
    from ${articles} where ${articles.id} = ${articleId} and ${blogs.id} = ${articles.blogId} and ${licence.held}
      and ${isNew} and not exists (select 1 from json_each(${blogs.locales}) where value = ${locale})`;
}

/** Returns the query of an article's row. */
export const wholeArticle = (id: string): SQL<ArticleRow> =>
  sql<ArticleRow>`select ${articleColumns(undefined)} from ${articles} where ${articles.id} = ${id}`;

/**
 * Returns the response to store for an idempotent call that writes an article. `sent` is the content in the request. It
 * is not stored a second time, because the response is replayed only to a request with the same content.
 */
export function answerOf(id: string, sent: string | undefined): Pick<Write, "answer" | "answerContent"> {
  const stored = sql`from ${articles} where ${articles.id} = ${id}`;
  return {
    answer: sql`(select ${articleAnswer} ${stored})`,
    ...(!sent && { answerContent: sql`(select ${articles.content} ${stored})` }),
  };
}

/**
 * Returns the condition that the writer may touch an article: it is the organization's, and in the pinned blog if any.
 */
export function own(writer: Pick<Writer, "organizationId" | "pinnedBlogId">): SQL {
  return all(
    sql`${articles.organizationId} = ${writer.organizationId}`,
    writer.pinnedBlogId !== null && sql`${articles.blogId} = ${writer.pinnedBlogId}`,
  );
}

/** Returns the condition that an article has this id and the writer may touch it. */
export const ownArticle = (writer: Pick<Writer, "organizationId" | "pinnedBlogId">, id: string): SQL =>
  all(sql`${articles.id} = ${id}`, own(writer));

/** Returns the event of a write to an article. `which` is the condition that selects the article. */
export function tells(kind: EventKind, which: SQL): NewEvent {
  return { kind, blogId: sql`${articles.blogId}`, data: articleEventData, from: sql`from ${articles} where ${which}` };
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
 * otherwise `slug_taken`. `locale` is the locale in which the article would be published; undefined for a draft.
 */
export function conflict(blog: { readonly locales: string }, locale: string | undefined): DomainError {
  const locales = JSON.parse(blog.locales) as string[];
  const full = locale !== undefined && locales.length >= LIMITS.locales && !locales.includes(locale);
  return full
    ? invalidField("locale", `the blog already has ${LIMITS.locales} locales`)
    : new DomainError("slug_taken");
}

/** Returns the condition, on a row of `blogs`, that a new article cannot get this slug in this locale. */
function slugTaken(slug: SQL, locale: SQL): SQL {
  const blogId = sql`${blogs.id}`;
  return sql`(exists (select 1 from ${articles} where ${articles.blogId} = ${blogId} and ${articles.slug} = ${slug}
    and ${articles.locale} = ${locale}) or ${slugFull(blogId, slug)})`;
}

/**
 * Returns the condition, on a row of `blogs`, that this is a former slug of an article. One that is only derived must not
 * take it: the links to that article would end.
 */
const isFormer = (slug: SQL, locale: SQL): SQL =>
  sql`exists (select 1 from ${movedSlugs} where ${movedSlugs.blogId} = ${blogs.id} and ${movedSlugs.slug} = ${slug}
    and ${movedSlugs.locale} = ${locale})`;

/**
 * Returns the condition that a blog has `LIMITS.translations` articles with this slug. They are translations of each
 * other, and one response lists all of them.
 */
export const slugFull = (blogId: SQL, slug: SQL): SQL =>
  sql`(select count(*) from (select 1 from ${articles} ${same} where ${same.blogId} = ${blogId}
    and ${same.slug} = ${slug} limit ${LIMITS.translations})) = ${LIMITS.translations}`;

/** An alias of the table, for articles other than the one that the outer statement selects. */
const same = alias(articles, "same");
