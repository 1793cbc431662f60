/** An organization's topic ideas: found by refreshes, judged by people, used for articles. */
import { sql, type SQL } from "drizzle-orm";
import { DomainError } from "../../errors.ts";
import { decodeScoreCursor, encodeScoreCursor } from "../../domain/cursor.ts";
import type { TopicSourceKind } from "../../domain/topic-source.ts";
import type { TopicStatus } from "../../domain/topic-status.ts";
import { commit, newLicence, type Writer } from "../core/commit.ts";
import { topics } from "./schema.ts";
import type { Page, PageQuery, Versioned } from "../core/paging.ts";
import { versionIn, type IfMatch } from "../core/preconditions.ts";
import { ownBlog, ownBlogId } from "../core/reach.ts";
import { all, firstRow, jsonObject, returned, transaction } from "../core/sql.ts";

/** The source that it comes from, under its name in the blog. */
export type TopicOrigin = { kind: TopicSourceKind; name: string };

/** A topic idea (contract 7.1). */
export type TopicRecord = {
  _id: string;
  blogId: string;
  title: string;
  summary: string;
  angle: string;
  url: string;
  source: TopicOrigin;
  mentions: { url: string; source: TopicOrigin }[];
  keywords: string[];
  locale: string;
  score: number;
  status: TopicStatus;
  articleId: string | null;
  creationTime: string;
  lastEditTime: string;
};

type TopicRow = Omit<TopicRecord, "source" | "mentions" | "keywords"> & {
  sourceKind: TopicSourceKind;
  sourceName: string;
  mentions: string;
  keywords: string;
  rowVersion: string;
};

export type TopicQuery = PageQuery & { readonly blogId: string; readonly status?: TopicStatus | undefined };

const COLUMNS = {
  _id: topics.id,
  blogId: topics.blogId,
  title: topics.title,
  summary: topics.summary,
  angle: topics.angle,
  url: topics.url,
  sourceKind: topics.sourceKind,
  sourceName: topics.sourceName,
  mentions: topics.mentions,
  keywords: topics.keywords,
  locale: topics.locale,
  score: topics.score,
  status: topics.status,
  articleId: topics.articleId,
  creationTime: topics.creationTime,
  lastEditTime: topics.lastEditTime,
} as const;

const RETURNED = returned(COLUMNS, topics.version);

const { sourceKind, sourceName, ...SHOWN } = COLUMNS;
const topicJson = jsonObject({
  ...SHOWN,
  source: jsonObject({ kind: sourceKind, name: sourceName }),
  mentions: sql`json(${topics.mentions})`,
  keywords: sql`json(${topics.keywords})`,
});

function toTopic({ rowVersion, sourceKind: kind, sourceName: name, ...row }: TopicRow): Versioned<TopicRecord> {
  const { _id, blogId, title, summary, angle, url, mentions, keywords, ...rest } = row;
  const value = {
    _id,
    blogId,
    title,
    summary,
    angle,
    url,
    source: { kind, name },
    mentions: JSON.parse(mentions) as TopicRecord["mentions"],
    keywords: JSON.parse(keywords) as string[],
    ...rest,
  };
  return { value, version: rowVersion };
}

/** A page of a blog's ideas, the best first; `blog_forbidden` where the blog is not within reach. */
export async function listTopics(writer: Writer, query: TopicQuery): Promise<Page<TopicRecord>> {
  const cursor = query.cursor === undefined ? undefined : decodeScoreCursor(query.cursor);
  const where = all(
    sql`${topics.blogId} = ${ownBlogId(writer, query.blogId)}`,
    query.status !== undefined && sql`${topics.status} = ${query.status}`,
    cursor && sql`(${topics.score}, ${topics.id}) <= (${cursor.score}, ${cursor.id})`,
  );
  const { reach, found } = await transaction(writer.db, {
    reach: sql`select 1 where ${ownBlog(writer, query.blogId)}`,
    found: sql<TopicRow>`select ${RETURNED} from ${topics} where ${where}
      order by ${topics.score} desc, ${topics.id} desc limit ${query.limit + 1} offset ${query.skip}`,
  });
  if (reach.length === 0) throw new DomainError("blog_forbidden");
  const following = found[query.limit];
  return {
    items: found.slice(0, query.limit).map(toTopic),
    next: following && encodeScoreCursor({ score: following.score, id: following._id }),
  };
}

/** One idea, or null. */
export async function findTopic(writer: Writer, id: string): Promise<Versioned<TopicRecord> | null> {
  const row = await firstRow<TopicRow>(writer.db, sql`select ${RETURNED} from ${topics} where ${ownTopic(writer, id)}`);
  return row && toTopic(row);
}

/** Sets the status of an idea. One that has an article stays `used`: `topic_used`. */
export async function updateTopic(
  writer: Writer,
  change: { readonly id: string; readonly status: TopicStatus; readonly ifMatch: IfMatch | undefined },
): Promise<Versioned<TopicRecord>> {
  const licence = newLicence(writer);
  const target = ownTopic(writer, change.id);
  const free = change.status === "used" ? sql`true` : sql`${topics.articleId} is null`;
  const outcome = await commit(writer, licence, {
    action: "topics.update",
    resourceId: change.id,
    blogId: sql`${topics.blogId}`,
    where: sql`from ${topics} where ${all(target, free, ...versionIn(topics.version, change.ifMatch))}`,
    change: ({ held }) => ({
      returning: sql<TopicRow>`update ${topics} set status = ${change.status}, version = ${licence.id}, last_edit_time = ${licence.time}
        where ${all(sql`id = ${change.id}`, held)} returning ${RETURNED}`,
    }),
    answer: sql`(select ${jsonObject({ value: topicJson, version: sql`${topics.version}` })}
      from ${topics} where id = ${change.id})`,
    diagnose: sql<{ rowVersion: string }>`select ${topics.version} as "rowVersion" from ${topics} where ${target}`,
  });
  if (!outcome.refused) return toTopic(outcome.row);
  const [found] = outcome.diagnosis;
  if (found === undefined) throw new DomainError("not_found", "There is no such topic idea.");
  const stale = Array.isArray(change.ifMatch) && !change.ifMatch.includes(found.rowVersion);
  throw new DomainError(stale ? "precondition_failed" : "topic_used");
}

/** What the writer may touch: its organization's ideas, for a pinned credential its blog's. */
function ownTopic(writer: Writer, id: string): SQL {
  return all(
    sql`${topics.id} = ${id}`,
    sql`${topics.organizationId} = ${writer.organizationId}`,
    writer.pinnedBlogId !== null && sql`${topics.blogId} = ${writer.pinnedBlogId}`,
  );
}
