/** An organization's articles. */
import { sql, type SQL } from "drizzle-orm";
import { DomainError, invalidField } from "../errors.ts";
import { newId } from "../lib/ids.ts";
import { LIMITS } from "../lib/limits.ts";
import { articlePage, readArticlePage, type PageRow } from "./article-pages.ts";
import {
  articleAnswer,
  articleColumns,
  articleEventData,
  RETURNED_ARTICLE,
  toArticle,
  type ArticleQuery,
  type ArticleRecord,
  type ArticleRow,
} from "./article-rows.ts";
import type { Page, Versioned } from "./paging.ts";
import { commit, newLicence, type EventKind, type Licence, type NewEvent, type Write, type Writer } from "./commit.ts";
import {
  firstFree,
  holds,
  refusal,
  versionIn,
  type IfMatch,
  type Optional,
  type Preconditions,
} from "./preconditions.ts";
import { articleByName, openPublishedStore, type ArticleName } from "./published.ts";
import { articles, blogs } from "./schema.ts";
import { all, assignments, firstRow, insertInto, readerOf, transaction } from "./sql.ts";
import { onlyBlogOr, ownBlogId } from "./reach.ts";

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

export type ArticleChange = Preconditions<ReadOnly> & {
  readonly id: string;
  readonly fields: Optional<ArticleFields>;
};

/** A page of a blog's articles: drafts too in an own blog, published ones in another's. */
export async function listArticles(writer: Writer, query: ArticleQuery): Promise<Page<Partial<ArticleRecord>>> {
  const foreignBlogId = sql`(select id from ${blogs}
    where id = ${query.blogId} and organization_id <> ${writer.organizationId})`;
  const pages = [
    articlePage(query, ownBlogId(writer, query.blogId)),
    ...(query.published === false ? [] : [articlePage({ ...query, published: true }, foreignBlogId)]),
  ];
  const readRows = async () => (await transaction(writer.db, pages)).flat() as PageRow[];
  return readArticlePage(query, readRows, readerOf(writer.db));
}

/** One article: of the own organization first, else a published one of another; or null. */
export async function findArticle(
  writer: Writer,
  name: ArticleName,
): Promise<Versioned<Partial<ArticleRecord>> | null> {
  const candidates = all(
    sql`x.organization_id = ${writer.organizationId}`,
    writer.pinnedBlogId !== null && sql`x.blog_id = ${writer.pinnedBlogId}`,
  );
  const row = await firstRow<ArticleRow>(
    writer.db,
    articleByName(name, { visible: own(writer), candidates, since: sql`x.creation_time` }),
  );
  if (row !== null) return toArticle(row);
  return writer.pinnedBlogId === null ? openPublishedStore(readerOf(writer.db)).findArticle(name) : null;
}

/** Stores a new article with its `article.created`. */
export async function createArticle(writer: Writer, article: NewArticle): Promise<Versioned<ArticleRecord>> {
  const licence = newLicence(writer);
  const id = newId();
  const target = onlyBlogOr(writer.organizationId, article.blogId ?? writer.pinnedBlogId ?? undefined);
  const locale = sql`coalesce(${article.locale ?? null}, ${blogs.locales} ->> '$[0]')`;
  const outcome = await commit(writer, licence, {
    action: "articles.create",
    resourceId: id,
    blogId: sql`${blogs.id}`,
    where: sql`from ${blogs} where ${all(
      target.is,
      localeFits(locale),
      "given" in article.slug && sql`not ${slugTaken(sql`${article.slug.given}`, locale)}`,
    )}`,
    change: ({ held }) => [insertArticle(article, id, locale, licence, all(target.is, held)), addLocale(id, licence)],
    event: tells("article.created", sql`${articles.id} = ${id}`),
    ...answerOf(id),
    diagnose: target.found,
  });
  if ("refused" in outcome)
    throw target.refusal(outcome.diagnosis) ?? conflict(outcome.diagnosis[0] as { locales: string }, article.locale);
  return toArticle(outcome.rows[0]?.[0] as ArticleRow);
}

