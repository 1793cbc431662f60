/** The sources of running refreshes of all organizations, for the consumer of the topics queue and the sweep. */
import { and, eq, lt, lte, sql, type SQL } from "drizzle-orm";
import { alias, type SQLiteColumn } from "drizzle-orm/sqlite-core";
import { newId } from "../../lib/ids.ts";
import { DAY_MS } from "../../lib/time.ts";
import type { TopicSource } from "../../domain/topic-source.ts";
import {
  topicRefreshes as refreshes,
  topicRefreshSources as sources,
  topicSourceStates as states,
} from "../../schema/topics.ts";
import { isActive } from "../core/suspension.ts";
import { beginRefresh } from "./refresh-rows.ts";
import { blogs } from "../../schema/blogs.ts";
import { joinAnd, builder, orm, runTransaction, type Database, type Statement } from "../core/sql.ts";
import { isShown } from "../blogs/names.ts";

/** Identifies a source of a refresh in the messages of the queue. Those of earlier versions name no organization. */
export type SourceName = { readonly refreshId: string; readonly position: number; readonly organizationId?: string };

/** A source that this invocation has claimed. Only the holder of the token can settle it. */
export type ClaimedSource = SourceName & {
  readonly token: string;
  readonly organizationId: string;
  readonly blogId: string;
  readonly source: TopicSource;
  /** The validators of the last response of the source, for a conditional request. Null if there is none. */
  readonly validators: { readonly etag: string | null; readonly lastModified: string | null };
  /** Until when its forum has asked this blog for no request, for this source or another; null if that is over. */
  readonly waitTime: string | null;
};

/** The outcome of a source that gave no items: it has not changed, or could not be read. */
export type Settlement = {
  readonly state: "unchanged" | "failed";
  readonly reason: string | null;
  readonly detail: string | null;
  /** Until when its forum asks for no request. */
  readonly waitTime?: string | null;
};

/**
 * The most sources of one organization that are claimed at the same time. The queue has few consumers (wrangler.toml),
 * and a hanging source or a slow model holds one for long, so an organization can hold only some of them.
 */
const CLAIMED_AT_ONCE = 3;

const held = alias(sources, "held");

const countClaimed = (organizationId: SQL | SQLiteColumn): SQL =>
  sql`(select count(*) from ${sources} ${held} where ${held.state} = 'claimed' and ${held.organizationId} = ${organizationId})`;

/**
 * Claims a source and returns it. Returns null if it is not open, because another message has already claimed it: the
 * queue may deliver a message twice. Also returns null if its organization is suspended, or has `CLAIMED_AT_ONCE` claimed sources. Then
 * it stays open: settling one of those returns the next source whose message is to be sent.
 */
export async function claimSource(db: Database, name: SourceName, now: Date): Promise<ClaimedSource | null> {
  const token = newId();
  const { found } = await runTransaction(db, {
    claimed: builder
      .update(sources)
      .set({ state: "claimed", token, claimTime: now.toISOString() })
      .where(
        and(
          isNamed(name),
          eq(sources.state, "open"),
          sql`${countClaimed(sources.organizationId)} < ${CLAIMED_AT_ONCE}`,
          isActive(sources.organizationId),
        ),
      ),
    found: builder
      .select({
        organizationId: sources.organizationId,
        blogId: refreshes.blogId,
        source: sources.source,
        etag: states.etag,
        lastModified: states.lastModified,
        waitTime: selectWaitTime(now),
      })
      .from(sources)
      .innerJoin(refreshes, eq(refreshes.id, sources.refreshId))
      .leftJoin(states, and(eq(states.blogId, refreshes.blogId), eq(states.sourceKey, toSourceKey(sources.source))))
      .where(and(isNamed(name), eq(sources.token, token))),
  });
  const [row] = found;
  if (row === undefined) return null;
  const { etag, lastModified, ...claimed } = row;
  return { ...name, ...claimed, token, validators: { etag, lastModified } };
}

const waiting = alias(states, "waiting");

