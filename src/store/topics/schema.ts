/** The tables of topic ideas, and of the refreshes that find them. */
import { sql } from "drizzle-orm";
import { index, integer, primaryKey, real, sqliteTable, text, uniqueIndex } from "drizzle-orm/sqlite-core";
import { TOPIC_STATUSES } from "../../domain/topic-status.ts";
import type { TopicSource, TopicSourceKind } from "../../domain/topic-source.ts";
import { articles } from "../articles/schema.ts";
import { blogs } from "../blogs/schema.ts";

/** Where an idea comes from: the source, under its name in the blog. */
export type TopicOrigin = { kind: TopicSourceKind; name: string };

/** A further item about the subject of an idea. */
export type Mention = { url: string; source: TopicOrigin };

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
    /** The title of the item itself, in the words by which near-duplicates are found. */
    itemTitle: text("item_title").notNull(),
    /** The other items about the same subject. */
    mentions: text("mentions", { mode: "json" }).$type<Mention[]>().notNull(),
    score: real("score").notNull(),
    status: text("status", { enum: TOPIC_STATUSES }).notNull(),
    /** The article that it became. */
    articleId: text("article_id").references(() => articles.id, { onDelete: "set null" }),
    version: text("version").notNull(),
    creationTime: text("creation_time").notNull(),
    lastEditTime: text("last_edit_time").notNull(),
  },
  (t) => [
    index("topics_list").on(t.blogId, t.score, t.id),
    index("topics_list_status").on(t.blogId, t.status, t.score, t.id),
    index("topics_by_article").on(t.articleId),
    index("topics_by_time").on(t.creationTime),
  ],
);

/** Every item that was ever made part of an idea: none is found twice. */
export const topicItems = sqliteTable(
  "topic_items",
  {
    organizationId: text("organization_id").notNull(),
    blogId: text("blog_id").notNull(),
    /** The item's URL in the form by which items are compared. */
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
    // One at a time.
    uniqueIndex("topic_refreshes_running")
      .on(t.blogId)
      .where(sql`state = 'running'`),
    index("topic_refreshes_by_time").on(t.creationTime),
  ],
);

/** A refresh's sources, as the blog had them when it began: each is a message of the queue. */
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
    /** Names the one invocation that may settle it. */
    token: text("token"),
    found: integer("found").notNull().default(0),
    created: integer("created").notNull().default(0),
    merged: integer("merged").notNull().default(0),
    /** How many items were left out, by reason. */
    refused: text("refused", { mode: "json" }).$type<Readonly<Record<string, number>>>().notNull().default({}),
    /** Why it failed: a code and a sentence. */
    reason: text("reason"),
    detail: text("detail"),
    /** When the queue was last asked to read it. */
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

/** What a source's server gave for conditional requests. */
export const topicSourceStates = sqliteTable(
  "topic_source_states",
  {
    organizationId: text("organization_id").notNull(),
    blogId: text("blog_id").notNull(),
    /** The source as JSON, without its name. */
    sourceKey: text("source_key").notNull(),
    etag: text("etag"),
    lastModified: text("last_modified"),
    readTime: text("read_time").notNull(),
  },
  (t) => [primaryKey({ columns: [t.blogId, t.sourceKey] }), index("topic_source_states_by_time").on(t.readTime)],
);
