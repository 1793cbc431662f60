/** Deletes articles once their deletion cannot be undone any more (contract 18.26), for all organizations. */
import { eq, sql } from "drizzle-orm";
import type { Writer } from "../core/writer.ts";
import { mayStillWrite } from "../core/standing.ts";
import { joinAnd, builder, queryFirstRow } from "../core/sql.ts";
import { deleteArticle } from "./articles.ts";
import { COPY_VERSION } from "./deletions.ts";
import { deletions } from "../../schema/schedules.ts";
import { articles } from "../../schema/articles.ts";
import {
  carryOut,
  findDue,
  checkRight,
  setFailed,
  type DueKind,
  type DueRow,
  type Failure,
  type Fired,
} from "./system-due.ts";

/**
 * Deletes an article whose deletion is due, with its event, in one transaction. It requires that the deletion is the
 * one that was read, that its author may still write, and that the article and its working copy have not changed since
 * it was requested. So concurrent runs do it once, and an article that somebody edits meanwhile is kept. Otherwise it
 * sets the deletion to failed, with the reason. Throws if it may succeed later.
 */
const fire = (writer: Writer, articleId: string): Promise<Fired> =>
  carryOut({
    read: () => readDue(writer, articleId),
    findRefusal: (due) =>
      checkRight(due, "The person or program that deleted it no longer has permission.") ??
      (due.same === 1
        ? null
        : { code: "precondition_failed", message: "It was changed while it waited to be deleted." }),
    act: (due) => deleteArticle(writer, articleId, [due.articleVersion], isUnchanged(writer, due)),
    fail: (due, failure) => fail(writer, due, failure),
  });

/** The deletions, for a run (system-due.ts). */
export const DELETIONS: DueKind = {
  name: "deletion",
  effect: "delete",
  find: (db, moment, most) => findDue(db, deletions, moment, most),
  fire,
};

type Due = DueRow & {
  readonly articleVersion: string;
  /** 1 if the article and its working copy have not changed. */
  readonly same: number;
};

const SAME_COPY = sql`${COPY_VERSION} is ${deletions.copyVersion}`;

const readDue = ({ db, organizationId, now }: Writer, articleId: string): Promise<Due | null> =>
  queryFirstRow<Due>(
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
const isUnchanged = ({ now }: Writer, { articleId, version }: Due) =>
  sql`exists (select 1 from ${deletions} where ${joinAnd(
    eq(deletions.articleId, articleId),
    eq(deletions.version, version),
    SAME_COPY,
    mayStillWrite(deletions, now().toISOString()),
  )})`;

const fail = (writer: Writer, due: Due, { code, message }: Failure): Promise<Fired> =>
  setFailed(writer, deletions, due, {
    action: "deletions.fail",
    mark: ({ id }, isIt) =>
      builder.update(deletions).set({ failureCode: code, failureDetail: message, version: id }).where(isIt),
  });
