import { sql, type SQL } from "drizzle-orm";
import { textsOf, type TextName } from "../../domain/article-fields.ts";
import { DomainError } from "../../domain/errors.ts";
import type { GeneratedOrigin } from "../../domain/origin.ts";
import { newId } from "../../lib/ids.ts";
import { ARTICLE_ROW, toArticle, type ArticleRecord, type ArticleRow } from "./rows.ts";
import { addLocale, answerOf, conflict, localeFits, slugFull, tells, wholeArticle } from "./conditions.ts";
import { commit, newLicence, type Licence, type Write } from "../core/commit.ts";
import { auditKind, type Writer } from "../core/writer.ts";
import type { Versioned } from "../core/paging.ts";
import { firstFree, type Optional } from "../core/preconditions.ts";
import { articleFits, bytesOf, quotaRefusal, usageOf } from "../core/quota.ts";
import { targetBlog } from "../core/reach.ts";
import { articles, movedSlugs } from "../../schema/articles.ts";
import { blogs } from "../../schema/blogs.ts";
import { renderContent, storeRendering } from "./renderings.ts";
import { NEXT_SEARCH_ID, writeRow } from "./search-index.ts";
import { giveTerms, termsFit, type GivenTerms } from "../terms/assigning.ts";
import { all, insertWhere, type Statement } from "../core/sql.ts";

/** The writable fields of an article, as they are stored. */
export type ArticleFields = Record<TextName, string> & {
  published: boolean;
  publishTime?: string | undefined;
  /** JSON text, or null (`storedSeo` in domain/seo.ts). */
  seo?: string | null | undefined;
};

/** A new article. Omitted texts are empty. */
export type NewArticle = Optional<Omit<ArticleFields, "slug">> & {
  readonly blogId?: string | undefined;
  /** `given`: this slug must be free. `derived`: a suffix makes it unique if it is taken. */
  readonly slug: { readonly given: string } | { readonly derived: string };
  /** The terms to assign to the slug. Without them, a translation has those that its slug already has. */
  readonly terms?: GivenTerms;
};

/** What else a creation checks and changes in the same transaction. */
export type Extras = {
  /** The operation for the audit log; `articles.create` by default. */
  readonly action?: string;
  /** How a generated article came about; undefined if a person wrote it. */
  readonly origin?: GeneratedOrigin;
  readonly condition?: { readonly holds: SQL; readonly refusal: () => DomainError };
  /** Further statements, which run after the article's own. Each must check the license. */
  readonly change?: (licence: Licence, articleId: string) => readonly Statement[];
  /** The response to store for an idempotent call, if it is more than the article. */
  readonly answer?: (articleId: string) => Pick<Write, "answer" | "answerContent">;
};

/**
 * Stores a new article and its event `article.created`, and returns the article. Throws `blog_required`,
 * `blog_forbidden`, `quota_exceeded`, `slug_taken`, `term_limit`, an error on `locale` if the blog has too many
 * locales, and the error of `extras.condition`.
 */
export async function createArticle(
  writer: Writer,
  article: NewArticle,
  extras: Extras = {},
): Promise<Versioned<ArticleRecord>> {
  const licence = newLicence(writer);
  const id = newId();
  const target = targetBlog(writer, article.blogId);
  const locale = sql`coalesce(${article.locale ?? null}, ${blogs.locales} ->> '$[0]')`;
  const { slug, terms: given = {}, ...fields } = article;
  const texts = textsOf(fields);
  const bytes = bytesOf({ ...texts, seo: fields.seo });
  const fit = termsFit(given, sql`${blogs.id}`);
  const answer = extras.answer?.(id) ?? answerOf(id, texts.content);
  const rendering = await renderContent(texts.content);
  const outcome = await commit<ArticleRow, Diagnosed>(writer, licence, {
    action: extras.action ?? "articles.create",
    resourceId: id,
    blogId: sql`${blogs.id}`,
    where: sql`from ${blogs} where ${all(
      target.is,
      article.published === true && localeFits(locale),
      "given" in slug && sql`not ${slugTaken(sql`${slug.given}`, locale)}`,
      articleFits(writer, bytes),
      ...fit,
      extras.condition?.holds,
    )}`,
    change: ({ held }) => ({
      before: [storeRendering(writer, id, rendering, licence)],
      returning: insertArticle(writer, article, { ...extras, id, locale, licence, where: all(target.is, held) }),
      again: () => wholeArticle(id),
      after: [
        writeRow(id, writer.organizationId, { ...texts, text: rendering.text }, licence.id),
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

function insertArticle(
  { actor }: Writer,
  { slug, ...article }: NewArticle,
  { id, locale, licence, origin, where }: { id: string; locale: SQL; licence: Licence; where: SQL } & Extras,
) {
  const { id: version, time } = licence;
  const isFree = (candidate: SQL) => sql`(${slugTaken(candidate, locale)} or ${isFormer(candidate, locale)})`;
  const { published = false, publishTime = published ? time : null, seo } = article;
  const row = {
    ...textsOf(article),
    id,
    organizationId: blogs.organizationId,
    blogId: blogs.id,
    slug: "given" in slug ? slug.given : firstFree(slug.derived, id, isFree),
    locale,
    seo,
    published: Number(published),
    publicTime: published ? time : null,
    publishTime,
    searchId: NEXT_SEARCH_ID,
    indexedVersion: version,
    origin,
    creator: { kind: auditKind(actor), id: actor.id },
    version,
    creationTime: time,
    lastEditTime: time,
  };
  return insertWhere(articles, row, sql`from ${blogs} where ${where}`).returning(ARTICLE_ROW);
}

/** Returns the condition, on a row of `blogs`, that a new article cannot get this slug in this locale. */
function slugTaken(slug: SQL, locale: SQL): SQL {
  const blogId = sql`${blogs.id}`;
  return sql`(exists (select 1 from ${articles} where ${articles.blogId} = ${blogId} and ${articles.slug} = ${slug}
    and ${articles.locale} = ${locale}) or ${slugFull(blogId, slug)})`;
}

/** Returns the condition, on `blogs`, that an article had this slug before: a derived slug must not break its links. */
const isFormer = (slug: SQL, locale: SQL): SQL =>
  sql`exists (select 1 from ${movedSlugs} where ${movedSlugs.blogId} = ${blogs.id} and ${movedSlugs.slug} = ${slug}
    and ${movedSlugs.locale} = ${locale})`;
