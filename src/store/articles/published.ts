/** What everybody may read: published articles and the public face of a blog, of any organization. */
import { sql, type SQL } from "drizzle-orm";
import { alias, type SQLiteColumn } from "drizzle-orm/sqlite-core";
import { isUuid } from "../../lib/ids.ts";
import { readArticlePage, selectPage, type PageBounds, type PageRow } from "./pages.ts";
import {
  articleColumns,
  toArticle,
  type ArticleField,
  type ArticleQuery,
  type ArticleRecord,
  type ArticleRow,
} from "./rows.ts";
import { boundsOf, type Page, type Versioned } from "../core/paging.ts";
import { articles } from "./schema.ts";
import { blogs } from "../blogs/schema.ts";
import { all, family, type Reader, type Value } from "../core/sql.ts";

/** How an article is named: by id or slug, narrowed by blog and locale. */
export type ArticleName = {
  readonly idOrSlug: string;
  readonly blogId?: string | undefined;
  readonly locale?: string | undefined;
  readonly fields?: readonly ArticleField[] | undefined;
};

/** The articles among which the blog of a slug is chosen. */
export const CANDIDATES = alias(articles, "candidates");

const published = sql`${articles.published} = 1`;

/** The two reads of most readers. Their values are all that differs. */
const pageOfPublished = family<PageBounds<string | number>, ArticleField>((names, fields) =>
  selectPage(names, true, fields),
);
const publishedByName = family<NameParts<string>, ArticleField>((names, fields) =>
  articleByName(names, fields, {
    visible: published,
    candidates: sql`${CANDIDATES.published} = 1`,
    since: CANDIDATES.publicTime,
  }),
);

export type PublishedStore = ReturnType<typeof openPublishedStore>;

/** The reads of anonymous callers: each is one query, of `read`; `primary` never lags behind it. */
export function openPublishedStore(read: Reader, primary: Reader = read) {
  return {
    /** A page of a blog's published articles; an unknown blog has none. */
    async listArticles(query: ArticleQuery): Promise<Page<Partial<ArticleRecord>>> {
      const { blogId, locale, slug, fields } = query;
      const page = pageOfPublished({ ...boundsOf(query), blogId, locale, slug }, fields);
      if (query.published === false) return { items: [], next: undefined };
      // A page that is read again after a change is read from the primary, as its heavy contents are.
      let nearest: Reader | null = read;
      const readRows = () => {
        const reader = nearest ?? primary;
        nearest = null;
        return reader<PageRow>(page);
      };
      return readArticlePage(query, readRows, primary);
    },

    /** One published article, or null. */
    async findArticle(name: ArticleName): Promise<Versioned<Partial<ArticleRecord>> | null> {
      const [row] = await read<ArticleRow>(publishedByName(partsOf(name), name.fields));
      return row ? toArticle(row) : null;
    },

    /** The public members of a blog, by id or vanityId, or null. */
    async findBlog(idOrVanityId: string): Promise<Versioned<PublicBlogRecord> | null> {
      const isId = isUuid(idOrVanityId);
      const by = isId ? blogs.id : blogs.vanityId;
      const [row] = await read<Omit<PublicBlogRecord, "locales"> & { locales: string; rowVersion: string }>(
        sql`select ${blogs.id} as "_id", ${blogs.name} as "name", ${blogs.coverUrl} as "coverUrl",
          ${blogs.creationTime} as "creationTime", ${blogs.lastEditTime} as "lastEditTime",
          ${blogs.locales} as "locales", ${blogs.version} as "rowVersion" from ${blogs} where ${by} = ${isId ? idOrVanityId.toLowerCase() : idOrVanityId}`,
      );
      if (row === undefined) return null;
      const { rowVersion, ...blog } = row;
      return { value: { ...blog, locales: JSON.parse(blog.locales) as string[] }, version: rowVersion };
    },
  };
}

/** The six members of `GET /blogs`. */
export type PublicBlogRecord = {
  _id: string;
  name: string;
  coverUrl: string;
  creationTime: string;
  lastEditTime: string;
  locales: string[];
};

/** What an article is looked for by: its id, or its slug. */
type NameParts<V> = {
  readonly id?: V | undefined;
  readonly slug?: V | undefined;
  readonly blogId?: V | undefined;
  readonly locale?: V | undefined;
};

/** A name as its parts; an id is a name of the shape of one. */
export function partsOf({ idOrSlug, blogId, locale }: ArticleName): NameParts<string> {
  const narrowed = { blogId, locale };
  return isUuid(idOrSlug)
    ? { id: idOrSlug.toLowerCase(), ...narrowed }
    : { slug: idOrSlug.normalize("NFC"), ...narrowed };
}

/**
 * The query for one article. An id names one row. A slug may exist in several blogs and locales: the
 * blog that had it first is meant, so that nobody can shadow a slug by publishing it later; there, the
 * blog's default locale goes first, then the oldest.
 *
 * `visible` restricts the result; `candidates` restricts the choice of the blog and `since` orders it,
 * both on {@link CANDIDATES}.
 */
export function articleByName(
  name: NameParts<Value>,
  fields: readonly ArticleField[] | undefined,
  scope: { visible: SQL; candidates: SQL; since: SQLiteColumn },
): SQL {
  const narrowed = [
    name.blogId !== undefined && sql`${articles.blogId} = ${name.blogId}`,
    name.locale !== undefined && sql`${articles.locale} = ${name.locale}`,
  ];
  if (name.id !== undefined) {
    const where = all(sql`${articles.id} = ${name.id}`, scope.visible, ...narrowed);
    return sql`select ${articleColumns(fields)} from ${articles} where ${where}`;
  }
  const blog =
    name.blogId !== undefined
      ? sql`${name.blogId}`
      : sql`(select ${CANDIDATES.blogId} from ${articles} ${CANDIDATES} where ${all(
          sql`${CANDIDATES.slug} = ${name.slug}`,
          scope.candidates,
          name.locale !== undefined && sql`${CANDIDATES.locale} = ${name.locale}`,
        )} order by ${scope.since}, ${CANDIDATES.id} limit 1)`;
  const where = all(
    sql`${articles.slug} = ${name.slug}`,
    sql`${articles.blogId} = ${blog}`,
    scope.visible,
    ...narrowed,
  );
  // There is one article of a slug in a locale of a blog: nothing to choose from.
  if (name.locale !== undefined) {
    return sql`select ${articleColumns(fields)} from ${articles} indexed by articles_slug where ${where}`;
  }
  return sql`select ${articleColumns(fields)} from ${articles} indexed by articles_slug
    join ${blogs} on ${blogs.id} = ${articles.blogId} where ${where}
    order by ${articles.locale} = ${blogs.locales} ->> '$[0]' desc, ${articles.creationTime}, ${articles.id} limit 1`;
}
