/** What writing articles is made of: the creation, and the parts that updates and deletions share with it. */
import { sql, type SQL } from "drizzle-orm";
import { alias } from "drizzle-orm/sqlite-core";
import { DomainError, invalidField } from "../../errors.ts";
import type { EventKind } from "../../domain/events.ts";
import { newId } from "../../lib/ids.ts";
import { LIMITS } from "../../domain/limits.ts";
import {
  articleAnswer,
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
import { articles } from "./schema.ts";
import { blogs } from "../blogs/schema.ts";
import { addRow, noteNew } from "./search-index.ts";
import { all, bare, insertInto, type Statement } from "../core/sql.ts";

/** What may be written of an article. */
export type ArticleFields = Pick<
  ArticleRecord,
  "title" | "description" | "content" | "slug" | "locale" | "coverUrl" | "published"
>;

export type NewArticle = Omit<ArticleFields, "slug" | "locale"> & {
  readonly blogId?: string | undefined;
  readonly locale?: string | undefined;
  /** A slug that must be free, or one to be made free with a suffix. */
  readonly slug: { readonly given: string } | { readonly derived: string };
};

/** What else a creation asks for and changes, in the same transaction. */
export type Extras = {
  /** The operation, for the audit log. */
  readonly action?: string;
  /** A further condition, and the refusal where it is what does not hold. */
  readonly condition?: { readonly holds: SQL; readonly refusal: () => DomainError };
  /** Statements after the article's own, each guarded by the licence. */
  readonly change?: (licence: Licence, articleId: string) => readonly Statement[];
  /** The answer of an idempotent call, where it is more than the article. */
  readonly answer?: (articleId: string) => Pick<Write, "answer" | "answerContent">;
};

/** Stores a new article with its `article.created`. */
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
  const answer = extras.answer?.(id) ?? answerOf(id, article.content);
  const outcome = await commit(writer, licence, {
    action: extras.action ?? "articles.create",
    resourceId: id,
    blogId: sql`${blogs.id}`,
    where: sql`from ${blogs} where ${all(
      target.is,
      article.published && localeFits(locale),
      "given" in article.slug && sql`not ${slugTaken(sql`${article.slug.given}`, locale)}`,
      articleFits(writer, bytes),
      extras.condition?.holds,
    )}`,
    change: ({ held }) => ({
      before: [noteNew(id, writer.organizationId, licence)],
      returning: insertArticle(article, id, locale, licence, all(target.is, held)),
      after: [
        addRow(id, writer.organizationId, article, licence.id),
        ...(article.published ? [addLocale(id, licence)] : []),
        ...(extras.change?.(licence, id) ?? []),
      ],
    }),
    event: tells("article.created", sql`${articles.id} = ${id}`),
    ...answer,
    diagnose: sql<Diagnosed>`select f.*, ${extras.condition?.holds ?? sql`true`} as "condition", ${usageOf(writer)} as "usage"
      from (${target.found}) f`,
  });
  if (outcome.refused) {
    const full = (usage: string) => quotaRefusal(writer, usage, { articles: 1, articleBytes: bytes });
    throw creationRefusal(target.one(outcome.diagnosis), article, { ...extras, full });
  }
  return toArticle(outcome.row);
}

type Diagnosed = { readonly locales: string; readonly condition: number; readonly usage: string };

function creationRefusal(
  blog: Diagnosed,
  { locale, published }: NewArticle,
  { condition, full }: Pick<Extras, "condition"> & { full: (usage: string) => DomainError | null },
): DomainError {
  if (blog.condition === 0 && condition) return condition.refusal();
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
]);

/** By far the most frequent insert: its columns and what it returns are composed once. */
function insertArticle(
  article: NewArticle,
  id: string,
  locale: SQL,
  { id: version, time }: Licence,
  where: SQL,
): SQL<ArticleRow> {
  const slug =
    "given" in article.slug
      ? sql`${article.slug.given}`
      : firstFree(article.slug.derived, id, (candidate) => slugTaken(candidate, locale));
  return sql<ArticleRow>`${INTO_ARTICLES} select ${id}, ${blogs.organizationId}, ${blogs.id}, ${article.title},
      ${article.description}, ${article.content}, ${slug}, ${locale}, ${article.coverUrl}, ${Number(article.published)},
      ${article.published ? time : null}, ${version}, ${time}, ${time}
    from ${blogs} where ${where} returning ${RETURNED_ARTICLE}`;
}

