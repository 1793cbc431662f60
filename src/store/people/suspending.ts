/** The statements that suspend an organization and hide its blogs, and that end this. */
import { eq, sql, type SQL } from "drizzle-orm";
import type { SQLiteColumn } from "drizzle-orm/sqlite-core";
import { imagesTag } from "../../domain/cache-tags.ts";
import { LIMITS } from "../../domain/limits.ts";
import { blogs, hiddenBlogs } from "../../schema/blogs.ts";
import { suspensions } from "../../schema/core.ts";
import { trash } from "../../schema/trash.ts";
import { BLOG } from "../blogs/blogs.ts";
import { hideBlogs, showBlogs } from "../blogs/hiding.ts";
import { insertEvent } from "../core/commit.ts";
import { insertWhere, joinAnd, toColumnName, type Statement } from "../core/sql.ts";
import { requestPurges } from "../edge/purges.ts";
import { newIdAt } from "./disconnection.ts";

/** Returns the statements that suspend an organization, also one that was deleted, and hide its blogs. */
export function beginSuspension(row: typeof suspensions.$inferInsert, held: SQL): Statement[] {
  const { organizationId, creationTime } = row;
  return [
    insertWhere(suspensions, row, sql`where ${held}`).onConflictDoUpdate({
      target: suspensions.organizationId,
      set: {
        kind: row.kind,
        reason: row.reason,
        creationTime: sql`iif(${suspensions.kind} = 'ceiling', ${creationTime}, ${suspensions.creationTime})`,
      },
    }),
    ...hideBlogs("suspended", joinAnd(eq(blogs.organizationId, organizationId), held), creationTime),
    // Also if it has no blog.
    requestPurges(
      sql`select ${imagesTag(organizationId)} as tag, ${organizationId} as organization_id, 1 as urgent where ${held}`,
      creationTime,
    ),
  ];
}

/** Returns the statement that stores an event for blogs of an organization. */
export const insertBlogEvents = (
  organizationId: string,
  kind: "blog.created" | "blog.deleted",
  time: string,
  which: SQL,
): Statement =>
  insertEvent(
    { id: newIdAt(time), organizationId, blogId: sql`${blogs.id}`, kind, data: BLOG.json(), time },
    sql`from ${blogs} where ${blogs.organizationId} = ${organizationId} and ${which}`,
  );

/**
 * Returns the statements that end the suspension of an organization and show its blogs, with `blog.created` for each if it was deleted. What could still be restored when it began, can
 * be for as long as was left then.
 */
export function endSuspension(organizationId: string, time: string, held: SQL): Statement[] {
  const ofSuspension = (value: SQL) =>
    sql`(select ${value} from ${suspensions} where ${suspensions.organizationId} = ${organizationId})`;
  const began = suspensions.creationTime;
  const length = ofSuspension(sql`printf('+%.3f seconds', (julianday(${time}) - julianday(${began})) * 86400)`);
  const move = (column: SQLiteColumn) =>
    sql`${toColumnName(column)} = strftime('%Y-%m-%dT%H:%M:%fZ', ${column}, ${length})`;
  const oldest = ofSuspension(sql`strftime('%Y-%m-%dT%H:%M:%fZ', ${began}, ${`-${LIMITS.trashDays} days`})`);
  const isDeleted = sql`${ofSuspension(sql`${suspensions.kind}`)} = 'deleted'`;
  const isShownAgain = sql`not exists (select 1 from ${hiddenBlogs} where ${hiddenBlogs.blogId} = ${blogs.id} and ${hiddenBlogs.reason} <> 'suspended')`;
  return [
    insertBlogEvents(organizationId, "blog.created", time, joinAnd(isDeleted, isShownAgain, held)),
    sql`update ${trash} set ${move(trash.dueTime)}
      where ${trash.organizationId} = ${organizationId} and ${trash.dueTime} > ${ofSuspension(sql`${began}`)} and ${held}`,
    sql`update ${hiddenBlogs} set ${move(hiddenBlogs.time)} where ${hiddenBlogs.organizationId} = ${organizationId}
      and ${hiddenBlogs.reason} = 'deleted' and ${hiddenBlogs.time} > ${oldest} and ${held}`,
    sql`delete from ${suspensions} where ${suspensions.organizationId} = ${organizationId} and ${held}`,
    showBlogs("suspended", joinAnd(eq(hiddenBlogs.organizationId, organizationId), held)),
  ];
}
