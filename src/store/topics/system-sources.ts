/** The sources of running refreshes, of all organizations: for the queue's consumer and the minute's sweep. */
import { and, eq, lt, lte, sql, type SQL } from "drizzle-orm";
import type { SQLiteColumn } from "drizzle-orm/sqlite-core";
import { newId } from "../../lib/ids.ts";
import { DAY_MS } from "../../lib/time.ts";
import type { TopicSource } from "../../domain/topic-source.ts";
import { topicRefreshes as refreshes, topicRefreshSources as sources, topicSourceStates as states } from "./schema.ts";
import { beginRefresh } from "./refresh-rows.ts";
import { blogs } from "../blogs/schema.ts";
import { all, orm, transaction, type Database, type Statement } from "../core/sql.ts";

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

/** Claims a source; null where another message has, as the queue may deliver each twice. */
export async function claimSource(db: Database, name: SourceName, now: Date): Promise<ClaimedSource | null> {
  const token = newId();
  const { found } = await transaction(db, {
    claimed: orm(db)
      .update(sources)
      .set({ state: "claimed", token, claimTime: now.toISOString() })
      .where(and(isNamed(name), eq(sources.state, "open"))),
    found: orm(db)
      .select({
        organizationId: sources.organizationId,
        blogId: refreshes.blogId,
        source: sources.source,
        etag: states.etag,
        lastModified: states.lastModified,
      })
      .from(sources)
      .innerJoin(refreshes, eq(refreshes.id, sources.refreshId))
      .leftJoin(states, and(eq(states.blogId, refreshes.blogId), eq(states.sourceKey, sourceKey(sources.source))))
      .where(and(isNamed(name), eq(sources.token, token))),
  });
  const [row] = found;
  if (row === undefined) return null;
  const { etag, lastModified, ...claimed } = row;
  return { ...name, ...claimed, token, validators: { etag, lastModified } };
}

const isNamed = ({ refreshId, position }: SourceName): SQL =>
  all(eq(sources.refreshId, refreshId), eq(sources.position, position));

/** By what a source is known again: everything but its name. */
export const sourceKey = (source: SQL | SQLiteColumn): SQL => sql`json_remove(${source}, '$.name')`;

/** That the claim still holds, of the row of `sources`. */
export const claimHolds = (claim: ClaimedSource): SQL =>
  all(isNamed(claim), eq(sources.token, claim.token), eq(sources.state, "claimed"));

/** Settles a source that gave nothing new. A claim that was taken away in the meantime settles nothing. */
export async function settleSource(
  db: Database,
  claim: ClaimedSource,
  settlement: Settlement,
  now: Date,
): Promise<void> {
  await transaction(db, {
    settled: orm(db).update(sources).set(settlement).where(claimHolds(claim)),
    stillValid: settlement.state === "unchanged" ? [stillValid(db, claim, now)] : [],
    finished: finished(db, claim.refreshId, now),
  });
}

/** What its server gave is still of use. */
const stillValid = (db: Database, { blogId, source }: ClaimedSource, now: Date): Statement =>
  orm(db)
    .update(states)
    .set({ readTime: now.toISOString() })
    .where(and(eq(states.blogId, blogId), eq(states.sourceKey, sourceKey(sql`${JSON.stringify(source)}`))));

/** A refresh is done with the last of its sources. */
export const finished = (db: Database, refreshId: string, now: Date): Statement =>
  finish(db, now, eq(refreshes.id, refreshId));

/** Ends the refreshes that run without a source to read. */
const finish = (db: Database, now: Date, which?: SQL) =>
  orm(db)
    .update(refreshes)
    .set({ state: "done", finishTime: now.toISOString() })
    .where(
      and(
        which,
        eq(refreshes.state, "running"),
        sql`not exists (select 1 from ${sources}
          where ${sources.refreshId} = ${refreshes.id} and ${sources.state} in ('open', 'claimed'))`,
      ),
    );

/** Sources whose message should have come by now, taken for sending again. */
export async function takeStrandedSources(
  db: Database,
  olderThan: Date,
  now: Date,
  most: number,
): Promise<SourceName[]> {
  const stranded = sql`select rowid from ${sources} where ${sources.state} = 'open'
    and ${sources.enqueueTime} < ${olderThan.toISOString()} order by ${sources.enqueueTime} limit ${most}`;
  return orm(db)
    .update(sources)
    .set({ enqueueTime: now.toISOString() })
    .where(sql`rowid in (${stranded})`)
    .returning(NAME);
}

const NAME = { refreshId: sources.refreshId, position: sources.position };

/**
 * Gives up sources that were claimed before a time: their invocation is over. The next refresh reads them
 * again. Refreshes of which none is left are done, in the same transaction: a blog has one at a time.
 */
export async function abandonSources(db: Database, claimedBefore: Date, now: Date): Promise<SourceName[]> {
  const { given } = await transaction(db, {
    given: orm(db)
      .update(sources)
      .set({ state: "failed", reason: "interrupted", detail: "Reading it was interrupted." })
      .where(and(eq(sources.state, "claimed"), lt(sources.claimTime, claimedBefore.toISOString())))
      .returning(NAME),
    finished: finish(db, now),
  });
  return given;
}

/** A blog whose daily refresh is due. */
export type DueBlog = { readonly id: string; readonly dueTime: string };

/** The blogs that ask for a refresh a day and wait for it, the longest first. */
export async function findDueBlogs(db: Database, now: Date, most: number): Promise<DueBlog[]> {
  return orm(db)
    .select({ id: blogs.id, dueTime: sql<string>`${blogs.refreshDueTime}` })
    .from(blogs)
    .where(lte(blogs.refreshDueTime, now.toISOString()))
    .orderBy(blogs.refreshDueTime)
    .limit(most);
}

/**
 * Begins the refresh of a blog that is due. A blog whose last refresh still runs, or that has no sources,
 * waits for its next day. Returns the sources to read.
 */
export async function beginDueRefresh(db: Database, { id, dueTime }: DueBlog, now: Date): Promise<SourceName[]> {
  const refreshId = newId();
  const missed = Math.floor((now.getTime() - Date.parse(dueTime)) / DAY_MS);
  const next = new Date(Date.parse(dueTime) + (missed + 1) * DAY_MS).toISOString();
  const waits = all(eq(blogs.id, id), eq(blogs.refreshDueTime, dueTime));
  const isDue = sql`${waits} and ${blogs.topicSources} <> '[]' and not exists (select 1 from ${refreshes}
    where ${refreshes.blogId} = ${id} and ${refreshes.state} = 'running')`;
  const { toRead } = await transaction(db, {
    begun: beginRefresh(db, refreshId, isDue, now.toISOString()),
    next: orm(db).update(blogs).set({ refreshDueTime: next }).where(waits),
    toRead: orm(db).select(NAME).from(sources).where(eq(sources.refreshId, refreshId)),
  });
  return toRead;
}
