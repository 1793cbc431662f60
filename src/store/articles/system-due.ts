/** What schedules and deletions share: due rows are found in turns, and carried out once or set to failed. */
import { and, eq, sql, type SQL } from "drizzle-orm";
import { DomainError, type ErrorCode } from "../../domain/errors.ts";
import { toChunks } from "../../lib/chunks.ts";
import { newId } from "../../lib/ids.ts";
import { commit, makeLicense, type License } from "../core/commit.ts";
import type { Quota } from "../../domain/quotas.ts";
import type { Writer } from "../core/writer.ts";
import { isOutOfEvents } from "../core/quota.ts";
import { isActive, mayReadAndDelete } from "../core/suspension.ts";
import { joinAnd, queryRows, type Database, type Statement } from "../core/sql.ts";
import { isShown } from "../blogs/names.ts";
import { articles } from "../../schema/articles.ts";
import { deletions, schedules } from "../../schema/schedules.ts";

type Table = typeof schedules | typeof deletions;

/** An article with a schedule or deletion that is due. */
export type DueArticle = {
  readonly articleId: string;
  readonly organizationId: string;
  /** As in the audit log. */
  readonly actorId: string;
};

/** The time of a run, and how many events an organization may have on that day. */
export type Moment = { readonly now: Date; readonly quota: Pick<Quota, "eventsPerDay"> };

/**
 * Returns the condition that a row is due and can be carried out. It cannot while its blog is hidden, or its
 * organization has used up its events of the day. A schedule cannot either while its organization is at a ceiling, or its article waits to be deleted.
 */
export function isDue(table: Table, { now, quota }: Moment): SQL {
  const time = now.toISOString();
  return joinAnd(
    sql`${table.failureCode} is null and ${table.dueTime} <= ${time}`,
    sql`not ${isOutOfEvents(table.organizationId, quota, time)}`,
    (table === schedules ? isActive : mayReadAndDelete)(table.organizationId),
    isShown(sql`(select ${articles.blogId} from ${articles} where ${articles.id} = ${table.articleId})`),
    table === schedules && IS_KEPT,
  );
}

/**
 * The condition, on a row of `schedules`, that its article does not wait to be deleted. Otherwise the schedule would
 * show readers what somebody has deleted, and the deletion would fail, because the article has changed.
 */
export const IS_KEPT = sql`not exists (select 1 from ${deletions} where ${deletions.articleId} = ${schedules.articleId}
  and ${deletions.failureCode} is null)`;

/** Returns at most `most` due rows, oldest first. Organizations take turns, so that nobody waits for another. */
export function findDue(db: Database, of: Table, moment: Moment, most: number): Promise<DueArticle[]> {
  // SQLite would read all waiting rows of all organizations, because another index has the order of the turns.
  const index = sql.identifier(of === schedules ? "schedules_due" : "deletions_due");
  const turn = sql`row_number() over (partition by ${of.organizationId} order by ${of.dueTime}, ${of.articleId})`;
  return queryRows<DueArticle>(
    db,
    sql`select ${of.articleId} as "articleId", ${of.organizationId} as "organizationId", ${of.actorId} as "actorId"
      from ${of} indexed by ${index} where ${isDue(of, moment)} order by ${turn}, ${of.dueTime} limit ${most}`,
  );
}

/** The outcome: carried out, set to failed, or left as it is, because it is not due any more. */
export type Fired = "done" | "failed" | "gone";

/** How often an article is read again that changes between the read and the write. */
const MOST_TRIES = 3;

/** Errors after which the next run tries again. */
const TRIED_AGAIN: ReadonlySet<ErrorCode> = new Set([
  "event_limit",
  "usage_limit",
  "organization_suspended",
  "not_ready",
  "internal",
]);

export type Failure = Pick<DomainError, "code" | "message">;

/** What schedules and deletions both read of a due row. */
export type DueRow = {
  readonly articleId: string;
  readonly blogId: string;
  readonly actorKind: string;
  readonly version: string;
  /** 1 if the person or program that asked for it still may. */
  readonly stands: number;
};

/** Returns why the row fails if its author has lost the right, otherwise null. */
export const checkRight = ({ stands, actorKind }: DueRow, message: string): Failure | null =>
  stands === 1 ? null : { code: actorKind === "user" ? "role_forbidden" : "credentials_invalid", message };

/**
 * Carries out what is due for an article. `read` returns its row, or null if it is not due any more. `findRefusal`
 * returns why it cannot be done. `act` does it, on condition that the row and the article have not changed, so that
 * concurrent runs do it once. Throws if it may succeed later: a day without room for events, or a failure of D1.
 */
