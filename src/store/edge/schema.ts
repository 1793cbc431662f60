/** The tables of the edge: what is to be purged from it, and when the service last did what it does at intervals. */
import { integer, sqliteTable, text } from "drizzle-orm/sqlite-core";

/** Cache tags that wait for their purge; asked for in the transaction that fans the change's event out. */
export const purges = sqliteTable("purges", {
  tag: text("tag").primaryKey(),
  organizationId: text("organization_id").notNull(),
  /** 1 if readers see what they must no longer see: something was unpublished or deleted. */
  urgent: integer("urgent").notNull(),
  /** When it was last asked for. */
  time: text("time").notNull(),
  /** 0 before the first purge; 1 if only the second one is left, for what a lagging replica put back. */
  round: integer("round").notNull(),
  /** When it may be purged. */
  dueTime: text("due_time").notNull(),
});

/**
 * When something was last done: `cron` (the minute's sweep, which leaves what it saw as JSON), `purge` (a call that purges
 * the edge).
 */
export const lastTimes = sqliteTable("last_times", {
  name: text("name", { enum: ["cron", "purge"] }).primaryKey(),
  time: text("time").notNull(),
  value: text("value"),
});