/** The locale in which an article is published, and the condition on the article that it is the first time. */
export type Appearance = { readonly locale: SQL; readonly isNew: SQL };

const CREATED: Appearance = { locale: sql`${articles.locale}`, isNew: sql`true` };

/**
 * Adds the locale in which an article is published to those of its blog. A draft adds nothing: a blog's details
 * are public. For an update it goes before the change, as only then is it known whether the article was there before.
 */
export function addLocale(articleId: string, licence: Licence, { locale, isNew }: Appearance = CREATED): SQL {
  return sql`update ${blogs} set ${bare(blogs.locales)} = json_insert(${blogs.locales}, '$[#]', ${locale}),
      ${bare(blogs.version)} = ${licence.id}, ${bare(blogs.lastEditTime)} = ${licence.time}
    from ${articles} where ${articles.id} = ${articleId} and ${blogs.id} = ${articles.blogId} and ${licence.held}
      and ${isNew} and not exists (select 1 from json_each(${blogs.locales}) where value = ${locale})`;
}

/**
 * The answer of an idempotent call that writes an article. The content that the call sent is not kept a second time:
 * a repetition is answered only if it sends the same.
 */
export function answerOf(id: string, sent: string | undefined): Pick<Write, "answer" | "answerContent"> {
  const stored = sql`from ${articles} where ${articles.id} = ${id}`;
  return {
    answer: sql`(select ${articleAnswer} ${stored})`,
    ...(!sent && { answerContent: sql`(select ${articles.content} ${stored})` }),
  };
}

/** What the writer may touch: its organization's articles, for a pinned credential its blog's. */
export function own(writer: Writer): SQL {
  return all(
    sql`${articles.organizationId} = ${writer.organizationId}`,
    writer.pinnedBlogId !== null && sql`${articles.blogId} = ${writer.pinnedBlogId}`,
  );
}

export function tells(kind: EventKind, which: SQL): NewEvent {
  return { kind, blogId: sql`${articles.blogId}`, data: articleEventData, from: sql`from ${articles} where ${which}` };
}

/** A blog has so many locales at most: it could not be sent back otherwise. */
export function localeFits(locale: SQL): SQL {
  return sql`(json_array_length(${blogs.locales}) < ${LIMITS.locales}
    or exists (select 1 from json_each(${blogs.locales}) where value = ${locale}))`;
}

/**
 * Why a slug cannot be had in a blog of these locales, or a locale in which an article is to be published; for a
 * draft, `locale` is undefined.
 */
export function conflict(blog: { readonly locales: string }, locale: string | undefined): DomainError {
  const locales = JSON.parse(blog.locales) as string[];
  const full = locale !== undefined && locales.length >= LIMITS.locales && !locales.includes(locale);
  return full
    ? invalidField("locale", `the blog already has ${LIMITS.locales} locales`)
    : new DomainError("slug_taken");
}

function slugTaken(slug: SQL, locale: SQL): SQL {
  const blogId = sql`${blogs.id}`;
  return sql`(exists (select 1 from ${articles} where ${articles.blogId} = ${blogId} and ${articles.slug} = ${slug}
    and ${articles.locale} = ${locale}) or ${slugFull(blogId, slug)})`;
}

/** That a blog has as many articles of a slug as it may: they are listed together, as translations of each other. */
export const slugFull = (blogId: SQL, slug: SQL): SQL =>
  sql`(select count(*) from (select 1 from ${articles} ${same} where ${same.blogId} = ${blogId}
    and ${same.slug} = ${slug} limit ${LIMITS.translations})) = ${LIMITS.translations}`;

/** Articles beside those that a condition is about. */
const same = alias(articles, "same");
