import { sql, type SQL } from "drizzle-orm";
import type { SQLiteTable } from "drizzle-orm/sqlite-core";
import { localMails, sessions, verifications } from "../accounts-schema.ts";
import { generations, topicRefreshes, topics, topicSourceStates } from "../ideas-schema.ts";
import { audit, deliveries, deliveryHours, events, idempotency } from "../schema.ts";
import { transaction, type Database } from "../sql.ts";
import { IDEA_DAYS } from "./ideas.ts";

const DAY_MS = 86_400_000;
/** Rows of each table that one statement removes, and how often a run repeats it. */
const MOST = 1000;
const ROUNDS = 50;

/** Days that rows are kept. */
const KEPT = {
  deliveries: 30,
  deliveryHours: 30,
  events: 30,
  audit: 400,
  idempotency: 1,
  localMails: 1,
  topicRefreshes: 30,
  topicSourceStates: 30,
  generations: 30,
  topics: IDEA_DAYS,
} as const;

/** Removes what has been kept long enough. An event goes only after its fan-out. */
export async function removeExpired(db: Database, now: Date): Promise<void> {
  for (let round = 0; round < ROUNDS; round++) {
    const removed = await removeSome(db, now);
    if (removed.every((rows) => rows.length < MOST)) return;
  }
}

async function removeSome(db: Database, now: Date): Promise<unknown[][]> {
  const before = (days: number) => new Date(now.getTime() - days * DAY_MS).toISOString();
  return transaction(db, [
    sql`delete from ${deliveries} where rowid in (select rowid from ${deliveries}
      where creation_time < ${before(KEPT.deliveries)} and state <> 'open' limit ${MOST}) returning 1`,
    sql`delete from ${events} where seq in (select seq from ${events}
      where creation_time < ${before(KEPT.events)} and fan_out_time is not null
        and not exists (select 1 from ${deliveries} d where d.event_id = ${events.id}) limit ${MOST}) returning 1`,
    over(deliveryHours, sql`hour < ${before(KEPT.deliveryHours)}`),
    sql`delete from ${audit} where rowid in (select rowid from ${audit}
      where creation_time < ${before(KEPT.audit)} limit ${MOST}) returning 1`,
    sql`delete from ${idempotency} where rowid in (select rowid from ${idempotency}
      where creation_time < ${before(KEPT.idempotency)} limit ${MOST}) returning 1`,
    over(topicRefreshes, sql`creation_time < ${before(KEPT.topicRefreshes)}`),
    over(topicSourceStates, sql`read_time < ${before(KEPT.topicSourceStates)}`),
    over(generations, sql`creation_time < ${before(KEPT.generations)}`),
    over(topics, sql`creation_time < ${before(KEPT.topics)} and status <> 'used'`),
    ...accountRows(now.toISOString(), before(KEPT.localMails)),
  ]);
}

/** What people's sessions and links leave behind once they are over. */
function accountRows(now: string, mailsBefore: string): SQL[] {
  return [
    over(sessions, sql`expiration_time < ${now}`),
    over(verifications, sql`expiration_time < ${now}`),
    over(localMails, sql`creation_time < ${mailsBefore}`),
  ];
}

const over = (table: SQLiteTable, condition: SQL): SQL =>
  sql`delete from ${table} where rowid in (select rowid from ${table} where ${condition} limit ${MOST}) returning 1`;
