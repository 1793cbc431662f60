/** Deletes the articles of all organizations whose deletion cannot be undone any more (contract 18.26). */
import { and, eq, sql } from "drizzle-orm";
import { DomainError } from "../../errors.ts";
import { commit, newLicence, type Writer } from "../core/commit.ts";
import { isOutOfEvents } from "../core/quota.ts";
import { mayStillWrite } from "../core/standing.ts";
import { all, firstRow, orm, type Database } from "../core/sql.ts";
import { deleteArticle } from "./articles.ts";
import { COPY_VERSION } from "./deletions.ts";
import { deletions } from "./schedule-schema.ts";
import { articles } from "./schema.ts";
import { inTurns, MOST_TRIES, PASSING, type DueSchedule, type Fired, type Moment } from "./system-schedules.ts";

/** Returns deletions that are due, at most `most`, in the turns of schedules. */
export function dueDeletions(db: Database, { now, quota }: Moment, most: number): Promise<DueSchedule[]> {
  const time = now.toISOString();
  return orm(db)
    .select({
      articleId: deletions.articleId,
      organizationId: deletions.organizationId,
      actorId: deletions.actorId,
    })
    .from(deletions)
    .where(
      sql`${deletions.failureCode} is null and ${deletions.dueTime} <= ${time}
        and not ${isOutOfEvents(deletions.organizationId, quota, time)}`,
    )
    .orderBy(inTurns(deletions), deletions.dueTime)
    .limit(most);
}

/**
 * Deletes an article whose deletion is due, with its event, in one transaction. It does so only if the deletion is the one
 * that was read, its author may still write, and the article and its working copy are as they were when it was asked for; so
 * concurrent runs do it once, and whoever edits the article meanwhile keeps it. Otherwise it sets the deletion to failed,
 * with the reason. Throws if it may succeed later.
 */
export async function fireDeletion(writer: Writer, articleId: string): Promise<Fired> {
  for (let tries = 1; ; tries++) {
    const due = await readDue(writer, articleId);
    if (due === null) return "gone";
    if (due.stands === 0) {
      const code = due.actorKind === "user" ? "role_forbidden" : "credentials_invalid";
      return fail(writer, due, { code, message: "Who deleted it may not do so any more." });
    }
    if (due.same === 0) {
      return fail(writer, due, { code: "precondition_failed", message: "It was changed after it was deleted." });
    }
    try {
      await deleteArticle(writer, articleId, [due.articleVersion], conditionOf(writer, due));
      return "done";
    } catch (error) {
      if (!(error instanceof DomainError)) throw error;
      const changed = error.code === "precondition_failed" || error.code === "not_found";
      if (changed && tries < MOST_TRIES) continue;
      if (changed || PASSING.has(error.code)) throw error;
      return fail(writer, due, error);
    }
  }
}

type Due = {
  readonly articleId: string;
  readonly blogId: string;
  readonly actorKind: string;
  readonly version: string;
  readonly articleVersion: string;
  /** 1 if whoever deletes it may still write. */
  readonly stands: number;
  /** 1 if the article and its working copy are as they were. */
  readonly same: number;
};

const SAME_COPY = sql`${COPY_VERSION} is ${deletions.copyVersion}`;

const readDue = ({ db, organizationId, now }: Writer, articleId: string): Promise<Due | null> =>
  firstRow<Due>(
    db,
    sql`select ${deletions.articleId} as "articleId", ${articles.blogId} as "blogId", ${deletions.actorKind} as "actorKind",
        ${deletions.version} as "version", ${deletions.articleVersion} as "articleVersion",
        ${mayStillWrite(deletions, now().toISOString())} as "stands",
        ${articles.version} = ${deletions.articleVersion} and ${SAME_COPY} as "same"
      from ${deletions} join ${articles} on ${articles.id} = ${deletions.articleId}
      where ${deletions.articleId} = ${articleId} and ${deletions.organizationId} = ${organizationId}
        and ${deletions.failureCode} is null and ${deletions.dueTime} <= ${now().toISOString()}`,
  );

/** Returns the condition, on a row of `articles`, that the deletion still holds. */
const conditionOf = ({ now }: Writer, { articleId, version }: Due) =>
  sql`exists (select 1 from ${deletions} where ${all(
    eq(deletions.articleId, articleId),
    eq(deletions.version, version),
    SAME_COPY,
    mayStillWrite(deletions, now().toISOString()),
  )})`;

async function fail(
  writer: Writer,
  due: Due,
  { code, message }: Pick<DomainError, "code" | "message">,
): Promise<Fired> {
  const mine = and(eq(deletions.articleId, due.articleId), eq(deletions.version, due.version));
  const outcome = await commit(writer, newLicence(writer), {
    action: "deletions.fail",
    resourceId: due.articleId,
    blogId: due.blogId,
    where: sql`from ${deletions} where ${mine}`,
    change: ({ id, held }) => [
      orm(writer.db)
        .update(deletions)
        .set({ failureCode: code, failureDetail: message, version: id })
        .where(and(mine, held)),
    ],
    answer: sql`null`,
  });
  return outcome.refused ? "gone" : "failed";
}
