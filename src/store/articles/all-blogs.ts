/** Pages of the articles of all blogs of an organization, newest first. */
import { sql, type SQL } from "drizzle-orm";
import { alias } from "drizzle-orm/sqlite-core";
import type { Writer } from "../core/writer.ts";
import { boundsOf, type Page } from "../core/paging.ts";
import { ownBlogs } from "../core/reach.ts";
import { all, readerOf } from "../core/sql.ts";
import { blogs } from "../../schema/blogs.ts";
import { pageFrom, readArticlePage, rowsOf, timeOf, type PageRow } from "./pages.ts";
import type { ArticlePart, ArticleQuery } from "./rows.ts";
import { articles } from "../../schema/articles.ts";

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
  const read = readerOf(writer.db);
  const page = selectPage(writer, query);
  return readArticlePage({ ...query, blogId: "" }, () => read<PageRow>(page), read);
}

function selectPage(writer: Writer, query: AllArticlesQuery): SQL {
  const { fields, sort } = query;
  const { rows, skipped } = boundsOf(query);
  const most = rows + skipped;
  const first = sql`select ${blogs.id} as "blog", ${placesOf(query, sql`${blogs.id}`, sql`1`)} as "places"
    from ${blogs} where ${ownBlogs(writer)}`;
  const nearest = sql`select "blog" from (${first}) where "places" <> '[]' order by "places" desc limit ${most}`;
  const found = sql`select place.value ->> '$[1]' from (${nearest}) nearest,
    json_each(${placesOf(query, sql`nearest."blog"`, sql`${most}`)}) place order by place.value desc limit ${rows} offset ${skipped}`;
  const time = timeOf(sort);
  return pageFrom(
    { fields, sort },
    sql`from ${articles} where ${articles.id} in (${found}) order by ${time} desc, ${articles.id} desc`,
  );
}

/** Returns an SQL expression for the first places of a blog's list after the cursor, as JSON: `[[time, id], …]`. */
function placesOf(query: AllArticlesQuery, blog: SQL, most: SQL): SQL {
  const { published, locale, sort } = query;
  const { time, id } = boundsOf(query);
  const by = sort === undefined ? own.creationTime : own.publishTime;
  const where = all(
    sql`${own.blogId} = ${blog}`,
    published !== undefined && sql`${own.published} = ${published ? 1 : 0}`,
    // Not redundant: from this condition, SQLite knows that the partial index has all rows.
    sort !== undefined && sql`${own.published} = 1`,
    locale !== undefined && sql`${own.locale} = ${locale}`,
    time !== undefined && sql`(${by}, ${own.id}) <= (${time}, ${id})`,
  );
  const from = rowsOf(query, sql`${articles} ${own}`, "own");
  return sql`(select json_group_array(json_array("time", "id")) from (select ${by} as "time", ${own.id} as "id"
    from ${from} where ${where} order by ${by} desc, ${own.id} desc limit ${most}))`;
}
