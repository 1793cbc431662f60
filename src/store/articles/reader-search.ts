/** Full text search in a blog's published articles, for everybody (contract 20.8), and for its site. */
import { sql, type SQL } from "drizzle-orm";
import { LIMITS } from "../../domain/limits.ts";
import type { Phrase } from "../../domain/search-query.ts";
import { makeWordReader } from "../../domain/search-text.ts";
import { makeSnippet } from "../../domain/snippet.ts";
import { hasBlogName, toBlogName } from "../blogs/names.ts";
import { blogs } from "../../schema/blogs.ts";
import type { Versioned } from "../core/paging.ts";
import type { Database, Reader } from "../core/sql.ts";
import { selectFields, toArticle, type ArticleField, type ArticlePart, type ArticleRow } from "./rows.ts";
import { articles } from "../../schema/articles.ts";
import { READ, READ_COLUMNS, searchArticles, type FoundArticle } from "./search.ts";
import { isTooWide, computeMark, makePlaceWords, buildQueries } from "./search-index.ts";

export type ReaderSearch = {
  /** The id or the vanityId of a blog. */
  readonly blog: string;
  readonly phrases: readonly Phrase[];
  readonly locale?: string | undefined;
  readonly limit: number;
};

/** A result: an article without its content, and the passage that was found, with each match between `**`. */
export type FoundPublished = Pick<ArticlePart, (typeof SHOWN)[number]> & { snippet: string };

const SHOWN = [
  "_id",
  "title",
  "description",
  "slug",
  "locale",
  "publishTime",
  "url",
] as const satisfies readonly ArticleField[];

/**
 * Returns the id of a blog, and its published articles that contain all phrases, the best first; null if there is no
 * such blog. Titles rank before descriptions, and these before contents; among equals, the newest comes first. bm25
 * would leak: it weighs a word by how often the organization uses it, including drafts and other blogs (search.ts).
 */
export async function searchPublished(
  read: Reader,
  { blog: named, phrases, locale, limit }: ReaderSearch,
): Promise<{ readonly blogId: string; readonly found: Versioned<FoundPublished>[] } | null> {
  const [blog] = await read<{ id: string; organizationId: string }>(
    sql`select ${blogs.id}, ${blogs.organizationId} as "organizationId" from ${blogs} where ${hasBlogName(toBlogName(named))}`,
  );
  if (blog === undefined) return null;
  const selectMatching = (columns: string): SQL =>
    sql`select rowid as "row" from article_text where article_text match ${buildMatch(blog, { phrases, locale }, columns)}
      order by rowid desc limit ${sql.raw(String(LIMITS.searchRanked))}`;
  const rows = await read<ArticleRow & { beginning: string }>(
    sql`with wide as materialized (select ${isTooWide(computeMark(blog.organizationId), phrases) ?? sql`0`} as "many"),
      found as materialized (select "row", ("row" in (${selectMatching("title")})) * 2 + ("row" in (${selectMatching("title description")})) as "rank"
        from (${selectMatching(READ_COLUMNS)}))
      select ${selectFields(SHOWN)}, ${READ} as "beginning"
      from (select * from found order by "rank" desc, "row" desc limit ${limit}) best
      join ${articles} on ${articles.searchId} = best."row"
      where ${articles.blogId} = ${blog.id} and ${articles.published} = 1
        and ${articles.locale} = ${locale ?? articles.locale}
      order by best."rank" desc, best."row" desc`,
  );
  const readWords = makeWordReader(LIMITS.searchPassageWords);
  const found = rows.map(({ beginning, ...row }) => {
    const { value, version } = toArticle(row, SHOWN);
    const snippet = makeSnippet([beginning, value.description, value.title], phrases, readWords);
    return { value: { ...(value as ArticlePart), snippet }, version };
  });
  return { blogId: blog.id, found };
}

/** Returns the FTS5 query as an SQL expression. */
function buildMatch(
  { id, organizationId }: { readonly id: string; readonly organizationId: string },
  { phrases, locale }: Pick<ReaderSearch, "phrases" | "locale">,
  columns: string,
): SQL {
  const mark = computeMark(organizationId);
  const place = makePlaceWords(mark);
  const narrowed = [place.organization(organizationId), place.blog(id), place.published(true)];
  if (locale !== undefined) narrowed.push(place.locale(locale));
  const [whole, begun] = buildQueries(mark, { places: narrowed, columns, phrases });
  return sql`iif((select "many" from wide), ${whole}, ${begun})`;
}

const RESULTS = 20;

/**
 * Returns the published articles of a blog in which all phrases occur, newest first. As for a credential that is pinned
 * to the blog, the order reveals nothing about other blogs and drafts.
 */
export async function searchSite(
  db: Database,
  { _id: blogId, organizationId }: { readonly _id: string; readonly organizationId: string },
  query: { readonly phrases: readonly Phrase[]; readonly locale: string },
): Promise<FoundArticle[]> {
  const reader = { db, organizationId, pinnedBlogId: blogId };
  const { items } = await searchArticles(reader, { ...query, published: true, limit: RESULTS, asRead: true });
  return items.map(({ value }) => value);
}