/** Returns SQL for the latest time until which the forum of a source asks for no request, if it is still ahead. */
const selectWaitTime = (now: Date): SQL<string | null> =>
  sql<string | null>`case ${sources.source} ->> '$.kind' when 'stackexchange' then (select max(${waiting.waitTime})
    from ${states} ${waiting} where ${waiting.blogId} = ${refreshes.blogId} and ${waiting.waitTime} > ${now.toISOString()}
      and ${waiting.sourceKey} ->> '$.kind' = 'stackexchange') end`;

const isNamed = ({ refreshId, position }: SourceName): SQL =>
  joinAnd(eq(sources.refreshId, refreshId), eq(sources.position, position));

/** Returns an SQL expression for the key that identifies a source across refreshes: its JSON without the name. */
export const toSourceKey = (source: SQL | SQLiteColumn): SQL => sql`json_remove(${source}, '$.name')`;

/** Returns the condition, on a row of `sources`, that it is the claimed source and the claim still holds. */
export const claimHolds = (claim: ClaimedSource): SQL =>
  joinAnd(isNamed(claim), eq(sources.token, claim.token), eq(sources.state, "claimed"));

/**
 * Records the outcome of a source that gave no items, and ends the refresh if this was its last source. If the claim no
 * longer holds, the outcome is not recorded. Returns the source whose message is to be sent next (`takeNextSource`).
 */
export async function settleSource(
  db: Database,
  claim: ClaimedSource,
  { waitTime = null, ...settlement }: Settlement,
  now: Date,
): Promise<SourceName[]> {
  const { next } = await runTransaction(db, {
    settled: builder.update(sources).set(settlement).where(claimHolds(claim)),
    stillValid: settlement.state === "unchanged" ? [renewValidators(claim, now)] : [],
    waits: waitTime === null ? [] : [storeWait(claim, waitTime, now)],
    finished: finishRefresh(claim.refreshId, now),
    next: takeNextSource(claim, now),
  });
  return next;
}

function storeWait({ organizationId, blogId, source }: ClaimedSource, waitTime: string, now: Date): Statement {
  const sourceKey = toSourceKey(sql`${JSON.stringify(source)}`);
  return builder
    .insert(states)
    .values({ organizationId, blogId, sourceKey, waitTime, readTime: now.toISOString() })
    .onConflictDoUpdate({ target: [states.blogId, states.sourceKey], set: { waitTime } });
}

/**
 * Returns the statement that takes the next open source of a claim's organization, if any: of the same refresh,
 * otherwise of another one. The invocation that settles the claim sends its message, because its own message may have
 * been refused while the organization had too many claims. If two settle at the same time, the second takes another
 * source, because the first has set `enqueueTime`. If the message is lost, the sweep finds the source stranded.
 */
export const takeNextSource = ({ refreshId, organizationId }: ClaimedSource, now: Date) =>
  builder
    .update(sources)
    .set({ enqueueTime: now.toISOString() })
    .where(
      sql`rowid = coalesce(
        (select ${open}.rowid from ${sources} ${open} where ${open.refreshId} = ${refreshId} and ${open.state} = 'open'
          order by ${open.enqueueTime}, ${open.position} limit 1),
        (select ${open}.rowid from ${blogs} cross join ${refreshes} cross join ${sources} ${open}
          where ${blogs.organizationId} = ${organizationId}
            and ${refreshes.blogId} = ${blogs.id} and ${refreshes.state} = 'running'
            and ${open.refreshId} = ${refreshes.id} and ${open.state} = 'open'
          order by ${open.enqueueTime}, ${open.position} limit 1))`,
    )
    .returning(NAME);

const open = alias(sources, "opened");

/** Returns the statement that marks the stored validators of a source as just read, so that they are kept longer. */
const renewValidators = ({ blogId, source }: ClaimedSource, now: Date): Statement =>
  builder
    .update(states)
    .set({ readTime: now.toISOString() })
    .where(and(eq(states.blogId, blogId), eq(states.sourceKey, toSourceKey(sql`${JSON.stringify(source)}`))));

/** Returns the statement that ends a refresh if it runs and none of its sources is open or claimed. */
export const finishRefresh = (refreshId: string, now: Date): Statement =>
  finishRefreshes(now, eq(refreshes.id, refreshId));

