/** The tables of articles and of their full text index. */
import { sql } from "drizzle-orm";
import { index, integer, sqliteTable, text, uniqueIndex } from "drizzle-orm/sqlite-core";
import { blogs } from "../blogs/schema.ts";

export const articles = sqliteTable(
  "articles",
  {
    id: text("id").primaryKey(),
    organizationId: text("organization_id").notNull(),
    blogId: text("blog_id")
      .notNull()
      .references(() => blogs.id),
    title: text("title").notNull(),
    description: text("description").notNull(),
    slug: text("slug").notNull(),
    locale: text("locale").notNull(),
    coverUrl: text("cover_url").notNull(),
    published: integer("published").notNull(),
    /** Since when the article is public under its slug and locale; null for a draft. */
    publicTime: text("public_time"),
    version: text("version").notNull(),
    creationTime: text("creation_time").notNull(),
    lastEditTime: text("last_edit_time").notNull(),
    // The last column, so that SQLite does not read through a large content to reach a small column.
    content: text("content").notNull(),
  },
  (t) => [
    uniqueIndex("articles_slug").on(t.blogId, t.slug, t.locale),
    // One index for each combination of filters, in the order of the list, so that a page of n reads n + 1 rows.
    index("articles_list").on(t.blogId, t.creationTime, t.id),
    index("articles_list_published").on(t.blogId, t.published, t.creationTime, t.id),
    index("articles_list_locale").on(t.blogId, t.locale, t.creationTime, t.id),
    index("articles_list_locale_published").on(t.blogId, t.locale, t.published, t.creationTime, t.id),
    index("articles_own_slug").on(t.organizationId, t.slug, t.creationTime, t.id),
    index("articles_public_slug_locale")
      .on(t.slug, t.locale, t.publicTime, t.id)
      .where(sql`published = 1`),
    index("articles_public_slug")
      .on(t.slug, t.publicTime, t.id)
      .where(sql`published = 1`),
  ],
);

/**
 * Maps each article to its row in the full text index: `id` is the `rowid` in `article_text` (created by the
 * migrations), and `version` the version of the article that is indexed. An empty `version` means that the article
 * waits for the sweep.
 */
export const articleSearch = sqliteTable(
  "article_search",
  {
    id: integer("id").primaryKey(),
    articleId: text("article_id").notNull(),
    organizationId: text("organization_id").notNull(),
    version: text("version").notNull(),
  },
  (t) => [uniqueIndex("article_search_article").on(t.articleId)],
);
