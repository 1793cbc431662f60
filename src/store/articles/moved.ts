/** Former slugs of published articles. Triggers keep them (migrations). */
import { sql, type SQL } from "drizzle-orm";
import { alias } from "drizzle-orm/sqlite-core";
import { DomainError } from "../../domain/errors.ts";
import { decodeMovedCursor, encodeMovedCursor } from "../../domain/cursor.ts";
import type { Address, Named } from "../../domain/site.ts";
import { isSlug } from "../../domain/slug.ts";
import type { Writer } from "../core/writer.ts";
import type { Page } from "../core/paging.ts";
import { selectOwnBlogId } from "../core/reach.ts";
import { joinAnd, builder, runTransaction, type Reader } from "../core/sql.ts";
import { blogs } from "../../schema/blogs.ts";
import { isShown, selectShownBlogId } from "../blogs/names.ts";
import { selectRedirectedArticle } from "../redirects/reading.ts";
import { articles, movedSlugs } from "../../schema/articles.ts";

export type MovedTo = {
  readonly articleId: string;
  readonly slug: string;
  readonly locale: string;
  readonly blogId: string;
};

const candidates = alias(movedSlugs, "candidates");

/**
 * Returns the published article that had this slug before, or to which a redirect of the blog leads from it. Returns
 * null if there is none, or if the name is an id. Without a blog, the slug means the blog in which an article left it
 * first. Within a blog, the article in the default locale is preferred, then the one that left the slug first.
 */
export async function findMovedArticle(
  read: Reader,
  { slug, blogId, locale }: Omit<NameParts<string>, "id">,
  organizationId?: string,
): Promise<MovedTo | null> {
  if (slug === undefined || !isSlug(slug)) return null;
  const matchName = (of: typeof movedSlugs | typeof candidates) =>
    joinAnd(
      sql`${of.slug} = ${slug}`,
      sql`${of.live} = 1`,
      isShown(of.blogId),
      locale !== undefined && sql`${of.locale} = ${locale}`,
    );
  const index = sql.raw(locale === undefined ? "moved_slugs_live" : "moved_slugs_live_locale");
  // An organization has few blogs. The index over all organizations could have thousands of rows before its own.
  const from =
    organizationId === undefined
      ? sql`${movedSlugs} ${candidates} indexed by ${index} where ${matchName(candidates)}`
      : sql`${blogs} cross join ${movedSlugs} ${candidates} indexed by moved_slugs_slug on ${candidates.blogId} = ${blogs.id}
          where ${blogs.organizationId} = ${organizationId} and ${matchName(candidates)}`;
  const first = sql`(select ${candidates.blogId} from ${from} order by ${candidates.moveTime}, ${candidates.id} limit 1)`;
  const where = joinAnd(
    sql`${movedSlugs.blogId} = ${blogId === undefined ? first : blogId}`,
    matchName(movedSlugs),
    organizationId !== undefined && sql`${movedSlugs.organizationId} = ${organizationId}`,
  );
  const former = sql`select ${articles.id} as "articleId", ${articles.slug}, ${articles.locale}, ${articles.blogId} as "blogId"
      from ${movedSlugs} indexed by moved_slugs_slug
      cross join ${articles} on ${articles.id} = ${movedSlugs.articleId} and ${articles.published} = 1
      cross join ${blogs} on ${blogs.id} = ${articles.blogId} where ${where}
      order by ${movedSlugs.locale} = ${blogs.locales} ->> '$[0]' desc, ${movedSlugs.moveTime}, ${articles.id} limit 1`;
  // Redirects count only within a named blog, so that no blog takes a slug from another.
  const query =
    blogId === undefined
      ? former
      : sql`select * from (${selectRedirectedArticle({ blogId, slug, locale }, organizationId)})
          union all select * from (${former}) limit 1`;
  const [found] = await read<MovedTo>(query);
  return found ?? null;
}

/**
 * Returns the slug and locale of the published article of a blog that has one of these names, or had it before; earlier
 * names win. A name without a locale means the article in the first available locale of `preferred`, else any.
 */
