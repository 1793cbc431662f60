/** The tables of blogs and of their contacts. */
import { sql } from "drizzle-orm";
import { index, integer, sqliteTable, text, uniqueIndex } from "drizzle-orm/sqlite-core";
import type { TopicSource } from "../../domain/topic-source.ts";
import { organizations } from "../core/schema.ts";

export const blogs = sqliteTable(
  "blogs",
  {
    id: text("id").primaryKey(),
    organizationId: text("organization_id")
      .notNull()
      .references(() => organizations.id),
    name: text("name").notNull(),
    vanityId: text("vanity_id").notNull(),
    coverUrl: text("cover_url").notNull(),
    /** BCP 47 language tags. The first one is the blog's default locale. */
    locales: text("locales", { mode: "json" }).$type<string[]>().notNull(),
    version: text("version").notNull(),
    creationTime: text("creation_time").notNull(),
    lastEditTime: text("last_edit_time").notNull(),
    topicSources: text("topic_sources", { mode: "json" }).$type<TopicSource[]>().notNull().default([]),
    /** When the next daily refresh is due; null if the blog has no daily refresh. */
    refreshDueTime: text("refresh_due_time"),
    /** Increases when a refresh changes the blog's ideas, so that another source's harvest notices the change. */
    topicsRevision: integer("topics_revision").notNull().default(0),
  },
  (t) => [
    uniqueIndex("blogs_vanity_id").on(t.vanityId),
    index("blogs_by_organization").on(t.organizationId, t.creationTime, t.id),
    index("blogs_refresh_due")
      .on(t.refreshDueTime)
      .where(sql`refresh_due_time IS NOT NULL`),
  ],
);

export const contacts = sqliteTable(
  "contacts",
  {
    id: text("id").primaryKey(),
    organizationId: text("organization_id").notNull(),
    blogId: text("blog_id")
      .notNull()
      .references(() => blogs.id),
    email: text("email").notNull(),
    name: text("name").notNull(),
    locale: text("locale").notNull(),
    creationTime: text("creation_time").notNull(),
  },
  (t) => [
    uniqueIndex("contacts_email").on(t.blogId, t.email),
    index("contacts_list").on(t.blogId, t.creationTime, t.id),
  ],
);
