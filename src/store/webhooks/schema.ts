/** The tables of webhooks: subscriptions, events (the outbox), and deliveries. */
import { sql } from "drizzle-orm";
import { index, integer, primaryKey, sqliteTable, text, uniqueIndex } from "drizzle-orm/sqlite-core";
import { DELIVERY_STATES, type DeliveredKind, type EventKind } from "../../domain/events.ts";
import { organizations } from "../core/schema.ts";

export const webhookSubscriptions = sqliteTable(
  "webhook_subscriptions",
  {
    id: text("id").primaryKey(),
    organizationId: text("organization_id")
      .notNull()
      .references(() => organizations.id),
    blogId: text("blog_id"),
    url: text("url").notNull(),
    /** Empty means all. */
    events: text("events", { mode: "json" }).$type<EventKind[]>().notNull(),
    active: integer("active", { mode: "boolean" }).notNull(),
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
    /** 1 if the last attempt took long: the next ones go through the slow queue. */
    slow: integer("slow").notNull().default(0),
  },
  (t) => [index("webhook_subscriptions_list").on(t.organizationId, t.id)],
);

/** The outbox: written in the transaction of the change that it reports. */
export const events = sqliteTable(
  "events",
  {
    /** The order in which events were committed. SQLite counts on from the last row, so that row is never deleted. */
    seq: integer("seq").primaryKey(),
    /** A UUIDv7, so that a range of ids is a range of times. */
    id: text("id").notNull(),
    organizationId: text("organization_id").notNull(),
    blogId: text("blog_id"),
    kind: text("kind").$type<DeliveredKind>().notNull(),
    /** The `data` field of the delivery, as JSON text. */
    data: text("data").notNull(),
    creationTime: text("creation_time").notNull(),
    /** The same as `creationTime`: earlier versions of the service need it. */
    enqueueTime: text("enqueue_time").notNull(),
    /** When its deliveries were created; null before. */
    fanOutTime: text("fan_out_time"),
  },
  (t) => [
    uniqueIndex("events_id").on(t.id),
    index("events_pending")
      .on(t.organizationId, t.seq)
      .where(sql`fan_out_time IS NULL`),
  ],
);

/**
 * One row for each event and each subscription that it reached. The table has no rowid (migration 0008), and the indexes
 * of open and claimed deliveries are small, so that a delivery costs few rows written.
 */
export const deliveries = sqliteTable(
  "deliveries",
  {
    eventId: text("event_id").notNull(),
    subscriptionId: text("subscription_id").notNull(),
    /** What the receiver and the log call it. */
    id: text("id").notNull(),
    organizationId: text("organization_id").notNull(),
    epoch: integer("epoch").notNull(),
    state: text("state", { enum: DELIVERY_STATES }).notNull(),
    /** Names the one claim under which it may be sent. */
    token: text("token"),
    status: integer("status"),
    durationMs: integer("duration_ms"),
    error: text("error"),
    creationTime: text("creation_time").notNull(),
    claimTime: text("claim_time"),
    settleTime: text("settle_time"),
  },
  (t) => [
    primaryKey({ columns: [t.eventId, t.subscriptionId] }),
    index("deliveries_list").on(t.subscriptionId, t.eventId),
    index("deliveries_settled")
      .on(t.subscriptionId, t.state, t.eventId)
      .where(sql`settle_time IS NOT NULL`),
    index("deliveries_open")
      .on(t.subscriptionId, t.eventId)
      .where(sql`state = 'open'`),
    index("deliveries_claimed")
      .on(t.organizationId, t.claimTime, t.subscriptionId)
      .where(sql`state = 'claimed'`),
  ],
);

/**
 * What could not be fanned out or sent, and how often the relay tried. It is tried again each minute until it is dead. A
 * row goes once its event is fanned out, its delivery is settled, or either is deleted.
 */
export const deadLetters = sqliteTable(
  "dead_letters",
  {
    id: text("id").primaryKey(),
    organizationId: text("organization_id").notNull(),
    eventId: text("event_id").notNull(),
    /** The subscription of the delivery; empty if the event could not be fanned out. */
    subscriptionId: text("subscription_id").notNull(),
    /** The kind of the event. */
    kind: text("kind").$type<DeliveredKind>().notNull(),
    tries: integer("tries").notNull(),
    creationTime: text("creation_time").notNull(),
    /** When it was last tried. */
    tryTime: text("try_time").notNull(),
    /** When it was given up; null while it is tried. */
    deadTime: text("dead_time"),
  },
  (t) => [
    uniqueIndex("dead_letters_of").on(t.eventId, t.subscriptionId),
    index("dead_letters_list").on(t.organizationId, t.id),
  ],
);

/**
 * Organizations that have used up the deliveries of their day (quota.ts): their events wait in the outbox. A row is
 * there while one of the events that had to wait is still in the outbox.
 */
export const waitingOutboxes = sqliteTable("waiting_outboxes", {
  organizationId: text("organization_id").primaryKey(),
  /** How many deliveries the oldest event needs: the fan-out tries again once there is room for them. */
  deliveries: integer("deliveries").notNull(),
  /** Of events up to this sequence number, the edge was already purged: readers do not wait. */
  purgedSeq: integer("purged_seq").notNull(),
  /** Since when. */
  time: text("time").notNull(),
});

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
