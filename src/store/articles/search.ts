/** Full text search in an organization's articles. */
import { sql, type SQL } from "drizzle-orm";
import { DomainError } from "../../domain/errors.ts";
import { decodeFoundCursor, encodeFoundCursor } from "../../domain/cursor.ts";
import { isUuid } from "../../lib/ids.ts";
import { LIMITS } from "../../domain/limits.ts";
import type { Phrase } from "../../domain/search-query.ts";
import { makeWordReader, decodeLetters, type WordReader } from "../../domain/search-text.ts";
import { makeSnippet } from "../../domain/snippet.ts";
import { ARTICLE_FIELDS, selectFields, type ArticleRecord } from "./rows.ts";
import { isReachableArticle, ownsBlog } from "../core/reach.ts";
import type { Writer } from "../core/writer.ts";
import type { Page } from "../core/paging.ts";
import { articleRenderings as renderings, articles } from "../../schema/articles.ts";
import { isTooWide, computeMark, makePlaceWords, buildQueries } from "./search-index.ts";
import { joinAnd, runTransaction } from "../core/sql.ts";

/** A search result: an article without its content, but with the passage that matches. */
export type FoundArticle = Omit<ArticleRecord, "content" | "coverUrl"> & { snippet: string };

/** Who searches: an organization, only in one blog if pinned. */
export type Searcher = Pick<Writer, "db" | "organizationId" | "pinnedBlogId">;

export type SearchQuery = {
  readonly phrases: readonly Phrase[];
  readonly blogId?: string | undefined;
  readonly locale?: string | undefined;
  readonly published?: boolean | undefined;
  /** 1 to `LIMITS.searchPage`. */
  readonly limit: number;
  readonly cursor?: string | undefined;
  /** Whether to search, and show as passages, only what readers see. */
  readonly asRead?: boolean;
};

/** The beginning of a content as it was written. */
const WRITTEN = sql`substr(${articles.content}, 1, ${sql.raw(String(LIMITS.searchPassage))})`;

/** The beginning of a content as readers see it, or as it was written until that is rendered. */
export const READ = sql`coalesce(
  (select substr(${renderings.text}, 1, ${sql.raw(String(LIMITS.searchPassage))}) from ${renderings}
    where ${renderings.articleId} = ${articles.id}), ${WRITTEN})`;

/** The columns of the index that are searched: those that readers see, and those with all that writers see. */
export const READ_COLUMNS = "title description content";
const WRITTEN_COLUMNS = `${READ_COLUMNS} source`;

/** For bm25: the weights of `content`, `title`, `description`, `place` (which does not count) and `source`. */
const WEIGHTS = sql.raw("1, 10, 4, 0, 1");

const SHOWN = ARTICLE_FIELDS.filter((name) => name !== "content" && name !== "coverUrl");

type FoundRow = Omit<FoundArticle, "snippet" | "published"> & {
  published: number;
  beginning: string;
  fits: number;
  rowVersion: string;
};

/**
 * Returns a page of the articles that contain all phrases and that the writer may touch, best first. It ranks only the
 * newest `LIMITS.searchRanked` matches, and pages reach only the best `LIMITS.searchResults`. Throws `blog_forbidden`
 * if the blog does not belong to the organization, and `invalid_cursor`.
 */
export async function searchArticles(writer: Searcher, query: SearchQuery): Promise<Page<FoundArticle>> {
  // Only a UUID can be the id of a blog, and nothing else may become a part of the FTS5 query.
  if (query.blogId !== undefined && !isUuid(query.blogId)) throw new DomainError("blog_forbidden");
  const skipped = query.cursor === undefined ? 0 : decodeFoundCursor(query.cursor);
  const rest = Math.max(LIMITS.searchResults - skipped, 0);
  const limit = Math.min(query.limit, rest);
  const { reach, found } = await runTransaction(writer.db, {
    reach: query.blogId === undefined ? sql`select 1` : sql`select 1 where ${ownsBlog(writer, query.blogId)}`,
    found: sql<FoundRow>`select ${selectFields(SHOWN)}, ${query.asRead ? READ : WRITTEN} as "beginning", ${matchesFilters(query)} as "fits"
      from (select * from (
            select rowid as "row", ${buildRank(writer)} as "rank" from article_text
            where article_text match ${buildMatch(writer, query)} order by rowid desc limit ${LIMITS.searchRanked})
          order by "rank", "row" desc limit ${Math.min(limit + 1, rest)} offset ${skipped}) f
        join ${articles} on ${articles.searchId} = f."row"
      where ${isReachableArticle(writer)} order by f."rank", f."row" desc`,
  });
  if (reach.length === 0) throw new DomainError("blog_forbidden");
  const readWords = makeWordReader(LIMITS.searchPassageWords);
  const readable = query.asRead ? (text: string): string => text : decodeLetters;
  return {
    items: found
      .slice(0, limit)
      .flatMap(({ fits, beginning, ...row }) =>
        fits === 1 ? [toFound({ ...row, beginning: readable(beginning) }, query.phrases, readWords)] : [],
      ),
    next: found.length > limit ? encodeFoundCursor(skipped + limit) : undefined,
  };
}

/**
 * Returns the rank of a row as an SQL expression: a smaller number is better. bm25 weighs a word by how rare it is in
 * the whole organization. From the order of two crafted articles, a pinned credential could learn which words other
 * blogs use. So for a pinned credential all rows have the same rank, and the newest come first.
 */
const buildRank = ({ pinnedBlogId }: Searcher): SQL =>
  pinnedBlogId === null ? sql`bm25(article_text, ${WEIGHTS})` : sql`0`;

/** Returns the FTS5 query as an SQL expression. */
function buildMatch(writer: Searcher, { phrases, blogId, locale, published, asRead }: SearchQuery): SQL {
  const mark = computeMark(writer.organizationId);
  const place = makePlaceWords(mark);
  const blog = writer.pinnedBlogId ?? blogId;
  const narrowed = [
    place.organization(writer.organizationId),
    ...(blog === undefined ? [] : [place.blog(blog)]),
    ...(locale === undefined ? [] : [place.locale(locale)]),
    ...(published === undefined ? [] : [place.published(published)]),
  ];
  const columns = asRead ? READ_COLUMNS : WRITTEN_COLUMNS;
  const [whole, begun] = buildQueries(mark, { places: narrowed, columns, phrases });
  const tooWide = isTooWide(mark, phrases);
  return tooWide === null ? sql`${whole}` : sql`iif(${tooWide}, ${whole}, ${begun})`;
}

/** The index may be behind (contract 9.4), and must not show a draft to the readers of a site. */
const matchesFilters = ({ locale, published }: SearchQuery): SQL =>
  joinAnd(
    locale !== undefined && sql`${articles.locale} = ${locale}`,
    published !== undefined && sql`${articles.published} = ${Number(published)}`,
  );

function toFound(
  { beginning, rowVersion, published, ...row }: Omit<FoundRow, "fits">,
  phrases: readonly Phrase[],
  splitWords: WordReader,
) {
  const snippet = makeSnippet([beginning, row.description, row.title], phrases, splitWords);
  const value: FoundArticle = { ...row, published: published === 1, snippet };
  return { value, version: rowVersion };
}