export async function carryOut<Row extends DueRow>(steps: {
  readonly read: () => Promise<Row | null>;
  readonly findRefusal: (due: Row) => Failure | null;
  readonly act: (due: Row) => Promise<unknown>;
  readonly fail: (due: Row, failure: Failure) => Promise<Fired>;
}): Promise<Fired> {
  for (let tries = 1; ; tries++) {
    const due = await steps.read();
    if (due === null) return "gone";
    const refusal = steps.findRefusal(due);
    if (refusal !== null) return steps.fail(due, refusal);
    try {
      await steps.act(due);
      return "done";
    } catch (error) {
      if (!(error instanceof DomainError)) throw error;
      const changed = error.code === "precondition_failed" || error.code === "not_found";
      if (changed && tries < MOST_TRIES) continue;
      if (changed || TRIED_AGAIN.has(error.code)) throw error;
      return steps.fail(due, error);
    }
  }
}

/** The condition that a row is still the one that was read. */
export const isRead = (of: Table, { articleId, version }: DueRow): SQL | undefined =>
  and(eq(of.articleId, articleId), eq(of.version, version));

/** Sets a row to failed by the statement of `mark`, unless it has changed since it was read. */
export async function setFailed(
  writer: Writer,
  of: Table,
  due: DueRow,
  { action, mark }: { readonly action: string; readonly mark: (license: License, isIt: SQL | undefined) => Statement },
): Promise<Fired> {
  const mine = isRead(of, due);
  const outcome = await commit(writer, makeLicense(writer), {
    action,
    resourceId: due.articleId,
    blogId: due.blogId,
    where: sql`from ${of} where ${mine}`,
    change: (license) => [mark(license, and(mine, license.held))],
    answer: sql`null`,
  });
  return outcome.refused ? "gone" : "failed";
}

/** Schedules or deletions, as a run needs them. */
export type DueKind = {
  readonly name: string;
  readonly effect: "write" | "delete";
  readonly find: (db: Database, moment: Moment, most: number) => Promise<DueArticle[]>;
  readonly fire: (writer: Writer, articleId: string) => Promise<Fired>;
};

/** The most articles that one run sends, for one minute. D1 can take about three times as many. */
const MOST = 4000;
/** An invocation may make 1,000 queries, and each try ({@link MOST_TRIES}) of an article at most 13. */
const AN_INVOCATION = 25;
const AT_ONCE = 8;
/** The most messages of one `sendBatch`: 160 KB. The platform allows 100 messages and 256 KB. */
const PER_BATCH = 40;

export type DueRun = {
  readonly getDatabase: (organizationId: string) => Database;
  readonly quota: Quota;
  readonly now: () => Date;
  /** Tells the events queue which organizations have events to fan out. */
  readonly announce: (organizationIds: readonly string[]) => Promise<void>;
  readonly log: (entry: Readonly<Record<string, unknown>>) => void;
};

/**
 * Sends what is due, so that each message can be carried out by an invocation of its own. Returns how many articles are
 * due, at most {@link MOST}: the next run takes the rest.
 */
export async function sendDue(
  { find }: DueKind,
  db: Database,
  moment: Moment,
  send: (messages: readonly (readonly DueArticle[])[]) => Promise<unknown>,
): Promise<number> {
  const due = await find(db, moment, MOST);
  for (const messages of toChunks(toChunks(due, AN_INVOCATION), PER_BATCH)) await send(messages);
  return due.length;
}

type Found = {
  /** Organizations that have events to fan out. */
  readonly changed: Set<string>;
  /** Organizations that have used up their events of the day. */
  readonly full: Set<string>;
};

/**
 * Carries out what is due, or sets it to failed. An article that fails for now is logged and left to the next run. Once
 * an organization has used up its events of the day, its other articles are skipped, with one log line for all of them.
 */
export async function fireDue(kind: DueKind, due: readonly DueArticle[], run: DueRun): Promise<void> {
  const found: Found = { changed: new Set(), full: new Set() };
  for (const some of toChunks(due, AT_ONCE)) await Promise.all(some.map((each) => fireOne(kind, each, run, found)));
  if (found.changed.size > 0) await run.announce([...found.changed]);
}

async function fireOne(kind: DueKind, due: DueArticle, run: DueRun, { changed, full }: Found): Promise<void> {
  const { organizationId, articleId, actorId } = due;
  if (full.has(organizationId)) return;
  try {
    const writer: Writer = {
      db: run.getDatabase(organizationId),
      organizationId,
      pinnedBlogId: null,
      actor: { kind: "schedule", id: actorId },
      effect: kind.effect,
      requestId: newId(),
      now: run.now,
      quota: run.quota,
      announce: () => changed.add(organizationId),
      afterwards: () => undefined,
    };
    await kind.fire(writer, articleId);
  } catch (error) {
    const isFull = error instanceof DomainError && error.code === "event_limit";
    if (isFull && full.has(organizationId)) return;
    if (isFull) full.add(organizationId);
    const what = isFull ? { organization: organizationId } : { article: articleId };
    run.log({ level: "warn", message: `${kind.name} not carried out yet`, ...what, error });
  }
}
