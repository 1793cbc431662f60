/**
 * The tables of tags and authors, both called terms. A term belongs to a blog and is assigned to a slug, which all
 * translations of an article share. Triggers derive `term_articles` and the counts. When the last article of a slug
 * moves or is deleted, they move or remove the slug's terms.
 */
import { sql } from "drizzle-orm";
import { index, integer, primaryKey, sqliteTable, text, uniqueIndex } from "drizzle-orm/sqlite-core";
import type { TermKind } from "../domain/terms.ts";
import { blogs } from "./blogs.ts";

export const terms = sqliteTable(
  "terms",
  {
    id: text("id").primaryKey(),
    organizationId: text("organization_id").notNull(),
    blogId: text("blog_id")
      .notNull()
      .references(() => blogs.id),
    kind: text("kind").$type<TermKind>().notNull(),
    slug: text("slug").notNull(),
    name: text("name").notNull(),
    /** A tag's names in other languages, or an author's bio and picture, as JSON. */
    members: text("members").notNull(),
    articles: integer("articles").notNull().default(0),
    publishedArticles: integer("published_articles").notNull().default(0),
    version: text("version").notNull(),
    creationTime: text("creation_time").notNull(),
    lastEditTime: text("last_edit_time").notNull(),
  },
  (t) => [
    uniqueIndex("terms_slug").on(t.blogId, t.kind, t.slug),
    index("terms_name").on(t.blogId, t.kind, sql`name collate nocase`),
    index("terms_list").on(t.blogId, t.kind, t.creationTime, t.id),
  ],
);

/** The terms of a slug, in order. The migration adds WITHOUT ROWID, which Drizzle cannot express. */
export const slugTerms = sqliteTable(
  "slug_terms",
  {
    blogId: text("blog_id").notNull(),
    slug: text("slug").notNull(),
    kind: text("kind").$type<TermKind>().notNull(),
    termId: text("term_id").notNull(),
    position: integer("position").notNull(),
  },
  (t) => [primaryKey({ columns: [t.blogId, t.slug, t.kind, t.termId] })],
);

/**
 * The articles of a term, for lists: a page of n articles reads n + 1 rows. Published articles are also in four
 * indexes: in either order, for all locales and for one. WITHOUT ROWID, too.
 */
export const termArticles = sqliteTable(
  "term_articles",
  {
    termId: text("term_id").notNull(),
    creationTime: text("creation_time").notNull(),
    articleId: text("article_id").notNull(),
    published: integer("published").notNull(),
    locale: text("locale").notNull(),
    publishTime: text("publish_time"),
  },
  (t) => [
    primaryKey({ columns: [t.termId, t.creationTime, t.articleId] }),
    index("term_articles_published")
      .on(t.termId, t.creationTime, t.articleId)
      .where(sql`published = 1`),
    index("term_articles_published_locale")
      .on(t.termId, t.locale, t.creationTime, t.articleId)
      .where(sql`published = 1`),
    index("term_articles_by_publication")
      .on(t.termId, t.publishTime, t.articleId)
      .where(sql`published = 1`),
    index("term_articles_locale_by_publication")
      .on(t.termId, t.locale, t.publishTime, t.articleId)
      .where(sql`published = 1`),
  ],
);
