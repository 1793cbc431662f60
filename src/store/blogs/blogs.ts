import { and, eq, sql, type SQL } from "drizzle-orm";
import { alias } from "drizzle-orm/sqlite-core";
import { DomainError } from "../../domain/errors.ts";
import { isStale, type IfMatch } from "../../domain/preconditions.ts";
import { newId } from "../../lib/ids.ts";
import { LIMITS } from "../../domain/limits.ts";
import { NO_STYLE_GUIDE, type StyleGuide } from "../../domain/style-guide.ts";
import { differsFrom, listChanged } from "../core/changed.ts";
import { commit, makeLicense } from "../core/commit.ts";
import type { Writer } from "../core/writer.ts";
import { paginate, toPage, type Page, type PageQuery, type Versioned } from "../core/paging.ts";
import { isOwnBlog, isReachableBlog } from "../core/reach.ts";
import { matchVersion, pickFirstFree, type Optional, listCandidates } from "../core/preconditions.ts";
import { isListedName, type Claim } from "../core/directory.ts";
import { blogs, hiddenBlogs } from "../../schema/blogs.ts";
import { defineResource, type RecordOf } from "../core/resource.ts";
import { joinAnd, builder, insertWhere, orm } from "../core/sql.ts";
import { requestBlogPurge } from "./sites.ts";

/** When a blog's topic sources are read: "manual" only on request, "daily" on request and once a day. */
export type TopicRefresh = "manual" | "daily";

