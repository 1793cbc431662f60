/** Carries out the schedules of all organizations (contract 18.4). */
import { and, sql } from "drizzle-orm";
import { DomainError } from "../../domain/errors.ts";
import type { Writer } from "../core/writer.ts";
import { mayStillWrite } from "../core/standing.ts";
import { builder, queryFirstRow } from "../core/sql.ts";
import { schedules } from "../../schema/schedules.ts";
import { readStored, selectStored } from "./renderings.ts";
import { articleRenderings, articles } from "../../schema/articles.ts";
import {
  carryOut,
  findDue,
  IS_KEPT,
  isRead,
  checkRight,
  setFailed,
  type DueKind,
  type DueRow,
  type Failure,
  type Fired,
} from "./system-due.ts";
import { updateArticle } from "./updating.ts";

/**
 * Carries out a schedule that is due. One transaction changes the article, stores its event and its row of the search
 * index, and ends the schedule or moves it on to its second time. It requires that the schedule is the one that was
 * read, that the article does not wait to be deleted, and that its author may still publish. So concurrent runs do it
 * once. A schedule that cannot be carried out is set to failed, with the reason. Throws if it may succeed later: a day
 * without room for events, or a failure of D1.
 */
const fire = (writer: Writer, articleId: string): Promise<Fired> =>
  carryOut({
    read: () => readDue(writer, articleId),
    findRefusal: (due) =>
      checkRight(due, "The person or program that scheduled it no longer has permission to publish.") ??
      ((due.published === 1) === (due.publishTime !== null)
        ? { code: "precondition_failed", message: "It was already published or unpublished." }
        : null),
    act: (due) => publishDue(writer, due),
    fail: (due, failure) => fail(writer, due, failure),
  });

/** The schedules, for a run (system-due.ts). */
export const SCHEDULES: DueKind = {
  name: "schedule",
  effect: "write",
  find: (db, moment, most) => findDue(db, schedules, moment, most),
  fire,
};

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
  readonly text: string | null;
};

const readDue = ({ db, organizationId, now }: Writer, articleId: string): Promise<Due | null> =>
  queryFirstRow<Due>(
    db,
    sql`select ${schedules.articleId} as "articleId", ${schedules.blogId} as "blogId", ${schedules.actorKind} as "actorKind",
        ${schedules.actorId} as "actorId", ${schedules.creationTime} as "creationTime",
        ${schedules.publishTime} as "publishTime", ${schedules.unpublishTime} as "unpublishTime", ${schedules.version} as "version",
        ${mayStillWrite(schedules, now().toISOString())} as "stands", ${articles.version} as "articleVersion", ${articles.published}, ${articles.title}, ${articles.description},
        ${articles.content}, ${selectStored(articleRenderings.text)} as "text"
      from ${schedules} join ${articles} on ${articles.id} = ${schedules.articleId}
        left join ${articleRenderings} on ${articleRenderings.articleId} = ${schedules.articleId}
      where ${schedules.articleId} = ${articleId} and ${schedules.organizationId} = ${organizationId}
        and ${schedules.failureCode} is null and ${schedules.dueTime} <= ${now().toISOString()} and ${IS_KEPT}`,
  );

function publishDue(writer: Writer, due: Due) {
  const { articleId, publishTime, unpublishTime, title, description, content, text } = due;
  const mine = isRead(schedules, due);
  return updateArticle(
    writer,
    { id: articleId, fields: { published: publishTime !== null }, ifMatch: [due.articleVersion] },
    {
      action: publishTime === null ? "schedules.unpublish" : "schedules.publish",
      texts: { title, description, content, text: readStored("text", text) },
      publishTime: publishTime ?? unpublishTime ?? "",
      // Members schedule in the console, which says that this confirms the review.
      ...(due.actorKind === "user" && { review: { by: due.actorId, time: due.creationTime } }),
      conditions: [
        {
          holds: sql`exists (select 1 from ${schedules} where ${mine} and ${IS_KEPT}
            and ${mayStillWrite(schedules, writer.now().toISOString())})`,
          refusal: new DomainError("precondition_failed"),
        },
      ],
      change: ({ id, held }) => [
        publishTime !== null && unpublishTime !== null
          ? builder
              .update(schedules)
              .set({ publishTime: null, dueTime: unpublishTime, version: id })
              .where(and(mine, held))
          : builder.delete(schedules).where(and(mine, held)),
      ],
    },
  );
}

const fail = (writer: Writer, due: Due, { code, message }: Failure): Promise<Fired> =>
  setFailed(writer, schedules, due, {
    action: "schedules.fail",
    mark: ({ id, time }, isIt) =>
      builder
        .update(schedules)
        .set({ failureCode: code, failureDetail: message, failureTime: time, version: id })
        .where(isIt),
  });
