/** Public reads: published articles and the public fields of blogs, of any organization. */
import type { NameParts } from "./moved.ts";
import { sql, type SQL } from "drizzle-orm";
import { alias, type SQLiteColumn } from "drizzle-orm/sqlite-core";
import { isUuid } from "../../lib/ids.ts";
import { readArticlePage, selectPage, type PageBounds, type PageRow } from "./pages.ts";
import {
  selectColumns,
  completeArticle,
  type ArticleField,
  type ArticlePart,
  type ArticleQuery,
  type ArticleRow,
} from "./rows.ts";
import { isListedLocale, rankLocale } from "./fallbacks.ts";
import type { Feed, FeedQuery } from "./feeds.ts";
import type { PlainQuery } from "./plain.ts";
import type { SiteArticleQuery, SiteListQuery } from "./site-pages.ts";
import type { ReaderSearch } from "./reader-search.ts";
import type { SitemapQuery } from "./sitemaps.ts";
import { parseBounds, type Page, type Versioned } from "../core/paging.ts";
import { articles } from "../../schema/articles.ts";
import type { MovedTo } from "./moved.ts";
import type { Led } from "../redirects/reading.ts";
import type { Previewed } from "./previews.ts";
import { hasBlogName, isShown, selectShownBlogId, toBlogName } from "../blogs/names.ts";
import { blogs } from "../../schema/blogs.ts";
import type { Address, Named } from "../../domain/site.ts";
import type { TermKind } from "../../domain/terms.ts";
import type { TermQuery, TermRecord } from "../terms/reading.ts";
import type { Places, PublicName } from "../core/places.ts";
import { joinAnd, defineQuery, type Reader, type Value } from "../core/sql.ts";

/** How a request names an article: by id or slug, optionally restricted to a blog and a locale. */
export type ArticleName = {
  readonly idOrSlug: string;
  readonly blogId?: string | undefined;
  readonly locale?: string | undefined;
  /** Locales, best first: the article in the best of them. Replaces `locale`. */
  readonly fallback?: readonly string[] | undefined;
  readonly fields?: readonly ArticleField[] | undefined;
};

/** An alias of the table, for the articles that decide which blog a slug means ({@link selectByName}). */
export const CANDIDATES = alias(articles, "candidates");

/** Wraps the blog of a page, so that a hidden one has no rows. */
const withShownBlog = <V extends { readonly blogId: Value }>(names: V) => ({
  ...names,
  blogId: selectShownBlogId(names.blogId),
});

/** The most frequent public reads. Their SQL is cached, because only their values differ. */
const selectPublishedPage = defineQuery<PageBounds<string | number>, ArticleField>((names, fields) =>
  selectPage(withShownBlog(names), { published: true, fields }),
);
const selectPageByPublication = defineQuery<PageBounds<string | number>, ArticleField>((names, fields) =>
  selectPage(withShownBlog(names), { fields, sort: "publishTime" }),
);
const FREQUENT = { creationTime: selectPublishedPage, publishTime: selectPageByPublication, lastEditTime: undefined };
const PUBLISHED_ONES: NameScope = {
  visible: sql`${articles.published} = 1 and ${isShown(articles.blogId)}`,
  from: sql`${articles} ${CANDIDATES}`,
  candidates: sql`${CANDIDATES.published} = 1 and ${isShown(CANDIDATES.blogId)}`,
  since: CANDIDATES.publicTime,
};
const selectPublishedByName = defineQuery<NameParts<string>, ArticleField>((names, fields) =>
  selectByName(names, fields, PUBLISHED_ONES),
);

export type PublishedStore = ReturnType<typeof openPublishedStore>;

/** Returns how {@link ArticleName} names an article. */
const toPublicName = ({ idOrSlug, blogId, locale, fallback }: ArticleName): PublicName => {
  if (blogId !== undefined) return { blog: blogId };
  if (isUuid(idOrSlug)) return { article: idOrSlug.toLowerCase() };
  return { slug: idOrSlug.normalize("NFC"), locales: fallback ?? (locale === undefined ? undefined : [locale]) };
};

