/** Deletes rows that are older than their retention. The sweep runs it. */
import { lt, sql, type SQL } from "drizzle-orm";
import type { SQLiteTable } from "drizzle-orm/sqlite-core";
import { LIMITS } from "../domain/limits.ts";
import { makeLowestId } from "../lib/ids.ts";
import { DAY_MS } from "../lib/time.ts";
import { localMails, sessions, verifications } from "../schema/people.ts";
import { generationAnswers, generations } from "../schema/generation.ts";
import { topicRefreshes, topics, topicSourceStates } from "../schema/topics.ts";
import { previews } from "../schema/articles.ts";
import { contactRequests } from "../schema/blogs.ts";
import { audit, idempotency, organizations } from "../schema/core.ts";
import { lastTimes } from "../schema/edge.ts";
import { deliveries, deliveryHours, events, webhookSubscriptions as subscriptions } from "../schema/webhooks.ts";
import { orm, queryRows, runTransaction, selectDistinct, toColumnName, type Database } from "./core/sql.ts";
import { FEED_SLACK_MS } from "./webhooks/feed.ts";

const MOST = 1000;
/** With fewer than 15 statements each, so many rounds stay below the 1,000 queries of an invocation. */
const ROUNDS = 40;

/** How many days deliveries, events and audit rows are kept. */
export type KeptDays = { readonly deliveries: number; readonly events: number; readonly audit: number };

/**
 * Deletes rows that are older than their retention, and expired sessions, verifications, previews and contact requests.
 * Keeps unsettled deliveries, events before their fan-out or with deliveries left, and ideas that are `used`.
 */
export async function removeExpired(db: Database, now: Date, kept: KeptDays = LIMITS.keptDays): Promise<void> {
  await removeDeliveries(db, now, new Date(now.getTime() - kept.deliveries * DAY_MS));
  for (let round = 0; round < ROUNDS; round++) {
    const removed = await removeSome(db, now, { ...LIMITS.keptDays, ...kept });
    if (Object.values(removed).every((rows) => rows.length < MOST)) return;
  }
}

async function removeSome(
  db: Database,
  now: Date,
  kept: Readonly<Record<keyof typeof LIMITS.keptDays, number>>,
): Promise<Readonly<Record<string, unknown[]>>> {
  const daysAgo = (days: number) => new Date(now.getTime() - days * DAY_MS);
  const before = (days: number) => daysAgo(days).toISOString();
  return runTransaction(db, {
    events: deleteExpired(
      events,
      sql`${events.id} < ${makeLowestId(daysAgo(kept.events + FEED_SLACK_MS / DAY_MS))} and ${events.fanOutTime} is not null
        and ${events.seq} < (select max(seq) from ${events})
        and not exists (select 1 from ${subscriptions} join ${deliveries} on ${deliveries.subscriptionId} = ${subscriptions.id}
          and ${deliveries.eventId} = ${events.id} where ${subscriptions.organizationId} = ${events.organizationId})`,
      // SQLite would read all events because of the condition on `seq`.
      sql`indexed by events_id`,
    ),
    deliveryHours: deleteExpired(deliveryHours, lt(deliveryHours.hour, before(kept.deliveryHours))),
    audit: removeAudit(makeLowestId(daysAgo(kept.audit))),
    idempotency: deleteExpired(idempotency, lt(idempotency.creationTime, before(kept.idempotency))),
    topicRefreshes: deleteExpired(topicRefreshes, lt(topicRefreshes.creationTime, before(kept.topicRefreshes))),
    topicSourceStates: deleteExpired(topicSourceStates, lt(topicSourceStates.readTime, before(kept.topicSourceStates))),
    generationAnswers: deleteExpired(
      generationAnswers,
      lt(generationAnswers.creationTime, before(kept.generationAnswers)),
    ),
    generations: deleteExpired(generations, lt(generations.creationTime, before(kept.generations))),
    topics: deleteExpired(topics, sql`${topics.creationTime} < ${before(kept.topics)} and ${topics.status} <> 'used'`),
    sessions: deleteExpired(sessions, lt(sessions.expirationTime, now)),
    verifications: deleteExpired(verifications, lt(verifications.expirationTime, now)),
    previews: deleteExpired(previews, lt(previews.expirationTime, now.toISOString())),
    contactRequests: deleteExpired(contactRequests, lt(contactRequests.expirationTime, now.toISOString())),
    localMails: deleteExpired(localMails, lt(localMails.creationTime, before(kept.localMails))),
  });
}

const deleteExpired = (table: SQLiteTable, condition: SQL, index = sql``): SQL =>
  sql`delete from ${table} where rowid in (select rowid from ${table} ${index} where ${condition} limit ${MOST}) returning 1`;

/** Looks at the oldest rows of each organization. An index over all organizations would cost a row per write. */
const removeAudit = (firstKept: string): SQL =>
  sql`delete from ${audit} where (${toColumnName(audit.organizationId)}, ${toColumnName(audit.id)}) in (
    select a.organization_id, a.id from ${organizations} o cross join ${audit} a
    where a.organization_id = o.id and a.id < ${firstKept} limit ${MOST}) returning 1`;

/**
 * Removes the deliveries of some subscriptions, also of deleted ones, and the next time those of the next ones. No index
 * has all deliveries by age: it would cost a row for each.
 */
async function removeDeliveries(db: Database, now: Date, before: Date): Promise<void> {
  const last = sql`select ${lastTimes.value} from ${lastTimes} where ${lastTimes.name} = 'deliveries'`;
  const { stored, found } = await runTransaction(db, {
    stored: sql<{ value: string }>`${last}`,
    found: selectDistinct(deliveries.subscriptionId, sql`true`, sql`coalesce((${last}), '')`, MOST),
  });
  const ids = found.map(({ id }) => id);
  for (let round = 0; ; round++) {
    if (round === ROUNDS) return;
    if ((await queryRows(db, deleteDeliveries(ids, before))).length < MOST) break;
  }
  const next = ids.length < MOST ? "" : (ids.at(-1) ?? "");
  if (next === (stored[0]?.value ?? "")) return;
  const row = { time: now.toISOString(), value: next };
  await orm(db)
    .insert(lastTimes)
    .values({ name: "deliveries", ...row })
    .onConflictDoUpdate({ target: lastTimes.name, set: row });
}

/** A delivery is as old as its event, unless operators had it delivered again. The table has no rowid. */
const deleteDeliveries = (subscriptionIds: readonly string[], before: Date): SQL =>
  sql`delete from ${deliveries} where (${toColumnName(deliveries.subscriptionId)}, ${toColumnName(deliveries.eventId)}) in (
    select d.subscription_id, d.event_id from json_each(${JSON.stringify(subscriptionIds)}) s cross join ${deliveries} d
    where d.subscription_id = s.value and d.event_id < ${makeLowestId(before)} and d.settle_time is not null
      and (d.redeliveries = 0 or d.settle_time < ${before.toISOString()}) limit ${MOST}) returning 1`;
