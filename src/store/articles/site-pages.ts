/** What the pages of a blog's site show (contract 21): the blog and its published articles. One query per page. */
import { sql, type SQL } from "drizzle-orm";
import { alias } from "drizzle-orm/sqlite-core";
import type { GeneratedOrigin } from "../../domain/origin.ts";
import type { TermKind } from "../../domain/terms.ts";
import { blogs } from "../../schema/blogs.ts";
import { hasBlogName } from "../blogs/names.ts";
import { SITE_BLOG, type SiteBlog } from "../blogs/shown.ts";
import { joinAnd, defineQuery, jsonObject, type Reader, type Value } from "../core/sql.ts";
import { AUTHORS, selectTermId } from "../terms/assigning.ts";
import { termArticles, terms } from "../../schema/terms.ts";
import { isUnmade, readSource, SOURCE } from "./renderings.ts";
import { buildArticleUrl, SHOWN_ARTICLE, type ShownTerm } from "./rows.ts";
import { articleRenderings, articles } from "../../schema/articles.ts";

export type SiteEntry = {
  readonly _id: string;
  readonly title: string;
  readonly description: string;
  readonly slug: string;
  readonly locale: string;
  readonly coverUrl: string;
  readonly publishTime: string;
  readonly minutes: number | null;
  readonly excerpt: string | null;
  readonly tags: readonly ShownTerm[];
};

/** A tag or an author. `members` depends on the kind: names in other languages, or a bio and a picture. */
export type SiteTerm = {
  readonly slug: string;
  readonly name: string;
  readonly members: {
    readonly names?: Readonly<Record<string, string>>;
    readonly bio?: string;
    readonly pictureUrl?: string;
  };
  /** The languages of the blog in which it has published articles. */
  readonly locales: readonly string[];
};

/** Where a page of a list begins: after this article. With `newer`, the page ends before it. */
export type SitePlace = { readonly time: string; readonly id: string; readonly newer: boolean };

export type SiteListQuery = {
  readonly vanityId: string;
  /** Undefined for the blog's main language. */
  readonly locale?: string | undefined;
  readonly term?: { readonly kind: TermKind; readonly slug: string } | undefined;
  readonly from?: SitePlace | undefined;
  readonly limit: number;
};

export type SiteList = {
  readonly blog: SiteBlog;
  readonly spoken: readonly string[];
  /** Null if the list has no tag or author, or the blog has none with this slug. */
  readonly term: SiteTerm | null;
  readonly entries: readonly SiteEntry[];
  /** Whether there are articles after the last one and before the first one. */
  readonly older: boolean;
  readonly newer: boolean;
};

const speaking = alias(articles, "speaking");

/** An SQL expression, on `blogs`, for its languages with published articles: one index lookup for each. */
const SPOKEN = sql`(select json_group_array(spoken.value) from json_each(${blogs.locales}) spoken
  where exists (select 1 from ${articles} ${speaking} indexed by articles_list_locale_by_publication
    where ${speaking.blogId} = ${blogs.id} and ${speaking.locale} = spoken.value and ${speaking.published} = 1))`;

const ENTRY = jsonObject({ ...SHOWN_ARTICLE, minutes: articleRenderings.readingMinutes });

/** An SQL expression, on rows of `blogs` and `terms`, for a {@link SiteTerm}: one index lookup for each language. */
const SITE_TERM = jsonObject({
  slug: terms.slug,
  name: terms.name,
  members: sql`json(${terms.members})`,
  locales: sql`json((select json_group_array(spoken.value) from json_each(${blogs.locales}) spoken
    where exists (select 1 from ${termArticles} where ${termArticles.termId} = ${terms.id}
      and ${termArticles.locale} = spoken.value and ${termArticles.published} = 1)))`,
});

type ListValues = {
  readonly vanityId: string;
  readonly locale?: string | undefined;
  readonly tag?: string | undefined;
  readonly author?: string | undefined;
  readonly olderTime?: string | undefined;
  readonly newerTime?: string | undefined;
  readonly id?: string | undefined;
  readonly limit: number;
};