/** Returns the reads of anonymous callers. Each runs one query where its place is. */
export function openPublishedStore(place: Places) {
  return {
    ...openRarerReads(place),

    /** Returns a page of a blog's published articles. It is empty for an unknown blog. Throws `invalid_cursor`. */
    async listArticles(query: ArticleQuery): Promise<Page<ArticlePart>> {
      const { read, primary } = await place({ blog: query.blogId });
      const { blogId, locale, slug, tag, author, ids, fields, sort, fallback } = query;
      const names = { ...parseBounds(query), blogId, locale, slug, tag, author };
      const buildPage = fallback === undefined && ids === undefined ? FREQUENT[sort ?? "creationTime"] : undefined;
      const page =
        buildPage?.(names, fields) ??
        selectPage(withShownBlog(names), { published: true, ids, fields, sort, fallback });
      if (query.published === false) return { items: [], next: undefined };
      // If an article changed meanwhile, the page is read again, from the primary like its large contents.
      let nearest: Reader | null = read;
      const readRows = () => {
        const reader = nearest ?? primary;
        nearest = null;
        return reader<PageRow>(page);
      };
      return readArticlePage(query, readRows, primary);
    },

    /** Returns null if there is none with this name. */
    async findArticle(name: ArticleName): Promise<Versioned<ArticlePart> | null> {
      const { fallback, fields } = name;
      const { read, blogId = name.blogId } = await place(toPublicName(name));
      const parts = toNameParts({ ...name, blogId });
      const [row] = await read<ArticleRow>(
        fallback === undefined
          ? selectPublishedByName(parts, fields)
          : selectBestByName(parts, fields, { ...PUBLISHED_ONES, order: fallback }),
      );
      return row ? completeArticle(row, fields) : null;
    },

    /** Returns null if there is none with this id or vanityId. */
    async findBlog(idOrVanityId: string): Promise<Versioned<PublicBlogRecord> | null> {
      const { read } = await place({ blog: idOrVanityId });
      const [row] = await read<Omit<PublicBlogRecord, "locales"> & { locales: string; rowVersion: string }>(
        sql`select ${blogs.id} as "_id", ${blogs.name} as "name", ${blogs.coverUrl} as "coverUrl",
          ${blogs.creationTime} as "creationTime", ${blogs.lastEditTime} as "lastEditTime",
          ${blogs.locales} as "locales", ${blogs.version} as "rowVersion" from ${blogs} where ${hasBlogName(toBlogName(idOrVanityId))}`,
      );
      if (row === undefined) return null;
      const { rowVersion, ...blog } = row;
      return { value: { ...blog, locales: JSON.parse(blog.locales) as string[] }, version: rowVersion };
    },
  };
}

/** The rarer reads. Their modules are loaded on first use, because the start of the Worker evaluates the rest. */
function openRarerReads(place: Places) {
  const inBlog = async (blog: string) => (await place({ blog })).read;
  return {
    /** Throws `invalid_cursor`. */
    async listTerms(kind: TermKind, query: TermQuery): Promise<Page<TermRecord>> {
      return (await import("../terms/reading.ts")).listPublicTerms(await inBlog(query.blogId), kind, query);
    },

    async findMoved(name: Omit<ArticleName, "fields">): Promise<MovedTo | null> {
      const named = toPublicName(name);
      if ("article" in named) return null;
      const { read, blogId = name.blogId } = await place("slug" in named ? { ...named, isFormer: true } : named);
      return (await import("./moved.ts")).findMovedArticle(read, toNameParts({ ...name, blogId }));
    },

    async findAddressed(
      blogId: string,
      names: readonly Address[],
      preferred: readonly string[],
    ): Promise<Named | null> {
      return (await import("./moved.ts")).findAddressed(await inBlog(blogId), blogId, names, preferred);
    },

    async findRedirect(blogId: string, key: string): Promise<Led | null> {
      return (await import("../redirects/reading.ts")).findRedirect(await inBlog(blogId), blogId, key);
    },

    async findPreview(hash: string, now: Date): Promise<Previewed | null> {
      const { primary } = await place({ preview: hash });
      return (await import("./previews.ts")).previewedArticle(primary, hash, now);
    },

    async readFeed(query: FeedQuery): Promise<Feed | null> {
      return (await import("./feeds.ts")).readFeed(await inBlog(query.blog), query);
    },

    async readSitemap(query: SitemapQuery) {
      return (await import("./sitemaps.ts")).readSitemap(await inBlog(query.blog), query);
    },

    async readSiteList(query: SiteListQuery) {
      return (await import("./site-pages.ts")).readSiteList(await inBlog(query.vanityId), query);
    },

    async readSiteArticle(query: SiteArticleQuery) {
      return (await import("./site-pages.ts")).readSiteArticle(await inBlog(query.vanityId), query);
    },

    /** Runs two queries. */
    async search(query: ReaderSearch) {
      return (await import("./reader-search.ts")).searchPublished(await inBlog(query.blog), query);
    },

    async readPlainArticle(query: PlainQuery) {
      return (await import("./plain.ts")).readPlainArticle(await inBlog(query.blog), query);
    },
  };
}

