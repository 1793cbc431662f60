/**
 * The tables that every write touches. Times are RFC 3339 text in UTC with milliseconds, as the API shows them, so that
 * they sort as they read; this holds for all tables. A `version` is the id of the write that produced a row: it is the
 * row's ETag.
 */
import { sql } from "drizzle-orm";
import { check, index, integer, primaryKey, sqliteTable, text } from "drizzle-orm/sqlite-core";

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
