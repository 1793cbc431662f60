/** The translations of a blog: which articles exist for each slug, and which locales are missing. */
import { eq, gte, sql, type SQL } from "drizzle-orm";
import { DomainError } from "../../domain/errors.ts";
import { decodeSlugCursor, encodeSlugCursor } from "../../domain/cursor.ts";
import { LIMITS } from "../../domain/limits.ts";
import type { Writer } from "../core/writer.ts";
import type { Page, Versioned } from "../core/paging.ts";
import { selectOwnBlogId } from "../core/reach.ts";
import { articles } from "../../schema/articles.ts";
import { blogs } from "../../schema/blogs.ts";
import { joinAnd, builder, compileFragment, jsonBoolean, jsonObject, queryRows, runTransaction } from "../core/sql.ts";

export type Translation = {
  _id: string;
  locale: string;
  title: string;
  published: boolean;
  lastEditTime: string;
  /** True if the article in the blog's default locale was edited after this one. */
  stale: boolean;
};

/** A slug with its articles in the order of the blog's locales, and the locales of the blog that have no article. */
export type SlugLocales = { slug: string; articles: Translation[]; missing: string[] };

export type LocalesQuery = {
  readonly blogId: string;
  readonly slug?: string | undefined;
  /** 1 to `LIMITS.page`. */
  readonly limit: number;
  readonly cursor?: string | undefined;
};

type Stored = Omit<Translation, "stale"> & { version: string };
type SlugRow = { slug: string; articles: string };

const MOST_COMPARED = 256 * 1024;

export type ComparedContent = {
  readonly id: string;
  /** In characters. */
  readonly length: number;
  /** Null if the content is too long, or if the contents before it used up `LIMITS.comparedBytes`. */
  readonly content: string | null;
  /** 1 if the content alone has more than {@link MOST_COMPARED} bytes. */
  readonly tooLong: 0 | 1;
};

/** Returns the contents of these articles of a blog, in the order of `ids`. Leaves out ids that are not in the blog. */
export function readComparedContents(
  writer: Writer,
  blogId: string,
  ids: readonly string[],
): Promise<ComparedContent[]> {
  return queryRows(
    writer.db,
    sql`select id, "length", "tooLong", case when not "tooLong" and "sum" <= ${LIMITS.comparedBytes}
        then (select ${articles.content} from ${articles} where ${articles.id} = r.id) end as "content"
      from (select ${articles.id}, i.key, length(${articles.content}) as "length",
          octet_length(${articles.content}) > ${MOST_COMPARED} as "tooLong",
          sum(octet_length(${articles.content})) filter (where octet_length(${articles.content}) <= ${MOST_COMPARED})
            over (order by i.key) as "sum"
        from json_each(${JSON.stringify(ids)}) i join ${articles} on ${articles.id} = i.value
        where ${articles.blogId} = ${selectOwnBlogId(writer, blogId)}) r
      order by r.key`,
  );
}

/** Returns a page of a blog's slugs and its default locale. Throws `blog_forbidden` and `invalid_cursor`. */
export async function compareLocales(
  writer: Writer,
  query: LocalesQuery,
): Promise<Page<SlugLocales> & { readonly defaultLocale: string }> {
  const blogId = selectOwnBlogId(writer, query.blogId);
  const { reach, slugs } = await runTransaction(writer.db, {
    reach: builder
      .select({ locales: blogs.locales, version: blogs.version })
      .from(blogs)
      .where(sql`${blogs.id} = ${blogId}`),
    slugs: selectSlugPage(query, blogId),
  });
  const [blog] = reach;
  if (blog === undefined) throw new DomainError("blog_forbidden");
  const { locales } = blog;
  const following = slugs[query.limit];
  return {
    items: slugs.slice(0, query.limit).map((row) => toSlugLocales(row, locales, blog.version)),
    next: following && encodeSlugCursor(following.slug),
    defaultLocale: locales[0] ?? "",
  };
}

const STORED = compileFragment(
  jsonObject({
    _id: articles.id,
    locale: articles.locale,
    title: articles.title,
    published: jsonBoolean(articles.published),
    lastEditTime: articles.lastEditTime,
    version: articles.version,
  }),
);

/**
 * Returns the query for a page of slugs. It reads one slug more than the page shows: if it exists, the next page begins
 * with it, and the cursor names it. Articles with one slug are next to each other in the index of slugs, so a page
 * reads one short range.
 */
function selectSlugPage(query: LocalesQuery, blogId: SQL): SQL<SlugRow> {
  const cursor = query.cursor === undefined ? undefined : decodeSlugCursor(query.cursor);
  const where = joinAnd(
    sql`${articles.blogId} = ${blogId}`,
    query.slug !== undefined && eq(articles.slug, query.slug),
    cursor !== undefined && gte(articles.slug, cursor),
  );
  return sql<SlugRow>`select ${articles.slug}, json_group_array(${STORED}) as "articles" from ${articles}
    where ${where} group by ${articles.slug} order by ${articles.slug} limit ${query.limit + 1}`;
}

function toSlugLocales(row: SlugRow, locales: readonly string[], blogVersion: string): Versioned<SlugLocales> {
  const stored = JSON.parse(row.articles) as Stored[];
  const existing = new Set(stored.map(({ locale }) => locale));
  const original = stored.find(({ locale }) => locale === locales[0]);
  const sorted = stored.toSorted(
    (a, b) => findPosition(a, locales) - findPosition(b, locales) || (a.locale < b.locale ? -1 : 1),
  );
  return {
    value: {
      slug: row.slug,
      articles: sorted.map(({ _id, locale, title, published, lastEditTime }) => {
        const stale = original !== undefined && original.lastEditTime > lastEditTime;
        return { _id, locale, title, published, lastEditTime, stale };
      }),
      missing: locales.filter((locale) => !existing.has(locale)),
    },
    // Includes the version of the blog, because `missing` and the order depend on the blog's locales.
    version: [blogVersion, ...stored.map(({ version }) => version)].join("+"),
  };
}

/** Returns the position of a translation among the blog's locales. It comes last if the blog lacks its locale. */
function findPosition({ locale }: Stored, locales: readonly string[]): number {
  const index = locales.indexOf(locale);
  return index === -1 ? locales.length : index;
}
