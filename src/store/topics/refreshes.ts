/** Begins and reads refreshes of a blog's topic ideas. The consumer of the queue runs them (topics/consumer.ts). */
import { sql, type SQL } from "drizzle-orm";
import { alias } from "drizzle-orm/sqlite-core";
import { DomainError } from "../../domain/errors.ts";
import { newId } from "../../lib/ids.ts";
import type { TopicSource } from "../../domain/topic-source.ts";
import { commit, makeLicense } from "../core/commit.ts";
import type { Writer } from "../core/writer.ts";
import { topicRefreshes as refreshes, topicRefreshSources as sources } from "../../schema/topics.ts";
import { openIdempotency } from "../core/idempotency.ts";
import { resolveTargetBlog } from "../core/reach.ts";
import { beginRefresh } from "./refresh-rows.ts";
import { blogs } from "../../schema/blogs.ts";
import { joinAnd, queryFirstRow, compileFragment, jsonObject } from "../core/sql.ts";
import { isShown } from "../blogs/names.ts";

export type RefreshedSource = {
  source: TopicSource;
  state: "waiting" | "reading" | "read" | "unchanged" | "failed";
  found: number;
  created: number;
  merged: number;
  refused: { reason: string; count: number }[];
  reason: string | null;
  detail: string | null;
};

export type RefreshRecord = {
  _id: string;
  blogId: string;
  state: "running" | "done";
  sources: RefreshedSource[];
  creationTime: string;
  finishTime: string | null;
};

/** An SQL expression for the sources of a refresh as a JSON array, in their order, with the state names of the API. */
const SOURCES = sql`(select json_group_array(${jsonObject({
  source: sql`json(${sources.source})`,
  state: sql`case ${sources.state} when 'open' then 'waiting' when 'claimed' then 'reading' else ${sources.state} end`,
  found: sources.found,
  created: sources.created,
  merged: sources.merged,
  refused: sql`json((select json_group_array(json_object('reason', r.key, 'count', r.value))
    from json_each(${sources.refused}) r))`,
  reason: sources.reason,
  detail: sources.detail,
})}) from (select * from ${sources} where ${sources.refreshId} = ${refreshes.id} order by ${sources.position})
  ${sources})`;

const REFRESH = compileFragment(
  jsonObject({
    _id: refreshes.id,
    blogId: refreshes.blogId,
    state: refreshes.state,
    sources: sql`json(${SOURCES})`,
    creationTime: refreshes.creationTime,
    finishTime: refreshes.finishTime,
  }),
);

type RefreshRow = { readonly value: string };

const toRefresh = (value: string): RefreshRecord => JSON.parse(value) as RefreshRecord;

const others = alias(refreshes, "others");

const selectRunning = (blogId: SQL): SQL =>
  sql`(select ${others.id} from ${refreshes} ${others} where ${others.blogId} = ${blogId} and ${others.state} = 'running')`;

/**
 * Begins a refresh of a blog's sources and returns it. The caller must send a message for each source to the queue. If
 * a refresh of the blog is running, returns that one: a blog has one at a time. Throws `no_topic_sources` if the blog
 * has no sources, `blog_required` and `blog_forbidden`.
 */
export async function startRefresh(writer: Writer, blogId: string | undefined): Promise<RefreshRecord> {
  const license = makeLicense(writer);
  const id = newId();
  const target = resolveTargetBlog(writer, blogId);
  const stored = sql<RefreshRow>`select ${REFRESH} as "value" from ${refreshes} where ${refreshes.id} = ${id}`;
  const outcome = await commit(writer, license, {
    action: "topics.refresh",
    resourceId: id,
    blogId: sql`${blogs.id}`,
    where: sql`from ${blogs} where ${joinAnd(
      target.is,
      sql`${blogs.topicSources} <> '[]'`,
      sql`${selectRunning(sql`${blogs.id}`)} is null`,
    )}`,
    change: ({ held }) => ({
      before: beginRefresh(id, joinAnd(target.is, held), license.time),
      returning: stored,
      again: () => stored,
    }),
    answer: sql`(select json_object('value', json(${REFRESH})) from ${refreshes} where ${refreshes.id} = ${id})`,
    diagnose: sql<{
      running: string | null;
    }>`select f.*, (select ${REFRESH} from ${refreshes} where ${refreshes.id} = ${selectRunning(sql`f.id`)}) as "running"
      from (${target.found}) f`,
  });
  if (!outcome.refused) return toRefresh(outcome.row.value);
  const found = target.requireOne(outcome.diagnosis);
  if (found.running === null) throw new DomainError("no_topic_sources");
  return answerUnchanged(writer, toRefresh(found.running));
}

/** Returns the refresh that was already running. Stores it as the response of an idempotent call, as a commit would. */
async function answerUnchanged(writer: Writer, value: RefreshRecord): Promise<RefreshRecord> {
  const { idempotency } = writer;
  if (idempotency !== undefined) {
    await openIdempotency(writer).settle(idempotency, JSON.stringify({ value }));
  }
  return value;
}

/** Returns a refresh that the writer may see, or null if there is none with this id. */
export async function findRefresh(writer: Writer, id: string): Promise<RefreshRecord | null> {
  const row = await queryFirstRow<RefreshRow>(
    writer.db,
    sql`select ${REFRESH} as "value" from ${refreshes} where ${joinAnd(
      sql`${refreshes.id} = ${id}`,
      sql`${refreshes.organizationId} = ${writer.organizationId}`,
      isShown(refreshes.blogId),
      writer.pinnedBlogId !== null && sql`${refreshes.blogId} = ${writer.pinnedBlogId}`,
    )}`,
  );
  return row && toRefresh(row.value);
}
