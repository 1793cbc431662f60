/** Former slugs of published articles. Triggers keep them (migrations, 0016_previews). */
import { sql, type SQL } from "drizzle-orm";
import { DomainError } from "../../errors.ts";
import { decodeMovedCursor, encodeMovedCursor } from "../../domain/cursor.ts";
import { isSlug } from "../../domain/slug.ts";
import type { Writer } from "../core/commit.ts";
import type { Page } from "../core/paging.ts";
import { ownBlogId } from "../core/reach.ts";
import { all, orm, transaction, type Reader } from "../core/sql.ts";
import { blogs } from "../blogs/schema.ts";
import type { NameParts } from "./published.ts";
import { articles, movedSlugs } from "./schema.ts";

/** Where an article is found that had another slug or locale before. */
export type MovedTo = {
  readonly articleId: string;
  readonly slug: string;
  readonly locale: string;
  readonly blogId: string;
};

/** How many former slugs one search reads at most: other blogs may have had the same slug, for drafts that nobody sees. */
const MOST_READ = 100;

/**
 * Returns the published article that had this slug before; null if there is none, or if the name is an id. Where several
 * had it, it is one of the blog whose article left it first, in the blog's default locale if there is one.
 */
export async function movedArticle(
  read: Reader,
  { slug, blogId, locale }: Omit<NameParts<string>, "id">,
  organizationId?: string,
): Promise<MovedTo | null> {
  if (slug === undefined || !isSlug(slug)) return null;
  const reach = all(
    sql`${movedSlugs.slug} = ${slug}`,
    blogId !== undefined && sql`${movedSlugs.blogId} = ${blogId}`,
    organizationId !== undefined && sql`${movedSlugs.organizationId} = ${organizationId}`,
  );
  // Of one blog there are few, so they are sorted: the index in the order of time has those of all blogs.
  const order = blogId === undefined ? sql`${movedSlugs.moveTime}` : sql`+${movedSlugs.moveTime}`;
  const found = await read<MovedTo & { isDefault: number }>(
    sql`select ${articles.id} as "articleId", ${articles.slug}, ${articles.locale}, ${articles.blogId} as "blogId",
        m.locale = ${blogs.locales} ->> '$[0]' as "isDefault"
      from (select ${movedSlugs.articleId}, ${movedSlugs.locale}, ${movedSlugs.moveTime} from ${movedSlugs}
        where ${reach} order by ${order} limit ${MOST_READ}) m
      cross join ${articles} on ${articles.id} = m.article_id and ${articles.published} = 1
      cross join ${blogs} on ${blogs.id} = ${articles.blogId}
      where ${locale === undefined ? sql`true` : sql`m.locale = ${locale}`} order by m.move_time, ${articles.id}`,
  );
  const ofBlog = found.filter((row) => row.blogId === found[0]?.blogId);
  const chosen = ofBlog.find(({ isDefault }) => isDefault === 1) ?? ofBlog[0];
  if (chosen === undefined) return null;
  const { isDefault: _, ...movedTo } = chosen;
  return movedTo;
}

/** A former slug of an article in one locale, and the slug and locale that the article has instead. */
export type MovedSlug = {
  slug: string;
  locale: string;
  to: { articleId: string; slug: string; locale: string };
  published: boolean;
  moveTime: string;
};

export type MovedSlugsQuery = { readonly blogId: string; readonly limit: number; readonly cursor?: string | undefined };

/**
 * Returns a page of a blog's former slugs, sorted by slug and locale, also those of articles that are drafts by now. Throws
 * `blog_forbidden` if the blog does not belong to the organization, and `invalid_cursor`.
 */
export async function listMovedSlugs(writer: Writer, query: MovedSlugsQuery): Promise<Page<MovedSlug>> {
  const blogId = ownBlogId(writer, query.blogId);
  const { reach, found } = await transaction(writer.db, {
    reach: orm(writer.db)
      .select({ id: blogs.id })
      .from(blogs)
      .where(sql`${blogs.id} = ${blogId}`),
    found: movedPage(query, blogId),
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

function movedPage({ limit, cursor }: MovedSlugsQuery, blogId: SQL): SQL<Row> {
  const from = cursor === undefined ? undefined : decodeMovedCursor(cursor);
  const place = sql`(${movedSlugs.slug}, ${movedSlugs.locale})`;
  const where = all(sql`${movedSlugs.blogId} = ${blogId}`, from && sql`${place} >= (${from.slug}, ${from.locale})`);
  return sql<Row>`select m.slug, m.locale, m.move_time as "moveTime", m.article_id as "articleId",
      ${articles.slug} as "toSlug", ${articles.locale} as "toLocale", ${articles.published}
    from (select ${movedSlugs.slug}, ${movedSlugs.locale}, ${movedSlugs.moveTime}, ${movedSlugs.articleId}
      from ${movedSlugs} where ${where} order by ${movedSlugs.slug}, ${movedSlugs.locale} limit ${limit + 1}) m
    join ${articles} on ${articles.id} = m.article_id order by m.slug, m.locale`;
}
