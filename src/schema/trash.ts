/**
 * Deleted articles that can be restored (store/articles/trash.ts). The tables of articles have only what lives: a
 * deletion moves an article's rows here, as they are, and copies those of the images that it shows. Triggers count both against a
 * bound of the organization, and each image once against its quota for images, here or in `media`.
 */
import { sql } from "drizzle-orm";
import { blob, index, integer, primaryKey, sqliteTable, text } from "drizzle-orm/sqlite-core";

/** One row for each article in the trash. */
export const trash = sqliteTable(
  "trash",
  {
    articleId: text("article_id").primaryKey(),
    organizationId: text("organization_id").notNull(),
    blogId: text("blog_id").notNull(),
    title: text("title").notNull(),
    slug: text("slug").notNull(),
    locale: text("locale").notNull(),
    published: integer("published", { mode: "boolean" }).notNull(),
    /** Bytes of its rows in `trashed_rows`, but for those of images. */
    bytes: integer("bytes").notNull(),
    /** The ids of its tags and authors, in order, as JSON. */
    terms: text("terms").notNull(),
    /** Its previous slugs, oldest first, as JSON. */
    movedSlugs: text("moved_slugs").notNull(),
    actorKind: text("actor_kind").notNull(),
    actorId: text("actor_id").notNull(),
    /** The id of the deletion, which is also that of its event. */
    version: text("version").notNull(),
    deletionTime: text("deletion_time").notNull(),
    /** From then on it is not shown, and the sweep deletes it with everything else of the article. */
    dueTime: text("due_time").notNull(),
  },
  (t) => [
    index("trash_list").on(t.organizationId, t.dueTime, t.articleId),
    index("trash_of_blog").on(t.blogId, t.dueTime, t.articleId),
  ],
);

/** The rows of these articles. The migration adds WITHOUT ROWID, which Drizzle cannot express. */
export const trashedRows = sqliteTable(
  "trashed_rows",
  {
    articleId: text("article_id").notNull(),
    /** The name of the table that the row comes from. */
    kind: text("kind", {
      enum: ["articles", "working_copies", "revisions", "media", "redirects", "article_sources"],
    }).notNull(),
    /** The number of a revision, or the id of an image or redirect; "" for the others. */
    key: text("key").notNull(),
    organizationId: text("organization_id").notNull(),
    /** All columns except `content`, by their names, as JSON. A row from an earlier version lacks newer columns. */
    members: text("members").notNull(),
    /** Text, or a blob compressed with gzip; null if the row has none. */
    content: blob("content", { mode: "buffer" }),
  },
  (t) => [
    primaryKey({ columns: [t.articleId, t.kind, t.key] }),
    index("trashed_images")
      .on(t.key)
      .where(sql`kind = 'media'`),
  ],
);
