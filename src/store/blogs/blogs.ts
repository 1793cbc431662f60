import { and, eq, sql, type SQL } from "drizzle-orm";
import { alias } from "drizzle-orm/sqlite-core";
import { DomainError } from "../../domain/errors.ts";
import { newId } from "../../lib/ids.ts";
import { LIMITS } from "../../domain/limits.ts";
import { commit, newLicence } from "../core/commit.ts";
import type { Writer } from "../core/writer.ts";
import { pageOf, toPage, type Page, type PageQuery, type Versioned } from "../core/paging.ts";
import { isOwnBlog, ownBlogs } from "../core/reach.ts";
import { firstFree, holds, refusal, type Optional, type Preconditions } from "../core/preconditions.ts";
import { blogs } from "../../schema/blogs.ts";
import { resource, type RecordOf } from "../core/resource.ts";
import { all, builder, insertWhere, orm, returned } from "../core/sql.ts";
import { purging } from "./sites.ts";

/** When a blog's topic sources are read: "manual" only on request, "daily" on request and once a day. */
export type TopicRefresh = "manual" | "daily";

/** A blog (contract 5.1). */
const BLOG = resource(
  {
    _id: blogs.id,
    name: blogs.name,
    vanityId: blogs.vanityId,
    coverUrl: blogs.coverUrl,
    locales: blogs.locales,
    topicSources: blogs.topicSources,
    topicRefresh: sql<TopicRefresh>`case when ${blogs.refreshDueTime} is null then 'manual' else 'daily' end`,
    creationTime: blogs.creationTime,
    lastEditTime: blogs.lastEditTime,
  },
  blogs.version,
);

export type BlogRecord = RecordOf<typeof BLOG>;

export type NewBlog = {
  readonly name: string;
  readonly coverUrl: string;
  readonly locales: readonly string[];
  /** `given`: this vanityId must be free. `derived`: a suffix makes it unique if it is taken. */
  readonly vanityId: { readonly given: string } | { readonly derived: string };
};

type Writable = "name" | "vanityId" | "coverUrl" | "locales" | "topicSources" | "topicRefresh";

export type BlogChange = Preconditions<ReadOnly> & {
  readonly id: string;
  readonly fields: Optional<Pick<BlogRecord, Writable>>;
};

/** Returns a page of the blogs that the writer may touch, oldest first. Throws `invalid_cursor`. */
export async function listBlogs(writer: Writer, query: PageQuery): Promise<Page<BlogRecord>> {
  const page = pageOf(query, blogs.creationTime, blogs.id, "oldest");
  const found = await orm(writer.db)
    .select(BLOG.fields)
    .from(blogs)
    .where(and(ownBlogs(writer), page.from))
    .orderBy(...page.order)
    .limit(page.limit)
    .offset(page.offset);
  return toPage(query, found, BLOG.toRecord);
}

/** Returns a blog that the writer may touch, or null if there is none with this id. */
export async function findBlog(writer: Writer, id: string): Promise<Versioned<BlogRecord> | null> {
  const [row] = await orm(writer.db).select(BLOG.fields).from(blogs).where(isOwnBlog(writer, id));
  return row === undefined ? null : BLOG.toRecord(row);
}

