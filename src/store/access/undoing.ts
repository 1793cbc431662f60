/** What an app or a key has done to articles, and what there was before (contract 18.30). operations/undoing.ts undoes it. */
import { sql, type SQL } from "drizzle-orm";
import { alias } from "drizzle-orm/sqlite-core";
import { getIdRange } from "../../lib/ids.ts";
import { articles, revisions, workingCopies } from "../../schema/articles.ts";
import { audit } from "../../schema/core.ts";
import { approvals, deletions, schedules } from "../../schema/schedules.ts";
import { trash } from "../../schema/trash.ts";
import { isOwnArticle } from "../articles/conditions.ts";
import { isReachableTrash } from "../articles/trash.ts";
import { joinAnd, queryFirstRow, queryRows } from "../core/sql.ts";
import type { Writer } from "../core/writer.ts";

export type UndoneBy = {
  /** The id of a connected app or an API key. */
  readonly actor: string;
  readonly from: Date;
  /** Included, so that what has just happened is. */
  readonly to: Date;
};

/** An article that the actor has changed, and who has changed it after the actor's first change. */
export type Touched = {
  readonly articleId: string;
  readonly title: string | null;
  /** The id and time of the first of these changes. */
  readonly firstId: string;
  readonly firstTime: string;
  /** What the actor has done, as in the audit log; separated by commas. */
  readonly actions: string;
  /** 1 if the actor has unpublished it, and texts changed with that: those of a working copy, perhaps somebody else's. */
  readonly folded: number;
} & Other;

type Other = { readonly otherKind: string | null; readonly otherId: string | null };

/** Kinds whose entries name an article. */
const OF_ARTICLES = ["articles", "schedules", "deletions", "trash", "approvals"];

/** What undoing writes, and what changes nothing of an article. */
export const UNDO = "articles.undo";
const LEFT_OUT = [UNDO, "approvals.decline"];

const isOfArticle = (action: SQL): SQL =>
  sql`(substr(${action}, 1, instr(${action}, '.') - 1) in (select value from json_each(${JSON.stringify(OF_ARTICLES)}))
    and ${action} not in (select value from json_each(${JSON.stringify(LEFT_OUT)})))`;

const own = alias(audit, "own");
const other = alias(audit, "other");

const isWithin = ({ organizationId, pinnedBlogId }: Writer, { actor, from, to }: UndoneBy): SQL =>
  joinAnd(
    sql`${own.organizationId} = ${organizationId} and ${own.actorId} = ${actor}`,
    sql`${own.id} >= ${getIdRange(from).from} and ${own.creationTime} >= ${from.toISOString()}`,
    sql`${own.creationTime} <= ${to.toISOString()}`,
    pinnedBlogId !== null && sql`${own.blogId} = ${pinnedBlogId}`,
  );

/** Returns the condition that an entry is somebody else's, or the actor's own after the time that is undone. */
const isOther = ({ organizationId }: Writer, { actor, to }: UndoneBy): SQL =>
  joinAnd(
    sql`${other.organizationId} = ${organizationId} and ${isOfArticle(sql`${other.action}`)}`,
    sql`(${other.actorId} <> ${actor} or ${other.creationTime} > ${to.toISOString()})`,
  );

/** Returns at most `most` articles that the actor has changed, in the order of its first changes, after the change `after`. */
export function listTouched(
  writer: Writer,
  by: UndoneBy,
  { after, most }: { readonly after: string; readonly most: number },
): Promise<Touched[]> {
  const changes = (name: string) => sql`${own.changed} like ${`%"${name}"%`}`;
  // One walk through the entries of the time, and one through those since.
  return queryRows<Touched>(
    writer.db,
    sql`with touched as materialized (
        select ${own.resourceId} as article_id, min(${own.id}) as first_id, min(${own.creationTime}) as first_time,
          group_concat(distinct ${own.action}) as actions,
          max(${own.action} = 'articles.unpublish' and (${changes("title")} or ${changes("description")} or ${changes("content")})) as folded
        from ${audit} ${own} where ${isWithin(writer, by)} and ${isOfArticle(sql`${own.action}`)}
        group by ${own.resourceId} having min(${own.id}) > ${after} order by 2 limit ${most}),
      others as materialized (
        select touched.article_id, ${other.actorKind} as kind, ${other.actorId} as id, max(${other.id})
        from ${audit} ${other} join touched on ${other.resourceId} = touched.article_id and ${other.id} > touched.first_id
        where ${isOther(writer, by)} and ${other.id} > (select min(first_id) from touched)
        group by touched.article_id)
    select touched.article_id as "articleId", first_id as "firstId", first_time as "firstTime", actions, coalesce(folded, 0) as "folded",
      coalesce((select ${articles.title} from ${articles} where ${articles.id} = touched.article_id),
        (select ${trash.title} from ${trash} where ${trash.articleId} = touched.article_id)) as "title",
      others.kind as "otherKind", others.id as "otherId"
    from touched left join others on others.article_id = touched.article_id order by first_id`,
  );
}