/** A blog (contract 5.1). */
export const BLOG = defineResource(
  {
    _id: blogs.id,
    name: blogs.name,
    vanityId: blogs.vanityId,
    coverUrl: blogs.coverUrl,
    locales: blogs.locales,
    styleGuide: blogs.styleGuide,
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
  readonly styleGuide?: StyleGuide | undefined;
  /** `given`: this vanityId must be free. `derived`: a suffix makes it unique if it is taken. */
  readonly vanityId: { readonly given: string } | { readonly derived: string };
};

type Writable = "name" | "vanityId" | "coverUrl" | "locales" | "styleGuide" | "topicSources" | "topicRefresh";

export type BlogChange = {
  readonly id: string;
  readonly fields: Optional<Pick<BlogRecord, Writable>>;
  readonly ifMatch: IfMatch | undefined;
};

/** Returns a page of the blogs that the writer may touch, oldest first. Throws `invalid_cursor`. */
export async function listBlogs(writer: Writer, query: PageQuery): Promise<Page<BlogRecord>> {
  const page = paginate(query, blogs.creationTime, blogs.id, "oldest");
  const found = await orm(writer.db)
    .select(BLOG.fields)
    .from(blogs)
    .where(and(isReachableBlog(writer), page.from))
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
  const id = newId();
  const { vanityId } = blog;
  const names = "given" in vanityId ? [vanityId.given] : listCandidates(vanityId.derived, id);
  const claim = await writer.claim?.("vanity", names);
  if (claim === null || claim?.isOwn) throw new DomainError("vanity_id_taken");
  if (claim === undefined) return insertBlog(writer, id, blog);
  return releaseUnlessStored(claim, insertBlog(writer, id, { ...blog, vanityId: { given: claim.key } }));
}

/** Returns the result of a write. Releases its claim if the write was refused: without an answer, it may have been stored. */
async function releaseUnlessStored<T>(claim: Claim, write: Promise<T>): Promise<T> {
  try {
    return await write;
  } catch (error) {
    if (error instanceof DomainError && error.code !== "not_ready") await claim.release();
    throw error;
  }
}

async function insertBlog(writer: Writer, id: string, blog: NewBlog): Promise<Versioned<BlogRecord>> {
  const license = makeLicense(writer);
  const row = {
    id,
    organizationId: writer.organizationId,
    name: blog.name,
    vanityId: "given" in blog.vanityId ? blog.vanityId.given : pickFirstFree(blog.vanityId.derived, id, isTaken),
    coverUrl: blog.coverUrl,
    locales: [...blog.locales],
    styleGuide: blog.styleGuide ?? NO_STYLE_GUIDE,
    version: license.id,
    creationTime: license.time,
    lastEditTime: license.time,
  };
  const hasRoom = sql`(select count(*) from ${blogs} where ${blogs.organizationId} = ${writer.organizationId}) < ${LIMITS.blogs}`;
  const stored = eq(blogs.id, id);
  const outcome = await commit(writer, license, {
    action: "blogs.create",
    resourceId: id,
    blogId: id,
    where: sql`where ${joinAnd(hasRoom, "given" in blog.vanityId && sql`not ${isTaken(sql`${blog.vanityId.given}`)}`)}`,
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
    diagnose: sql<TakenBy>`select ${isOfDeleted(writer, "given" in blog.vanityId ? blog.vanityId.given : "")} as "deleted" where ${hasRoom}`,
  });
  if (outcome.refused) {
    const [taken] = outcome.diagnosis;
    throw taken === undefined ? new DomainError("blog_limit") : makeTakenError(taken);
  }
  return BLOG.toRecord(outcome.row);
}

/** Changes a blog and stores its event `blog.updated`. Throws `blog_forbidden`, `precondition_failed` and `vanity_id_taken`. */
export async function updateBlog(writer: Writer, change: BlogChange): Promise<Versioned<BlogRecord>> {
  const { vanityId } = change.fields;
  const claim = vanityId === undefined ? undefined : await writer.claim?.("vanity", [vanityId]);
  if (claim === null) throw new DomainError("vanity_id_taken");
  const write = changeBlog(writer, change);
  return claim === undefined ? write : releaseUnlessStored(claim, write);
}

async function changeBlog(writer: Writer, change: BlogChange): Promise<Versioned<BlogRecord>> {
  const license = makeLicense(writer);
  const { vanityId, locales, topicSources, topicRefresh, ...rest } = change.fields;
  const isIt = eq(blogs.id, change.id);
  const target = isOwnBlog(writer, change.id);
  const free =
    vanityId === undefined
      ? sql`1`
      : sql`(not exists (select 1 from ${blogs} ${others} where ${others.vanityId} = ${vanityId} and ${others.id} <> ${change.id})
          and not ${isListedName("vanity", vanityId, writer.organizationId)})`;
  const outcome = await commit(writer, license, {
    action: "blogs.update",
    resourceId: change.id,
    blogId: change.id,
    where: sql`from ${blogs} where ${joinAnd(target, free, ...matchVersion(blogs.version, change.ifMatch))}`,
    change: ({ held }) => ({
      returning: builder
        .update(blogs)
        .set({
          ...rest,
          vanityId,
          locales,
          topicSources,
          refreshDueTime: topicRefresh && computeDueTime(topicRefresh, license.time),
          version: license.id,
          lastEditTime: license.time,
        })
        .where(and(isIt, held))
        .returning(BLOG.fields),
      again: () => builder.select(BLOG.fields).from(blogs).where(isIt),
      // Feeds and the URLs of articles show its name, its cover and its vanityId, which another blog may take.
      after: [requestBlogPurge(writer, change.id, license, vanityId !== undefined)],
    }),
    changed: listChangedFields(change.fields),
    event: {
      kind: "blog.updated",
      blogId: sql`${blogs.id}`,
      data: BLOG.json(),
      from: sql`from ${blogs} where ${isIt}`,
    },
    answer: sql`(select ${BLOG.answer()} from ${blogs} where ${isIt})`,
    diagnose: sql<TakenBy & { rowVersion: string }>`select ${blogs.version} as "rowVersion",
      ${isOfDeleted(writer, vanityId ?? "")} as "deleted" from ${blogs} where ${target}`,
  });
  if (outcome.refused) {
    const [found] = outcome.diagnosis;
    // 403, not 404 (contract 5.5): a blog of another organization and an unknown blog must look the same.
    if (found === undefined) throw new DomainError("blog_forbidden");
    throw isStale(change.ifMatch, found.rowVersion) ? new DomainError("precondition_failed") : makeTakenError(found);
  }
  return BLOG.toRecord(outcome.row);
}

/** Returns the names of the fields that an update changes, on the row before it. */
const listChangedFields = (fields: BlogChange["fields"]): SQL =>
  listChanged({
    name: differsFrom(blogs.name, fields.name),
    vanityId: differsFrom(blogs.vanityId, fields.vanityId),
    coverUrl: differsFrom(blogs.coverUrl, fields.coverUrl),
    locales: differsFrom(blogs.locales, fields.locales),
    styleGuide: differsFrom(blogs.styleGuide, fields.styleGuide),
    topicSources: differsFrom(blogs.topicSources, fields.topicSources),
    topicRefresh: fields.topicRefresh && sql`${BLOG.members.topicRefresh} <> ${fields.topicRefresh}`,
  });

/**
 * Returns when the next daily refresh is due, as an SQL expression: NULL for "manual". The first one is due at once. If
 * the blog already has a due time, "daily" keeps it.
 */
const computeDueTime = (refresh: TopicRefresh, now: string): SQL =>
  refresh === "manual" ? sql`null` : sql`coalesce(${blogs.refreshDueTime}, ${now})`;

/** An alias for the blogs of all organizations: a vanityId is unique among them. */
const others = alias(blogs, "others");

type TakenBy = { readonly deleted: number };

/** Returns the condition that a vanityId is that of a deleted blog of the organization itself. */
const isOfDeleted = ({ organizationId }: Writer, vanityId: string): SQL =>
  sql`exists (select 1 from ${blogs} ${others} join ${hiddenBlogs} on ${hiddenBlogs.blogId} = ${others.id}
    where ${others.vanityId} = ${vanityId} and ${others.organizationId} = ${organizationId} and ${hiddenBlogs.reason} = 'deleted')`;

const makeTakenError = ({ deleted }: TakenBy): DomainError =>
  deleted === 0
    ? new DomainError("vanity_id_taken")
    : new DomainError(
        "vanity_id_taken",
        "A deleted blog of your organization has it. Restore that blog, delete it for good, or choose another one.",
        { worded: true },
      );

function isTaken(vanityId: SQL): SQL {
  return sql`(exists (select 1 from ${blogs} ${others} where ${others.vanityId} = ${vanityId})
    or ${isListedName("vanity", vanityId)})`;
}
