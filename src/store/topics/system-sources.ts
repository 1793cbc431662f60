/** The sources of running refreshes, of all organizations: for the queue's consumer and the minute's sweep. */
import { sql, type SQL } from "drizzle-orm";
import { newId } from "../../lib/ids.ts";
import { DAY_MS } from "../../lib/time.ts";
import type { TopicSource } from "../../domain/topic-source.ts";
import { topicRefreshes as refreshes, topicRefreshSources as sources, topicSourceStates as states } from "./schema.ts";
import { beginRefresh } from "./refresh-rows.ts";
import { blogs } from "../blogs/schema.ts";
import { rows, transaction, type Database } from "../core/sql.ts";

/** A source of a refresh, as the queue's messages name it. */
export type SourceName = { readonly refreshId: string; readonly position: number };

/** A source that is this invocation's to read: nobody else settles it under this token. */
export type ClaimedSource = SourceName & {
  readonly token: string;
  readonly organizationId: string;
  readonly blogId: string;
  readonly source: TopicSource;
  readonly validators: { readonly etag: string | null; readonly lastModified: string | null };
};

/** What became of a source that gave nothing new. */
export type Settlement = {
  readonly state: "unchanged" | "failed";
  readonly reason: string | null;
  readonly detail: string | null;
};

type ClaimedRow = {
  readonly organizationId: string;
  readonly blogId: string;
  readonly source: string;
  readonly etag: string | null;
  readonly lastModified: string | null;
};

/** Claims a source; null where another message has, as the queue may deliver each twice. */
export async function claimSource(db: Database, name: SourceName, now: Date): Promise<ClaimedSource | null> {
  const token = newId();
  const { found } = await transaction(db, {
    claimed: sql`update ${sources} set state = 'claimed', token = ${token}, claim_time = ${now.toISOString()}
      where refresh_id = ${name.refreshId} and position = ${name.position} and state = 'open'`,
    found: sql<ClaimedRow>`select s.organization_id as "organizationId", r.blog_id as "blogId", s.source, t.etag,
        t.last_modified as "lastModified"
      from ${sources} s join ${refreshes} r on r.id = s.refresh_id
        left join ${states} t on t.blog_id = r.blog_id and t.source_key = ${sourceKey(sql`s.source`)}
      where s.refresh_id = ${name.refreshId} and s.position = ${name.position} and s.token = ${token}`,
  });
  const [row] = found;
  if (row === undefined) return null;
  const { source, etag, lastModified, ...ids } = row;
  return { ...name, ...ids, token, source: JSON.parse(source) as TopicSource, validators: { etag, lastModified } };
}

/** By what a source is known again: everything but its name. */
export const sourceKey = (source: SQL): SQL => sql`json_remove(${source}, '$.name')`;

/** That the claim still holds, of the row of `sources`. */
export const claimHolds = ({ refreshId, position, token }: ClaimedSource): SQL =>
  sql`refresh_id = ${refreshId} and position = ${position} and token = ${token} and state = 'claimed'`;

/** Settles a source that gave nothing new. A claim that was taken away in the meantime settles nothing. */
export async function settleSource(
  db: Database,
  claim: ClaimedSource,
  settlement: Settlement,
  now: Date,
): Promise<void> {
  await transaction(db, {
    settled: sql`update ${sources} set state = ${settlement.state}, reason = ${settlement.reason}, detail = ${settlement.detail}
      where ${claimHolds(claim)}`,
    stillValid: settlement.state === "unchanged" ? [stillValid(claim, now)] : [],
    finished: finished(claim.refreshId, now),
  });
}

/** What its server gave is still of use. */
const stillValid = ({ blogId, source }: ClaimedSource, now: Date): SQL =>
  sql`update ${states} set read_time = ${now.toISOString()}
    where blog_id = ${blogId} and source_key = ${sourceKey(sql`${JSON.stringify(source)}`)}`;

/** A refresh is done with the last of its sources. */
export const finished = (refreshId: string, now: Date): SQL =>
  sql`update ${refreshes} set state = 'done', finish_time = ${now.toISOString()}
    where id = ${refreshId} and state = 'running' and not exists (select 1 from ${sources} s
      where s.refresh_id = ${refreshId} and s.state in ('open', 'claimed'))`;

/** Sources whose message should have come by now, taken for sending again. */
export function takeStrandedSources(db: Database, olderThan: Date, now: Date, most: number): Promise<SourceName[]> {
  return rows<SourceName>(
    db,
    sql`update ${sources} set enqueue_time = ${now.toISOString()} where rowid in (
        select rowid from ${sources} where state = 'open' and enqueue_time < ${olderThan.toISOString()}
        order by enqueue_time limit ${most}) returning refresh_id as "refreshId", position`,
  );
}

/**
 * Gives up sources that were claimed before a time: their invocation is over. The next refresh reads them
 * again. Refreshes of which none is left are done, in the same transaction: a blog has one at a time.
 */
export async function abandonSources(db: Database, claimedBefore: Date, now: Date): Promise<SourceName[]> {
  const { given } = await transaction(db, {
    given: sql<SourceName>`update ${sources} set state = 'failed', reason = 'interrupted', detail = 'Reading it was interrupted.'
      where state = 'claimed' and claim_time < ${claimedBefore.toISOString()}
      returning refresh_id as "refreshId", position`,
    finished: sql`update ${refreshes} set state = 'done', finish_time = ${now.toISOString()}
      where state = 'running' and not exists (select 1 from ${sources} s
        where s.refresh_id = ${refreshes.id} and s.state in ('open', 'claimed'))`,
  });
  return given;
}

/** A blog whose daily refresh is due. */
export type DueBlog = { readonly id: string; readonly dueTime: string };

/** The blogs that ask for a refresh a day and wait for it, the longest first. */
export const findDueBlogs = (db: Database, now: Date, most: number): Promise<DueBlog[]> =>
  rows<DueBlog>(
    db,
    sql`select id, refresh_due_time as "dueTime" from ${blogs}
      where refresh_due_time <= ${now.toISOString()} order by refresh_due_time limit ${most}`,
  );

/**
 * Begins the refresh of a blog that is due. A blog whose last refresh still runs, or that has no sources,
 * waits for its next day. Returns the sources to read.
 */
export async function beginDueRefresh(db: Database, { id, dueTime }: DueBlog, now: Date): Promise<SourceName[]> {
  const refreshId = newId();
  const missed = Math.floor((now.getTime() - Date.parse(dueTime)) / DAY_MS);
  const next = new Date(Date.parse(dueTime) + (missed + 1) * DAY_MS).toISOString();
  const isDue = sql`${blogs.id} = ${id} and ${blogs.refreshDueTime} = ${dueTime} and ${blogs.topicSources} <> '[]'
    and not exists (select 1 from ${refreshes} r where r.blog_id = ${id} and r.state = 'running')`;
  const { toRead } = await transaction(db, {
    begun: beginRefresh(refreshId, isDue, now.toISOString()),
    next: sql`update ${blogs} set refresh_due_time = ${next} where id = ${id} and refresh_due_time = ${dueTime}`,
    toRead: sql<SourceName>`select refresh_id as "refreshId", position from ${sources} where refresh_id = ${refreshId}`,
  });
  return toRead;
}
