/** What operators watch: the minute's sweep notes it, and the health check shows it. */
import { sql } from "drizzle-orm";
import { lowestIdAt, timeOfId } from "../../lib/ids.ts";
import { deadLetters, deliveries, events, waitingOutboxes } from "../webhooks/schema.ts";
import { lastTimes } from "./schema.ts";
import { purgeBacklog } from "./system-purges.ts";
import { bare, firstRow, rows, transaction, type Database } from "../core/sql.ts";

/** What waits, as the sweep saw it. Counts end at 100,000, so that none reads more rows. */
export type Backlog = {
  /** Events that were not fanned out and could be, and the time of the oldest. */
  readonly events: Waiting;
  /** Organizations that have used up their deliveries of the day, and since when the first one waits. */
  readonly waitingOutboxes: Waiting;
  /** Deliveries that were not sent, and those of them whose event is older than five minutes. */
  readonly deliveries: Waiting & { readonly overdue: number };
  /** What could not be fanned out or sent, and is no longer tried. Absent in the note of an earlier version. */
  readonly dead?: Waiting;
  /** Cache tags that were not purged. */
  readonly purges: Waiting;
};

export type Waiting = { readonly count: number; readonly oldest: string | null };

/** The sweep's last run, and what it saw. */
export type Health = { readonly time: string; readonly backlog: Backlog };

const MOST_COUNTED = 100_000;
const OVERDUE_MS = 5 * 60_000;

/** Looks what waits, and notes it with the time of the sweep. */
export async function noteHealth(db: Database, now: Date): Promise<void> {
  const { pending, waiting, open, dead } = await transaction(db, {
    pending: sql<{ count: number; oldest: string | null }>`select count(*) as "count", min(id) as "oldest"
      from (select ${events.id} as id from ${events} where ${events.fanOutTime} is null
        and ${events.organizationId} not in (select ${waitingOutboxes.organizationId} from ${waitingOutboxes})
        limit ${MOST_COUNTED})`,
    waiting: sql<Waiting>`select count(*) as "count", min(${waitingOutboxes.time}) as "oldest" from ${waitingOutboxes}`,
    open: sql<{ count: number; oldest: string | null; overdue: number | null }>`select count(*) as "count",
        min(id) as "oldest", sum(id < ${lowestIdAt(new Date(now.getTime() - OVERDUE_MS))}) as "overdue"
      from (select ${deliveries.eventId} as id from ${deliveries} where ${deliveries.state} = 'open'
        limit ${MOST_COUNTED})`,
    dead: sql<Waiting>`select count(*) as "count", min(${deadLetters.deadTime}) as "oldest" from ${deadLetters}
      where ${deadLetters.deadTime} is not null`,
  });
  const backlog: Backlog = {
    events: { count: pending[0]?.count ?? 0, oldest: timeOf(pending[0]) },
    waitingOutboxes: { count: waiting[0]?.count ?? 0, oldest: waiting[0]?.oldest ?? null },
    deliveries: { count: open[0]?.count ?? 0, oldest: timeOf(open[0]), overdue: open[0]?.overdue ?? 0 },
    dead: { count: dead[0]?.count ?? 0, oldest: dead[0]?.oldest ?? null },
    purges: await purgeBacklog(db),
  };
  await rows(
    db,
    sql`insert into ${lastTimes} (${bare(lastTimes.name)}, ${bare(lastTimes.time)}, ${bare(lastTimes.value)})
      values ('cron', ${now.toISOString()}, ${JSON.stringify(backlog)})
      on conflict (${bare(lastTimes.name)}) do update set ${bare(lastTimes.time)} = excluded.time,
        ${bare(lastTimes.value)} = excluded.value`,
  );
}

/** The time of the oldest of some events, by its id. */
const timeOf = (row: { readonly oldest: string | null } | undefined): string | null =>
  row?.oldest ? timeOfId(row.oldest) : null;

/** When the sweep last ran and what it saw, as this database or replica shows it; null if it never ran. */
export async function lastHealth(db: Database): Promise<Health | null> {
  const row = await firstRow<{ time: string; value: string }>(
    db,
    sql`select ${lastTimes.time}, ${lastTimes.value} from ${lastTimes} where ${lastTimes.name} = 'cron'`,
  );
  return row === null ? null : { time: row.time, backlog: JSON.parse(row.value) as Backlog };
}