/** Stores a blog and its event `blog.created`. Throws `vanity_id_taken`, and `blog_limit` at `LIMITS.blogs` blogs. */
export async function createBlog(writer: Writer, blog: NewBlog): Promise<Versioned<BlogRecord>> {
  const licence = newLicence(writer);
  const id = newId();
  const row = {
    id,
    organizationId: writer.organizationId,
    name: blog.name,
    vanityId: "given" in blog.vanityId ? blog.vanityId.given : firstFree(blog.vanityId.derived, id, taken),
    coverUrl: blog.coverUrl,
    locales: [...blog.locales],
    version: licence.id,
    creationTime: licence.time,
    lastEditTime: licence.time,
  };
  const hasRoom = sql`(select count(*) from ${blogs} where ${blogs.organizationId} = ${writer.organizationId}) < ${LIMITS.blogs}`;
  const stored = eq(blogs.id, id);
  const outcome = await commit(writer, licence, {
    action: "blogs.create",
    resourceId: id,
    blogId: id,
    where: sql`where ${all(hasRoom, "given" in blog.vanityId && sql`not ${taken(sql`${blog.vanityId.given}`)}`)}`,
    change: ({ held }) => ({
      returning: insertWhere(blogs, row, sql`where ${held}`).returning(BLOG.fields),
      again: () => builder.select(BLOG.fields).from(blogs).where(stored),
    }),
    event: {
      kind: "blog.created",
      blogId: sql`${blogs.id}`,
      data: BLOG.json(),
      from: sql`from ${blogs} where ${stored}`,
    },
    answer: sql`(select ${BLOG.answer()} from ${blogs} where ${stored})`,
    diagnose: sql`select 1 where ${hasRoom}`,
  });
  if (outcome.refused) throw new DomainError(outcome.diagnosis.length > 0 ? "vanity_id_taken" : "blog_limit");
  return BLOG.toRecord(outcome.row);
}

/** Changes a blog. Throws `blog_forbidden`, `precondition_failed`, `immutable_field` and `vanity_id_taken`. */
export async function updateBlog(writer: Writer, change: BlogChange): Promise<Versioned<BlogRecord>> {
  const licence = newLicence(writer);
  const { vanityId, locales, topicSources, topicRefresh, ...texts } = change.fields;
  const isIt = eq(blogs.id, change.id);
  const target = isOwnBlog(writer, change.id);
  const free =
    vanityId === undefined
      ? sql`1`
      : sql`not exists (select 1 from ${blogs} ${others} where ${others.vanityId} = ${vanityId} and ${others.id} <> ${change.id})`;
  const outcome = await commit(writer, licence, {
    action: "blogs.update",
    resourceId: change.id,
    blogId: change.id,
    where: sql`from ${blogs} where ${all(target, free, ...holds(change, blogs.version, READ_ONLY))}`,
    change: ({ held }) => ({
      returning: builder
        .update(blogs)
        .set({
          ...texts,
          vanityId,
          locales,
          topicSources,
          refreshDueTime: topicRefresh && dueTime(topicRefresh, licence.time),
          version: licence.id,
          lastEditTime: licence.time,
        })
        .where(and(isIt, held))
        .returning(BLOG.fields),
      again: () => builder.select(BLOG.fields).from(blogs).where(isIt),
      // Feeds and the URLs of articles show its name, its cover and its vanityId.
      after: [purging(writer, change.id, licence)],
    }),
    answer: sql`(select ${BLOG.answer()} from ${blogs} where ${isIt})`,
    diagnose: sql<Diagnosed>`select ${returned(READ_ONLY, blogs.version)} from ${blogs} where ${target}`,
  });
  if (outcome.refused) throw updateRefusal(outcome.diagnosis[0], change);
  return BLOG.toRecord(outcome.row);
}

/**
 * Returns when the next daily refresh is due, as an SQL expression: NULL for "manual". The first one is due at once. If
 * the blog already has a due time, "daily" keeps it.
 */
const dueTime = (refresh: TopicRefresh, now: string): SQL =>
  refresh === "manual" ? sql`null` : sql`coalesce(${blogs.refreshDueTime}, ${now})`;

type ReadOnly = Pick<BlogRecord, "_id" | "creationTime" | "lastEditTime">;

const { _id, creationTime, lastEditTime } = BLOG.members;
const READ_ONLY = { _id, creationTime, lastEditTime };

type Diagnosed = ReadOnly & { readonly rowVersion: string };

function updateRefusal(found: Diagnosed | undefined, change: BlogChange): DomainError {
  // 403, not 404 (contract 5.5): a blog of another organization and an unknown blog must look the same.
  if (found === undefined) return new DomainError("blog_forbidden");
  return refusal(change, found) ?? new DomainError("vanity_id_taken");
}

/** An alias for the blogs of all organizations: a vanityId is unique among them. */
const others = alias(blogs, "others");

function taken(vanityId: SQL): SQL {
  return sql`exists (select 1 from ${blogs} ${others} where ${others.vanityId} = ${vanityId})`;
}
