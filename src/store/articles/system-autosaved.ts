/** Fires the events of autosaved drafts (contract 11.3), for all organizations. */
import { sql } from "drizzle-orm";
import type { SQLiteColumn } from "drizzle-orm/sqlite-core";
import { toChunks } from "../../lib/chunks.ts";
import { newId } from "../../lib/ids.ts";
import { toDay } from "../../lib/time.ts";
import { pick } from "../../lib/pick.ts";
import { addChanged, insertEvent } from "../core/commit.ts";
import { eventFits, isOutOfEvents } from "../core/quota.ts";
import { isActive } from "../core/suspension.ts";
import { organizations } from "../../schema/core.ts";
import { toColumnName, queryRows, runTransaction, type Database } from "../core/sql.ts";
import { events } from "../../schema/webhooks.ts";
import { articleEventData } from "./rows.ts";
import { articles } from "../../schema/articles.ts";
import type { DueRun } from "./system-due.ts";

/** The most articles of one run. An invocation may make 1,000 queries, and one article takes three. */
const MOST = 300;
const AT_ONCE = 8;

type Due = { readonly id: string; readonly organizationId: string };

/** Stores the due events and tells the events queue. Those for which a day has no room wait for the next day. */
export async function fireAutosaved(db: Database, run: DueRun): Promise<void> {
  const fired = new Set<string>();
  for (const some of toChunks(await findDue(db, run), AT_ONCE)) {
    await Promise.all(
      some.map(async (due) => {
        try {
          if (await fireEvent(due, run)) fired.add(due.organizationId);
        } catch (error) {
          run.log({ level: "warn", message: "event of an autosave not stored yet", article: due.id, error });
        }
      }),
    );
  }
  if (fired.size > 0) await run.announce([...fired]);
}

/** Organizations take turns, so that nobody waits for another's hundreds. */
function findDue(db: Database, { now, quota }: DueRun): Promise<Due[]> {
  const time = now().toISOString();
  const turn = sql`row_number() over (partition by ${articles.organizationId} order by ${articles.eventDue}, ${articles.id})`;
  return queryRows<Due>(
    db,
    sql`select ${articles.id}, ${articles.organizationId} as "organizationId" from ${articles} indexed by articles_event_due
      where ${articles.eventDue} is not null and ${articles.eventDue} <= ${time} and not ${isOutOfEvents(articles.organizationId, quota, time)}
        and ${isActive(articles.organizationId)}
      order by ${turn}, ${articles.eventDue} limit ${MOST}`,
  );
}

/**
 * Stores the event of one article and clears its due time in one transaction, so that concurrent runs, or a run whose
 * response was lost, store it once. Returns false if it is not due any more, or the day has no room for it.
 */
async function fireEvent({ id, organizationId }: Due, { getDatabase, quota, now }: DueRun): Promise<boolean> {
  const [event, time] = [newId(), now().toISOString()];
  const { day, dayEvents, dayDeliveries } = organizations;
  const counted = (count: SQLiteColumn) => sql`iif(${day} < ${toDay(time)}, 0, ${count})`;
  const isStored = sql`exists (select 1 from ${events} where ${events.id} = ${event})`;
  const isDue = sql`${articles.id} = ${id} and ${articles.eventDue} <= ${time} and ${eventFits({ organizationId, quota }, time)}`;
  const { stored } = await runTransaction(getDatabase(organizationId), {
    stored: sql`${insertEvent(
      {
        id: event,
        ...pick(articles, ["organizationId", "blogId"]),
        kind: "article.updated",
        data: addChanged(articleEventData, sql`coalesce(${articles.untold}, '[]')`),
        time,
        purges: sql`${articles.published} = 1`,
      },
      sql`from ${articles} where ${isDue}`,
    )} returning ${toColumnName(events.id)}`,
    told: sql`update ${articles} set ${toColumnName(articles.eventDue)} = null, ${toColumnName(articles.untold)} = null
      where ${articles.id} = ${id} and ${isStored}`,
    counted: sql`update ${organizations} set ${toColumnName(dayEvents)} = ${counted(dayEvents)} + 1,
        ${toColumnName(dayDeliveries)} = ${counted(dayDeliveries)}, ${toColumnName(day)} = max(${day}, ${toDay(time)})
      where ${organizations.id} = ${organizationId} and ${isStored}`,
  });
  return stored.length > 0;
}
