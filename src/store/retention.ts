import { lt, sql, type SQL } from "drizzle-orm";
import type { SQLiteTable } from "drizzle-orm/sqlite-core";
import { LIMITS } from "../domain/limits.ts";
import { DAY_MS } from "../lib/time.ts";
import { localMails, sessions, verifications } from "./people/schema.ts";
import { generations } from "./generation/schema.ts";
import { topicRefreshes, topics, topicSourceStates } from "./topics/schema.ts";
import { audit, idempotency } from "./core/schema.ts";
import { deliveries, deliveryHours, events } from "./webhooks/schema.ts";
import { transaction, type Database } from "./core/sql.ts";

/** How many rows of a table one statement deletes at most, and how often one run repeats the statements at most. */
const MOST = 1000;
const ROUNDS = 50;

/**
 * Deletes rows that are older than their retention (`LIMITS.keptDays`), and expired sessions and verifications. Keeps
 * open deliveries, events before their fan-out or with deliveries left, and ideas that are `used`.
 */
export async function removeExpired(db: Database, now: Date): Promise<void> {
  for (let round = 0; round < ROUNDS; round++) {
    const removed = await removeSome(db, now);
    if (Object.values(removed).every((rows) => rows.length < MOST)) return;
  }
}

/** Deletes at most {@link MOST} rows of each table. Returns one entry for each deleted row, by table. */
async function removeSome(db: Database, now: Date): Promise<Readonly<Record<string, unknown[]>>> {
  const kept = LIMITS.keptDays;
  const before = (days: number) => new Date(now.getTime() - days * DAY_MS).toISOString();
  return transaction(db, {
    deliveries: over(
      deliveries,
      sql`${deliveries.creationTime} < ${before(kept.deliveries)} and ${deliveries.state} <> 'open'`,
    ),
    events: over(
      events,
      sql`${events.creationTime} < ${before(kept.events)} and ${events.fanOutTime} is not null
        and not exists (select 1 from ${deliveries} where ${deliveries.eventId} = ${events.id})`,
    ),
    deliveryHours: over(deliveryHours, lt(deliveryHours.hour, before(kept.deliveryHours))),
    audit: over(audit, lt(audit.creationTime, before(kept.audit))),
    idempotency: over(idempotency, lt(idempotency.creationTime, before(kept.idempotency))),
    topicRefreshes: over(topicRefreshes, lt(topicRefreshes.creationTime, before(kept.topicRefreshes))),
    topicSourceStates: over(topicSourceStates, lt(topicSourceStates.readTime, before(kept.topicSourceStates))),
    generations: over(generations, lt(generations.creationTime, before(kept.generations))),
    topics: over(topics, sql`${topics.creationTime} < ${before(kept.topics)} and ${topics.status} <> 'used'`),
    sessions: over(sessions, lt(sessions.expirationTime, now)),
    verifications: over(verifications, lt(verifications.expirationTime, now)),
    localMails: over(localMails, lt(localMails.creationTime, before(kept.localMails))),
  });
}

const over = (table: SQLiteTable, condition: SQL): SQL =>
  sql`delete from ${table} where rowid in (select rowid from ${table} where ${condition} limit ${MOST}) returning 1`;