export async function findAddressed(
  read: Reader,
  blogId: string,
  names: readonly Address[],
  preferred: readonly string[],
): Promise<Named | null> {
  const named = sql`(select ${sql.raw("key as nth, value ->> '$.slug' as slug, value ->> '$.locale' as locale")} from json_each(${JSON.stringify(names)})) n`;
  const rank = preferred.map((locale) => sql`was = ${locale} desc`);
  const [found] = await read<Named>(
    sql`select slug, locale from (
        select nth, n.locale as asked, 0 as former, ${articles.locale} as was, ${articles.slug}, ${articles.locale}, ${articles.creationTime} as since
        from ${named} cross join ${articles} indexed by articles_slug
          on ${articles.blogId} = ${selectShownBlogId(blogId)} and ${articles.slug} = n.slug and ${articles.published} = 1
        union all
        select nth, n.locale, 1, ${movedSlugs.locale}, ${articles.slug}, ${articles.locale}, ${movedSlugs.moveTime}
        from ${named} cross join ${movedSlugs} indexed by moved_slugs_slug
          on ${movedSlugs.blogId} = ${selectShownBlogId(blogId)} and ${movedSlugs.slug} = n.slug and ${movedSlugs.live} = 1
        cross join ${articles} on ${articles.id} = ${movedSlugs.articleId} and ${articles.published} = 1)
      where was = coalesce(asked, was) order by ${sql.join([sql`nth`, sql`former`, ...rank, sql`since`], sql`, `)} limit 1`,
  );
  return found ?? null;
}

/** A former slug of an article in one locale, and the article's current slug and locale. */
export type MovedSlug = {
  slug: string;
  locale: string;
  to: { articleId: string; slug: string; locale: string };
  published: boolean;
  moveTime: string;
};

export type MovedSlugsQuery = { readonly blogId: string; readonly limit: number; readonly cursor?: string | undefined };

/** Returns a page of former slugs, by slug and locale, drafts included. Throws `blog_forbidden`, `invalid_cursor`. */
export async function listMovedSlugs(writer: Writer, query: MovedSlugsQuery): Promise<Page<MovedSlug>> {
  const blogId = selectOwnBlogId(writer, query.blogId);
  const { reach, found } = await runTransaction(writer.db, {
    reach: builder
      .select({ id: blogs.id })
      .from(blogs)
      .where(sql`${blogs.id} = ${blogId}`),
    found: selectMovedPage(query, blogId),
  });
  if (reach.length === 0) throw new DomainError("blog_forbidden");
  const following = found[query.limit];
  const items = found.slice(0, query.limit).map(({ articleId, toSlug, toLocale, published, ...row }) => ({
    value: { ...row, to: { articleId, slug: toSlug, locale: toLocale }, published: published === 1 },
    version: [row.slug, row.locale, row.moveTime, toSlug, toLocale, published].join(":"),
  }));
  return { items, next: following && encodeMovedCursor(following) };
}

type Row = Pick<MovedSlug, "slug" | "locale" | "moveTime"> & {
  articleId: string;
  toSlug: string;
  toLocale: string;
  published: number;
};

function selectMovedPage({ limit, cursor }: MovedSlugsQuery, blogId: SQL): SQL<Row> {
  const from = cursor === undefined ? undefined : decodeMovedCursor(cursor);
  const place = sql`(${movedSlugs.slug}, ${movedSlugs.locale})`;
  const where = joinAnd(sql`${movedSlugs.blogId} = ${blogId}`, from && sql`${place} >= (${from.slug}, ${from.locale})`);
  return sql<Row>`select m.slug, m.locale, m.move_time as "moveTime", m.article_id as "articleId",
      ${articles.slug} as "toSlug", ${articles.locale} as "toLocale", ${articles.published}
    from (select ${movedSlugs.slug}, ${movedSlugs.locale}, ${movedSlugs.moveTime}, ${movedSlugs.articleId}
      from ${movedSlugs} where ${where} order by ${movedSlugs.slug}, ${movedSlugs.locale} limit ${limit + 1}) m
    join ${articles} on ${articles.id} = m.article_id order by m.slug, m.locale`;
}

/** The parts of an article's name: its id or its slug, and the restrictions. */
export type NameParts<V> = {
  readonly id?: V | undefined;
  readonly slug?: V | undefined;
  readonly blogId?: V | undefined;
  readonly locale?: V | undefined;
};
