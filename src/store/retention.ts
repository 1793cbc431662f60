import { sql, type SQL } from "drizzle-orm";
import type { SQLiteTable } from "drizzle-orm/sqlite-core";
import { LIMITS } from "../domain/limits.ts";
import { DAY_MS } from "../lib/time.ts";
import { localMails, sessions, verifications } from "./people/schema.ts";
import { generations } from "./generation/schema.ts";
import { topicRefreshes, topics, topicSourceStates } from "./topics/schema.ts";
import { audit, idempotency } from "./core/schema.ts";
import { deliveries, deliveryHours, events } from "./webhooks/schema.ts";
import { transaction, type Database } from "./core/sql.ts";

/** Rows of each table that one statement removes, and how often a run repeats it. */
const MOST = 1000;
const ROUNDS = 50;

/** Removes what has been kept long enough. An event goes only after its fan-out. */
export async function removeExpired(db: Database, now: Date): Promise<void> {
  for (let round = 0; round < ROUNDS; round++) {
    const removed = await removeSome(db, now);
    if (Object.values(removed).every((rows) => rows.length < MOST)) return;
  }
}

async function removeSome(db: Database, now: Date): Promise<Readonly<Record<string, unknown[]>>> {
  const kept = LIMITS.keptDays;
  const before = (days: number) => new Date(now.getTime() - days * DAY_MS).toISOString();
  return transaction(db, {
    deliveries: over(deliveries, sql`creation_time < ${before(kept.deliveries)} and state <> 'open'`),
    events: over(
      events,
      sql`creation_time < ${before(kept.events)} and fan_out_time is not null
        and not exists (select 1 from ${deliveries} d where d.event_id = ${events.id})`,
    ),
    deliveryHours: over(deliveryHours, sql`hour < ${before(kept.deliveryHours)}`),
    audit: over(audit, sql`creation_time < ${before(kept.audit)}`),
    idempotency: over(idempotency, sql`creation_time < ${before(kept.idempotency)}`),
    topicRefreshes: over(topicRefreshes, sql`creation_time < ${before(kept.topicRefreshes)}`),
    topicSourceStates: over(topicSourceStates, sql`read_time < ${before(kept.topicSourceStates)}`),
    generations: over(generations, sql`creation_time < ${before(kept.generations)}`),
    topics: over(topics, sql`creation_time < ${before(kept.topics)} and status <> 'used'`),
    sessions: over(sessions, sql`expiration_time < ${now.toISOString()}`),
    verifications: over(verifications, sql`expiration_time < ${now.toISOString()}`),
    localMails: over(localMails, sql`creation_time < ${before(kept.localMails)}`),
  });
}

const over = (table: SQLiteTable, condition: SQL): SQL =>
  sql`delete from ${table} where rowid in (select rowid from ${table} where ${condition} limit ${MOST}) returning 1`;