const selectOther = (
  writer: Writer,
  { articleId, firstId }: Pick<Touched, "articleId" | "firstId">,
  by: UndoneBy,
): SQL =>
  sql`from ${audit} ${other} where ${isOther(writer, by)} and ${other.id} > ${firstId} and ${other.resourceId} = ${articleId}`;

/** Returns who else has changed an article by now. */
export const findOther = async (writer: Writer, touched: Touched, by: UndoneBy): Promise<Other> =>
  (await queryFirstRow<Other>(
    writer.db,
    sql`select ${other.actorKind} as "otherKind", ${other.actorId} as "otherId" ${selectOther(writer, touched, by)}
      order by ${other.id} desc limit 1`,
  )) ?? { otherKind: null, otherId: null };

/** Returns a writer who undoes: nothing is written once somebody else has changed the article. */
export const undoingWriter = (writer: Writer, touched: Touched, by: UndoneBy): Writer => ({
  ...writer,
  within: { holds: sql`not exists (select 1 ${selectOther(writer, touched, by)})`, action: UNDO },
});

/** Returns whether all that the actor did in the time was done by a program: nobody undoes a person. */
export const isProgram = async (writer: Writer, by: UndoneBy): Promise<boolean> =>
  (await queryFirstRow(
    writer.db,
    sql`select 1 from ${audit} ${own} where ${isWithin(writer, by)}
      and ${own.actorKind} not in ('key', 'operator', 'app', 'schedule') limit 1`,
  )) === null;

/** Returns what else the actor has done: how often, by the names of the audit log. */
export const countFurther = (writer: Writer, by: UndoneBy): Promise<{ action: string; count: number }[]> =>
  queryRows(
    writer.db,
    sql`select ${own.action} as "action", count(*) as "count" from ${audit} ${own}
      where ${isWithin(writer, by)} and not ${isOfArticle(sql`${own.action}`)} group by 1 order by 1`,
  );

/** What there is now of an article, and the numbers of the revisions before the actor's first change. */
export type Before = {
  readonly version: string;
  readonly published: number;
  readonly copyVersion: string | null;
  /** 1 if the working copy was begun, or saved, since the actor's first change. */
  readonly copyBegun: number;
  readonly copySaved: number;
  /** 1 if the actor has set the schedule, or asked for the deletion or the approval, since its first change. */
  readonly ownSchedule: number;
  readonly ownDeletion: number;
  readonly ownApproval: number;
  /** Null if the article, or its working copy, was not changed, or what was before is no longer kept. */
  readonly formerNumber: number | null;
  readonly formerCopyNumber: number | null;
};

/** Returns null if the article is not there, or out of reach. */
export const findBefore = (
  writer: Writer,
  { articleId, firstTime }: Pick<Touched, "articleId" | "firstTime">,
  actor: string,
): Promise<Before | null> => {
  // A revision ends with the change that replaces it. What was made after the first change is not what was before.
  const former = (workingCopy: 0 | 1): SQL => sql`(select ${revisions.number} from ${revisions}
    where ${revisions.articleId} = ${articles.id} and ${revisions.workingCopy} = ${workingCopy}
      and ${revisions.endTime} >= ${firstTime} and ${revisions.lastEditTime} < ${firstTime} order by ${revisions.number} limit 1)`;
  const isOwn = (table: typeof schedules | typeof deletions | typeof approvals): SQL =>
    sql`exists (select 1 from ${table} where ${table.articleId} = ${articles.id} and ${table.actorId} = ${actor}
      and ${table.creationTime} >= ${firstTime})`;
  return queryFirstRow<Before>(
    writer.db,
    sql`select ${articles.version}, ${articles.published}, ${workingCopies.version} as "copyVersion",
        coalesce(${workingCopies.creationTime} >= ${firstTime}, 0) as "copyBegun",
        coalesce(${workingCopies.lastEditTime} >= ${firstTime}, 0) as "copySaved",
        ${isOwn(schedules)} as "ownSchedule", ${isOwn(deletions)} as "ownDeletion", ${isOwn(approvals)} as "ownApproval",
        ${former(0)} as "formerNumber", ${former(1)} as "formerCopyNumber"
      from ${articles} left join ${workingCopies} on ${workingCopies.articleId} = ${articles.id}
      where ${isOwnArticle(writer, articleId)}`,
  );
};

/** Returns whether the actor has deleted an article that is in the trash. */
export const isTrashedBy = async (writer: Writer, articleId: string, actor: string): Promise<boolean> =>
  (await queryFirstRow(
    writer.db,
    sql`select 1 from ${trash} where ${trash.articleId} = ${articleId} and ${trash.actorId} = ${actor} and ${isReachableTrash(writer)}`,
  )) !== null;
