import { sql } from "drizzle-orm";
import { index, integer, primaryKey, sqliteTable, text } from "drizzle-orm/sqlite-core";
import type { BackgroundActor } from "../domain/background-actor.ts";
import type { ImportRemark, ImportState, ImportedState, ImportWishes } from "../domain/imports.ts";
import { blogs } from "./blogs.ts";

/** Imports of files. The file and the articles read from it are in R2 until the import ends. */
export const imports = sqliteTable(
  "imports",
  {
    id: text("id").primaryKey(),
    organizationId: text("organization_id").notNull(),
    blogId: text("blog_id")
      .notNull()
      .references(() => blogs.id),
    state: text("state").$type<ImportState>().notNull(),
    fileName: text("file_name").notNull(),
    bytes: integer("bytes").notNull().default(0),
    /** "" until the file was checked. */
    format: text("format").notNull().default(""),
    wishes: text("wishes", { mode: "json" }).$type<ImportWishes>().notNull(),
    /** Who uploaded, started or is undoing it, with their rights then. Each write checks that they still have them. */
    actor: text("actor", { mode: "json" }).$type<BackgroundActor>().notNull(),
    /** How many articles the file has, and how many the current phase has handled. */
    total: integer("total").notNull().default(0),
    position: integer("position").notNull().default(0),
    /** What was lost in the whole file, by phrase. */
    remarks: text("remarks", { mode: "json" }).$type<readonly ImportRemark[]>().notNull().default([]),
    /** Why it failed; "" if it did not. */
    problem: text("problem").notNull().default(""),
    /** How often it was started. Part of the keys of its writes, so that a later start does not repeat a refusal. */
    starts: integer("starts").notNull().default(0),
    /** 1 if undoing also deletes articles that were changed since. */
    undoChanged: integer("undo_changed").notNull().default(0),
    /** The invocation that works on it, until when, and how many in a row made no progress. */
    turn: text("turn").notNull().default(""),
    leaseTime: text("lease_time").notNull().default(""),
    tries: integer("tries").notNull().default(0),
    creationTime: text("creation_time").notNull(),
    startTime: text("start_time"),
    finishTime: text("finish_time"),
  },
  (t) => [
    index("imports_by_blog").on(t.blogId, t.id),
    index("imports_by_organization").on(t.organizationId, t.state),
    index("imports_working")
      .on(t.leaseTime)
      .where(sql`state in ('checking', 'running', 'undoing')`),
    index("imports_by_time").on(t.creationTime),
  ],
);

/** The articles of an import, in the order of the file. */
export const importedArticles = sqliteTable(
  "imported_articles",
  {
    importId: text("import_id")
      .notNull()
      .references(() => imports.id, { onDelete: "cascade" }),
    number: integer("number").notNull(),
    name: text("name").notNull(),
    title: text("title").notNull(),
    slug: text("slug").notNull(),
    locale: text("locale").notNull(),
    published: integer("published").notNull().default(0),
    state: text("state").$type<ImportedState>().notNull(),
    articleId: text("article_id"),
    version: text("version"),
    losses: text("losses", { mode: "json" }).$type<string[]>().notNull().default([]),
    /** Why it was not imported, or is kept; "" otherwise. */
    problem: text("problem").notNull().default(""),
  },
  (t) => [
    primaryKey({ columns: [t.importId, t.number] }),
    index("imported_articles_by_state").on(t.importId, t.state, t.number),
  ],
);

/** What became of each picture of an import. */
export const importedPictures = sqliteTable(
  "imported_pictures",
  {
    importId: text("import_id")
      .notNull()
      .references(() => imports.id, { onDelete: "cascade" }),
    /** SHA-256 of its URL, or of its path in the file. */
    key: text("key").notNull(),
    /** Its new URL; null if it stays where it is. */
    url: text("url"),
    /** The media item if this import created it. Undoing deletes it. */
    mediaId: text("media_id"),
    /** Why it stays where it is; "" otherwise. */
    problem: text("problem").notNull().default(""),
  },
  (t) => [primaryKey({ columns: [t.importId, t.key] })],
);
