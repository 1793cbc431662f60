/** The table of articles. The migrations create its full text index, `article_text` (search-index.ts). */
import { sql } from "drizzle-orm";
import { index, integer, sqliteTable, text, uniqueIndex } from "drizzle-orm/sqlite-core";
import type { GeneratedOrigin } from "../../domain/origin.ts";
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
    // After the others, so that SQLite does not read through a large content to reach a small column.
    content: text("content").notNull(),
    // Those behind it nevertheless are only read when the article is indexed, by an index, or when `fields` names them.
    /** The article's `rowid` in the full text index; null if it was never indexed. */
    searchId: integer("search_id"),
    /** The version of the article that is indexed. If it is not the article's version, the article waits for the sweep. */
    indexedVersion: text("indexed_version"),
    /** When the article was first public, or the time that its writers have set; null if it never was. */
    publishTime: text("publish_time"),
    /** Of an article that was generated: how it came about (contract 18.30). Null for one that a person wrote. */
    origin: text("origin", { mode: "json" }).$type<GeneratedOrigin>(),
  },
  (t) => [
    uniqueIndex("articles_slug").on(t.blogId, t.slug, t.locale),
    // One index for each combination of filters, in the order of the list, so that a page of n reads n + 1 rows.
    index("articles_list").on(t.blogId, t.creationTime, t.id),
    index("articles_list_published").on(t.blogId, t.published, t.creationTime, t.id),
    index("articles_list_locale").on(t.blogId, t.locale, t.creationTime, t.id),
    index("articles_list_locale_published").on(t.blogId, t.locale, t.published, t.creationTime, t.id),
    // Only of published articles, so that a draft costs no row.
    index("articles_list_by_publication")
      .on(t.blogId, t.publishTime, t.id)
      .where(sql`published = 1`),
    index("articles_list_locale_by_publication")
      .on(t.blogId, t.locale, t.publishTime, t.id)
      .where(sql`published = 1`),
    index("articles_own_slug").on(t.organizationId, t.slug, t.creationTime, t.id),
    index("articles_public_slug_locale")
      .on(t.slug, t.locale, t.publicTime, t.id)
      .where(sql`published = 1`),
    index("articles_public_slug")
      .on(t.slug, t.publicTime, t.id)
      .where(sql`published = 1`),
    uniqueIndex("articles_search_id").on(t.searchId),
    index("articles_unindexed")
      .on(t.organizationId, t.id)
      .where(sql`indexed_version is not version`),
  ],
);