/** Returns a page of a list and the blog itself; null if no blog with this vanityId has a site. */
export async function readSiteList(read: Reader, query: SiteListQuery): Promise<SiteList | null> {
  const { vanityId, locale, term, from, limit } = query;
  const found = await read<{ blog: string | null; spoken: string; term: string | null; entry: string | null }>(
    selectList({
      vanityId,
      locale,
      ...(term && { [term.kind]: term.slug }),
      ...(from && { [from.newer ? "newerTime" : "olderTime"]: from.time, id: from.id }),
      limit: limit + 1,
    }),
  );
  const first = found.find((row) => row.blog !== null);
  if (first?.blog == null) return null;
  const rows = found.flatMap(({ entry }) => (entry === null ? [] : [JSON.parse(entry) as SiteEntry]));
  const more = rows.length > limit;
  // Of newer articles, the surplus one is the newest.
  const entries = more ? (from?.newer ? rows.slice(1) : rows.slice(0, limit)) : rows;
  return {
    blog: JSON.parse(first.blog) as SiteBlog,
    spoken: JSON.parse(first.spoken) as string[],
    term: first.term === null ? null : (JSON.parse(first.term) as SiteTerm),
    entries,
    older: from?.newer ? true : more,
    newer: from !== undefined && (from.newer ? more : true),
  };
}

const mainLocale = sql`${blogs.locales} ->> '$[0]'`;

/** Values that are the same for all rows are only in the first. */
const showOnlyInFirst = (value: SQL): SQL => sql`iif(coalesce(listed.key, 0) = 0, ${value}, null)`;

const selectList = defineQuery<ListValues>((names) => {
  const { tag, author } = names;
  const term = tag ?? author;
  const kind = tag === undefined ? "author" : "tag";
  const shown =
    term === undefined
      ? sql`null`
      : sql`(select ${SITE_TERM} from ${terms}
          where ${terms.id} = ${selectTermId(sql`${blogs.id}`, kind, term)} and ${terms.publishedArticles} > 0)`;
  return sql`select ${showOnlyInFirst(SITE_BLOG)} as "blog", ${showOnlyInFirst(SPOKEN)} as "spoken", ${showOnlyInFirst(shown)} as "term",
      iif(${articles.id} is null, null, ${ENTRY}) as "entry"
    from ${blogs} left join json_each((select json_group_array("id") from (${selectIds(names)}))) listed
      left join ${articles} on ${articles.id} = listed.value
      left join ${articleRenderings} on ${articleRenderings.articleId} = ${articles.id}
    where ${hasBlogName({ vanityId: names.vanityId })} and ${blogs.siteEnabled} = 1
    order by ${articles.publishTime} desc, ${articles.id} desc`;
});

/** Returns the query of the ids of a page, on a row of `blogs`. */
function selectIds(names: { readonly [Name in keyof ListValues]: Value | undefined }): SQL {
  const { tag, author, locale, olderTime, newerTime } = names;
  const term = tag ?? author;
  const list = term === undefined ? articles : termArticles;
  const id = term === undefined ? articles.id : termArticles.articleId;
  const place = sql`(${list.publishTime}, ${id})`;
  const where = joinAnd(
    term === undefined
      ? sql`${articles.blogId} = ${blogs.id}`
      : sql`${termArticles.termId} = ${selectTermId(sql`${blogs.id}`, tag === undefined ? "author" : "tag", term)}`,
    // Not redundant: from this condition, SQLite knows that the partial index has all rows.
    sql`${list.published} = 1`,
    sql`${list.locale} = ${locale ?? mainLocale}`,
    olderTime !== undefined && sql`${place} < (${olderTime}, ${names.id})`,
    newerTime !== undefined && sql`${place} > (${newerTime}, ${names.id})`,
  );
  const direction = newerTime === undefined ? sql`desc` : sql`asc`;
  return sql`select ${id} as "id" from ${list} where ${where}
    order by ${list.publishTime} ${direction}, ${id} ${direction} limit ${names.limit}`;
}

export type SiteArticle = Omit<SiteEntry, "excerpt"> & {
  readonly creationTime: string;
  readonly lastEditTime: string;
  readonly excerpt: string | null;
  readonly authors: readonly ShownTerm[];
  readonly headings: readonly { readonly level: number; readonly id: string; readonly text: string }[] | null;
  readonly seo: {
    readonly title: string;
    readonly description: string;
    readonly canonicalUrl: string;
    readonly noindex: boolean;
    readonly image: string;
  } | null;
  /** Null if people wrote the article. What is not stored is missing or null. */
  readonly origin: Partial<GeneratedOrigin> | null;
  readonly place: string;
  /** The published translations, including the article itself. */
  readonly translations: readonly Translation[];
  /** The published articles of its language before and after it. */
  readonly older: Neighbor | null;
  readonly newer: Neighbor | null;
  /** The stored rendering. If it is null, `text` is the Markdown. */
  readonly html: string | null;
  readonly text: string | null;
};

/** `told` is what the translation tells search engines; null if nothing. */
export type Translation = Omit<Neighbor, "title"> & { readonly place: string; readonly told: Told | null };
type Told = { readonly noindex: number | null; readonly canonicalUrl: string | null };
export type Neighbor = { readonly title: string; readonly slug: string; readonly locale: string };

