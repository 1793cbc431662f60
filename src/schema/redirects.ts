import { sql } from "drizzle-orm";
import { index, sqliteTable, text, uniqueIndex } from "drizzle-orm/sqlite-core";
import { articles } from "./articles.ts";
import { blogs } from "./blogs.ts";

/** Redirects of a site (contract 21.8). None leads to the source of another, so there are no chains or loops. */
export const redirects = sqliteTable(
  "redirects",
  {
    id: text("id").primaryKey(),
    organizationId: text("organization_id").notNull(),
    blogId: text("blog_id")
      .notNull()
      .references(() => blogs.id),
    /** The source path, decoded, or `/?p=123`. */
    source: text("source").notNull(),
    articleId: text("article_id").references(() => articles.id, { onDelete: "cascade" }),
    /** A path of the site, or a URL; null if it leads to an article. */
    target: text("target"),
    /** The path in `target` in the form of `source`; null if it is not a path of the site. */
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
