/** The tables of the edge's cache: the tags to purge, and the times of the last sweep and the last purge. */
import { integer, sqliteTable, text } from "drizzle-orm/sqlite-core";

/** Cache tags that wait for their purge. The transaction that fans out a change's event inserts them. */
export const purges = sqliteTable("purges", {
  tag: text("tag").primaryKey(),
  organizationId: text("organization_id").notNull(),
  /** 1 if readers must not see any more what the cache has, as of an article that was unpublished; 0 after an edit. */
  urgent: integer("urgent").notNull(),
  /** When the purge was last requested. */
  time: text("time").notNull(),
  /** 0 before the first purge, 1 before the second. A lagging replica may have filled the cache in between. */
  round: integer("round").notNull(),
  dueTime: text("due_time").notNull(),
});

/**
 * When the last sweep (`cron`, with the backlog as JSON in `value`) and the last purge of the edge's cache ran. The row
 * `deliveries` has the subscription behind which the removal of old deliveries goes on.
 */
export const lastTimes = sqliteTable("last_times", {
  name: text("name", { enum: ["cron", "deliveries", "purge"] }).primaryKey(),
  time: text("time").notNull(),
  value: text("value"),
});
