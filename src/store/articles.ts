/** An organization's articles. */
import { sql, type SQL } from "drizzle-orm";
import { DomainError } from "../errors.ts";
import { articlePage, readArticlePage, type PageRow } from "./article-pages.ts";
import {
  articleColumns,
  RETURNED_ARTICLE,
  toArticle,
  type ArticleQuery,
  type ArticleRecord,
  type ArticleRow,
} from "./article-rows.ts";
import {
  addLocale,
  answerOf,
  conflict,
  localeFits,
  own,
  storeArticle,
  tells,
  type ArticleFields,
  type NewArticle,
} from "./article-writing.ts";
import { commit, newLicence, type Licence, type Writer } from "./commit.ts";
import { media, topics } from "./ideas-schema.ts";
import type { Page, Versioned } from "./paging.ts";
import { holds, refusal, versionIn, type IfMatch, type Optional, type Preconditions } from "./preconditions.ts";
import { articleByName, openPublishedStore, type ArticleName } from "./published.ts";
import { ownBlogId } from "./reach.ts";
import { articles, blogs } from "./schema.ts";
import { all, assignments, firstRow, readerOf, transaction } from "./sql.ts";

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
export const createArticle = (writer: Writer, article: NewArticle): Promise<Versioned<ArticleRecord>> =>
  storeArticle(writer, article);

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
    change: ({ held }) => [
      // A translation shows the same images: they become its own. Else they go too, with the minute's sweep.
      sql`update ${media} set article_id = (select t.id from ${articles} a join ${articles} t
          on t.blog_id = a.blog_id and t.slug = a.slug and t.id <> a.id where a.id = ${id} order by t.id limit 1)
        where ${all(sql`article_id = ${id}`, held)}`,
      sql`update ${topics} set article_id = null, version = ${licence.id}, last_edit_time = ${licence.time}
        where ${all(sql`article_id = ${id}`, held)}`,
      sql`delete from ${articles} where ${all(sql`id = ${id}`, held)}`,
    ],
    answer: sql`json_object('value', json_object('_id', ${id}))`,
    diagnose: sql`select ${articles.id} from ${articles} where ${target}`,
  });
  if (!("refused" in outcome)) return;
  throw new DomainError(outcome.diagnosis.length > 0 ? "precondition_failed" : "not_found");
}

function slugStaysFree(fields: ArticleChange["fields"]): SQL | undefined {
  if (fields.slug === undefined && fields.locale === undefined) return undefined;
  return sql`not exists (select 1 from ${articles} x where x.blog_id = ${articles.blogId}
    and x.slug = ${fields.slug ?? articles.slug} and x.locale = ${fields.locale ?? articles.locale}
    and x.id <> ${articles.id})`;
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
