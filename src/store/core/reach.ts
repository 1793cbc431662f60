/**
 * Reach: the blogs, articles and subscriptions that a writer may touch are those of its organization. A hidden blog is
 * nobody's.
 */
import { eq, sql, type SQL } from "drizzle-orm";
import { DomainError } from "../../domain/errors.ts";
import type { Writer } from "./writer.ts";
import { isShown } from "../blogs/names.ts";
import { articles } from "../../schema/articles.ts";
import { blogs } from "../../schema/blogs.ts";
import { webhookSubscriptions } from "../../schema/webhooks.ts";
import { joinAnd, toColumnName } from "./sql.ts";

export type TargetBlog = {
  /** The condition on `blogs`, true for at most one row. */
  readonly is: SQL;
  /** The id and locales of at most two qualifying blogs: enough to see that there is more than one. */
  readonly found: SQL;
  /** Returns the one row of `found`. Throws `blog_forbidden` if a blog was named or pinned, else `blog_required`. */
  readonly requireOne: <Row>(found: readonly Row[]) => Row;
};

/**
 * Returns the blog in which a write creates something: the named blog, otherwise the pinned one, otherwise the
 * organization's only blog. It does not check that a named blog is the pinned one: operations/invoke.ts does.
 */
export function resolveTargetBlog({ organizationId, pinnedBlogId }: Writer, named: string | undefined): TargetBlog {
  const blogId = named ?? pinnedBlogId ?? undefined;
  const own = sql`${blogs.organizationId} = ${organizationId} and ${isShown(blogs.id)}`;
  const only = sql`(select case when count(*) = 1 then min(${toColumnName(blogs.id)}) end
    from (select ${blogs.id} from ${blogs} where ${own} limit 2))`;
  return {
    is: joinAnd(own, sql`${blogs.id} = ${blogId ?? only}`),
    found: sql`select ${blogs.id}, ${blogs.locales} from ${blogs}
      where ${joinAnd(own, blogId !== undefined && sql`${blogs.id} = ${blogId}`)} limit 2`,
    requireOne(found) {
      const [row] = found;
      if (row !== undefined && found.length === 1) return row;
      throw new DomainError(blogId === undefined ? "blog_required" : "blog_forbidden");
    },
  };
}

/**
 * Returns an SQL expression for the id of a blog: NULL if the blog is not one of the writer's organization. Use it as
 * an operand (`blog_id = …`): compared with NULL, SQLite reads no row. A separate condition would be evaluated for
 * every row of the blog.
 */
export function selectOwnBlogId(writer: Pick<Writer, "organizationId">, id: string): SQL {
  return sql`(select ${blogs.id} from ${blogs} where ${blogs.id} = ${id} and ${blogs.organizationId} = ${writer.organizationId} and ${isShown(blogs.id)})`;
}

/** Returns the condition that a blog belongs to the writer's organization. */
export const ownsBlog = (writer: Pick<Writer, "organizationId">, id: string): SQL =>
  sql`${selectOwnBlogId(writer, id)} is not null`;

/** Returns the condition that a webhook subscription has this id and belongs to the writer's organization. */
export function isOwnSubscription(writer: Writer, id: string): SQL {
  return joinAnd(
    sql`${webhookSubscriptions.id} = ${id}`,
    sql`${webhookSubscriptions.organizationId} = ${writer.organizationId}`,
  );
}

/** Returns the condition on `blogs` that the writer may touch the row: in the organization, or the pinned one. */
export const isReachableBlog = ({ organizationId, pinnedBlogId }: Writer): SQL =>
  joinAnd(
    sql`${blogs.organizationId} = ${organizationId}`,
    isShown(blogs.id),
    pinnedBlogId !== null && sql`${blogs.id} = ${pinnedBlogId}`,
  );

/** Returns the condition on `blogs` that the row is this blog, and the writer may touch it. */
export const isOwnBlog = (writer: Writer, id: string): SQL => joinAnd(eq(blogs.id, id), isReachableBlog(writer));

/** Returns the condition on `articles` that the writer may touch the row. */
export function isReachableArticle(writer: Pick<Writer, "organizationId" | "pinnedBlogId">): SQL {
  return joinAnd(
    sql`${articles.organizationId} = ${writer.organizationId}`,
    isShown(articles.blogId),
    writer.pinnedBlogId !== null && sql`${articles.blogId} = ${writer.pinnedBlogId}`,
  );
}