export type SiteArticleQuery = {
  readonly vanityId: string;
  readonly slug: string;
  /** Undefined for the blog's main language, or another if there is no such article. */
  readonly locale?: string | undefined;
};

/** Returns a published article and its blog; null if no blog with this vanityId has a site. */
export async function readSiteArticle(
  read: Reader,
  query: SiteArticleQuery,
): Promise<{ readonly blog: SiteBlog; readonly article: SiteArticle | null } | null> {
  const [row] = await read<{ blog: string; article: string | null; html: string }>(selectSiteArticle(query));
  if (row === undefined) return null;
  const { html } = row;
  const article = row.article === null ? null : { ...(JSON.parse(row.article) as SiteArticle), html, text: null };
  if (article !== null && isUnmade(html)) Object.assign(article, readBody(html));
  return { blog: JSON.parse(row.blog) as SiteBlog, article };
}

/** Returns what is shown of an article, or the text as it was written if no HTML is stored. */
function readBody(source: string): Partial<SiteArticle> {
  const { content, rendering } = readSource(source);
  if (rendering === null) return { html: null, text: content };
  return { html: rendering.html, headings: rendering.headings };
}

const sibling = alias(articles, "sibling");

/** Returns the neighbor of an article in the order of publication, as JSON. */
function selectNeighbor(isNewer: boolean): SQL {
  const place = sql`(${sibling.publishTime}, ${sibling.id})`;
  const own = sql`(${articles.publishTime}, ${articles.id})`;
  const direction = isNewer ? sql`asc` : sql`desc`;
  const shown = jsonObject({ title: sibling.title, slug: sibling.slug, locale: sibling.locale });
  return sql`(select ${shown} from ${articles} ${sibling} indexed by articles_list_locale_by_publication
    where ${sibling.blogId} = ${articles.blogId} and ${sibling.locale} = ${articles.locale} and ${sibling.published} = 1
      and ${isNewer ? sql`${place} > ${own}` : sql`${place} < ${own}`}
    order by ${sibling.publishTime} ${direction}, ${sibling.id} ${direction} limit 1)`;
}

const listed = alias(articles, "listed");

/** What a translation tells search engines, by an index of rows with `seo`, which is stored after the content. */
const TOLD = sql`(select ${jsonObject({
  noindex: sql`${listed.seo} ->> '$.noindex'`,
  canonicalUrl: sql`${listed.seo} ->> '$.canonicalUrl'`,
})} from ${articles} ${listed} indexed by articles_with_seo
  where ${listed.blogId} = ${sibling.blogId} and ${listed.id} = ${sibling.id} and ${listed.seo} is not null)`;

const ARTICLE = jsonObject({
  ...SHOWN_ARTICLE,
  creationTime: articles.creationTime,
  lastEditTime: articles.lastEditTime,
  minutes: articleRenderings.readingMinutes,
  headings: sql`json(${articleRenderings.headings})`,
  seo: sql`json(${articles.seo})`,
  origin: sql`json(${articles.origin})`,
  authors: sql`json(${AUTHORS})`,
  place: buildArticleUrl(blogs, articles),
  translations: sql`json((select json_group_array(${jsonObject({
    locale: sibling.locale,
    slug: sibling.slug,
    place: buildArticleUrl(blogs, sibling),
    told: sql`json(${TOLD})`,
  })}) from ${articles} ${sibling} indexed by articles_slug where ${sibling.blogId} = ${articles.blogId}
    and ${sibling.slug} = ${articles.slug} and ${sibling.published} = 1))`,
  older: sql`json(${selectNeighbor(false)})`,
  newer: sql`json(${selectNeighbor(true)})`,
});

const selectSiteArticle = defineQuery<SiteArticleQuery>(({ vanityId, slug, locale }) => {
  const is = joinAnd(
    sql`${articles.blogId} = ${blogs.id}`,
    sql`${articles.slug} = ${slug}`,
    sql`${articles.published} = 1`,
    locale !== undefined && sql`${articles.locale} = ${locale}`,
  );
  return sql`select ${SITE_BLOG} as "blog", iif(${articles.id} is null, null, ${ARTICLE}) as "article",
      coalesce(${articleRenderings.html}, ${SOURCE}) as "html"
    from ${blogs} left join ${articles} on ${is}
      left join ${articleRenderings} on ${articleRenderings.articleId} = ${articles.id}
    where ${hasBlogName({ vanityId })} and ${blogs.siteEnabled} = 1
    order by ${articles.locale} = ${mainLocale} desc, ${articles.creationTime}, ${articles.id} limit 1`;
});
