/** What feeds and machine-readable lists show of a blog (contract 20.4 to 20.6), each by one query. */
import { sql, type SQL } from "drizzle-orm";
import type { GeneratedOrigin } from "../../domain/origin.ts";
import type { FeedContent } from "../../domain/site.ts";
import { hasBlogName, toBlogName, type BlogName } from "../blogs/names.ts";
import { blogs } from "../../schema/blogs.ts";
import { SHOWN_BLOG } from "../blogs/shown.ts";
import { joinAnd, defineQuery, jsonObject, type Reader, type Value } from "../core/sql.ts";
import { AUTHORS, selectTermId } from "../terms/assigning.ts";
import { termArticles } from "../../schema/terms.ts";
import { AUDIO, readStored, selectStored } from "./renderings.ts";
import { buildArticleUrl, SHOWN_ARTICLE, type ShownTerm } from "./rows.ts";
import { articleRenderings, articles } from "../../schema/articles.ts";

/** A blog as feeds show it. `place` is the URL of its front page, or a path of the service. */
export type FeedBlog = {
  readonly _id: string;
  readonly name: string;
  readonly vanityId: string;
  readonly description: string;
  readonly coverUrl: string;
  readonly logoUrl: string;
  readonly locales: readonly string[];
  readonly feedContent: FeedContent;
  readonly lastEditTime: string;
  readonly place: string;
};

/** An article as feeds show it. `html` is null if the feed has excerpts, or no room for it. */
export type FeedEntry = {
  readonly _id: string;
  readonly title: string;
  readonly description: string;
  readonly slug: string;
  readonly locale: string;
  readonly coverUrl: string;
  readonly publishTime: string;
  readonly lastEditTime: string;
  readonly place: string;
  readonly tags: readonly ShownTerm[];
  readonly authors: readonly ShownTerm[];
  readonly excerpt: string | null;
  readonly html: string | null;
  /** The HTML of its first audio element, and what follows; null if it has none. */
  readonly audio: string | null;
  /** How a generated article came about; null if a person wrote it. */
  readonly origin: GeneratedOrigin["kind"] | null;
};

export type Feed = { readonly blog: FeedBlog; readonly entries: readonly FeedEntry[] };

export type FeedQuery = {
  /** The id or the vanityId of the blog. */
  readonly blog: string;
  readonly locale?: string | undefined;
  readonly tag?: string | undefined;
  readonly limit: number;
  /** The most bytes of HTML in all entries together. The newest come first. */
  readonly bytes: number;
};

type Row = { readonly blog: string; readonly entry: string | null } & Pick<FeedEntry, "html" | "audio">;

/** Returns the newest articles of a blog and the blog itself; null if there is no such blog. */
export async function readFeed(read: Reader, { blog, ...query }: FeedQuery): Promise<Feed | null> {
  const found = await read<Row>(selectFeed({ ...query, ...toBlogName(blog) }));
  const [first] = found;
  if (first === undefined) return null;
  const entries = found.flatMap(({ entry, html, audio }) =>
    entry === null ? [] : [{ ...(JSON.parse(entry) as FeedEntry), html: readStored("html", html), audio }],
  );
  return { blog: JSON.parse(first.blog) as FeedBlog, entries };
}

export const FEED_BLOG: SQL = jsonObject({
  ...SHOWN_BLOG,
  feedContent: blogs.feedContent,
  lastEditTime: sql`max(${blogs.lastEditTime}, coalesce(${blogs.siteEditTime}, ''))`,
});

const ENTRY = jsonObject({
  ...SHOWN_ARTICLE,
  lastEditTime: articles.lastEditTime,
  place: buildArticleUrl(blogs, articles),
  authors: sql`json(${AUTHORS})`,
  origin: sql`${articles.origin} ->> '$.kind'`,
});

const selectFeed = defineQuery<BlogName & Omit<FeedQuery, "blog">>((names) => {
  const order = sql`order by ${articles.publishTime} desc, ${articles.id} desc`;
  const { html, htmlBytes, audio } = articleRenderings;
  const bytes = sql`sum(coalesce(octet_length(${html}), ${htmlBytes}, 0)) over (${order} rows unbounded preceding)`;
  return sql`select ${FEED_BLOG} as "blog", iif(${articles.id} is null, null, ${ENTRY}) as "entry",
      case when ${blogs.feedContent} = 'full' and ${bytes} <= ${names.bytes} then ${selectStored(html)} end as "html",
      iif(${html} is null, ${audio}, substr(${html}, nullif(instr(${html}, '<audio '), 0), ${sql.raw(String(AUDIO))})) as "audio"
    from ${blogs} left join json_each((select json_group_array("id") from (${selectNewest(names)}))) listed
      left join ${articles} on ${articles.id} = listed.value
      left join ${articleRenderings} on ${articleRenderings.articleId} = ${articles.id}
    where ${hasBlogName(names)} ${order}`;
});

/** Returns the query of the ids of a blog's newest articles, on a row of `blogs`. */
function selectNewest({
  locale,
  tag,
  limit,
}: {
  locale?: Value | undefined;
  tag?: Value | undefined;
  limit: Value;
}): SQL {
  const list = tag === undefined ? articles : termArticles;
  const id = tag === undefined ? articles.id : termArticles.articleId;
  const where = joinAnd(
    tag === undefined
      ? sql`${articles.blogId} = ${blogs.id}`
      : sql`${termArticles.termId} = ${selectTermId(sql`${blogs.id}`, "tag", tag)}`,
    // Not redundant: from this condition, SQLite knows that the partial index has all rows.
    sql`${list.published} = 1`,
    locale !== undefined && sql`${list.locale} = ${locale}`,
  );
  return sql`select ${id} as "id" from ${list} where ${where} order by ${list.publishTime} desc, ${id} desc limit ${limit}`;
}
