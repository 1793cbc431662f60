/**
 * The tables of articles, their renderings, former states, working copies, former slugs and preview
 * links. The migrations create the full text index of articles, `article_text` (search-index.ts), and the triggers that keep
 * former slugs.
 */
import { sql } from "drizzle-orm";
import { blob, index, integer, primaryKey, sqliteTable, text, uniqueIndex } from "drizzle-orm/sqlite-core";
import type { GeneratedOrigin } from "../domain/origin.ts";
import { RENDERER } from "../domain/rendering.ts";
import { blogs } from "./blogs.ts";

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
    // The columns below come after it all the same: they are read to index an article, by an index, or if `fields`
    // names them.
    /** The article's `rowid` in the full text index; null if it was never indexed. */
    searchId: integer("search_id"),
    /** The version of the article that is indexed. If it is not the article's version, the article waits for the sweep. */
    indexedVersion: text("indexed_version"),
    /** When the article was first public, or the time that its writers have set; null if it never was. */
    publishTime: text("publish_time"),
    /** Of an article that was generated: how it came about (contract 18.20). Null for one that a person wrote. */
    origin: text("origin", { mode: "json" }).$type<GeneratedOrigin>(),
    /** What search engines and social networks are told, as JSON (contract 18.25). Null if its writers said nothing. */
    seo: text("seo"),
    /** The number of the article's present state: each change adds one. Null means 1. */
    revision: integer("revision"),
    /** Who created the article, as in the audit log: `{kind, id}`. Null for articles that are older than this column. */
    creator: text("creator", { mode: "json" }).$type<{ readonly kind: string; readonly id: string }>(),
    /** The version that made the present state, if later ones have changed tags and authors alone; otherwise null. */
    stateVersion: text("state_version"),
    /** When the event of text that was saved by itself is due, at the latest; null if all changes have had theirs. */
    eventDue: text("event_due"),
  },
  (t) => [
    uniqueIndex("articles_slug").on(t.blogId, t.slug, t.locale),
    // One index for each combination of filters, in the order of the list, so that a page of n reads n + 1 rows. A list of a
    // locale in both states is merged from the two states of `articles_list_locale_published` (pages.ts, `rowsOf`).
    index("articles_list").on(t.blogId, t.creationTime, t.id),
    index("articles_list_published").on(t.blogId, t.published, t.creationTime, t.id),
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
    // For site maps, which leave out some of the articles with `seo`. Few have it.
    index("articles_with_seo")
      .on(t.blogId, t.id)
      .where(sql`seo is not null`),
    uniqueIndex("articles_search_id").on(t.searchId),
    index("articles_unindexed")
      .on(t.organizationId, t.id)
      .where(sql`indexed_version is not version`),
    index("articles_event_due")
      .on(t.eventDue)
      .where(sql`event_due is not null`),
  ],
);

/**
 * Former states of articles (revisions.ts). The table has no rowid (migration 0013), so that a state is one row and its
 * place in the index.
 */
export const revisions = sqliteTable(
  "revisions",
  {
    articleId: text("article_id")
      .notNull()
      .references(() => articles.id, { onDelete: "cascade" }),
    number: integer("number").notNull(),
    organizationId: text("organization_id").notNull(),
    published: integer("published").notNull(),
    /** 1 if it is kept for long: it was public, or an older state that was public has its content. */
    lasting: integer("lasting").notNull(),
    /** The texts but `content`, as JSON. */
    members: text("members").notNull(),
    /** Who made this state, and by which operation; null if the audit log no longer said so. */
    actorKind: text("actor_kind"),
    actorId: text("actor_id"),
    action: text("action"),
    /** When this state was made, and when the next one took its place. */
    lastEditTime: text("last_edit_time").notNull(),
    endTime: text("end_time").notNull(),
    /** Text, or a blob compressed with gzip. Null if it is the content of the next newer state of the article. */
    content: blob("content", { mode: "buffer" }),
    /** 1 if it is a state of the working copy, which always has its own content; 0 if it is one of the article. */
    workingCopy: integer("working_copy").notNull().default(0),
  },
  (t) => [
    primaryKey({ columns: [t.articleId, t.number] }),
    index("revisions_oldest").on(t.organizationId, t.lasting, t.endTime),
  ],
);

/**
 * What readers see of an article's content (renderings.ts): a row for each article. The transaction that changes a content
 * stores the rendering before it. A trigger (migration 0027) makes a row `pending` if nobody did. The table has no rowid, so
 * that a rendering is one row.
 */
