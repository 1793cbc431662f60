/** How a path, a query or a host name names a blog: by its id, its vanityId, or a host name of its own. */
import { sql, type SQL } from "drizzle-orm";
import type { SQLiteColumn } from "drizzle-orm/sqlite-core";
import { isUuid } from "../../lib/ids.ts";
import type { Reader, Value } from "../core/sql.ts";
import { blogs, hiddenBlogs, siteHosts } from "../../schema/blogs.ts";

/** The name of a blog, as the values of a query or their placeholders. */
export type BlogName<V = string> = { readonly id?: V | undefined; readonly vanityId?: V | undefined };

/** Returns the name of a blog as the values of a query: a UUID is an id. */
export const toBlogName = (blog: string): BlogName => (isUuid(blog) ? { id: blog.toLowerCase() } : { vanityId: blog });

/** Returns the condition that a blog is not hidden: one lookup in a table that is nearly always empty. */
export const isShown = (blogId: SQL | SQLiteColumn): SQL =>
  sql`not exists (select 1 from ${hiddenBlogs} where ${hiddenBlogs.blogId} = ${blogId})`;

/**
 * Returns an SQL expression for the id of a blog: NULL if the blog is hidden. Use it as an operand (`blog_id = …`), so that
 * it is evaluated once.
 */
export const selectShownBlogId = (id: Value): SQL => sql`(select ${id} where ${isShown(sql`${id}`)})`;

/** Returns the condition that a row of `blogs` has this name and is not hidden. */
export const hasBlogName = ({ id, vanityId }: BlogName<Value>): SQL =>
  sql`${id === undefined ? sql`${blogs.vanityId} = ${vanityId}` : sql`${blogs.id} = ${id}`} and ${isShown(blogs.id)}`;

export type HostedBlog = {
  readonly _id: string;
  readonly vanityId: string;
  readonly siteUrl: string;
  readonly articlePath: string;
};

const HOSTED = sql`${blogs.id} as "_id", ${blogs.vanityId} as "vanityId", ${blogs.siteUrl} as "siteUrl", ${blogs.articlePath} as "articlePath"`;

/**
 * Returns the blog with this vanityId or this verified host name, or null. It may be hidden: then the host has no pages, and
 * does not show those of the service instead.
 */
export async function findHosted(
  read: Reader,
  name: { readonly vanityId: string } | { readonly host: string },
): Promise<HostedBlog | null> {
  const [row] = await read<HostedBlog>(
    "vanityId" in name
      ? sql`select ${HOSTED} from ${blogs} where ${blogs.vanityId} = ${name.vanityId}`
      : sql`select ${HOSTED} from ${siteHosts} join ${blogs} on ${blogs.id} = ${siteHosts.blogId}
          where ${siteHosts.host} = ${name.host} and ${siteHosts.verifiedTime} is not null`,
  );
  return row ?? null;
}
