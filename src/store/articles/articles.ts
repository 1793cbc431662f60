/** An organization's articles: lists, reads and deletions. creating.ts creates them, updating.ts changes them. */
import { and, eq, sql, type SQL } from "drizzle-orm";
import { alias } from "drizzle-orm/sqlite-core";
import type { IfMatch } from "../../domain/preconditions.ts";
import { DomainError } from "../../domain/errors.ts";
import {
  selectArticlePage,
  readArticlePage,
  type PageRow,
  selectPageFields,
  selectListRows,
  getSortColumn,
} from "./pages.ts";
import { completeArticle, type ArticlePart, type ArticleQuery, type ArticleRow } from "./rows.ts";
import { isOwnArticle, buildArticleEvent, makeArticleNotFoundError } from "./conditions.ts";
import { isReachableArticle, selectOwnBlogId, isReachableBlog } from "../core/reach.ts";
import { commit, makeLicense } from "../core/commit.ts";
import type { Writer } from "../core/writer.ts";
import { moveToTrash } from "./trash.ts";
import { topics } from "../../schema/topics.ts";
import { type Page, type Versioned, buildBounds, parseBounds } from "../core/paging.ts";
import { matchVersion } from "../core/preconditions.ts";
import { selectByName, selectBestByName, CANDIDATES, toNameParts, type ArticleName } from "./published.ts";
import { findMovedArticle, type MovedTo } from "./moved.ts";
import { isAmong, joinAnd, builder, queryFirstRow, makeReader } from "../core/sql.ts";
import { isShown } from "../blogs/names.ts";
import { articles } from "../../schema/articles.ts";
import { blogs } from "../../schema/blogs.ts";

/** Returns a page of a blog's articles and drafts, empty if it is another organization's. Throws `invalid_cursor`. */
export function listArticles(writer: Writer, query: ArticleQuery): Promise<Page<ArticlePart>> {
  const read = makeReader(writer.db);
  const page = selectArticlePage(query, selectOwnBlogId(writer, query.blogId));
  return readArticlePage(query, () => read<PageRow>(page), read);
}

/** Returns an article within reach, or null. Published ones of other organizations are not found (contract 4.9). */
export async function findArticle(writer: Writer, name: ArticleName): Promise<Versioned<ArticlePart> | null> {
  const scope = {
    visible: isReachableArticle(writer),
    // An index lookup for each blog of the organization.
    from: sql`${blogs} cross join ${articles} ${CANDIDATES} indexed by articles_slug on ${CANDIDATES.blogId} = ${blogs.id}`,
    candidates: sql`${blogs.organizationId} = ${writer.organizationId} and ${isShown(CANDIDATES.blogId)}`,
    since: CANDIDATES.creationTime,
  };
  const { fallback, fields } = name;
  // Only in the pinned blog, if any, so that no other blog is searched for a slug.
  const parts = toNameParts({ ...name, blogId: name.blogId ?? writer.pinnedBlogId ?? undefined });
  const row = await queryFirstRow<ArticleRow>(
    writer.db,
    fallback === undefined
      ? selectByName(parts, fields, scope)
      : selectBestByName(parts, fields, { ...scope, order: fallback }),
  );
  return row && completeArticle(row, fields);
}

/** Returns the organization's published article (pinned: of the blog) that had this slug before, or null. */
export function findMoved(writer: Writer, name: Omit<ArticleName, "fields">): Promise<MovedTo | null> {
  const parts = toNameParts(name);
  const blogId = writer.pinnedBlogId ?? parts.blogId;
  return findMovedArticle(makeReader(writer.db), { ...parts, blogId }, writer.organizationId);
}

/**
 * Moves an article to the trash and stores its event `article.deleted` with the article's last state. Throws `not_found`, and
 * `precondition_failed`, also if `condition`, on a row of `articles`, does not hold.
 */