export type PublicBlogRecord = {
  _id: string;
  name: string;
  coverUrl: string;
  creationTime: string;
  lastEditTime: string;
  locales: string[];
};

/** Returns the parts of a name. A UUID is an id, anything else a slug. */
export function toNameParts({ idOrSlug, blogId, locale }: ArticleName): NameParts<string> {
  const narrowed = { blogId, locale };
  return isUuid(idOrSlug)
    ? { id: idOrSlug.toLowerCase(), ...narrowed }
    : { slug: idOrSlug.normalize("NFC"), ...narrowed };
}

/**
 * Which articles a name may mean. `visible` is the condition on the result. `from` has {@link CANDIDATES}, the articles
 * that decide the blog, `candidates` is the condition on them, and `since` the column that orders them.
 */
export type NameScope = {
  readonly visible: SQL;
  readonly from: SQL;
  readonly candidates: SQL;
  readonly since: SQLiteColumn;
};

/**
 * Returns the query for one article. An id selects one row. A slug may exist in several blogs and locales. Then it
 * means the blog that had it first, so that nobody can take over a slug by publishing it later. Within this blog, the
 * article in the default locale is selected, otherwise the oldest one.
 */
export function selectByName(
  name: NameParts<Value>,
  fields: readonly ArticleField[] | undefined,
  scope: NameScope,
): SQL {
  const narrowed = [
    name.blogId !== undefined && sql`${articles.blogId} = ${name.blogId}`,
    name.locale !== undefined && sql`${articles.locale} = ${name.locale}`,
  ];
  if (name.id !== undefined) {
    const where = joinAnd(sql`${articles.id} = ${name.id}`, scope.visible, ...narrowed);
    return sql`select ${selectColumns(fields)} from ${articles} where ${where}`;
  }
  const blog =
    name.blogId !== undefined
      ? sql`${name.blogId}`
      : sql`(select ${CANDIDATES.blogId} from ${scope.from} where ${joinAnd(
          sql`${CANDIDATES.slug} = ${name.slug}`,
          scope.candidates,
          name.locale !== undefined && sql`${CANDIDATES.locale} = ${name.locale}`,
        )} order by ${scope.since}, ${CANDIDATES.id} limit 1)`;
  const where = joinAnd(
    sql`${articles.slug} = ${name.slug}`,
    sql`${articles.blogId} = ${blog}`,
    scope.visible,
    ...narrowed,
  );
  // A blog has at most one article with this slug and locale, so the query needs no order.
  if (name.locale !== undefined) {
    return sql`select ${selectColumns(fields)} from ${articles} indexed by articles_slug where ${where}`;
  }
  return sql`select ${selectColumns(fields)} from ${articles} indexed by articles_slug
    join ${blogs} on ${blogs.id} = ${articles.blogId} where ${where}
    order by ${articles.locale} = ${blogs.locales} ->> '$[0]' desc, ${articles.creationTime}, ${articles.id} limit 1`;
}

/**
 * Returns the query for the named article in the best of the order's locales. An article named by id must be in one of
 * them. A slug without a blog means the blog that had it first in any of them.
 */
export function selectBestByName(
  { id, slug, blogId }: NameParts<string>,
  fields: readonly ArticleField[] | undefined,
  { visible, from, candidates, since, order }: NameScope & { readonly order: readonly string[] },
): SQL {
  const narrowed = joinAnd(
    visible,
    isListedLocale(articles.locale, order),
    blogId !== undefined && sql`${articles.blogId} = ${blogId}`,
  );
  if (id !== undefined) {
    return sql`select ${selectColumns(fields)} from ${articles} where ${articles.id} = ${id} and ${narrowed}`;
  }
  // One search for each locale, which uses the index of slug and locale: many articles may have the slug in other
  // locales.
  const firsts = order.map(
    (locale) => sql`select * from (select ${CANDIDATES.blogId} as "blog", ${since} as "since", ${CANDIDATES.id} as "id"
      from ${from} where ${CANDIDATES.slug} = ${slug} and ${CANDIDATES.locale} = ${locale} and ${candidates}
      order by ${since}, ${CANDIDATES.id} limit 1)`,
  );
  const blog =
    blogId === undefined
      ? sql`(select "blog" from (${sql.join(firsts, sql` union all `)}) order by "since", "id" limit 1)`
      : sql`${blogId}`;
  return sql`select ${selectColumns(fields)} from ${articles} indexed by articles_slug
    where ${articles.blogId} = ${blog} and ${articles.slug} = ${slug} and ${narrowed}
    order by ${rankLocale(articles.locale, order)} limit 1`;
}
