import { sql } from "drizzle-orm";
import { index, integer, primaryKey, sqliteTable, text, uniqueIndex } from "drizzle-orm/sqlite-core";
import { DEFAULT_ARTICLE_PATH, type FeedContent, type MenuEntry, type SiteFont } from "../domain/site.ts";
import type { ImportedConsent } from "../domain/imported-contacts.ts";
import { NO_STYLE_GUIDE, type StyleGuide } from "../domain/style-guide.ts";
import type { TopicSource } from "../domain/topic-source.ts";
import { organizations } from "./core.ts";

export const blogs = sqliteTable(
  "blogs",
  {
    id: text("id").primaryKey(),
    organizationId: text("organization_id")
      .notNull()
      .references(() => organizations.id),
    name: text("name").notNull(),
    vanityId: text("vanity_id").notNull(),
    coverUrl: text("cover_url").notNull(),
    /** BCP 47 language tags. The first is the blog's default locale. */
    locales: text("locales", { mode: "json" }).$type<string[]>().notNull(),
    version: text("version").notNull(),
    creationTime: text("creation_time").notNull(),
    lastEditTime: text("last_edit_time").notNull(),
    topicSources: text("topic_sources", { mode: "json" }).$type<TopicSource[]>().notNull().default([]),
    styleGuide: text("style_guide", { mode: "json" }).$type<StyleGuide>().notNull().default(NO_STYLE_GUIDE),
    /** When the next daily refresh is due; null without a daily refresh. */
    refreshDueTime: text("refresh_due_time"),
    /** Increases when a refresh changes the blog's ideas, so that the harvest of another source notices. */
    topicsRevision: integer("topics_revision").notNull().default(0),
    // What readers see of the blog besides its articles: site, feeds, addresses (contract 20.1).
    siteEnabled: integer("site_enabled", { mode: "boolean" }).notNull().default(true),
    /** Where the blog's readers are, without a trailing slash; "" if the service itself shows it. */
    siteUrl: text("site_url").notNull().default(""),
    articlePath: text("article_path").notNull().default(DEFAULT_ARTICLE_PATH),
    siteDescription: text("site_description").notNull().default(""),
    feedContent: text("feed_content").$type<FeedContent>().notNull().default("full"),
    accentColor: text("accent_color").notNull().default(""),
    siteFont: text("site_font").$type<SiteFont>().notNull().default("serif"),
    logoUrl: text("logo_url").notNull().default(""),
    menu: text("menu", { mode: "json" }).$type<MenuEntry[]>().notNull().default([]),
    /** What subscribers get by email, in one line; "" if the site has no subscription form. */
    newsletter: text("newsletter").notNull().default(""),
    /** The version and time of the last change of these settings; null if they never changed. */
    siteVersion: text("site_version"),
    siteEditTime: text("site_edit_time"),
    /** Changes with each write that adds redirects; null if none did. */
    redirectsVersion: text("redirects_version"),
  },
  (t) => [
    uniqueIndex("blogs_vanity_id").on(t.vanityId),
    index("blogs_by_organization").on(t.organizationId, t.creationTime, t.id),
    index("blogs_refresh_due")
      .on(t.refreshDueTime)
      .where(sql`refresh_due_time IS NOT NULL`),
  ],
);

/**
 * Blogs that nobody sees, one row for each reason: somebody deleted the blog (for good: erased), or an operator suspended its
 * organization. Every read of a blog or its articles looks here, so the table is small: the migration adds WITHOUT ROWID,
 * which Drizzle cannot express.
 */
export const hiddenBlogs = sqliteTable(
  "hidden_blogs",
  {
    blogId: text("blog_id")
      .notNull()
      .references(() => blogs.id, { onDelete: "cascade" }),
    reason: text("reason", { enum: ["deleted", "erased", "suspended"] }).notNull(),
    organizationId: text("organization_id").notNull(),
    /** Since when. */
    time: text("time").notNull(),
  },
  (t) => [
    primaryKey({ columns: [t.blogId, t.reason] }),
    index("hidden_blogs_of_organization").on(t.organizationId, t.time, t.blogId),
    index("hidden_blogs_by_time").on(t.reason, t.time),
  ],
);

export const contacts = sqliteTable(
  "contacts",
  {
    id: text("id").primaryKey(),
    organizationId: text("organization_id").notNull(),
    blogId: text("blog_id")
      .notNull()
      .references(() => blogs.id),
    email: text("email").notNull(),
    name: text("name").notNull(),
    locale: text("locale").notNull(),
    creationTime: text("creation_time").notNull(),
    /** When they confirmed that they want the blog's emails; null for a contact that somebody else created. */
    consentTime: text("consent_time"),
    /** When they unsubscribed; null while they have not. */
    unsubscribeTime: text("unsubscribe_time"),
    /** Changes with each write; null means that the id is the version. */
    version: text("version"),
    /** The consent, or its withdrawal, that came from an imported file; null without an import. */
    imported: text("imported", { mode: "json" }).$type<ImportedConsent>(),
  },
  (t) => [
    uniqueIndex("contacts_email").on(t.blogId, t.email),
    index("contacts_list").on(t.blogId, t.creationTime, t.id),
  ],
);

/** Requests for a blog's emails. The link in an email confirms one. Only the hash of its token is stored. */
export const contactRequests = sqliteTable(
  "contact_requests",
  {
    id: text("id").primaryKey(),
    organizationId: text("organization_id").notNull(),
    blogId: text("blog_id")
      .notNull()
      .references(() => blogs.id),
    email: text("email").notNull(),
    locale: text("locale").notNull(),
    tokenHash: text("token_hash").notNull(),
    creationTime: text("creation_time").notNull(),
    expirationTime: text("expiration_time").notNull(),
  },
  (t) => [
    uniqueIndex("contact_requests_email").on(t.blogId, t.email),
    uniqueIndex("contact_requests_token").on(t.tokenHash),
    index("contact_requests_expired").on(t.expirationTime),
  ],
);

/** Host names of sites, which anybody may name. Only the row with the token in the host's DNS is verified. */
export const siteHosts = sqliteTable(
  "site_hosts",
  {
    blogId: text("blog_id")
      .notNull()
      .references(() => blogs.id),
    /** In lower case and ASCII ("xn--…"). */
    host: text("host").notNull(),
    organizationId: text("organization_id").notNull(),
    /** What the DNS record must say. */
    token: text("token").notNull(),
    /** When the record was found; null if it never was, or is gone. */
    verifiedTime: text("verified_time"),
    /** When the record was last checked, and what was wrong; null if nothing was. */
    checkTime: text("check_time"),
    failure: text("failure"),
    /** When it is checked again; null if never. */
    nextCheckTime: text("next_check_time"),
    creationTime: text("creation_time").notNull(),
  },
  (t) => [
    primaryKey({ columns: [t.blogId, t.host] }),
    uniqueIndex("site_hosts_verified")
      .on(t.host)
      .where(sql`verified_time IS NOT NULL`),
    index("site_hosts_due")
      .on(t.nextCheckTime)
      .where(sql`next_check_time IS NOT NULL`),
  ],
);
