import { sql } from "drizzle-orm";
import { index, integer, primaryKey, real, sqliteTable, text, uniqueIndex } from "drizzle-orm/sqlite-core";
import { TOPIC_STATUSES } from "../domain/topic-status.ts";
import type { Mention, TopicSource, TopicSourceKind } from "../domain/topic-source.ts";
import { articles } from "./articles.ts";
import { blogs } from "./blogs.ts";

export const topics = sqliteTable(
  "topics",
  {
    id: text("id").primaryKey(),
    organizationId: text("organization_id").notNull(),
    blogId: text("blog_id")
      .notNull()
      .references(() => blogs.id),
    title: text("title").notNull(),
    summary: text("summary").notNull(),
    angle: text("angle").notNull(),
    url: text("url").notNull(),
    sourceKind: text("source_kind").$type<TopicSourceKind>().notNull(),
    sourceName: text("source_name").notNull(),
    keywords: text("keywords", { mode: "json" }).$type<string[]>().notNull(),
    locale: text("locale").notNull(),
    /** The title of the source's item. New items are compared with it to find near-duplicates. */
    itemTitle: text("item_title").notNull(),
    mentions: text("mentions", { mode: "json" }).$type<Mention[]>().notNull(),
    score: real("score").notNull(),
    status: text("status", { enum: TOPIC_STATUSES }).notNull(),
    articleId: text("article_id").references(() => articles.id, { onDelete: "set null" }),
    version: text("version").notNull(),
    creationTime: text("creation_time").notNull(),
    lastEditTime: text("last_edit_time").notNull(),
  },
  (t) => [
    index("topics_list").on(t.blogId, t.score, t.id),
    index("topics_list_status").on(t.blogId, t.status, t.score, t.id),
    index("topics_by_article").on(t.articleId),
    // Used ones are kept for good.
    index("topics_by_time")
      .on(t.creationTime)
      .where(sql`status <> 'used'`),
  ],
);

/** Every item that belongs to an idea, so that no refresh finds the same item twice. */
export const topicItems = sqliteTable(
  "topic_items",
  {
    organizationId: text("organization_id").notNull(),
    blogId: text("blog_id").notNull(),
    /** The item's normalized URL: equal keys mean the same item (topics/plan.ts). */
    urlKey: text("url_key").notNull(),
    topicId: text("topic_id")
      .notNull()
      .references(() => topics.id, { onDelete: "cascade" }),
  },
  (t) => [primaryKey({ columns: [t.blogId, t.urlKey] }), index("topic_items_by_topic").on(t.topicId)],
);

export const topicRefreshes = sqliteTable(
  "topic_refreshes",
  {
    id: text("id").primaryKey(),
    organizationId: text("organization_id").notNull(),
    blogId: text("blog_id").notNull(),
    state: text("state", { enum: ["running", "done"] }).notNull(),
    creationTime: text("creation_time").notNull(),
    finishTime: text("finish_time"),
  },
  (t) => [
    // A blog has at most one running refresh.
    uniqueIndex("topic_refreshes_running")
      .on(t.blogId)
      .where(sql`state = 'running'`),
    index("topic_refreshes_by_time").on(t.creationTime),
  ],
);

/** The sources of a refresh, copied from the blog when it began. The queue gets one message for each. */
export const topicRefreshSources = sqliteTable(
  "topic_refresh_sources",
  {
    refreshId: text("refresh_id")
      .notNull()
      .references(() => topicRefreshes.id, { onDelete: "cascade" }),
    position: integer("position").notNull(),
    organizationId: text("organization_id").notNull(),
    source: text("source", { mode: "json" }).$type<TopicSource>().notNull(),
    state: text("state", { enum: ["open", "claimed", "read", "unchanged", "failed"] }).notNull(),
    /** Identifies the invocation that may settle the source; null until it is claimed. */
    token: text("token"),
    found: integer("found").notNull().default(0),
    created: integer("created").notNull().default(0),
    merged: integer("merged").notNull().default(0),
    refused: text("refused", { mode: "json" }).$type<Readonly<Record<string, number>>>().notNull().default({}),
    reason: text("reason"),
    detail: text("detail"),
    enqueueTime: text("enqueue_time").notNull(),
    claimTime: text("claim_time"),
  },
  (t) => [
    primaryKey({ columns: [t.refreshId, t.position] }),
    index("topic_refresh_sources_open")
      .on(t.enqueueTime)
      .where(sql`state = 'open'`),
    index("topic_refresh_sources_claimed")
      .on(t.claimTime)
      .where(sql`state = 'claimed'`),
  ],
);

/** What each source's last response said: validators (`ETag`, `Last-Modified`), and how long to leave it alone. */
export const topicSourceStates = sqliteTable(
  "topic_source_states",
  {
    organizationId: text("organization_id").notNull(),
    blogId: text("blog_id").notNull(),
    /** The source as JSON without its name (system-sources.ts). */
    sourceKey: text("source_key").notNull(),
    etag: text("etag"),
    lastModified: text("last_modified"),
    /** Until this time its forum asks for no request. */
    waitTime: text("wait_time"),
    readTime: text("read_time").notNull(),
  },
  (t) => [primaryKey({ columns: [t.blogId, t.sourceKey] }), index("topic_source_states_by_time").on(t.readTime)],
);
