/** Reads the feed of events (contract 11.16): the outbox, in the order of its commits. */
import { eq, sql, type SQL } from "drizzle-orm";
import { decodeFeedCursor, type FeedCursor } from "../../domain/cursor.ts";
import { DomainError } from "../../domain/errors.ts";
import { EVENT_KINDS, type EventKind } from "../../domain/events.ts";
import { LIMITS } from "../../domain/limits.ts";
import { getIdTime, isId, makeLowestId } from "../../lib/ids.ts";
import { DAY_MS, HOUR_MS, MINUTE_MS } from "../../lib/time.ts";
import { events } from "../../schema/webhooks.ts";
import { isAmong, joinAnd, queryFirstRow, runTransaction } from "../core/sql.ts";
import type { Writer } from "../core/writer.ts";

export type FeedQuery = {
  /** The kinds to return. */
  readonly kinds: readonly EventKind[];
  readonly blogId?: string | undefined;
  /** From is included, to is not. */
  readonly from?: Date | undefined;
  readonly to?: Date | undefined;
  readonly order: "oldest" | "newest";
  readonly limit: number;
  readonly keptDays: number;
};

export type FeedEvent = {
  _id: string;
  event: EventKind;
  blogId: string | null;
  /** Unix seconds. */
  timestamp: number;
  data: Record<string, unknown>;
};

/** Where a page of the feed begins: behind the event with this number. */
export type FeedPlace = FeedCursor;

/** `next` is where the next page begins; null behind the oldest event. */
export type FeedPage = { readonly items: readonly FeedEvent[]; readonly next: FeedPlace | null };

/** A cursor is renewed after this time, so that a poller of a quiet feed never has one that has expired. */
const RENEWED_MS = DAY_MS;

/** How much longer than shown events are kept, and cursors hold: whoever begins with the oldest event has time to go on. */
export const FEED_SLACK_MS = HOUR_MS;

const getOldestShown = (writer: Writer, { keptDays }: FeedQuery): Date => addMs(writer.now(), -keptDays * DAY_MS);

/**
 * Returns the place that `after` names: a cursor, the id of an event, or `latest`; undefined is the beginning. Throws
 * `invalid_cursor`, and `cursor_expired` if events behind it may have been deleted.
 */
export async function findFeedPlace(
  writer: Writer,
  after: string | undefined,
  query: FeedQuery,
): Promise<FeedPlace | null> {
  const time = writer.now().toISOString();
  if (after === undefined) return query.order === "newest" ? null : findBeginning(writer, query);
  if (after === "latest") {
    const last = await findEvent(writer, sql`${events.seq} = (select max(${events.seq}) from ${events})`);
    return { seq: last?.seq ?? 0, time };
  }
  const place = isId(after)
    ? await findEvent(writer, joinAnd(eq(events.id, after), eq(events.organizationId, writer.organizationId)))
    : decodeFeedCursor(after);
  const oldest = addMs(getOldestShown(writer, query), -FEED_SLACK_MS).toISOString();
  const isExpired = (place?.time ?? getIdTime(after)) < oldest;
  const isGone = place === null ? isExpired || mayBeErased(writer, after) : isExpired && query.order === "oldest";
  if (isGone) throw await makeExpiredError(writer, query);
  if (place === null) throw new DomainError("invalid_cursor", "There is no event with this identifier.");
  return place;
}

/** Returns whether an unknown id may be of an event that was erased with its blog: it is of the organization's time. */
const mayBeErased = ({ organizationId, now }: Writer, id: string): boolean =>
  id[14] === "7" && id > organizationId && getIdTime(id) <= addMs(now(), LATE_MS).toISOString();

/** Returns the place before the oldest event that is shown. Older ones are kept only for deliveries that name them. */
async function findBeginning(writer: Writer, query: FeedQuery): Promise<FeedPlace> {
  const before = sql<{ seq: number }>`select coalesce(${selectSeqBefore(getOldestShown(writer, query))}, 0) as "seq"`;
  const [first] = (await runTransaction(writer.db, { before })).before;
  return { seq: first?.seq ?? 0, time: writer.now().toISOString() };
}

const findEvent = ({ db }: Writer, which: SQL): Promise<FeedPlace | null> =>
  queryFirstRow(db, sql`select ${events.seq} as "seq", ${events.creationTime} as "time" from ${events} where ${which}`);

async function makeExpiredError(writer: Writer, query: FeedQuery): Promise<DomainError> {
  const first = { ...query, from: undefined, to: undefined, limit: 1 };
  let page = await readFeed(writer, await findBeginning(writer, query), first);
  // A page looks at a part of the events, and each but the last moves on.
  for (
    let place: FeedPlace | null = null;
    page.items.length === 0 && page.next !== null && page.next.seq !== place?.seq;
  ) {
    place = page.next;
    page = await readFeed(writer, place, first);
  }
  const [oldest] = page.items;
  return new DomainError("cursor_expired", undefined, {
    oldest: oldest === undefined ? null : { _id: oldest._id, timestamp: oldest.timestamp },
  });
}

type Row = Omit<FeedEvent, "data"> & {
  readonly seq: number;
  readonly time: string;
  readonly data: string;
  /** How many rows the page had before it was cut by its size. */
  readonly available: number;
};

/**
 * Returns a page of the feed. It looks at no more than `LIMITS.eventsScanned` events, so one that is narrowed may be
 * empty before the end. At the end, `next` is the same place as `place`. Throws `invalid_cursor` for a place behind all events.
 */
