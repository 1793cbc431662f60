import { sql, type SQL } from "drizzle-orm";
import { fillTexts, type TextName } from "../../domain/article-fields.ts";
import { DomainError } from "../../domain/errors.ts";
import type { GeneratedOrigin } from "../../domain/origin.ts";
import { newId } from "../../lib/ids.ts";
import { ARTICLE_ROW, toArticle, type ArticleRecord, type ArticleRow } from "./rows.ts";
import {
  addLocale,
  buildAnswer,
  makeConflictError,
  localeFits,
  isSlugFull,
  buildArticleEvent,
  explainTaken,
  selectArticle,
} from "./conditions.ts";
import { commit, makeLicense, type License, type Write } from "../core/commit.ts";
import { getAuditKind, type Writer } from "../core/writer.ts";
import type { Versioned } from "../core/paging.ts";
import { pickFirstFree, type Optional } from "../core/preconditions.ts";
import { articleFits, countBytes, checkQuota, selectUsage } from "../core/quota.ts";
import { resolveTargetBlog } from "../core/reach.ts";
import { articles } from "../../schema/articles.ts";
import { blogs } from "../../schema/blogs.ts";
import { isBeyondDraft, isFormerSlug, listNewDraftConditions } from "./drafts-only.ts";
import { originateArticle } from "./origins.ts";
import { makeRendering, storeRendering, type MadeRendering } from "./renderings.ts";
import { selectFirstUnmet, type Condition } from "./update-conditions.ts";
import { NEXT_SEARCH_ID, writeIndexRow } from "./search-index.ts";
import { listTopicConditions, useTopic } from "../topics/using.ts";
import { assignTerms, termsFit, type GivenTerms } from "../terms/assigning.ts";
import { joinAnd, insertWhere, type Statement } from "../core/sql.ts";

/** The writable fields of an article, as they are stored. */
export type ArticleFields = Record<TextName, string> & {
  published: boolean;
  publishTime?: string | undefined;
  /** JSON text, or null (`serializeSeo` in domain/seo.ts). */
  seo?: string | null | undefined;
};

/** A new article. Omitted texts are empty. */
export type NewArticle = Optional<Omit<ArticleFields, "slug">> & {
  readonly blogId?: string | undefined;
  /** `given`: this slug must be free. `derived`: a suffix makes it unique if it is taken. */
  readonly slug: { readonly given: string } | { readonly derived: string };
  /** The terms to assign to the slug. Without them, a translation has those that its slug already has. */
  readonly terms?: GivenTerms;
  /** The topic idea that it is about, which becomes `used`. */
  readonly topicId?: string | undefined;
};

/** What else a creation checks and changes in the same transaction. */
export type Extras = {
  /** The operation for the audit log; `articles.create` by default. */
  readonly action?: string;
  /** How a generated article came about; undefined if a person wrote it. */
  readonly origin?: GeneratedOrigin;
  readonly conditions?: readonly Condition[] | undefined;
  /** Further statements, which run after the article's own. Each must check the license. */
  readonly change?: (license: License, articleId: string) => readonly Statement[];
  /** The response to store for an idempotent call, if it is more than the article. */
  readonly answer?: (articleId: string) => Pick<Write, "answer" | "answerContent">;
};

/**
 * Stores a new article and its event `article.created`, and returns the article. Throws `blog_required`,
 * `blog_forbidden`, `quota_exceeded`, `slug_taken`, `term_limit`, `topic_used`, an error on `locale` if the blog has too many
 * locales, and the errors of `extras.conditions`.
 */
