/** The tables of webhooks: subscriptions, events (the outbox), and deliveries. */
import { sql } from "drizzle-orm";
import { index, integer, primaryKey, sqliteTable, text, uniqueIndex } from "drizzle-orm/sqlite-core";
import { DELIVERY_STATES, type DeliveredKind, type EventKind } from "../domain/events.ts";
import { organizations } from "./core.ts";

export const webhookSubscriptions = sqliteTable(
  "webhook_subscriptions",
  {
    id: text("id").primaryKey(),
    organizationId: text("organization_id")
      .notNull()
      .references(() => organizations.id),
    blogId: text("blog_id"),
    url: text("url").notNull(),
    /** Empty for all kinds of events. */
    events: text("events", { mode: "json" }).$type<EventKind[]>().notNull(),
    active: integer("active", { mode: "boolean" }).notNull(),
    /** The key of the signature's HMAC, so it is stored as plain text. */
    secret: text("secret").notNull(),
    /** Failures in a row. A success resets it to 0. */
    failureStreak: integer("failure_streak").notNull(),
    /** Increases with each reactivation. */
    epoch: integer("epoch").notNull(),
    /** Events up to this sequence number are older than this epoch, and are never sent to the subscription. */
    sinceSeq: integer("since_seq").notNull(),
    deactivationTime: text("deactivation_time"),
    version: text("version").notNull(),
    creationTime: text("creation_time").notNull(),
    lastEditTime: text("last_edit_time").notNull(),
    /** 1 if the last attempt took long, so that the next ones go through the slow queue. */
    slow: integer("slow").notNull().default(0),
    /** "" if people gave it no name. */
    name: text("name").notNull().default(""),
    /** The newest event that a delivery of its own succeeded with. Only earlier versions of the service read and set it. */
    lastSuccessId: text("last_success_id"),
    /** The failures in a row of which its operators were last warned; 0 after a success. */
    warnedAt: integer("warned_at").notNull().default(0),
    /** When it ends, because a subscription with a new secret replaces it; null: never. */
    endTime: text("end_time"),
    /** The subscription that it replaces or has replaced. */
    replaces: text("replaces"),
  },
  (t) => [
    index("webhook_subscriptions_list").on(t.organizationId, t.id),
    index("webhook_subscriptions_failing")
      .on(t.failureStreak)
      .where(sql`failure_streak >= 10`),
    index("webhook_subscriptions_ending")
      .on(t.endTime)
      .where(sql`end_time IS NOT NULL`),
  ],
);

/**
 * The outbox, and the feed of events (contract 11.16). An event is inserted in the transaction of the change that it
 * reports.
 */
export const events = sqliteTable(
  "events",
  {
    /** The commit order of the events. SQLite continues after the last row, so the last row is never deleted. */
    seq: integer("seq").primaryKey(),
    id: text("id").notNull(),
    organizationId: text("organization_id").notNull(),
    blogId: text("blog_id"),
    kind: text("kind").$type<DeliveredKind>().notNull(),
    /** The `data` field of the delivery, as JSON text. */
    data: text("data").notNull(),
    creationTime: text("creation_time").notNull(),
    /** The same as `creationTime`. Only earlier versions of the service read it. */
    enqueueTime: text("enqueue_time").notNull(),
    /** When its deliveries were created, or when it was stored if it needs none; null until then. */
    fanOutTime: text("fan_out_time"),
  },
  (t) => [
    uniqueIndex("events_id").on(t.id),
    // Partial also because SQLite would otherwise read it to find pending events, and so all that are kept.
    index("events_feed")
      .on(t.organizationId, t.seq)
      .where(sql`kind <> 'ping'`),
    index("events_pending")
      .on(t.organizationId, t.seq)
      .where(sql`fan_out_time IS NULL`),
  ],
);

/**
 * One row for each event and each subscription that it matched. D1 bills few written rows per delivery, because the
 * table has no rowid (migration 0061), its key is the order of a subscription's log, and the partial indexes contain few
 * deliveries. No index begins with the event: who looks for the deliveries of one names the subscriptions, too.
 */
export const deliveries = sqliteTable(
  "deliveries",
  {
    subscriptionId: text("subscription_id").notNull(),
    eventId: text("event_id").notNull(),
    /** The id that the receiver and the log see. */
    id: text("id").notNull(),
    organizationId: text("organization_id").notNull(),
    epoch: integer("epoch").notNull(),
    state: text("state", { enum: DELIVERY_STATES }).notNull(),
    /** The token of the claim that may send the delivery; null before it, and once its outcome is stored. */
    token: text("token"),
    status: integer("status"),
    durationMs: integer("duration_ms"),
    error: text("error"),
    creationTime: text("creation_time").notNull(),
    claimTime: text("claim_time"),
    settleTime: text("settle_time"),
    /** How often operators had it delivered again. Above 0, its outcome does not count for the streak. */
    redeliveries: integer("redeliveries").notNull().default(0),
  },
  (t) => [
    primaryKey({ columns: [t.subscriptionId, t.eventId] }),
    // Without those that succeeded, which are nearly all: a list of them is as good as one of all.
    index("deliveries_settled")
      .on(t.subscriptionId, t.state, t.eventId)
      .where(sql`settle_time IS NOT NULL AND state <> 'succeeded'`),
    index("deliveries_open")
      .on(t.subscriptionId, t.eventId)
      .where(sql`state = 'open'`),
    index("deliveries_claimed")
      .on(t.organizationId, t.claimTime, t.subscriptionId)
      .where(sql`state = 'claimed'`),
  ],
);

/**
 * Events that could not be fanned out and deliveries that could not be prepared. They are tried again every minute
 * until they are dead. A row is deleted when its event is fanned out, its delivery settled, or either of them deleted.
 */
export const deadLetters = sqliteTable(
  "dead_letters",
  {
    id: text("id").primaryKey(),
    organizationId: text("organization_id").notNull(),
    eventId: text("event_id").notNull(),
    /** The subscription of the delivery; "" if the event could not be fanned out. */
    subscriptionId: text("subscription_id").notNull(),
    kind: text("kind").$type<DeliveredKind>().notNull(),
    tries: integer("tries").notNull(),
    creationTime: text("creation_time").notNull(),
    tryTime: text("try_time").notNull(),
    /** When the tries ended; null while they go on. */
    deadTime: text("dead_time"),
  },
  (t) => [
    uniqueIndex("dead_letters_of").on(t.eventId, t.subscriptionId),
    index("dead_letters_list").on(t.organizationId, t.id),
  ],
);

/** Organizations that have used up the deliveries of their day (quota.ts), while events of theirs wait. */
export const waitingOutboxes = sqliteTable("waiting_outboxes", {
  organizationId: text("organization_id").primaryKey(),
  /** How many deliveries the oldest waiting event needs. The fan-out tries again when there is room for them. */
  deliveries: integer("deliveries").notNull(),
  /** The purges for events up to this sequence number are already requested, because readers must not wait. */
  purgedSeq: integer("purged_seq").notNull(),
  time: text("time").notNull(),
});

/** How many deliveries ended in each hour, counted in the transaction that settles them. Kept for 30 days. */
export const deliveryHours = sqliteTable(
  "delivery_hours",
  {
    organizationId: text("organization_id").notNull(),
    hour: text("hour").notNull(),
    succeeded: integer("succeeded").notNull(),
    failed: integer("failed").notNull(),
  },
  (t) => [primaryKey({ columns: [t.organizationId, t.hour] }), index("delivery_hours_by_hour").on(t.hour)],
);
