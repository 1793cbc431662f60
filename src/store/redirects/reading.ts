import { sql, type SQL } from "drizzle-orm";
import { articles } from "../../schema/articles.ts";
import { blogs } from "../../schema/blogs.ts";
import { selectShownBlogId } from "../blogs/names.ts";
import { joinAnd, type Reader } from "../core/sql.ts";
import { redirects } from "../../schema/redirects.ts";

/** Where a redirect leads: to a published article, or to a path of the site or a URL. */
export type Led = { readonly to: string } | { readonly to: null; readonly slug: string; readonly locale: string };

/** Returns where a blog's redirect leads from a path; null if there is none, or if its article is not public. */
export async function findRedirect(read: Reader, blogId: string, key: string): Promise<Led | null> {
  const [found] = await read<Led>(
    sql`select ${redirects.target} as "to", ${articles.slug}, ${articles.locale} from ${redirects}
      left join ${articles} on ${articles.id} = ${redirects.articleId} and ${articles.published} = 1
      where ${redirects.blogId} = ${selectShownBlogId(blogId)} and ${redirects.source} = ${key}
        and (${redirects.target} is not null or ${articles.id} is not null)`,
  );
  return found ?? null;
}

/** Returns the query of the published article to which a redirect leads from any path of this slug. */
export function selectRedirectedArticle(
  { blogId, slug, locale }: { readonly blogId: string; readonly slug: string; readonly locale?: string | undefined },
  organizationId: string | undefined,
): SQL {
  const named = sql.raw("named.value");
  const own = sql`rtrim(replace(replace(${blogs.articlePath}, '{locale}', ${named}), '{slug}', ${slug}), '/')`;
  const where = joinAnd(
    sql`${blogs.id} = ${selectShownBlogId(blogId)}`,
    organizationId !== undefined && sql`${blogs.organizationId} = ${organizationId}`,
    locale !== undefined && sql`${named} = ${locale} and ${articles.locale} = ${locale}`,
  );
  return sql`select ${articles.id} as "articleId", ${articles.slug}, ${articles.locale}, ${articles.blogId} as "blogId"
    from ${blogs} cross join json_each(${blogs.locales}) named
      cross join ${redirects} on ${redirects.blogId} = ${blogs.id}
        and ${redirects.source} in ('/' || ${slug}, '/' || ${named} || '/' || ${slug}, ${own})
      cross join ${articles} on ${articles.id} = ${redirects.articleId} and ${articles.published} = 1
    where ${where} order by named.key, ${redirects.source} limit 1`;
}
