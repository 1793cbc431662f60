/** Full text search in a blog's published articles, for everybody (contract 20.8), and for its site. */
import { sql } from "drizzle-orm";
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
import { findBest, READ, readBeginning, searchArticles, type FoundArticle } from "./search.ts";

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
 * Returns the id of a blog, and its published articles that contain all phrases, the best first ({@link findBest}); null
 * if there is no such blog.
 */
export async function searchPublished(
  read: Reader,
  { blog: named, ...asked }: ReaderSearch,
): Promise<{ readonly blogId: string; readonly found: Versioned<FoundPublished>[] } | null> {
  const [blog] = await read<{ blogId: string; organizationId: string }>(
    sql`select ${blogs.id} as "blogId", ${blogs.organizationId} as "organizationId" from ${blogs} where ${hasBlogName(toBlogName(named))}`,
  );
  if (blog === undefined) return null;
  const rows = await read<ArticleRow & { beginning: string }>(
    sql`with ${findBest({ ...blog, ...asked, published: true, asRead: true })}
      select ${selectFields(SHOWN)}, ${READ} as "beginning"
      from best join ${articles} on ${articles.searchId} = best."row"
      where ${articles.blogId} = ${blog.blogId} and ${articles.published} = 1
        and ${articles.locale} = ${asked.locale ?? articles.locale}
      order by best."rank" desc, best."row" desc`,
  );
  const readWords = makeWordReader(LIMITS.searchPassageWords);
  const found = rows.map(({ beginning, ...row }) => {
    const { value, version } = toArticle(row, SHOWN);
    const snippet = makeSnippet([readBeginning(beginning), value.description, value.title], asked.phrases, readWords);
    return { value: { ...(value as ArticlePart), snippet }, version };
  });
  return { blogId: blog.blogId, found };
}

const RESULTS = 20;

/** Returns the published articles of a blog in which all phrases occur, the best first. */
export async function searchSite(
  db: Database,
  { _id: blogId, organizationId }: { readonly _id: string; readonly organizationId: string },
  query: { readonly phrases: readonly Phrase[]; readonly locale: string },
): Promise<FoundArticle[]> {
  const reader = { db, organizationId, pinnedBlogId: blogId };
  const { items } = await searchArticles(reader, { ...query, published: true, limit: RESULTS, asRead: true });
  return items.map(({ value }) => value);
}
