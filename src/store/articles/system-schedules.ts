/** Carries out the schedules of all organizations (contract 18.4). */
import { and, sql } from "drizzle-orm";
import { DomainError } from "../../errors.ts";
import { chunks } from "../../lib/chunks.ts";
import { newId } from "../../lib/ids.ts";
import type { Writer } from "../core/commit.ts";
import type { Quota } from "../core/quota.ts";
import { mayStillWrite } from "../core/standing.ts";
import { firstRow, orm, type Database } from "../core/sql.ts";
import { schedules } from "./schedule-schema.ts";
import { articles } from "./schema.ts";
import {
  carryOut,
  findDue,
  isRead,
  lostRight,
  setFailed,
  type DueArticle,
  type DueRow,
  type Failure,
  type Fired,
  type Moment,
} from "./system-due.ts";
import { updateArticle } from "./updating.ts";

/** Returns schedules that are due, at most `most`, organizations in turn. */
export const dueSchedules = (db: Database, moment: Moment, most: number): Promise<DueArticle[]> =>
  findDue(db, schedules, moment, most);

/**
 * Carries out a schedule that is due. One transaction changes the article, stores its event and its row of the search
 * index, and ends the schedule or moves it on to its second time. It does so only if the schedule is the one that was
 * read and its author may still publish, so concurrent runs do it once. A schedule that cannot be carried out is set to
 * failed, with the reason. Throws if it may succeed later: a day without room for events, or a failure of D1.
 */
export const fireSchedule = (writer: Writer, articleId: string): Promise<Fired> =>
  carryOut({
    read: () => readDue(writer, articleId),
    refusalOf: (due) =>
      lostRight(due, "Who scheduled it may not publish any more.") ??
      ((due.published === 1) === (due.publishTime !== null)
        ? { code: "precondition_failed", message: "It was so already." }
        : null),
    act: (due) => publishDue(writer, due),
    fail: (due, failure) => fail(writer, due, failure),
  });

type Due = DueRow & {
  readonly actorId: string;
  readonly creationTime: string;
  readonly publishTime: string | null;
  readonly unpublishTime: string | null;
  readonly published: number;
  readonly articleVersion: string;
  readonly title: string;
  readonly description: string;
  readonly content: string;
};

const readDue = ({ db, organizationId, now }: Writer, articleId: string): Promise<Due | null> =>
  firstRow<Due>(
    db,
    sql`select ${schedules.articleId} as "articleId", ${schedules.blogId} as "blogId", ${schedules.actorKind} as "actorKind",
        ${schedules.actorId} as "actorId", ${schedules.creationTime} as "creationTime",
        ${schedules.publishTime} as "publishTime", ${schedules.unpublishTime} as "unpublishTime", ${schedules.version} as "version",
        ${mayStillWrite(schedules, now().toISOString())} as "stands", ${articles.version} as "articleVersion", ${articles.published}, ${articles.title}, ${articles.description},
        ${articles.content}
      from ${schedules} join ${articles} on ${articles.id} = ${schedules.articleId}
      where ${schedules.articleId} = ${articleId} and ${schedules.organizationId} = ${organizationId}
        and ${schedules.failureCode} is null and ${schedules.dueTime} <= ${now().toISOString()}`,
  );

function publishDue(writer: Writer, due: Due) {
  const { articleId, publishTime, unpublishTime, title, description, content } = due;
  const mine = isRead(schedules, due);
  const { db } = writer;
  return updateArticle(
    writer,
    { id: articleId, fields: { published: publishTime !== null }, unchanged: {}, ifMatch: [due.articleVersion] },
    {
      action: publishTime === null ? "schedules.unpublish" : "schedules.publish",
      texts: { title, description, content },
      publishTime: publishTime ?? unpublishTime ?? "",
      // Members schedule in the console, where it says that this confirms the review.
      ...(due.actorKind === "user" && { review: { by: due.actorId, time: due.creationTime } }),
      condition: {
        holds: sql`exists (select 1 from ${schedules} where ${mine} and ${mayStillWrite(schedules, writer.now().toISOString())})`,
        refusal: new DomainError("precondition_failed"),
      },
      change: ({ id, held }) => [
        publishTime !== null && unpublishTime !== null
          ? orm(db)
              .update(schedules)
              .set({ publishTime: null, dueTime: unpublishTime, version: id })
              .where(and(mine, held))
          : orm(db).delete(schedules).where(and(mine, held)),
      ],
    },
  );
}

