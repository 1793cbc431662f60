/**
 * The tables of articles, renderings, revisions, working copies, moved slugs and preview links. The migrations create
 * the full text index, `article_text` (search-index.ts), and the triggers that keep moved slugs.
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
    /** When the article became public under its slug and locale; null for a draft. */
    publicTime: text("public_time"),
    version: text("version").notNull(),
    creationTime: text("creation_time").notNull(),
    lastEditTime: text("last_edit_time").notNull(),
    // After the small columns, so that SQLite reads them without reading through a large content.
    content: text("content").notNull(),
    // The columns below are read only by an index, to index an article, or if `fields` names them.
    /** The article's `rowid` in the full text index; null if it was never indexed. */
    searchId: integer("search_id"),
    /** The indexed version. If it is not the article's, the article waits for the sweep. */
    indexedVersion: text("indexed_version"),
    /** When the article was first public, or a time that its writers set; null if it never was. */
    publishTime: text("publish_time"),
    /** How a generated article came about (contract 18.20). Null if a person wrote it. */
    origin: text("origin", { mode: "json" }).$type<GeneratedOrigin>(),
    /** What search engines and social networks are told, as JSON (contract 18.25). Null if nothing is set. */
    seo: text("seo"),
    /** The number of the current revision: each change adds one. Null means 1. */
    revision: integer("revision"),
    /** Who created the article, as in the audit log. Null for articles that are older than this column. */
    creator: text("creator", { mode: "json" }).$type<{ readonly kind: string; readonly id: string }>(),
    /** The version that made the current revision, if later ones changed only tags and authors; otherwise null. */
    stateVersion: text("state_version"),
    /** The latest time for the event of autosaved text; null if no change waits for its event. */
    eventDue: text("event_due"),
    /** The names of the fields that changed since the last event, as JSON text, while `eventDue` is set. */
    untold: text("untold"),
    /** The rendering, compressed (packing.ts), in space that a content leaves free; null if it is in `article_renderings`, or waits. */
    packed: blob("packed", { mode: "buffer" }),
  },
  (t) => [
    uniqueIndex("articles_slug").on(t.blogId, t.slug, t.locale),
    // One index for each combination of filters, in the order of the list, so that a page of n reads n + 1 rows. A list
    // of a locale in both states is merged from the two states of `articles_list_locale_published` (pages.ts).
    index("articles_list_published").on(t.blogId, t.published, t.creationTime, t.id),
    index("articles_list_locale_published").on(t.blogId, t.locale, t.published, t.creationTime, t.id),
    // Published articles only, so that a draft costs no row.
    index("articles_list_by_publication")
      .on(t.blogId, t.publishTime, t.id)
      .where(sql`published = 1`),
    index("articles_list_locale_by_publication")
      .on(t.blogId, t.locale, t.publishTime, t.id)
      .where(sql`published = 1`),
    // With the locale, so that a list of a locale reads no other articles.
    index("articles_list_by_edit").on(t.blogId, t.published, t.lastEditTime, t.id, t.locale),
    index("articles_public_slug_locale")
      .on(t.slug, t.locale, t.publicTime, t.id)
      .where(sql`published = 1`),
    index("articles_public_slug")
      .on(t.slug, t.publicTime, t.id)
      .where(sql`published = 1`),
    // For site maps, which leave out some articles with `seo`. Few have it.
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

/** Former revisions (revisions.ts). No rowid (migration 0013): a revision is one row and its index entry. */
export const revisions = sqliteTable(
  "revisions",
  {
    articleId: text("article_id")
      .notNull()
      .references(() => articles.id, { onDelete: "cascade" }),
    number: integer("number").notNull(),
    organizationId: text("organization_id").notNull(),
    published: integer("published").notNull(),
    /** 1 if it is kept for long: it was public, or an older revision that was public has its content. */
    lasting: integer("lasting").notNull(),
    /** The texts except `content`, as JSON. */
    members: text("members").notNull(),
    /** Who made this revision, and by which operation; null if the audit log no longer said so. */
    actorKind: text("actor_kind"),
    actorId: text("actor_id"),
    action: text("action"),
    /** When this revision was made, and when the next one replaced it. */
    lastEditTime: text("last_edit_time").notNull(),
    endTime: text("end_time").notNull(),
    /** Text, or a blob compressed with gzip. Null if it is the content of the article's next newer revision. */
    content: blob("content", { mode: "buffer" }),
    /** 1 for a state of the working copy, which always has its own content; 0 for one of the article. */
    workingCopy: integer("working_copy").notNull().default(0),
  },
  (t) => [
    primaryKey({ columns: [t.articleId, t.number] }),
    index("revisions_oldest").on(t.organizationId, t.lasting, t.endTime),
  ],
);

/**
 * What readers see of an article's content (renderings.ts): one row per article, with what lists show, and the rest
 * unless it is in the article's row. The transaction that changes the content stores the rendering before it. Otherwise
 * a trigger makes the row `pending` (migration 0057). The table has no rowid, so that a rendering is one row.
 */
export const articleRenderings = sqliteTable(
  "article_renderings",
  {
    articleId: text("article_id")
      .primaryKey()
      .references(() => articles.id, { onDelete: "cascade" }),
    organizationId: text("organization_id").notNull(),
    /** The number of the renderer that made it; 0 while the article waits. */
    renderer: integer("renderer").notNull(),
    /** The version whose content was rendered; later ones may have the same content. */
    version: text("version").notNull(),
    state: text("state").notNull(),
    readingMinutes: integer("reading_minutes"),
    excerpt: text("excerpt"),
    // The next three are null if the rendering is in the article's row, or waits.
    /** As JSON. */
    headings: text("headings"),
    text: text("text"),
    html: text("html"),
    /** The bytes of the HTML if it is in the article's row. */
    htmlBytes: integer("html_bytes"),
    /** The first audio element of the HTML, and what follows; null if it has none. */
    audio: text("audio"),
  },
  // Only the rows that the sweep looks for, so that writing an article costs no entry. A new renderer needs a
  // migration.
  (t) => [
    index("article_renderings_waiting")
      .on(t.renderer, t.organizationId)
      .where(sql.raw(`renderer <> ${RENDERER}`)),
  ],
);

/** The sources of an article that was generated from some, as they were read (store/articles/sources.ts). */
export const articleSources = sqliteTable(
  "article_sources",
  {
    articleId: text("article_id")
      .notNull()
      .references(() => articles.id, { onDelete: "cascade" }),
    /** From 1, in the order of the request. 0 is the request itself, whose words also back claims: it has no address. */
    position: integer("position").notNull(),
    organizationId: text("organization_id").notNull(),
    url: text("url").notNull(),
    title: text("title").notNull(),
    /** 1 if the source goes on, but was too long. */
    isCut: integer("is_cut").notNull(),
    readTime: text("read_time").notNull(),
    content: text("content").notNull(),
  },
  (t) => [primaryKey({ columns: [t.articleId, t.position] })],
);

/** Unpublished changes: at most one row per article (working-copies.ts). */
export const workingCopies = sqliteTable(
  "working_copies",
  {
    articleId: text("article_id")
      .primaryKey()
      .references(() => articles.id, { onDelete: "cascade" }),
    organizationId: text("organization_id").notNull(),
    /** The fields that differ from the article except `content`, as JSON. */
    members: text("members").notNull(),
    baseVersion: text("base_version").notNull(),
    version: text("version").notNull(),
    actorKind: text("actor_kind").notNull(),
    actorId: text("actor_id").notNull(),
    creationTime: text("creation_time").notNull(),
    lastEditTime: text("last_edit_time").notNull(),
    /** The application connected for models that has changed its texts (contract 18.20); null if none has. */
    application: text("application"),
    /** Null if the content is the article's. */
    content: text("content"),
  },
  // Only working copies that name tags or authors, for when one is renamed, merged or deleted (terms/copies.ts).
  (t) => [
    index("working_copies_with_terms")
      .on(t.organizationId)
      .where(sql`members ->> '$.tags' is not null or members ->> '$.authors' is not null`),
  ],
);

/**
 * Slugs and locales under which published articles were found before. Triggers keep them: a published article that
 * changes its slug or locale leaves a row, and an article that takes a slug removes the slug's row. So no row has a
 * slug that is in use. An article keeps its 50 newest rows, an organization its 50,000 newest.
 */
export const movedSlugs = sqliteTable(
  "moved_slugs",
  {
    // A number, because every index repeats it and a slug has up to 800 bytes.
    id: integer("id").primaryKey(),
    organizationId: text("organization_id").notNull(),
    blogId: text("blog_id").notNull(),
    slug: text("slug").notNull(),
    locale: text("locale").notNull(),
    articleId: text("article_id")
      .notNull()
      .references(() => articles.id, { onDelete: "cascade" }),
    moveTime: text("move_time").notNull(),
    /** Numbers the rows of the organization; a newer row has a higher number. */
    number: integer("number").notNull(),
    live: integer("live").notNull(),
  },
  (t) => [
    uniqueIndex("moved_slugs_slug").on(t.blogId, t.slug, t.locale),
    index("moved_slugs_by_article").on(t.articleId, t.number),
    index("moved_slugs_of_organization").on(t.organizationId, t.number),
    // Only rows of published articles, so that nobody's drafts stand before another blog's.
    index("moved_slugs_live")
      .on(t.slug, t.moveTime)
      .where(sql`live = 1`),
    index("moved_slugs_live_locale")
      .on(t.slug, t.locale, t.moveTime)
      .where(sql`live = 1`),
  ],
);

/** Preview links: each shows one article to anyone who has it. Only a hash of the token is stored. */
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
    /** Who made the link, as in the audit log. It ends when they may no longer write articles. */
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