/** Ends all running refreshes, or those that meet `which`, without an open or claimed source. */
const finishRefreshes = (now: Date, which?: SQL) =>
  builder
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

/**
 * Takes stranded sources: open ones whose message was sent before `olderThan` and should have arrived. Returns at most
 * `most`, oldest first, and sets their `enqueueTime` to `now`. The caller sends their messages again. It takes only as
 * many of an organization as can be claimed: the others wait for these, and must not take the places of other
 * organizations.
 */
export async function takeStrandedSources(
  db: Database,
  olderThan: Date,
  now: Date,
  most: number,
): Promise<SourceName[]> {
  const waiting = sql`select rowid as id, ${sources.organizationId} as organization, ${sources.enqueueTime} as time,
      row_number() over (partition by ${sources.organizationId} order by ${sources.enqueueTime}) as place
    from ${sources} where ${sources.state} = 'open' and ${sources.enqueueTime} < ${olderThan.toISOString()}
      and ${isActive(sources.organizationId)}`;
  const stranded = sql`select id from (${waiting}) where place <= ${CLAIMED_AT_ONCE}
    and place <= ${CLAIMED_AT_ONCE} - ${countClaimed(sql`organization`)} order by time limit ${most}`;
  return orm(db)
    .update(sources)
    .set({ enqueueTime: now.toISOString() })
    .where(sql`rowid in (${stranded})`)
    .returning(NAME);
}

const NAME = { refreshId: sources.refreshId, position: sources.position, organizationId: sources.organizationId };

/**
 * Sets sources to failed that were claimed before a time, and returns them. Their invocation must have ended; the next
 * refresh reads them again. The same transaction ends the refreshes that have no source left to read, so that their
 * blogs can be refreshed again.
 */
export async function abandonSources(db: Database, claimedBefore: Date, now: Date): Promise<SourceName[]> {
  const { given } = await runTransaction(db, {
    given: builder
      .update(sources)
      .set({ state: "failed", reason: "interrupted", detail: "Reading the source was interrupted." })
      .where(and(eq(sources.state, "claimed"), lt(sources.claimTime, claimedBefore.toISOString())))
      .returning(NAME),
    finished: finishRefreshes(now),
  });
  return given;
}

export type DueBlog = { readonly id: string; readonly dueTime: string };

/** Returns at most `most` blogs whose daily refresh is due, the one that has waited longest first. */
export async function findDueBlogs(db: Database, now: Date, most: number): Promise<DueBlog[]> {
  return orm(db)
    .select({ id: blogs.id, dueTime: sql<string>`${blogs.refreshDueTime}` })
    .from(blogs)
    .where(and(lte(blogs.refreshDueTime, now.toISOString()), isShown(blogs.id)))
    .orderBy(blogs.refreshDueTime)
    .limit(most);
}

/**
 * Begins the daily refresh of a blog, and sets its next due time. Returns the sources to read. Returns none if the blog
 * has no sources or its last refresh still runs, so it waits until the next due time; or if another invocation has
 * begun this refresh.
 */
export async function beginDueRefresh(db: Database, { id, dueTime }: DueBlog, now: Date): Promise<SourceName[]> {
  const refreshId = newId();
  const missed = Math.floor((now.getTime() - Date.parse(dueTime)) / DAY_MS);
  const next = new Date(Date.parse(dueTime) + (missed + 1) * DAY_MS).toISOString();
  const waits = joinAnd(eq(blogs.id, id), eq(blogs.refreshDueTime, dueTime));
  const isDue = sql`${waits} and ${blogs.topicSources} <> '[]' and not exists (select 1 from ${refreshes}
    where ${refreshes.blogId} = ${id} and ${refreshes.state} = 'running')`;
  const { toRead } = await runTransaction(db, {
    begun: beginRefresh(refreshId, isDue, now.toISOString()),
    next: builder.update(blogs).set({ refreshDueTime: next }).where(waits),
    toRead: builder.select(NAME).from(sources).where(eq(sources.refreshId, refreshId)),
  });
  return toRead;
}