export async function readFeed(writer: Writer, place: FeedPlace | null, query: FeedQuery): Promise<FeedPage> {
  const [behind, order] = query.order === "newest" ? [sql`<`, sql`desc`] : [sql`>`, sql`asc`];
  const own = joinAnd(
    isOwn(writer),
    place !== null && sql`${events.seq} ${behind} ${place.seq}`,
    ...withinTimes(query.order === "newest" ? { ...query, from: clampFrom(writer, query) } : query),
  );
  const isNarrowed = isShown(writer, query).length > 1 || query.kinds.length < EVENT_KINDS.length;
  const scanned = isNarrowed ? LIMITS.eventsScanned : query.limit;
  const edge = sql<{ seq: number; time: string }>`select ${events.seq} as "seq", ${events.creationTime} as "time"
    from ${events} where ${own} order by ${events.seq} ${order} limit 1 offset ${scanned - 1}`;
  const isScanned = sql`not ${events.seq} ${behind} coalesce((select seq from (${edge})), ${events.seq})`;
  const found = sql`select ${events.seq} as seq, ${events.id} as "_id", ${events.kind} as "event", ${events.blogId} as "blogId",
      ${events.creationTime} as time, iif(json_valid(${events.data}), ${events.data}, '{}') as data from ${events}
    where ${joinAnd(own, isScanned, ...isShown(writer, query))} order by ${events.seq} ${order} limit ${query.limit}`;
  const time = writer.now().toISOString();
  const ran = await runTransaction(writer.db, {
    found: sql<Row>`select * from (select *, unixepoch(time) as "timestamp", count(*) over () as "available",
        sum(octet_length(data)) over (order by seq ${order}) - octet_length(data) as before from (${found}))
      where before < ${LIMITS.eventPageBytes} order by seq ${order}`,
    edge,
    last: sql<{ seq: number; highest: number }>`select (select ${events.seq} from ${events}
        where ${isOwn(writer)} order by ${events.seq} desc limit 1) as "seq",
      (select max(${events.seq}) from ${events}) as "highest"`,
  });
  const [known] = ran.last;
  if (place !== null && place.seq > (known?.highest ?? 0)) throw new DomainError("invalid_cursor");
  const items = ran.found.map(toEvent);
  const last = ran.found.at(-1);
  const isCut = last !== undefined && (ran.found.length === query.limit || ran.found.length < last.available);
  if (isCut) return { items, next: { seq: last.seq, time: last.time } };
  const [edgeOfScan] = ran.edge;
  if (edgeOfScan !== undefined) return { items, next: edgeOfScan };
  if (query.order === "newest" || place === null) return { items, next: null };
  const end = { seq: Math.max(place.seq, known?.seq ?? 0), time };
  const isSame = end.seq === place.seq && Date.parse(time) - Date.parse(place.time) < RENEWED_MS;
  return { items, next: isSame ? place : end };
}

/** The second condition is that of the index. */
const isOwn = ({ organizationId }: Writer): SQL =>
  sql`${events.organizationId} = ${organizationId} and ${events.kind} <> 'ping'`;

const isShown = ({ pinnedBlogId }: Writer, { kinds, blogId, from, to }: FeedQuery): SQL[] => [
  isAmong(events.kind, kinds),
  ...[pinnedBlogId, blogId].flatMap((id) => (id === null || id === undefined ? [] : [sql`${events.blogId} = ${id}`])),
  ...(from === undefined ? [] : [sql`${events.creationTime} >= ${from.toISOString()}`]),
  ...(to === undefined ? [] : [sql`${events.creationTime} < ${to.toISOString()}`]),
];

/** How long after its id was made an event may be committed: longer than all attempts of a write. */
const LATE_MS = 5 * MINUTE_MS;

/** Returns `from`, but not before the oldest event that is shown. */
const clampFrom = (writer: Writer, query: FeedQuery): Date =>
  new Date(Math.max(query.from?.getTime() ?? 0, getOldestShown(writer, query).getTime()));

/** Returns bounds of `seq` for the times, so that a page does not begin far from them. Ids are in the order of time. */
function withinTimes({ from, to }: Pick<FeedQuery, "from" | "to">): SQL[] {
  const before = from && selectSeqBefore(from);
  const behind = to && selectSeq(sql`>=`, addMs(to, LATE_MS), sql`asc`);
  return [
    ...(before ? [sql`${events.seq} > coalesce(${before}, 0)`] : []),
    ...(behind ? [sql`${events.seq} < coalesce(${behind}, ${Number.MAX_SAFE_INTEGER})`] : []),
  ];
}

/** Returns SQL for a number below those of all events of a time or later; NULL if there is none. */
export const selectSeqBefore = (time: Date): SQL => selectSeq(sql`<`, addMs(time, -LATE_MS), sql`desc`);

const addMs = (time: Date, ms: number): Date => new Date(Math.max(0, time.getTime() + ms));

/** Selects the number of the event, of any organization, that is next to a time. */
const selectSeq = (sign: SQL, time: Date, order: SQL): SQL =>
  sql`(select ${events.seq} from ${events} where ${events.id} ${sign} ${makeLowestId(time)}
    order by ${events.id} ${order} limit 1)`;

const toEvent = ({ _id, event, blogId, timestamp, data }: Row): FeedEvent => ({
  _id,
  event,
  blogId,
  timestamp,
  data: JSON.parse(data) as FeedEvent["data"],
});
