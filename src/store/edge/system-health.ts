/** The backlog that operators watch. The sweep stores it every minute, and the health check shows it. */
import { sql } from "drizzle-orm";
import { makeLowestId, getIdTime } from "../../lib/ids.ts";
import { deletions, schedules } from "../../schema/schedules.ts";
import { isDue, type Moment } from "../articles/system-due.ts";
import type { Quota } from "../../domain/quotas.ts";
import { deadLetters, deliveries, events, waitingOutboxes } from "../../schema/webhooks.ts";
import { suspensions } from "../../schema/core.ts";
import { lastTimes } from "../../schema/edge.ts";
import { countWaitingPurges } from "./system-purges.ts";
import { isHere } from "../core/suspension.ts";
import { toColumnName, queryFirstRow, queryRows, runTransaction, type Database } from "../core/sql.ts";

/** What waits, as the sweep found it. The counts of events and deliveries stop at 100,000, to read no more rows. */
export type Backlog = {
  /** Events that wait for their fan-out, without those of `waitingOutboxes`. */
  readonly events: Waiting;
  /** Organizations that have used up the deliveries of their day. `oldest` is when the first one began to wait. */
  readonly waitingOutboxes: Waiting;
  /**
   * Open deliveries. `overdue` counts those whose event is older than five minutes. What is delivered again is counted,
   * but neither the oldest nor overdue: its event may be of any age.
   */
  readonly deliveries: Waiting & { readonly overdue: number };
  /** Dead letters, which are no longer tried. Absent if an earlier version of the service stored the backlog. */
  readonly dead?: Waiting;
  /**
   * Schedules that an earlier run should have carried out, without those of organizations that have used up their
   * events of the day. Absent if an earlier version of the service stored the backlog.
   */
  readonly schedules?: Waiting;
  readonly deletions?: Waiting;
  /** Cache tags that wait for their first purge. */
  readonly purges: Waiting;
};

export type Waiting = { readonly count: number; readonly oldest: string | null };

/** The time of the last sweep, and the backlog that it found. */
export type Health = { readonly time: string; readonly backlog: Backlog };

const MOST_COUNTED = 100_000;
const OVERDUE_MS = 5 * 60_000;
/** Due for less than this is not late: the run of this minute, or of the one before, is working on it. */
const A_RUN_MS = 90_000;

/** Counts what waits, and stores it with the time of the sweep. */
export async function recordHealth(db: Database, now: Date, quota: Pick<Quota, "eventsPerDay">): Promise<void> {
  const moment = { now: new Date(now.getTime() - A_RUN_MS), quota };
  const { pending, waiting, open, dead, dueSchedules, dueDeletions } = await runTransaction(db, {
    pending: sql<{ count: number; oldest: string | null }>`select count(*) as "count", min(id) as "oldest"
      from (select ${events.id} as id from ${events} where ${events.fanOutTime} is null
        and ${events.organizationId} not in (select ${waitingOutboxes.organizationId} from ${waitingOutboxes})
        and ${isHere(events.organizationId)}
        limit ${MOST_COUNTED})`,
    waiting: sql<Waiting>`select count(*) as "count", min(${waitingOutboxes.time}) as "oldest" from ${waitingOutboxes}`,
    open: sql<{ count: number; oldest: string | null; overdue: number | null }>`select count(*) as "count",
        min(iif(again, null, id)) as "oldest",
        sum(not again and id < ${makeLowestId(new Date(now.getTime() - OVERDUE_MS))}) as "overdue"
      from (select ${deliveries.eventId} as id, ${deliveries.redeliveries} > 0 as again from ${deliveries} where ${deliveries.state} = 'open'
        and ${deliveries.organizationId} not in (select ${suspensions.organizationId} from ${suspensions})
        limit ${MOST_COUNTED})`,
    dead: sql<Waiting>`select count(*) as "count", min(${deadLetters.deadTime}) as "oldest" from ${deadLetters}
      where ${deadLetters.deadTime} is not null and ${isHere(deadLetters.organizationId)}`,
    dueSchedules: countLate(schedules, moment),
    dueDeletions: countLate(deletions, moment),
  });
  const backlog: Backlog = {
    events: { count: pending[0]?.count ?? 0, oldest: toTime(pending[0]) },
    waitingOutboxes: { count: waiting[0]?.count ?? 0, oldest: waiting[0]?.oldest ?? null },
    deliveries: { count: open[0]?.count ?? 0, oldest: toTime(open[0]), overdue: open[0]?.overdue ?? 0 },
    dead: dead[0] ?? NONE,
    schedules: dueSchedules[0] ?? NONE,
    deletions: dueDeletions[0] ?? NONE,
    purges: await countWaitingPurges(db),
  };
  await queryRows(
    db,
    sql`insert into ${lastTimes} (${toColumnName(lastTimes.name)}, ${toColumnName(lastTimes.time)}, ${toColumnName(lastTimes.value)})
      values ('cron', ${now.toISOString()}, ${JSON.stringify(backlog)})
      on conflict (${toColumnName(lastTimes.name)}) do update set ${toColumnName(lastTimes.time)} = excluded.time,
        ${toColumnName(lastTimes.value)} = excluded.value`,
  );
}

const NONE: Waiting = { count: 0, oldest: null };

const countLate = (table: typeof schedules | typeof deletions, moment: Moment) =>
  sql<Waiting>`select count(*) as "count", min(time) as "oldest" from (select ${table.dueTime} as time
    from ${table} where ${isDue(table, moment)} limit ${MOST_COUNTED})`;

/** Returns the time of an event from its id, or null if there is no event. */
const toTime = (row: { readonly oldest: string | null } | undefined): string | null =>
  row?.oldest ? getIdTime(row.oldest) : null;

/** Returns what the last sweep stored, as this database or replica contains it. Null if no sweep has run. */
export async function findLastHealth(db: Database): Promise<Health | null> {
  const row = await queryFirstRow<{ time: string; value: string }>(
    db,
    sql`select ${lastTimes.time}, ${lastTimes.value} from ${lastTimes} where ${lastTimes.name} = 'cron'`,
  );
  return row === null ? null : { time: row.time, backlog: JSON.parse(row.value) as Backlog };
}
