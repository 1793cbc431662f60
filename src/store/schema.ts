/**
 * The tables. Times are RFC 3339 text in UTC with milliseconds, as the API shows them, so that they
 * sort as they read. A `version` is the id of the write that produced a row: it is the row's ETag.
 */
import { sql } from "drizzle-orm";
import { check, index, integer, primaryKey, sqliteTable, text, uniqueIndex } from "drizzle-orm/sqlite-core";
import { DELIVERY_STATES } from "../lib/events.ts";

export const organizations = sqliteTable("organizations", {
  id: text("id").primaryKey(),
  name: text("name").notNull(),
  creationTime: text("creation_time").notNull(),
  // What it has stored (quota.ts), counted by triggers (migrations, 0007_usage): no write can forget to.
  articles: integer("articles").notNull().default(0),
  /** UTF-8 bytes of titles, descriptions, cover URLs and contents. */
  articleBytes: integer("article_bytes").notNull().default(0),
  /** UTF-8 bytes of the contents that are kept with the answers of idempotent calls. */
  answerBytes: integer("answer_bytes").notNull().default(0),
  contacts: integer("contacts").notNull().default(0),
});

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
    /** JSON array of BCP 47 tags; the first one is the blog's default. */
    locales: text("locales").notNull(),
    version: text("version").notNull(),
    creationTime: text("creation_time").notNull(),
    lastEditTime: text("last_edit_time").notNull(),
    /** JSON array of sources (lib/topic-source.ts). */
    topicSources: text("topic_sources").notNull().default("[]"),
    /** When the next daily refresh is due; null where none is asked for. */
    refreshDueTime: text("refresh_due_time"),
    /**
     * Counts the changes of its ideas by refreshes, so that a merge notices if they have changed since they
     * were read.
     */
    topicsRevision: integer("topics_revision").notNull().default(0),
  },
  (t) => [
    uniqueIndex("blogs_vanity_id").on(t.vanityId),
    index("blogs_by_organization").on(t.organizationId, t.creationTime, t.id),
    index("blogs_refresh_due")
      .on(t.refreshDueTime)
      .where(sql`refresh_due_time IS NOT NULL`),
  ],
);

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
    /** Since when everybody finds it under its slug; null for a draft. */
    publicTime: text("public_time"),
    version: text("version").notNull(),
    creationTime: text("creation_time").notNull(),
    lastEditTime: text("last_edit_time").notNull(),
    // Last, so that SQLite need not walk a large body to reach a small column.
    content: text("content").notNull(),
  },
  (t) => [
    uniqueIndex("articles_slug").on(t.blogId, t.slug, t.locale),
    // One index for each filter of the list, each in list order: a page of n reads n + 1 rows.
    index("articles_list").on(t.blogId, t.creationTime, t.id),
    index("articles_list_published").on(t.blogId, t.published, t.creationTime, t.id),
    index("articles_list_locale").on(t.blogId, t.locale, t.creationTime, t.id),
    index("articles_list_locale_published").on(t.blogId, t.locale, t.published, t.creationTime, t.id),
    index("articles_own_slug").on(t.organizationId, t.slug, t.creationTime, t.id),
    index("articles_public_slug_locale")
      .on(t.slug, t.locale, t.publicTime, t.id)
      .where(sql`published = 1`),
    index("articles_public_slug")
      .on(t.slug, t.publicTime, t.id)
      .where(sql`published = 1`),
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
  },
  (t) => [
    uniqueIndex("contacts_email").on(t.blogId, t.email),
    index("contacts_list").on(t.blogId, t.creationTime, t.id),
  ],
);

/** API keys (kind "key") and operator access tokens (kind "token"). Only a hash of the secret is kept. */
export const credentials = sqliteTable(
  "credentials",
  {
    id: text("id").primaryKey(),
    organizationId: text("organization_id")
      .notNull()
      .references(() => organizations.id),
    kind: text("kind", { enum: ["key", "token"] }).notNull(),
    name: text("name").notNull(),
    hash: text("hash").notNull(),
    /** The last four characters of the secret, so that people can tell keys apart. */
    hint: text("hint").notNull(),
    /** JSON array of scopes; an operator token's is empty, as it has them all. */
    scopes: text("scopes").notNull(),
    blogId: text("blog_id"),
    expirationTime: text("expiration_time"),
    lastUsedTime: text("last_used_time"),
    creationTime: text("creation_time").notNull(),
  },
  (t) => [
    uniqueIndex("credentials_hash").on(t.hash),
    index("credentials_list").on(t.organizationId, t.kind, t.creationTime, t.id),
  ],
);