/** Changes the given members of an article and stores its `article.updated`. */
export async function updateArticle(writer: Writer, change: ArticleChange): Promise<Versioned<ArticleRecord>> {
  const licence = newLicence(writer);
  const target = all(sql`${articles.id} = ${change.id}`, own(writer));
  const free = slugStaysFree(change.fields);
  const { locale } = change.fields;
  const fits =
    locale !== undefined &&
    // One that it has already is no reason to look at the blog's.
    sql`(${articles.locale} = ${locale} or exists (select 1 from ${blogs}
      where ${blogs.id} = ${articles.blogId} and ${localeFits(locale)}))`;
  const outcome = await commit(writer, licence, {
    action: "articles.update",
    resourceId: change.id,
    blogId: sql`${articles.blogId}`,
    where: sql`from ${articles} where ${all(target, free, fits, ...holds(change, articles.version, READ_ONLY))}`,
    change: ({ held }) => [
      ...(locale === undefined ? [] : [addLocale(change.id, licence, sql`${locale}`)]),
      sql`update ${articles} set ${assignments(articles, {
        ...change.fields,
        published: change.fields.published === undefined ? undefined : Number(change.fields.published),
        publicTime: publicSince(change.fields, licence),
        version: licence.id,
        lastEditTime: licence.time,
      })} where ${all(sql`id = ${change.id}`, held)} returning ${RETURNED_ARTICLE}`,
    ],
    event: tells("article.updated", target),
    ...answerOf(change.id),
    diagnose: sql`select ${articleColumns(["blogId", "creationTime", "lastEditTime"])}, ${blogs.locales}
      from ${articles} join ${blogs} on ${blogs.id} = ${articles.blogId} where ${target}`,
  });
  if ("refused" in outcome) throw updateRefusal(outcome.diagnosis[0], change);
  return toArticle(outcome.rows.at(-1)?.[0] as ArticleRow);
}

/** Removes an article and stores its `article.deleted`, which tells of it as it last was. */
export async function deleteArticle(writer: Writer, id: string, ifMatch: IfMatch | undefined): Promise<void> {
  const licence = newLicence(writer);
  const target = all(sql`${articles.id} = ${id}`, own(writer));
  const outcome = await commit(writer, licence, {
    action: "articles.delete",
    resourceId: id,
    blogId: sql`${articles.blogId}`,
    where: sql`from ${articles} where ${all(target, ...versionIn(articles.version, ifMatch))}`,
    eventFirst: true,
    event: tells("article.deleted", target),
    change: ({ held }) => [sql`delete from ${articles} where ${all(sql`id = ${id}`, held)}`],
    answer: sql`json_object('value', json_object('_id', ${id}))`,
    diagnose: sql`select ${articles.id} from ${articles} where ${target}`,
  });
  if (!("refused" in outcome)) return;
  throw new DomainError(outcome.diagnosis.length > 0 ? "precondition_failed" : "not_found");
}

function answerOf(id: string): Pick<Write, "answer" | "answerContent"> {
  const stored = sql`from ${articles} where ${articles.id} = ${id}`;
  return {
    answer: sql`(select ${articleAnswer} ${stored})`,
    answerContent: sql`(select ${articles.content} ${stored})`,
  };
}

/** What the writer may touch: its organization's articles, for a pinned credential its blog's. */
function own(writer: Writer): SQL {
  return all(
    sql`${articles.organizationId} = ${writer.organizationId}`,
    writer.pinnedBlogId !== null && sql`${articles.blogId} = ${writer.pinnedBlogId}`,
  );
}

function tells(kind: EventKind, which: SQL): NewEvent {
  return { kind, blogId: sql`${articles.blogId}`, data: articleEventData, from: sql`from ${articles} where ${which}` };
}