export async function createArticle(
  writer: Writer,
  article: NewArticle,
  extras: Extras = {},
): Promise<Versioned<ArticleRecord>> {
  const license = makeLicense(writer);
  const id = newId();
  const target = resolveTargetBlog(writer, article.blogId);
  const locale = sql`coalesce(${article.locale ?? null}, ${blogs.locales} ->> '$[0]')`;
  const { slug, terms: given = {}, topicId, ...fields } = article;
  const texts = fillTexts(fields);
  const bytes = countBytes({ ...texts, seo: fields.seo });
  const fit = termsFit(given, sql`${blogs.id}`);
  const further = listFurtherConditions(writer, article, { ...extras, locale });
  const conditions = further.map(({ holds }) => holds);
  const made = await makeRendering(texts.content);
  const inserted = { ...made, ...extras, id, locale, license };
  const outcome = await commit<ArticleRow, Diagnosed>(writer, license, {
    action: extras.action ?? "articles.create",
    resourceId: id,
    blogId: sql`${blogs.id}`,
    where: sql`from ${blogs} where ${joinAnd(
      target.is,
      article.published === true && localeFits(locale),
      "given" in slug && sql`not ${isSlugTaken(sql`${slug.given}`, locale)}`,
      articleFits(writer, bytes),
      ...fit,
      ...conditions,
    )}`,
    change: ({ held }) => ({
      before: [storeRendering(writer, id, made, license)],
      returning: insertArticle(writer, article, { ...inserted, where: joinAnd(target.is, held) }),
      again: () => selectArticle(id),
      after: [
        writeIndexRow(id, writer.organizationId, { ...texts, text: made.text }, license.id),
        ...(article.published ? addLocale(id, license) : []),
        ...assignTerms(id, given, license),
        ...useTopic(writer, topicId, { articleId: id, license }),
        ...(extras.change?.(license, id) ?? []),
      ],
    }),
    event: buildArticleEvent("article.created", sql`${articles.id} = ${id}`),
    ...(extras.answer?.(id) ?? buildAnswer(id, texts.content)),
    diagnose: sql<Diagnosed>`select ${blogs}.*, ${selectFirstUnmet(conditions)} as "unmet", ${selectUsage(writer)} as "usage",
        ${joinAnd(...fit, sql`true`)} as "termsFit"
      from (${target.found}) ${blogs}`,
  });
  if (!outcome.refused) return toArticle(outcome.row);
  throw await explainRefusal(writer, target.requireOne(outcome.diagnosis), article, { further, bytes });
}

const listFurtherConditions = (
  writer: Writer,
  article: NewArticle,
  { locale, conditions = [] }: Pick<Extras, "conditions"> & { readonly locale: SQL },
): Condition[] => [
  ...listNewDraftConditions(writer, article, locale),
  ...listTopicConditions(writer, article.topicId),
  ...conditions,
];

type Diagnosed = {
  readonly id: string;
  readonly locales: string;
  /** The index of the first further condition that did not hold; null if all did. */
  readonly unmet: number | null;
  readonly usage: string;
  readonly termsFit: number;
};

async function explainRefusal(
  writer: Writer,
  blog: Diagnosed,
  { slug, locale, published }: NewArticle,
  { further, bytes }: { further: readonly Condition[]; bytes: number },
): Promise<DomainError> {
  const unmet = blog.unmet === null ? undefined : further[blog.unmet];
  if (unmet !== undefined) return unmet.refusal;
  if (blog.termsFit === 0) return new DomainError("term_limit");
  const full = checkQuota(writer, blog.usage, { articles: 1, articleBytes: bytes });
  const refused = full ?? makeConflictError(blog, published ? locale : undefined);
  const [first = ""] = JSON.parse(blog.locales) as string[];
  return explainTaken(writer, refused, {
    blogId: blog.id,
    slug: "given" in slug ? slug.given : undefined,
    locale: locale ?? first,
  });
}

function insertArticle(
  writer: Writer,
  { slug, ...article }: NewArticle,
  {
    id,
    locale,
    packed,
    license,
    origin,
    where,
  }: { id: string; locale: SQL; license: License; where: SQL } & Pick<MadeRendering, "packed"> & Extras,
) {
  const { id: version, time } = license;
  const isTaken = (candidate: SQL) => sql`(${isSlugTaken(candidate, locale)}
    or ${isFormerSlug(blogs.id, { slug: candidate, locale })} or ${isBeyondDraft(writer, article, candidate)})`;
  const { published = false, publishTime = published ? time : null, seo } = article;
  const row = {
    ...fillTexts(article),
    id,
    organizationId: blogs.organizationId,
    blogId: blogs.id,
    slug: "given" in slug ? slug.given : pickFirstFree(slug.derived, id, isTaken),
    locale,
    packed,
    seo,
    published: Number(published),
    publicTime: published ? time : null,
    publishTime,
    searchId: NEXT_SEARCH_ID,
    indexedVersion: version,
    origin: origin ?? originateArticle(writer, time),
    creator: { kind: getAuditKind(writer.actor), id: writer.actor.id },
    version,
    creationTime: time,
    lastEditTime: time,
  };
  return insertWhere(articles, row, sql`from ${blogs} where ${where}`).returning(ARTICLE_ROW);
}

/** Returns the condition, on a row of `blogs`, that a new article cannot get this slug in this locale. */
export function isSlugTaken(slug: SQL, locale: SQL): SQL {
  const blogId = sql`${blogs.id}`;
  return sql`(exists (select 1 from ${articles} where ${articles.blogId} = ${blogId} and ${articles.slug} = ${slug}
    and ${articles.locale} = ${locale}) or ${isSlugFull(blogId, slug)})`;
}
