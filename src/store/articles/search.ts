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
import { isUnmade, readSource, selectStored } from "./renderings.ts";
import { isReachableArticle, ownsBlog } from "../core/reach.ts";
import type { Writer } from "../core/writer.ts";
import type { Page } from "../core/paging.ts";
import { articleRenderings as renderings, articles } from "../../schema/articles.ts";
import { isTooWide, computeMark, makePlaceWords, buildQueries } from "./search-index.ts";
import { joinAnd, runTransaction } from "../core/sql.ts";

/** A search result: an article without its content, but with the passage that matches. */
export type FoundArticle = Omit<ArticleRecord, "content" | "coverUrl"> & { snippet: string };

/** Who searches: an organization, only in one blog if pinned. */
type Searcher = Pick<Writer, "db" | "organizationId" | "pinnedBlogId">;

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

/** For {@link readBeginning}: the beginning of a content as readers see it, or as it was written until that is rendered. */
export const READ = sql`coalesce(
  (select ${selectStored(sql`substr(${renderings.text}, 1, ${sql.raw(String(LIMITS.searchPassage))})`)} from ${renderings}
    where ${renderings.articleId} = ${articles.id}), ${WRITTEN})`;

/** Returns the text that was read by {@link READ}. */
export function readBeginning(stored: string): string {
  if (!isUnmade(stored)) return stored;
  const { content, rendering } = readSource(stored);
  return (rendering?.text ?? content).slice(0, LIMITS.searchPassage);
}

/** The columns of the index that are searched: those that readers see, and those with all that writers see. */
const READ_COLUMNS = "title description content";
const WRITTEN_COLUMNS = `${READ_COLUMNS} source`;

const SHOWN = ARTICLE_FIELDS.filter((name) => name !== "content" && name !== "coverUrl");

type FoundRow = Omit<FoundArticle, "snippet" | "published"> & {
  published: number;
  beginning: string;
  fits: number;
  rowVersion: string;
};

/**
 * Returns a page of the articles that contain all phrases and that the writer may touch, best first. Pages reach only the
 * best `LIMITS.searchResults`. Throws `blog_forbidden` if the blog does not belong to the organization, and
 * `invalid_cursor`.
 */
export async function searchArticles(writer: Searcher, query: SearchQuery): Promise<Page<FoundArticle>> {
  // Only a UUID can be the id of a blog, and nothing else may become a part of the FTS5 query.
  if (query.blogId !== undefined && !isUuid(query.blogId)) throw new DomainError("blog_forbidden");
  const skipped = query.cursor === undefined ? 0 : decodeFoundCursor(query.cursor);
  const rest = Math.max(LIMITS.searchResults - skipped, 0);
  const limit = Math.min(query.limit, rest);
  const asked = { ...query, organizationId: writer.organizationId, blogId: writer.pinnedBlogId ?? query.blogId };
  const { reach, found } = await runTransaction(writer.db, {
    reach: query.blogId === undefined ? sql`select 1` : sql`select 1 where ${ownsBlog(writer, query.blogId)}`,
    found: sql<FoundRow>`with ${findBest({ ...asked, limit: Math.min(limit + 1, rest) }, skipped)}
      select ${selectFields(SHOWN)}, ${query.asRead ? READ : WRITTEN} as "beginning", ${matchesFilters(query)} as "fits"
      from best join ${articles} on ${articles.searchId} = best."row"
      where ${isReachableArticle(writer)} order by best."rank" desc, best."row" desc`,
  });
  if (reach.length === 0) throw new DomainError("blog_forbidden");
  const readWords = makeWordReader(LIMITS.searchPassageWords);
  const readable = query.asRead ? readBeginning : decodeLetters;
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
 * Returns common table expressions. The last, `best`, has in "row" the `search_id` of each article that contains all
 * phrases, as far as the index says, and in "rank" how good it is: those with all phrases in the title first, then those
 * that have them in title and description; among equals, the newest. How often or where else a word occurs does not
 * count, so the order reveals nothing about other blogs and drafts.
 */
export function findBest(asked: Omit<SearchQuery, "cursor"> & Pick<Writer, "organizationId">, skipped = 0): SQL {
  const { organizationId, blogId, locale, published, phrases, limit } = asked;
  const mark = computeMark(organizationId);
  const place = makePlaceWords(mark);
  const places = [
    place.organization(organizationId),
    ...(blogId === undefined ? [] : [place.blog(blogId)]),
    ...(locale === undefined ? [] : [place.locale(locale)]),
    ...(published === undefined ? [] : [place.published(published)]),
  ];
  // No more than the page needs: what one list leaves out, the others do not put before the rest of it.
  const selectMatching = (columns: string, rank: number): SQL => {
    const [whole, begun] = buildQueries(mark, { places, columns, phrases });
    return sql`select * from (select rowid as "row", ${sql.raw(String(rank))} as "rank" from article_text
      where article_text match iif((select "many" from wide), ${whole}, ${begun})
      order by rowid desc limit ${skipped + limit})`;
  };
  return sql`wide as materialized (select ${isTooWide(mark, phrases)} as "many"),
    best as (select "row", max("rank") as "rank" from (${selectMatching("title", 2)}
        union all ${selectMatching("title description", 1)}
        union all ${selectMatching(asked.asRead ? READ_COLUMNS : WRITTEN_COLUMNS, 0)})
      group by "row" order by "rank" desc, "row" desc limit ${limit} offset ${skipped})`;
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
