import { sql } from "drizzle-orm";
import { index, sqliteTable, text } from "drizzle-orm/sqlite-core";
import { articles } from "./articles.ts";

/** When articles are to be published and unpublished. A failed row stays to be seen. */
export const schedules = sqliteTable(
  "schedules",
  {
    articleId: text("article_id")
      .primaryKey()
      .references(() => articles.id, { onDelete: "cascade" }),
    organizationId: text("organization_id").notNull(),
    blogId: text("blog_id").notNull(),
    /** Null once published, or if the article is only to be unpublished. */
    publishTime: text("publish_time"),
    unpublishTime: text("unpublish_time"),
    /** The author's time zone. The times themselves are in UTC. */
    timeZone: text("time_zone").notNull(),
    /** The earlier of the two times. */
    dueTime: text("due_time").notNull(),
    /** Who scheduled it, as in the audit log. It happens only if they may still publish at that time. */
    actorKind: text("actor_kind").notNull(),
    actorId: text("actor_id").notNull(),
    /** Why it failed; null while it waits. */
    failureCode: text("failure_code"),
    failureDetail: text("failure_detail"),
    failureTime: text("failure_time"),
    version: text("version").notNull(),
    creationTime: text("creation_time").notNull(),
  },
  (t) => [
    // One index for each combination of filters, in the order of the list, so that a page of n reads n + 1 rows.
    index("schedules_list").on(t.organizationId, t.dueTime, t.articleId),
    index("schedules_of_blog").on(t.blogId, t.dueTime, t.articleId),
    index("schedules_waiting")
      .on(t.organizationId, t.dueTime, t.articleId)
      .where(sql`failure_code is null`),
    index("schedules_waiting_of_blog")
      .on(t.blogId, t.dueTime, t.articleId)
      .where(sql`failure_code is null`),
    index("schedules_failed")
      .on(t.organizationId, t.dueTime, t.articleId)
      .where(sql`failure_code is not null`),
    index("schedules_failed_of_blog")
      .on(t.blogId, t.dueTime, t.articleId)
      .where(sql`failure_code is not null`),
    index("schedules_due")
      .on(t.dueTime)
      .where(sql`failure_code is null`),
  ],
);

/** Articles to be deleted when the time to undo it is over. A failed row stays to be seen. */
export const deletions = sqliteTable(
  "deletions",
  {
    articleId: text("article_id")
      .primaryKey()
      .references(() => articles.id, { onDelete: "cascade" }),
    organizationId: text("organization_id").notNull(),
    /** The versions of the article and its working copy, if any, when the deletion was requested. */
    articleVersion: text("article_version").notNull(),
    copyVersion: text("copy_version"),
    dueTime: text("due_time").notNull(),
    /** Who deletes it, as in the audit log. It happens only if they may still write at that time. */
    actorKind: text("actor_kind").notNull(),
    actorId: text("actor_id").notNull(),
    failureCode: text("failure_code"),
    failureDetail: text("failure_detail"),
    version: text("version").notNull(),
    creationTime: text("creation_time").notNull(),
  },
  (t) => [
    index("deletions_list").on(t.organizationId, t.dueTime, t.articleId),
    index("deletions_due")
      .on(t.dueTime)
      .where(sql`failure_code is null`),
  ],
);

/** Requests that somebody with the right publishes, unpublishes or deletes an article (contract 18.29). A declined one stays to be seen. */
export const approvals = sqliteTable(
  "approvals",
  {
    articleId: text("article_id")
      .primaryKey()
      .references(() => articles.id, { onDelete: "cascade" }),
    organizationId: text("organization_id").notNull(),
    action: text("action", { enum: ["publish", "unpublish", "delete"] }).notNull(),
    /** The times that are asked for, in UTC; null: at once. */
    publishTime: text("publish_time"),
    unpublishTime: text("unpublish_time"),
    timeZone: text("time_zone").notNull(),
    note: text("note").notNull(),
    /** The versions of the article and its working copy, if any, for which it was asked. */
    articleVersion: text("article_version").notNull(),
    copyVersion: text("copy_version"),
    /** Who asked, as in the audit log. */
    actorKind: text("actor_kind").notNull(),
    actorId: text("actor_id").notNull(),
    /** Null while it waits. */
    declineTime: text("decline_time"),
    declineReason: text("decline_reason"),
    version: text("version").notNull(),
    creationTime: text("creation_time").notNull(),
  },
  (t) => [index("approvals_list").on(t.organizationId, t.creationTime, t.articleId)],
);
