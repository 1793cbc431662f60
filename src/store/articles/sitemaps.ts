/** The URLs of all published articles of a blog (contract 20.5), in the order of their slugs. */
import { sql } from "drizzle-orm";
import { utf8Length } from "../../lib/text.ts";
import { blogs } from "../../schema/blogs.ts";
import { joinAnd, defineQuery, type Reader } from "../core/sql.ts";
import { hasBlogName, toBlogName, type BlogName } from "../blogs/names.ts";
import { FEED_BLOG, type FeedBlog } from "./feeds.ts";
import { buildArticleUrl } from "./rows.ts";
import { articles } from "../../schema/articles.ts";

/** An article in a site map. Translations share their slug, and follow each other. */
export type Located = {
  readonly slug: string;
  readonly locale: string;
  readonly place: string;
  readonly lastEditTime: string;
  /** "" if its writers set none. */
  readonly canonicalUrl: string;
};

/** `pages` is the number of files: a blog with more than one has an index of them instead of one map. */
export type Sitemap = {
  readonly blog: FeedBlog;
  readonly pages: number;
  readonly articles: readonly Located[];
  /** Whether the URLs of so many articles with this slug list each other. */
  readonly nameEachOther: (slug: string, articles: number) => boolean;
};

/**
 * A file has at most 32,000 URLs (sitemaps.org allows 50,000), because it must fit into memory: a URL counts once, and once
 * more for each {@link UNIT} bytes of its length. An article in n languages counts as n (n + 1) / 2 URLs, because each lists all
 * others. If that is above {@link MOST_OF_SLUG}, they do not, and count as n. A slug has 200 articles at most, so a
 * file that ends with the first slug after {@link PER_PAGE} has at most {@link MOST}.
 */
const MOST = 32_000;
const MOST_OF_SLUG = 20_100;
const PER_PAGE = MOST - MOST_OF_SLUG;
const UNIT = 100;

export type SitemapQuery = { readonly blog: string; readonly page?: number | undefined };

/**
 * Returns the content of a site map; null if there is no such blog. With a `page`, counted from 0, it has the articles
 * of this file. Without one, it has all articles if they fit into one file, otherwise none.
 */
export async function readSitemap(read: Reader, query: SitemapQuery): Promise<Sitemap | null> {
  const rows = await read<First & Omit<Located, "canonicalUrl">>(
    selectSitemap({ ...toBlogName(query.blog), page: query.page }),
  );
  const [first, ...listed] = rows;
  if (first === undefined || first.blog === null) return null;
  const pages = (first.weight ?? 0) <= MOST ? 1 : (first.pages ?? 1);
  const nameEachOther = (slug: string, n: number): boolean => {
    // Counts like `selectSitemap`.
    const bytes = (first.bytes ?? 0) + 5 * utf8Length(slug) - 4 * Array.from(slug).length;
    return (n * (n + 1) * (1 + Math.floor(bytes / UNIT))) / 2 <= MOST_OF_SLUG;
  };
  const canonical = new Map(
    (JSON.parse(first.canonical ?? "[]") as [string, string, string][]).map(([slug, locale, url]) => [
      `${locale}/${slug}`,
      url,
    ]),
  );
  const found = listed.map(({ slug, locale, place, lastEditTime }) => {
    return { slug, locale, place, lastEditTime, canonicalUrl: canonical.get(`${locale}/${slug}`) ?? "" };
  });
  return { blog: JSON.parse(first.blog) as FeedBlog, pages, articles: found, nameEachOther };
}

/** The members of the first row; null in the other rows. */
type First = {
  readonly blog: string | null;
  readonly pages: number | null;
  readonly weight: number | null;
  /** The bytes of a URL without its slug. */
  readonly bytes: number | null;
  /** The articles that set a canonical URL, as JSON: slug, locale and URL of each. */
  readonly canonical: string | null;
};

/** A longer canonical URL is not compared with the article's own, so that the response stays small. */
const LONGEST = 1000;

/** Few articles have `seo`. Without the index, all contents would be read, because `seo` is stored after them. */
const told = sql`select ${articles.id}, ${articles.slug}, ${articles.locale}, ${articles.seo} ->> '$.noindex' as noindex,
    ${articles.seo} ->> '$.canonicalUrl' as canonical
  from ${articles} indexed by articles_with_seo where ${articles.seo} is not null and ${articles.blogId} = (select id from blog)`;

const selectSitemap = defineQuery<BlogName & Pick<SitemapQuery, "page">>((names) => {
  // The whole blog is counted for each file, by the index that has the order of the slugs, but only the articles of the
  // file are kept.
  const listed = joinAnd(
    sql`${articles.blogId} = (select id from blog)`,
    sql`${articles.published} = 1`,
    sql`${articles.id} not in (select id from told where noindex or length(canonical) > ${LONGEST})`,
  );
  const isOnPage =
    names.page === undefined
      ? sql`(select weight from total) <= ${sql.raw(String(MOST))}`
      : sql`before / ${sql.raw(String(PER_PAGE))} = ${names.page}`;
  // Percent-encoded, a character of one byte takes one, of two bytes six, of four bytes twelve.
  const count = sql`(1 + (bytes + 5 * octet_length(slug) - 4 * length(slug)) / ${sql.raw(String(UNIT))})`;
  return sql`with blog as (select ${blogs.id}, ${FEED_BLOG} as record,
      octet_length(${blogs.siteUrl}) + octet_length(${blogs.articlePath}) as bytes from ${blogs} where ${hasBlogName(names)}),
    told as materialized (${told}),
    named as (select ${articles.slug} as slug, count(*) as n from ${articles} indexed by articles_slug
      where ${listed} group by ${articles.slug}),
    counted as (select slug, iif(n * (n + 1) / 2 * ${count} > ${sql.raw(String(MOST_OF_SLUG))}, n, n * (n + 1) / 2) * ${count} as weight
      from named, blog),
    placed as materialized (select slug, sum(weight) over (order by slug rows unbounded preceding) as behind,
        sum(weight) over (order by slug rows unbounded preceding) - weight as before from counted),
    total as (select coalesce(max(behind), 0) as weight, coalesce(max(before), 0) / ${sql.raw(String(PER_PAGE))} + 1 as pages
      from placed)
    select 0 as "nth", record as "blog", pages as "pages", weight as "weight", bytes as "bytes",
      (select json_group_array(json_array(slug, locale, canonical)) from told
        where length(canonical) between 1 and ${LONGEST}) as "canonical",
      '' as "slug", '' as "locale", '' as "place", '' as "lastEditTime" from blog, total
    union all
    select 1, null, null, null, null, null, ${articles.slug}, ${articles.locale}, ${buildArticleUrl(blogs, articles)}, ${articles.lastEditTime}
      from (select min(slug) as first, max(slug) as last from placed where ${isOnPage}) file
      cross join ${articles} indexed by articles_slug join ${blogs} on ${blogs.id} = ${articles.blogId}
      where ${listed} and ${articles.slug} between file.first and file.last
    order by "nth", "slug", "locale"`;
});