export async function deleteArticle(
  writer: Writer,
  id: string,
  ifMatch: IfMatch | undefined,
  condition?: SQL,
): Promise<void> {
  const license = makeLicense(writer);
  const target = isOwnArticle(writer, id);
  const outcome = await commit(writer, license, {
    action: "articles.delete",
    resourceId: id,
    blogId: sql`${articles.blogId}`,
    where: sql`from ${articles} where ${joinAnd(target, condition, ...matchVersion(articles.version, ifMatch))}`,
    eventFirst: true,
    event: buildArticleEvent("article.deleted", target),
    change: ({ held }) => [
      ...moveToTrash(writer, id, license),
      builder
        .update(topics)
        .set({ articleId: null, version: license.id, lastEditTime: license.time })
        .where(and(eq(topics.articleId, id), held)),
      builder.delete(articles).where(and(eq(articles.id, id), held)),
    ],
    answer: sql`json_object('value', json_object('_id', ${id}))`,
    diagnose: sql`select ${articles.id} from ${articles} where ${target}`,
  });
  if (!outcome.refused) return;
  throw outcome.diagnosis.length > 0 ? new DomainError("precondition_failed") : makeArticleNotFoundError(id);
}

export type AllArticlesQuery = Omit<ArticleQuery, "blogId" | "slug" | "tag" | "author">;

const own = alias(articles, "own");

/**
 * Returns a page of the articles of all blogs that the writer may touch, including drafts. Throws `invalid_cursor`.
 *
 * Each blog's list is an index; no index has all blogs in one order. So the query reads the first place of each blog's
 * list after the cursor, and takes as many of the leading blogs as the page has rows. From each of these it reads as
 * many places. A page of n articles of b blogs reads at most b + (n + 1)² index entries and n + 1 articles.
 */
export function listAllArticles(writer: Writer, query: AllArticlesQuery): Promise<Page<ArticlePart>> {
  const read = makeReader(writer.db);
  const page = selectPage(writer, query);
  return readArticlePage({ ...query, blogId: "" }, () => read<PageRow>(page), read);
}

function selectPage(writer: Writer, query: AllArticlesQuery): SQL {
  const { fields, sort, ids, published, locale } = query;
  if (ids !== undefined) {
    const where = joinAnd(
      isAmong(articles.id, ids),
      isReachableArticle(writer),
      published !== undefined && sql`${articles.published} = ${published ? 1 : 0}`,
      sort === "publishTime" && sql`${articles.published} = 1`,
      locale !== undefined && sql`${articles.locale} = ${locale}`,
    );
    const bounds = buildBounds(parseBounds(query), getSortColumn(sort), articles.id);
    return selectPageFields({ fields, sort }, sql`from ${articles} where ${where} ${bounds}`);
  }
  const { rows, skipped } = parseBounds(query);
  const most = rows + skipped;
  const first = sql`select ${blogs.id} as "blog", ${selectPlaces(query, sql`${blogs.id}`, sql`1`)} as "places"
    from ${blogs} where ${isReachableBlog(writer)}`;
  const nearest = sql`select "blog" from (${first}) where "places" <> '[]' order by "places" desc limit ${most}`;
  const found = sql`select place.value ->> '$[1]' from (${nearest}) nearest,
    json_each(${selectPlaces(query, sql`nearest."blog"`, sql`${most}`)}) place order by place.value desc limit ${rows} offset ${skipped}`;
  const time = getSortColumn(sort);
  return selectPageFields(
    { fields, sort },
    sql`from ${articles} where ${articles.id} in (${found}) order by ${time} desc, ${articles.id} desc`,
  );
}

/** Returns an SQL expression for the first places of a blog's list after the cursor, as JSON: `[[time, id], …]`. */
function selectPlaces(query: AllArticlesQuery, blog: SQL, most: SQL): SQL {
  const { published, locale, sort } = query;
  const { time, id } = parseBounds(query);
  const by = own[sort ?? "creationTime"];
  const where = joinAnd(
    sql`${own.blogId} = ${blog}`,
    published !== undefined && sql`${own.published} = ${published ? 1 : 0}`,
    // Not redundant: from this condition, SQLite knows that the partial index has all rows.
    sort === "publishTime" && sql`${own.published} = 1`,
    locale !== undefined && sql`${own.locale} = ${locale}`,
    time !== undefined && sql`(${by}, ${own.id}) <= (${time}, ${id})`,
  );
  const from = selectListRows(query, sql`${articles} ${own}`, "own");
  return sql`(select json_group_array(json_array("time", "id")) from (select ${by} as "time", ${own.id} as "id"
    from ${from} where ${where} order by ${by} desc, ${own.id} desc limit ${most}))`;
}
