/**
 * The tables that every write touches. Two rules hold for all tables, unless a column says otherwise:
 * - Times are RFC 3339 text in UTC with milliseconds, as in the API, so that text order is time order.
 * - A `version` is the id of the write that last changed the row. The row's ETag is made of it.
 */
import { sql } from "drizzle-orm";
import type { Quota } from "../domain/quotas.ts";
import { check, index, integer, primaryKey, sqliteTable, text } from "drizzle-orm/sqlite-core";

export const organizations = sqliteTable("organizations", {
  id: text("id").primaryKey(),
  name: text("name").notNull(),
  creationTime: text("creation_time").notNull(),
  // What the organization uses of its quotas (quota.ts). Triggers count it, so no write can forget it. Their names
  // contain `_usage_`; the newest migration that creates one has its current text. Statements count only the deliveries
  // of a fan-out, the events of autosaves and revisions from the trash (system-outbox.ts, system-autosaved.ts, trash.ts).
  articles: integer("articles").notNull().default(0),
  /** UTF-8 bytes of the texts and `seo` of articles and working copies, and of `members` of terms. */
  articleBytes: integer("article_bytes").notNull().default(0),
  /** UTF-8 bytes of contents stored with idempotent responses, and of such responses above 1 KiB. */
  answerBytes: integer("answer_bytes").notNull().default(0),
  contacts: integer("contacts").notNull().default(0),
  redirects: integer("redirects").notNull().default(0),
  /** Bytes of images, also of those in the trash. */
  mediaBytes: integer("media_bytes").notNull().default(0),
  mediaItems: integer("media_items").notNull().default(0),
  revisionBytes: integer("revision_bytes").notNull().default(0),
  /** Articles in the trash, and the bytes of their rows, but for images. */
  trashArticles: integer("trash_articles").notNull().default(0),
  trashBytes: integer("trash_bytes").notNull().default(0),
  /** The UTC day of the last event or delivery, such as `2026-11-20`, and how many of each it had. */
  day: text("day").notNull().default(""),
  dayEvents: integer("day_events").notNull().default(0),
  dayDeliveries: integer("day_deliveries").notNull().default(0),
  /** The UTC day of the last topic ideas that refreshes created, and how many there were. */
  ideasDay: text("ideas_day").notNull().default(""),
  dayIdeas: integer("day_ideas").notNull().default(0),
  /** The quotas that it has in place of the deployment's; null for none (`npm run admin -- quotas`). */
  quotas: text("quotas", { mode: "json" }).$type<Partial<Quota>>(),
  /** The most tokens of models in a day (UTC), which its people have set; null for none (contract 8.11). */
  modelTokensPerDay: integer("model_tokens_per_day"),
});

/**
 * Organizations that rest: an operator has suspended them, an owner has deleted them (for good: erased), or they have reached a ceiling of
 * the month. What an organization
 * does, also by itself, looks here, so the table is small: the migration adds WITHOUT ROWID, which Drizzle cannot express.
 */
export const suspensions = sqliteTable("suspensions", {
  organizationId: text("organization_id").primaryKey(),
  /** Why an operator has suspended it; what it has used up for the month; "" for an organization that was deleted. */
  reason: text("reason").notNull(),
  kind: text("kind", { enum: ["suspended", "deleted", "erased", "resting", "moving", "arriving", "ceiling"] })
    .notNull()
    .default("suspended"),
  creationTime: text("creation_time").notNull(),
});

/**
 * What an organization has used on a day (UTC) of what costs money (store/ledger.ts). A write without a row of its own: it is counted
 * in memory, and stored a few seconds later. The migration adds WITHOUT ROWID, which Drizzle cannot express.
 */
export const ledger = sqliteTable(
  "ledger",
  {
    organizationId: text("organization_id").notNull(),
    /** Such as `2026-11-20`. */
    day: text("day").notNull(),
    rowsWritten: integer("rows_written").notNull().default(0),
    deliveries: integer("deliveries").notNull().default(0),
    modelTokens: integer("model_tokens").notNull().default(0),
    pictureOperations: integer("picture_operations").notNull().default(0),
  },
  (t) => [primaryKey({ columns: [t.organizationId, t.day] })],
);

/**
 * The audit log: who changed what, and when. Each row is also the license of its write: it is inserted first, and only
 * if all preconditions hold. Every other statement of the transaction checks that it exists. The table has no rowid
 * (migration 0009) and no other index, so it costs each write one row.
 */
export const audit = sqliteTable(
  "audit",
  {
    /** A UUIDv7, so that a range of ids is a range of times. */
    id: text("id").notNull(),
    organizationId: text("organization_id").notNull(),
    actorKind: text("actor_kind").notNull(),
    actorId: text("actor_id").notNull(),
    action: text("action").notNull(),
    resourceId: text("resource_id").notNull(),
    blogId: text("blog_id"),
    requestId: text("request_id").notNull(),
    creationTime: text("creation_time").notNull(),
    /** The names of the fields that an update changed, as JSON text; null for other writes (commit.ts). */
    changed: text("changed"),
  },
  (t) => [primaryKey({ columns: [t.organizationId, t.id] })],
);

/** Claims and responses of requests with an Idempotency-Key, kept for 24 hours. */
export const idempotency = sqliteTable(
  "idempotency",
  {
    organizationId: text("organization_id").notNull(),
    key: text("key").notNull(),
    /** SHA-256 of the request. The same key with a different request is refused. */
    fingerprint: text("fingerprint").notNull(),
    /** Identifies the one call that may commit under this key. */
    token: text("token").notNull(),
    /** The response as JSON text; null while the call runs. */
    answer: text("answer"),
    /** The response's `content` field. Escaped as JSON, it could exceed D1's row size. */
    content: text("content"),
    creationTime: text("creation_time").notNull(),
    /** When the claim was made or last renewed. */
    leaseTime: text("lease_time").notNull(),
  },
  (t) => [primaryKey({ columns: [t.organizationId, t.key] }), index("idempotency_by_time").on(t.creationTime)],
);

/** Never holds a row. Inserting 0 violates the CHECK, which rolls the transaction back (core/sql.ts). */
export const assertions = sqliteTable("assertions", { holds: integer("holds").notNull() }, (t) => [
  check("assertion_holds", sql`${t.holds} = 1`),
]);
