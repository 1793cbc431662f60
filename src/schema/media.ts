/**
 * The tables of files in R2: images of generated articles, and uploads, which are the media library of an organization.
 * Triggers count bytes against the quota, and record which articles show an upload.
 */
import { sql } from "drizzle-orm";
import { index, integer, primaryKey, sqliteTable, text, uniqueIndex } from "drizzle-orm/sqlite-core";
import type { NoSizes } from "../domain/pictures.ts";
import { articles } from "./articles.ts";

/** Files in R2. Without an article or `library`, one belongs to a running generation or upload, or is to be deleted. */
export const media = sqliteTable(
  "media",
  {
    id: text("id").primaryKey(),
    organizationId: text("organization_id").notNull(),
    /** The generated article of the image. Null for uploads. */
    articleId: text("article_id").references(() => articles.id, { onDelete: "set null" }),
    mediaType: text("media_type").notNull(),
    /** Bytes; 0 for files that were stored without noting their size. */
    bytes: integer("bytes").notNull().default(0),
    creationTime: text("creation_time").notNull(),
    /** 1 for an upload. The columns below are for uploads only. */
    library: integer("library").notNull().default(0),
    /** The blog to which the uploader was pinned; "" for all blogs of the organization. */
    blogId: text("blog_id").notNull().default(""),
    /** The file's name in R2, which a replacement changes. Null for the row's own id. */
    fileId: text("file_id"),
    name: text("name").notNull().default(""),
    alt: text("alt").notNull().default(""),
    /** Pixels, after the rotation that the file asks for. */
    width: integer("width"),
    height: integer("height"),
    /** SHA-256 of the stored file, in lower-case hexadecimal. */
    sha256: text("sha256"),
    blurHash: text("blur_hash"),
    /** Widths of the smaller files, or why there are none. Null until that is known. */
    sizes: text("sizes", { mode: "json" }).$type<readonly (number | NoSizes)[]>(),
    sizeTries: integer("size_tries").notNull().default(0),
    version: text("version"),
    lastEditTime: text("last_edit_time"),
  },
  (t) => [
    index("media_by_article").on(t.articleId),
    index("media_unowned")
      .on(t.creationTime)
      .where(sql`article_id IS NULL AND library = 0`),
    index("media_library")
      .on(t.organizationId, t.creationTime, t.id)
      .where(sql`library = 1`),
    uniqueIndex("media_by_hash")
      .on(t.organizationId, t.sha256, t.blogId)
      .where(sql`library = 1`),
    index("media_unsized")
      .on(t.lastEditTime)
      .where(sql`library = 1 AND sizes IS NULL`),
  ],
);

/**
 * Which articles show which uploads, and which images of other articles of their blog, in their own texts or in their working
 * copies. Kept by triggers.
 */
export const mediaUses = sqliteTable(
  "media_uses",
  {
    mediaId: text("media_id")
      .notNull()
      .references(() => media.id, { onDelete: "cascade" }),
    articleId: text("article_id")
      .notNull()
      .references(() => articles.id, { onDelete: "cascade" }),
    place: text("place", { enum: ["article", "draft"] }).notNull(),
    organizationId: text("organization_id").notNull(),
  },
  (t) => [
    primaryKey({ columns: [t.mediaId, t.articleId, t.place] }),
    index("media_uses_of_article").on(t.articleId, t.place),
  ],
);
