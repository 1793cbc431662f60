/** Stores which cache tags wait for a purge, and decides which of them the next call takes, and by which method. */
import { getTableColumns, sql, type SQL } from "drizzle-orm";
import { lastTimes, purges } from "../../schema/edge.ts";
import { isAmong, joinAnd, orm, queryFirstRow, runTransaction, toColumnName, type Database } from "../core/sql.ts";

/** At least so many milliseconds between calls: four a minute of the platform's five, so one is left for people. */
const INTERVAL_MS = 15_000;
/** The most tags of one call (platform limit). */
const PER_CALL = 100;
/** Milliseconds until the second purge of a tag. A lagging replica may have filled the cache with the old state. */
const AGAIN_MS = 60_000;
/** The most milliseconds that the second purge waits for replicas. */
const LONGEST_LAG_MS = 60 * 60_000;

/** A method of the platform's cache: `invalidate` marks responses stale, which may then be shown once more. */
export type PurgeMethod = "purge" | "invalidate";

export type PurgeCall = {
  readonly tags: readonly string[];
  readonly method: PurgeMethod;
  /** Milliseconds after which {@link takePurges} should be called again, or null if no tag waits. */
  readonly again: number | null;
};

/**
 * Returns the tags of the next call, and stores that it is made at this moment. There are none if the last call was
 * less than 15 seconds ago. A call purges if it has tags of what readers must not see any more, which come first, and
 * else invalidates: both count towards the same limit of the platform. Edits that have waited for a call go along with a
 * purge, so that none waits for more than two. Organizations take turns, so that many changes of one do not delay the
 * others. The second purge of a tag waits until a replica contains a write that is newer than the change. `replicaTime`
 * is the time of the newest sweep that a replica contains, or null if it is unknown.
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
    due: sql<Due>`select tag, urgent from (select ${purges.tag} as tag, ${purges.urgent} as urgent,
          ${purges.time} as time, ${purges.dueTime} as due_time, ${IS_FIRST} as is_first,
          max(${purges.urgent}) over () as purges, row_number() over (partition by ${purges.organizationId}
            order by ${IS_FIRST} desc, ${purges.round}, ${purges.time}) as nth
        from ${purges} where ${isDue(time, replicaTime, ago(LONGEST_LAG_MS))})
      where urgent = purges or due_time <= ${ago(INTERVAL_MS)}
      order by is_first desc, nth, time limit ${PER_CALL}`,
    next: sql<{ time: string | null }>`select min(${purges.dueTime}) as time from ${purges}`,
  });
  const method = due.some(({ urgent }) => urgent === 1) ? "purge" : "invalidate";
  if (licensed.length > 0) return { tags: due.map(({ tag }) => tag), method, again: INTERVAL_MS };
  const nextTime = next[0]?.time ?? null;
  if (nextTime === null) return { tags: [], method, again: null };
  const callTime = new Date(last[0]?.time ?? 0).getTime() + INTERVAL_MS;
  const waits = Math.max(callTime, new Date(nextTime).getTime()) - now.getTime();
  // A tag that is due, but was not taken, waits for a replica.
  return { tags: [], method, again: waits > 0 ? waits : INTERVAL_MS };
}

type Due = { readonly tag: string; readonly urgent: number };

/** The condition that a tag comes before all others: the first purge of what readers must not see. */
const IS_FIRST = sql`(${purges.urgent} > ${purges.round})`;

const isDue = (time: string, replicaTime: string | null, lagged: string): SQL =>
  sql`${purges.dueTime} <= ${time}
    and (${purges.round} = 0 or ${purges.time} < ${replicaTime ?? ""} or ${purges.time} < ${lagged})`;

/**
 * Stores that a call was made: schedules the second one for each of its tags, or deletes it after the second. Does not
 * change tags that were requested again after `asked`, or have to be purged since but were only invalidated.
 */
export async function recordPurged(
  db: Database,
  { tags, method }: Pick<PurgeCall, "tags" | "method">,
  asked: Date,
  now: Date,
): Promise<void> {
  const these = joinAnd(
    sql`${isAmong(purges.tag, tags)} and ${purges.time} <= ${asked.toISOString()}`,
    method === "invalidate" && sql`${purges.urgent} = 0`,
  );
  await runTransaction(db, {
    ended: sql`delete from ${purges} where ${these} and ${purges.round} = 1`,
    again: sql`update ${purges} set ${toColumnName(purges.round)} = 1,
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

/** Moves the tags that wait in a shard to `DB`: the platform counts the calls of the whole service. A tag that is requested again meanwhile stays. */
export async function gatherPurges(shard: Database, db: Database): Promise<void> {
  const waiting = await orm(shard).select().from(purges).limit(MOST_GATHERED);
  if (waiting.length === 0) return;
  const values = JSON.stringify(waiting);
  const fields = Object.entries(getTableColumns(purges));
  await runTransaction(db, {
    gathered: sql`insert into ${purges} (${sql.join(
      fields.map(([, column]) => toColumnName(column)),
      sql`, `,
    )})
      select ${sql.join(
        fields.map(([name]) => sql`value ->> ${name}`),
        sql`, `,
      )} from json_each(${values}) where true
      on conflict (tag) do update set urgent = max(${purges.urgent}, excluded.urgent), time = excluded.time,
        round = min(${purges.round}, excluded.round), due_time = min(${purges.dueTime}, excluded.due_time)`,
  });
  await runTransaction(shard, {
    left: sql`delete from ${purges} where (tag, time) in (select value ->> 'tag', value ->> 'time' from json_each(${values}))`,
  });
}

const MOST_GATHERED = 500;
