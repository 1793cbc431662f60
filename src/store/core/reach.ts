/** What is within a writer's reach: its organization's blogs and subscriptions. */
import { sql, type SQL } from "drizzle-orm";
import { DomainError } from "../../errors.ts";
import type { Writer } from "./commit.ts";
import { blogs } from "../blogs/schema.ts";
import { webhookSubscriptions } from "../webhooks/schema.ts";
import { all, bare } from "./sql.ts";

/** The blog that a creation goes to: in SQL, and why there is none. */
export type TargetBlog = {
  /** The condition on `blogs`; holds for one row at most. */
  readonly is: SQL;
  /** Reads the blogs that fit, two at most. */
  readonly found: SQL;
  /** The one row that was found for the blog; throws `blog_required` or `blog_forbidden` where there is not one. */
  readonly one: <Row>(found: readonly Row[]) => Row;
};

/** The blog that is named, else the one that the writer is pinned to, else the organization's only one. */
export function targetBlog({ organizationId, pinnedBlogId }: Writer, named: string | undefined): TargetBlog {
  const blogId = named ?? pinnedBlogId ?? undefined;
  const own = sql`${blogs.organizationId} = ${organizationId}`;
  const only = sql`(select case when count(*) = 1 then min(${bare(blogs.id)}) end
    from (select ${blogs.id} from ${blogs} where ${own} limit 2))`;
  return {
    is: all(own, sql`${blogs.id} = ${blogId ?? only}`),
    found: sql`select ${blogs.id}, ${blogs.locales} from ${blogs}
      where ${all(own, blogId !== undefined && sql`${blogs.id} = ${blogId}`)} limit 2`,
    one(found) {
      const [row] = found;
      if (row !== undefined && found.length === 1) return row;
      throw new DomainError(blogId === undefined ? "blog_required" : "blog_forbidden");
    },
  };
}

/**
 * The id of a blog where it is of the writer's organization, else null: as an operand it makes SQLite
 * seek for nothing, where a condition beside it would be asked for every row.
 */
export function ownBlogId(writer: Writer, id: string): SQL {
  return sql`(select ${blogs.id} from ${blogs} where ${blogs.id} = ${id} and ${blogs.organizationId} = ${writer.organizationId})`;
}

/** That a blog is of the writer's organization. */
export const ownBlog = (writer: Writer, id: string): SQL => sql`${ownBlogId(writer, id)} is not null`;

/** The condition on a webhook subscription that it is the writer's organization's. */
export function ownSubscription(writer: Writer, id: string): SQL {
  return all(
    sql`${webhookSubscriptions.id} = ${id}`,
    sql`${webhookSubscriptions.organizationId} = ${writer.organizationId}`,
  );
}
