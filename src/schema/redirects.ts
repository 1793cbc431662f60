/** The redirects of blogs' sites. */
import { sql } from "drizzle-orm";
import { index, sqliteTable, text, uniqueIndex } from "drizzle-orm/sqlite-core";
import { articles } from "./articles.ts";
import { blogs } from "./blogs.ts";

/**
 * Redirects of a blog's site (contract 21.8): each leads to an article or to an address. What one leads to is never what another
 * begins at, so there are no chains and no loops.
 */
export const redirects = sqliteTable(
  "redirects",
  {
    id: text("id").primaryKey(),
    organizationId: text("organization_id").notNull(),
    blogId: text("blog_id")
      .notNull()
      .references(() => blogs.id),
    /** The path that it begins at, decoded, or `/?p=123`. */
    source: text("source").notNull(),
    articleId: text("article_id").references(() => articles.id, { onDelete: "cascade" }),
    /** A path of the site, or a URL; null if it leads to an article. */
    target: text("target"),
    /** The path in `target` as others have it in `source`; null if it is no such path. */
    targetKey: text("target_key"),
    creationTime: text("creation_time").notNull(),
  },
  (t) => [
    uniqueIndex("redirects_source").on(t.blogId, t.source),
    index("redirects_list").on(t.blogId, t.id),
    index("redirects_by_target")
      .on(t.blogId, t.targetKey)
      .where(sql`target_key is not null`),
    index("redirects_by_article")
      .on(t.articleId)
      .where(sql`article_id is not null`),
  ],
);
