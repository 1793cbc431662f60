/** Stores which cache tags wait for a purge, and decides which of them the next call purges. */
import { sql, type SQL } from "drizzle-orm";
import { lastTimes, purges } from "../../schema/edge.ts";
import { toColumnName, queryFirstRow, isAmong, runTransaction, type Database } from "../core/sql.ts";

/** At least so many milliseconds between calls: four a minute of the platform's five, so one is left for people. */
const INTERVAL_MS = 15_000;
/** The most tags of one call (platform limit). */
const PER_CALL = 100;
/** Milliseconds until the second purge of a tag. A lagging replica may have filled the cache with the old state. */
const AGAIN_MS = 60_000;
/** The most milliseconds that the second purge waits for replicas. */
const LONGEST_LAG_MS = 60 * 60_000;

export type PurgeCall = {
  readonly tags: readonly string[];
  /** Milliseconds after which {@link takePurges} should be called again, or null if no tag waits. */
  readonly again: number | null;
};

/**
 * Returns the tags of the next call, and stores that it is made at this moment. There are none if the last call was
 * less than 15 seconds ago. Unpublished and deleted articles come before changed ones. Organizations take turns, so
 * that many changes of one do not delay the others. The second purge of a tag waits until a replica contains a write
 * that is newer than the change. `replicaTime` is the time of the newest sweep that a replica contains, or null if it
 * is unknown.
 */
export async function takePurges(db: Database, replicaTime: string | null, now: Date): Promise<PurgeCall> {
  const time = now.toISOString();
  const ago = (ms: number) => new Date(now.getTime() - ms).toISOString();
  const { licensed, last, due, next } = await runTransaction(db, {
    licensed: sql`insert into ${lastTimes} (${toColumnName(lastTimes.name)}, ${toColumnName(lastTimes.time)}) select 'purge', ${time}
      where exists (select 1 from ${purges} where ${isDue(time, replicaTime, ago(LONGEST_LAG_MS))})
      on conflict (${toColumnName(lastTimes.name)}) do update set ${toColumnName(lastTimes.time)} = excluded.time
        where ${lastTimes.time} <= ${ago(INTERVAL_MS)}
      returning 1`,
    last: sql<{ time: string }>`select ${lastTimes.time} from ${lastTimes} where ${lastTimes.name} = 'purge'`,
    due: sql<{ tag: string }>`select tag from (select ${purges.tag} as tag, ${purges.urgent} as urgent,
          ${purges.time} as time, row_number() over (partition by ${purges.organizationId}
            order by ${purges.urgent} desc, ${purges.round}, ${purges.time}) as nth
        from ${purges} where ${isDue(time, replicaTime, ago(LONGEST_LAG_MS))})
      order by urgent desc, nth, time limit ${PER_CALL}`,
    next: sql<{ time: string | null }>`select min(${purges.dueTime}) as time from ${purges}`,
  });
  if (licensed.length > 0) return { tags: due.map(({ tag }) => tag), again: INTERVAL_MS };
  const nextTime = next[0]?.time ?? null;
  if (nextTime === null) return { tags: [], again: null };
  const callTime = new Date(last[0]?.time ?? 0).getTime() + INTERVAL_MS;
  const waits = Math.max(callTime, new Date(nextTime).getTime()) - now.getTime();
  // A tag that is due, but was not taken, waits for a replica.
  return { tags: [], again: waits > 0 ? waits : INTERVAL_MS };
}

const isDue = (time: string, replicaTime: string | null, lagged: string): SQL =>
  sql`${purges.dueTime} <= ${time}
    and (${purges.round} = 0 or ${purges.time} < ${replicaTime ?? ""} or ${purges.time} < ${lagged})`;

/**
 * Stores that tags were purged: schedules the second purge of each, or deletes it after the second. Does not change
 * tags that were requested again after `asked`.
 */
export async function recordPurged(db: Database, tags: readonly string[], asked: Date, now: Date): Promise<void> {
  const these = sql`${isAmong(purges.tag, tags)} and ${purges.time} <= ${asked.toISOString()}`;
  await runTransaction(db, {
    ended: sql`delete from ${purges} where ${these} and ${purges.round} = 1`,
    again: sql`update ${purges} set ${toColumnName(purges.round)} = 1, ${toColumnName(purges.urgent)} = 0,
        ${toColumnName(purges.dueTime)} = ${new Date(now.getTime() + AGAIN_MS).toISOString()}
      where ${these} and ${purges.round} = 0`,
  });
}

/** Returns how many tags wait for their first purge, and when the oldest was requested. */
export async function countWaitingPurges(db: Database): Promise<{ count: number; oldest: string | null }> {
  const found = await queryFirstRow<{ count: number; oldest: string | null }>(
    db,
    sql`select count(*) as "count", min(${purges.time}) as "oldest" from ${purges} where ${purges.round} = 0`,
  );
  return found ?? { count: 0, oldest: null };
}