/** A blog has so many locales at most: it could not be sent back otherwise. */
function localeFits(locale: SQL | string): SQL {
  return sql`(json_array_length(${blogs.locales}) < ${LIMITS.locales}
    or exists (select 1 from json_each(${blogs.locales}) where value = ${locale}))`;
}

/** Why a slug and a locale that were asked for cannot be had in a blog of these locales. */
function conflict(blog: { readonly locales: string }, locale: string | undefined): DomainError {
  const locales = JSON.parse(blog.locales) as string[];
  const full = locale !== undefined && locales.length >= LIMITS.locales && !locales.includes(locale);
  return full
    ? invalidField("locale", `the blog has ${LIMITS.locales} locales already`)
    : new DomainError("slug_taken");
}

function slugTaken(slug: SQL, locale: SQL): SQL {
  return sql`exists (select 1 from ${articles} x
    where x.blog_id = ${blogs.id} and x.slug = ${slug} and x.locale = ${locale})`;
}

function slugStaysFree(fields: ArticleChange["fields"]): SQL | undefined {
  if (fields.slug === undefined && fields.locale === undefined) return undefined;
  return sql`not exists (select 1 from ${articles} x where x.blog_id = ${articles.blogId}
    and x.slug = ${fields.slug ?? articles.slug} and x.locale = ${fields.locale ?? articles.locale}
    and x.id <> ${articles.id})`;
}

function insertArticle(article: NewArticle, id: string, locale: SQL, licence: Licence, where: SQL): SQL {
  const { into, values } = insertInto(articles, {
    id,
    organizationId: sql`${blogs.organizationId}`,
    blogId: sql`${blogs.id}`,
    title: article.title,
    description: article.description,
    content: article.content,
    slug:
      "given" in article.slug
        ? article.slug.given
        : firstFree(article.slug.derived, id, (slug) => slugTaken(slug, locale)),
    locale,
    coverUrl: article.coverUrl,
    published: Number(article.published),
    publicTime: article.published ? licence.time : null,
    version: licence.id,
    creationTime: licence.time,
    lastEditTime: licence.time,
  });
  return sql`${into} select ${values} from ${blogs} where ${where} returning ${RETURNED_ARTICLE}`;
}

/** A published article keeps its place under a slug for as long as it keeps slug, locale and publication. */
function publicSince({ published, slug, locale }: ArticleChange["fields"], licence: Licence): SQL | undefined {
  if (published === undefined && slug === undefined && locale === undefined) return undefined;
  const stays = all(
    sql`published = 1`,
    slug !== undefined && sql`slug = ${slug}`,
    locale !== undefined && sql`locale = ${locale}`,
  );
  const isPublished = published === undefined ? sql`published = 1` : sql`${Number(published)} = 1`;
  return sql`case when ${isPublished} then case when ${stays} then public_time else ${licence.time} end end`;
}

/** An article in a new locale adds it to its blog; one that moves to another does so before it moves. */
function addLocale(articleId: string, licence: Licence, next?: SQL): SQL {
  const locale = next ?? sql`a.locale`;
  const moves = next === undefined ? sql`true` : sql`a.locale <> ${next}`;
  return sql`update ${blogs} set locales = json_insert(locales, '$[#]', ${locale}), version = ${licence.id},
      last_edit_time = ${licence.time}
    from ${articles} a where a.id = ${articleId} and ${blogs.id} = a.blog_id and ${licence.held} and ${moves}
      and not exists (select 1 from json_each(${blogs.locales}) where value = ${locale})`;
}

type ReadOnly = Pick<ArticleRecord, "blogId" | "creationTime" | "lastEditTime">;

const READ_ONLY = {
  blogId: articles.blogId,
  creationTime: articles.creationTime,
  lastEditTime: articles.lastEditTime,
} as const;

function updateRefusal(found: unknown, change: ArticleChange): DomainError {
  if (found === undefined) return new DomainError("not_found");
  const row = found as ReadOnly & { rowVersion: string; locales: string };
  return refusal(change, row) ?? conflict(row, change.fields.locale);
}
