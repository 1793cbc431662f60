/** Hides blogs from everybody, and shows them again. Reads look at the rows themselves (names.ts). */
import { sql, type SQL } from "drizzle-orm";
import { blogTag, imagesTag } from "../../domain/cache-tags.ts";
import { blogs, hiddenBlogs } from "../../schema/blogs.ts";
import { insertWhere, joinAnd, type Statement } from "../core/sql.ts";
import { requestPurges } from "../edge/purges.ts";

/** Returns the beginning of a tag as a literal, to which a query adds an id. */
export const toPrefix = (tag: (id: string) => string): SQL => sql.raw(`'${tag("")}'`);

export type HidingReason = (typeof hiddenBlogs.$inferSelect)["reason"];

/**
 * Returns the statements that hide blogs, and purge what caches have of them. `which` is the condition on `blogs`. The
 * images of their organizations are purged together: hiding is rare, and so an image needs no tag of its blog.
 */
export function hideBlogs(reason: HidingReason, which: SQL, time: string): Statement[] {
  const row = { blogId: blogs.id, reason, organizationId: blogs.organizationId, time };
  return [
    insertWhere(hiddenBlogs, row, sql`from ${blogs} where ${which}`).onConflictDoNothing(),
    requestPurges(
      sql`select ${toPrefix(blogTag)} || ${blogs.id} as tag, ${blogs.organizationId} as organization_id, 1 as urgent from ${blogs} where ${which}
        union select ${toPrefix(imagesTag)} || ${blogs.organizationId}, ${blogs.organizationId}, 1 from ${blogs} where ${which}`,
      time,
    ),
  ];
}

/** Returns the statement that ends this reason to hide blogs. */
export const showBlogs = (reason: HidingReason, which: SQL): SQL =>
  sql`delete from ${hiddenBlogs} where ${joinAnd(sql`${hiddenBlogs.reason} = ${reason}`, which)}`;
