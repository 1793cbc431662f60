/** An organization's topic ideas: refreshes find them, people give them a status, articles are made from them. */
import { and, desc, eq, sql, type SQL } from "drizzle-orm";
import { DomainError } from "../../domain/errors.ts";
import { decodeScoreCursor, encodeScoreCursor } from "../../domain/cursor.ts";
import type { TopicOrigin } from "../../domain/topic-source.ts";
import type { TopicStatus } from "../../domain/topic-status.ts";
import { isStale, type IfMatch } from "../../domain/preconditions.ts";
import { commit, makeLicense } from "../core/commit.ts";
import type { Writer } from "../core/writer.ts";
import { topics } from "../../schema/topics.ts";
import type { Page, PageQuery, Versioned } from "../core/paging.ts";
import { matchVersion } from "../core/preconditions.ts";
import { ownsBlog, selectOwnBlogId } from "../core/reach.ts";
import { defineResource, type RecordOf } from "../core/resource.ts";
import { joinAnd, builder, orm, runTransaction } from "../core/sql.ts";
import { isShown } from "../blogs/names.ts";

/** A topic idea (contract 7.1). */
const TOPIC = defineResource(
  {
    _id: topics.id,
    blogId: topics.blogId,
    title: topics.title,
    summary: topics.summary,
    angle: topics.angle,
    url: topics.url,
    source: sql<TopicOrigin>`json_object('kind', ${topics.sourceKind}, 'name', ${topics.sourceName})`.mapWith(
      (stored: string) => JSON.parse(stored) as TopicOrigin,
    ),
    mentions: topics.mentions,
    keywords: topics.keywords,
    locale: topics.locale,
    score: topics.score,
    status: topics.status,
    articleId: topics.articleId,
    creationTime: topics.creationTime,
    lastEditTime: topics.lastEditTime,
  },
  topics.version,
);

export type TopicRecord = RecordOf<typeof TOPIC>;

export type TopicQuery = PageQuery & { readonly blogId: string; readonly status?: TopicStatus | undefined };

/** Returns a page of ideas, highest score first. Throws `blog_forbidden` and `invalid_cursor`. */
export async function listTopics(writer: Writer, query: TopicQuery): Promise<Page<TopicRecord>> {
  const cursor = query.cursor === undefined ? undefined : decodeScoreCursor(query.cursor);
  const where = joinAnd(
    sql`${topics.blogId} = ${selectOwnBlogId(writer, query.blogId)}`,
    query.status !== undefined && sql`${topics.status} = ${query.status}`,
    cursor && sql`(${topics.score}, ${topics.id}) <= (${cursor.score}, ${cursor.id})`,
  );
  const { reach, found } = await runTransaction(writer.db, {
    reach: sql`select 1 where ${ownsBlog(writer, query.blogId)}`,
    found: builder
      .select(TOPIC.fields)
      .from(topics)
      .where(where)
      .orderBy(desc(topics.score), desc(topics.id))
      .limit(query.limit + 1)
      .offset(query.skip),
  });
  if (reach.length === 0) throw new DomainError("blog_forbidden");
  const following = found[query.limit];
  return {
    items: found.slice(0, query.limit).map(TOPIC.toRecord),
    next: following && encodeScoreCursor({ score: following.score, id: following._id }),
  };
}

/** Returns an idea that the writer may touch, or null if there is none with this id. */
export async function findTopic(writer: Writer, id: string): Promise<Versioned<TopicRecord> | null> {
  const [row] = await orm(writer.db).select(TOPIC.fields).from(topics).where(isOwnTopic(writer, id));
  return row === undefined ? null : TOPIC.toRecord(row);
}

/** Sets the status of an idea. Throws `not_found`, `precondition_failed`, and `topic_used` if an article has used it up. */
export async function updateTopic(
  writer: Writer,
  change: { readonly id: string; readonly status: TopicStatus; readonly ifMatch: IfMatch | undefined },
): Promise<Versioned<TopicRecord>> {
  const license = makeLicense(writer);
  const target = isOwnTopic(writer, change.id);
  const free = change.status === "used" ? sql`true` : sql`${topics.articleId} is null`;
  const outcome = await commit(writer, license, {
    action: "topics.update",
    resourceId: change.id,
    blogId: sql`${topics.blogId}`,
    where: sql`from ${topics} where ${joinAnd(target, free, ...matchVersion(topics.version, change.ifMatch))}`,
    change: ({ held }) => ({
      returning: builder
        .update(topics)
        .set({ status: change.status, version: license.id, lastEditTime: license.time })
        .where(and(eq(topics.id, change.id), held))
        .returning(TOPIC.fields),
      again: () => builder.select(TOPIC.fields).from(topics).where(eq(topics.id, change.id)),
    }),
    answer: sql`(select ${TOPIC.answer()} from ${topics} where ${topics.id} = ${change.id})`,
    diagnose: sql<{ rowVersion: string }>`select ${topics.version} as "rowVersion" from ${topics} where ${target}`,
  });
  if (!outcome.refused) return TOPIC.toRecord(outcome.row);
  const [found] = outcome.diagnosis;
  if (found === undefined) throw new DomainError("not_found", "There is no such topic idea.");
  throw new DomainError(isStale(change.ifMatch, found.rowVersion) ? "precondition_failed" : "topic_used");
}

function isOwnTopic(writer: Writer, id: string): SQL {
  return joinAnd(
    sql`${topics.id} = ${id}`,
    sql`${topics.organizationId} = ${writer.organizationId}`,
    isShown(topics.blogId),
    writer.pinnedBlogId !== null && sql`${topics.blogId} = ${writer.pinnedBlogId}`,
  );
}