const fail = (writer: Writer, due: Due, { code, message }: Failure): Promise<Fired> =>
  setFailed(writer, schedules, due, {
    action: "schedules.fail",
    mark: ({ id, time }, isIt) =>
      orm(writer.db)
        .update(schedules)
        .set({ failureCode: code, failureDetail: message, failureTime: time, version: id })
        .where(isIt),
  });

/** How many schedules one run sends at most, to be carried out in one minute. D1 takes about three times as many. */
const MOST = 4000;
/**
 * How many schedules are carried out by one invocation. It may make 1,000 queries, and one schedule makes 13 at most in
 * each of its tries (`MOST_TRIES`, system-due.ts).
 */
const AN_INVOCATION = 25;
/** How many of them are carried out at once. */
const AT_ONCE = 8;
/** How many messages one `sendBatch` sends: 160 KB. The platform takes 100 messages and 256 KB. */
const PER_BATCH = 40;

/** What a run of the schedules needs besides the database. */
export type ScheduleRun = {
  readonly databaseOf: (organizationId: string) => Database;
  readonly quota: Quota;
  readonly now: () => Date;
  /** Tells the events queue which organizations have events to fan out. */
  readonly announce: (organizationIds: readonly string[]) => Promise<void>;
  readonly log: (entry: Readonly<Record<string, unknown>>) => void;
};

/**
 * Sends the schedules that are due ({@link dueSchedules}), or what else `find` returns, so that each message can be carried
 * out by an invocation of its own. Returns how many are due, at most {@link MOST}: what is beyond that is left to the next
 * run.
 */
export async function sendDueSchedules(
  db: Database,
  moment: Moment,
  send: (messages: readonly (readonly DueArticle[])[]) => Promise<unknown>,
  find = dueSchedules,
): Promise<number> {
  const due = await find(db, moment, MOST);
  for (const messages of chunks(chunks(due, AN_INVOCATION), PER_BATCH)) await send(messages);
  return due.length;
}

/** What a run has found out about organizations. */
type Found = {
  /** Those that have events to fan out. */
  readonly changed: Set<string>;
  /** Those that have used up their events of the day. */
  readonly full: Set<string>;
};

/** Carries out what is due of an article: its schedule, or its deletion. */
type Fire = (writer: Writer, articleId: string) => Promise<Fired>;

/**
 * Carries out schedules, or sets them to failed. One that is not due any more is left as it is; one that cannot be
 * carried out yet is logged, keeps nobody waiting, and is left to the next run. Of an organization that has used up its
 * events of the day, the others are not read any more, and one line of the log stands for all of them.
 */
export async function fireSchedules(
  due: readonly DueArticle[],
  run: ScheduleRun,
  fire: Fire = fireSchedule,
): Promise<void> {
  const found: Found = { changed: new Set(), full: new Set() };
  for (const some of chunks(due, AT_ONCE)) await Promise.all(some.map((each) => fireOne(run, each, found, fire)));
  if (found.changed.size > 0) await run.announce([...found.changed]);
}

async function fireOne(run: ScheduleRun, due: DueArticle, { changed, full }: Found, fire: Fire): Promise<void> {
  const { organizationId, articleId, actorId } = due;
  if (full.has(organizationId)) return;
  try {
    const writer: Writer = {
      db: run.databaseOf(organizationId),
      organizationId,
      pinnedBlogId: null,
      actor: { kind: "schedule", id: actorId },
      requestId: newId(),
      now: run.now,
      quota: run.quota,
      announce: () => changed.add(organizationId),
      afterwards: () => undefined,
    };
    await fire(writer, articleId);
  } catch (error) {
    const isFull = error instanceof DomainError && error.code === "event_limit";
    if (isFull && full.has(organizationId)) return;
    if (isFull) full.add(organizationId);
    const what = isFull ? { organization: organizationId } : { article: articleId };
    run.log({ level: "warn", message: "schedule not carried out yet", ...what, error: String(error) });
  }
}