export const articleRenderings = sqliteTable(
  "article_renderings",
  {
    articleId: text("article_id")
      .primaryKey()
      .references(() => articles.id, { onDelete: "cascade" }),
    organizationId: text("organization_id").notNull(),
    /** The number of the renderer that made it; 0 for an article that waits. */
    renderer: integer("renderer").notNull(),
    /** The version of the article whose content was rendered; later ones may have the same content. */
    version: text("version").notNull(),
    state: text("state").notNull(),
    readingMinutes: integer("reading_minutes"),
    excerpt: text("excerpt"),
    /** The headings, as JSON. */
    headings: text("headings"),
    text: text("text"),
    html: text("html"),
  },
  // Only those that the sweep looks for: an article that is written costs no entry. A new renderer needs a migration.
  (t) => [
    index("article_renderings_waiting")
      .on(t.renderer, t.organizationId)
      .where(sql.raw(`renderer <> ${RENDERER}`)),
  ],
);

/** Changes of articles that are not public yet: at most one row an article (working-copies.ts). */
export const workingCopies = sqliteTable(
  "working_copies",
  {
    articleId: text("article_id")
      .primaryKey()
      .references(() => articles.id, { onDelete: "cascade" }),
    organizationId: text("organization_id").notNull(),
    /** The fields that differ from the article but `content`, as JSON. */
    members: text("members").notNull(),
    /** The version of the article when the working copy was begun. */
    baseVersion: text("base_version").notNull(),
    version: text("version").notNull(),
    /** Who saved it last. */
    actorKind: text("actor_kind").notNull(),
    actorId: text("actor_id").notNull(),
    creationTime: text("creation_time").notNull(),
    lastEditTime: text("last_edit_time").notNull(),
    /** Null if the content is the article's. */
    content: text("content"),
  },
  // Only of those that name tags or authors, for when one of these is renamed, merged or deleted (terms/copies.ts).
  (t) => [
    index("working_copies_with_terms")
      .on(t.organizationId)
      .where(sql`members ->> '$.tags' is not null or members ->> '$.authors' is not null`),
  ],
);

/**
 * Slugs and locales under which published articles were found before. Triggers keep them (migrations): a
 * published article that changes its slug or locale leaves a row, and an article that gets a slug removes the row of this
 * slug. So a row names an article, and never a slug that is in use. An article keeps its 50 newest rows, an organization
 * its 50,000 newest.
 */
export const movedSlugs = sqliteTable(
  "moved_slugs",
  {
    // A number, which each index repeats: a slug has up to 800 bytes.
    id: integer("id").primaryKey(),
    organizationId: text("organization_id").notNull(),
    blogId: text("blog_id").notNull(),
    slug: text("slug").notNull(),
    locale: text("locale").notNull(),
    articleId: text("article_id")
      .notNull()
      .references(() => articles.id, { onDelete: "cascade" }),
    moveTime: text("move_time").notNull(),
    /** Counts the rows of the organization; a newer one has a higher number. */
    number: integer("number").notNull(),
    /** Whether the article is published. */
    live: integer("live").notNull(),
  },
  (t) => [
    uniqueIndex("moved_slugs_slug").on(t.blogId, t.slug, t.locale),
    index("moved_slugs_by_article").on(t.articleId, t.number),
    index("moved_slugs_of_organization").on(t.organizationId, t.number),
    // Only those that lead somewhere, so that nobody's drafts stand before another blog's.
    index("moved_slugs_live")
      .on(t.slug, t.moveTime)
      .where(sql`live = 1`),
    index("moved_slugs_live_locale")
      .on(t.slug, t.locale, t.moveTime)
      .where(sql`live = 1`),
  ],
);

/** Links that show one article to whoever has them. Only a hash of the token in the link is stored. */
export const previews = sqliteTable(
  "previews",
  {
    id: text("id").primaryKey(),
    organizationId: text("organization_id").notNull(),
    blogId: text("blog_id").notNull(),
    articleId: text("article_id")
      .notNull()
      .references(() => articles.id, { onDelete: "cascade" }),
    tokenHash: text("token_hash").notNull(),
    /** Who made the link, as in the audit log. The link ends when they may no longer write articles. */
    actorKind: text("actor_kind").notNull(),
    actorId: text("actor_id").notNull(),
    creationTime: text("creation_time").notNull(),
    expirationTime: text("expiration_time").notNull(),
  },
  (t) => [
    uniqueIndex("previews_token").on(t.tokenHash),
    index("previews_by_article").on(t.articleId, t.expirationTime),
    index("previews_of_organization").on(t.organizationId, t.expirationTime),
    index("previews_expired").on(t.expirationTime),
  ],
);