export const webhookSubscriptions = sqliteTable(
  "webhook_subscriptions",
  {
    id: text("id").primaryKey(),
    organizationId: text("organization_id")
      .notNull()
      .references(() => organizations.id),
    blogId: text("blog_id"),
    url: text("url").notNull(),
    /** JSON array of event kinds; empty means all. */
    events: text("events").notNull(),
    active: integer("active").notNull(),
    /** Kept as it is: it is the key of the HMAC. */
    secret: text("secret").notNull(),
    /** Failures in a row; back to 0 with a success. */
    failureStreak: integer("failure_streak").notNull(),
    /** Counts the lives of the subscription: reactivation begins a new one. */
    epoch: integer("epoch").notNull(),
    /** Events up to this sequence number came before this life and never reach it. */
    sinceSeq: integer("since_seq").notNull(),
    deactivationTime: text("deactivation_time"),
    version: text("version").notNull(),
    creationTime: text("creation_time").notNull(),
    lastEditTime: text("last_edit_time").notNull(),
    /** Whether the last attempt took long: the next ones go through the queue for those. */
    slow: integer("slow").notNull().default(0),
  },
  (t) => [index("webhook_subscriptions_list").on(t.organizationId, t.id)],
);

/** The outbox: written in the transaction of the change that it reports. */
export const events = sqliteTable(
  "events",
  {
    seq: integer("seq").primaryKey({ autoIncrement: true }),
    id: text("id").notNull(),
    organizationId: text("organization_id").notNull(),
    blogId: text("blog_id"),
    kind: text("kind").notNull(),
    /** The `data` member of the delivery, as JSON text. */
    data: text("data").notNull(),
    creationTime: text("creation_time").notNull(),
    /** When the queue was last asked to fan it out. */
    enqueueTime: text("enqueue_time").notNull(),
    fanOutTime: text("fan_out_time"),
  },
  (t) => [
    uniqueIndex("events_id").on(t.id),
    index("events_pending")
      .on(t.enqueueTime)
      .where(sql`fan_out_time IS NULL`),
    index("events_by_time").on(t.creationTime),
  ],
);

export const deliveries = sqliteTable(
  "deliveries",
  {
    id: text("id").primaryKey(),
    organizationId: text("organization_id").notNull(),
    eventId: text("event_id").notNull(),
    subscriptionId: text("subscription_id").notNull(),
    epoch: integer("epoch").notNull(),
    state: text("state", { enum: DELIVERY_STATES }).notNull(),
    /** Names the one invocation that may send it. */
    token: text("token"),
    status: integer("status"),
    durationMs: integer("duration_ms"),
    error: text("error"),
    creationTime: text("creation_time").notNull(),
    /** When the queue was last asked to send it. */
    enqueueTime: text("enqueue_time").notNull(),
    claimTime: text("claim_time"),
    settleTime: text("settle_time"),
  },
  (t) => [
    uniqueIndex("deliveries_event").on(t.eventId, t.subscriptionId),
    index("deliveries_list").on(t.subscriptionId, t.creationTime, t.id),
    index("deliveries_list_state").on(t.subscriptionId, t.state, t.creationTime, t.id),
    index("deliveries_open")
      .on(t.enqueueTime)
      .where(sql`state = 'open'`),
    index("deliveries_claimed")
      .on(t.claimTime)
      .where(sql`state = 'claimed'`),
    index("deliveries_by_time").on(t.creationTime),
  ],
);

/** How deliveries ended, by the hour: counted in the transaction that settles them, kept for 30 days. */
export const deliveryHours = sqliteTable(
  "delivery_hours",
  {
    organizationId: text("organization_id").notNull(),
    /** The beginning of the hour. */
    hour: text("hour").notNull(),
    succeeded: integer("succeeded").notNull(),
    failed: integer("failed").notNull(),
  },
  (t) => [primaryKey({ columns: [t.organizationId, t.hour] }), index("delivery_hours_by_hour").on(t.hour)],
);

/**
 * Who changed what, and when. The row is also the licence of its write: it is inserted first, only
 * where all preconditions hold, and every other statement of the transaction asks for it.
 */
export const audit = sqliteTable(
  "audit",
  {
    id: text("id").primaryKey(),
    organizationId: text("organization_id").notNull(),
    actorKind: text("actor_kind").notNull(),
    actorId: text("actor_id").notNull(),
    action: text("action").notNull(),
    resourceId: text("resource_id").notNull(),
    blogId: text("blog_id"),
    requestId: text("request_id").notNull(),
    creationTime: text("creation_time").notNull(),
  },
  (t) => [index("audit_list").on(t.organizationId, t.creationTime, t.id), index("audit_by_time").on(t.creationTime)],
);

/** Answers of writes that carried an Idempotency-Key, kept for 24 hours. */
export const idempotency = sqliteTable(
  "idempotency",
  {
    organizationId: text("organization_id").notNull(),
    key: text("key").notNull(),
    /** SHA-256 of what was asked: the same key with another body is refused. */
    fingerprint: text("fingerprint").notNull(),
    /** Names the one call that may commit under this key. */
    token: text("token").notNull(),
    /** The answer as JSON; null while the call runs. */
    answer: text("answer"),
    /** The answer's `content`, apart: escaped in JSON it could outgrow a row of D1. */
    content: text("content"),
    creationTime: text("creation_time").notNull(),
    leaseTime: text("lease_time").notNull(),
  },
  (t) => [primaryKey({ columns: [t.organizationId, t.key] }), index("idempotency_by_time").on(t.creationTime)],
);

/** Never holds a row: inserting 0 fails, which rolls a transaction back. */
export const assertions = sqliteTable("assertions", { holds: integer("holds").notNull() }, (t) => [
  check("assertion_holds", sql`${t.holds} = 1`),
]);
