/** An organization's blogs. */
import { sql, type SQL } from "drizzle-orm";
import { DomainError } from "../../errors.ts";
import { newId } from "../../lib/ids.ts";
import { LIMITS } from "../../domain/limits.ts";
import type { TopicSource } from "../../domain/topic-source.ts";
import { commit, newLicence, type Writer } from "../core/commit.ts";
import type { Page, Versioned } from "../core/paging.ts";
import { firstFree, holds, refusal, type Optional, type Preconditions } from "../core/preconditions.ts";
import { blogs } from "./schema.ts";
import { all, assignments, firstRow, insertInto, jsonObject, returned, rows } from "../core/sql.ts";

/** A blog (contract 5.1). */
export type BlogRecord = {
  _id: string;
  name: string;
  vanityId: string;
  coverUrl: string;
  locales: string[];
  topicSources: TopicSource[];
  topicRefresh: TopicRefresh;
  creationTime: string;
  lastEditTime: string;
};

/** When a blog's sources are read: on request, or once a day besides. */
export type TopicRefresh = "manual" | "daily";

type BlogRow = Omit<BlogRecord, "locales" | "topicSources" | "topicRefresh"> & {
  locales: string;
  topicSources: string;
  refreshDueTime: string | null;
  rowVersion: string;
};

export type NewBlog = {
  readonly name: string;
  readonly coverUrl: string;
  readonly locales: readonly string[];
  /** A vanityId that must be free, or one to be made free with a suffix. */
  readonly vanityId: { readonly given: string } | { readonly derived: string };
};

type Writable = "name" | "vanityId" | "coverUrl" | "locales" | "topicSources" | "topicRefresh";

export type BlogChange = Preconditions<ReadOnly> & {
  readonly id: string;
  readonly fields: Optional<Pick<BlogRecord, Writable>>;
};

const COLUMNS = {
  _id: blogs.id,
  name: blogs.name,
  vanityId: blogs.vanityId,
  coverUrl: blogs.coverUrl,
  locales: blogs.locales,
  topicSources: blogs.topicSources,
  refreshDueTime: blogs.refreshDueTime,
  creationTime: blogs.creationTime,
  lastEditTime: blogs.lastEditTime,
} as const;

const RETURNED = returned(COLUMNS, blogs.version);

const { refreshDueTime, ...SHOWN } = COLUMNS;
const blogJson = jsonObject({
  ...SHOWN,
  locales: sql`json(${blogs.locales})`,
  topicSources: sql`json(${blogs.topicSources})`,
  topicRefresh: sql`case when ${refreshDueTime} is null then 'manual' else 'daily' end`,
});
const answer = jsonObject({ value: blogJson, version: sql`${blogs.version}` });

function toBlog({
  rowVersion,
  refreshDueTime: due,
  creationTime,
  lastEditTime,
  ...row
}: BlogRow): Versioned<BlogRecord> {
  const value = {
    ...row,
    locales: JSON.parse(row.locales) as string[],
    topicSources: JSON.parse(row.topicSources) as TopicSource[],
    topicRefresh: due === null ? ("manual" as const) : ("daily" as const),
    creationTime,
    lastEditTime,
  };
  return { value, version: rowVersion };
}

/** All blogs that the caller may touch, oldest first. */
export async function listBlogs(writer: Writer): Promise<Page<BlogRecord>> {
  const found = await rows<BlogRow>(
    writer.db,
    sql`select ${RETURNED} from ${blogs} where ${own(writer)} order by creation_time, id`,
  );
  return { items: found.map(toBlog), next: undefined };
}

/** A blog that the caller may touch, or null. */
export async function findBlog(writer: Writer, id: string): Promise<Versioned<BlogRecord> | null> {
  const row = await firstRow<BlogRow>(
    writer.db,
    sql`select ${RETURNED} from ${blogs} where ${all(sql`id = ${id}`, own(writer))}`,
  );
  return row && toBlog(row);
}

/** Stores a new blog with its `blog.created`, if the organization has room for one more. */
export async function createBlog(writer: Writer, blog: NewBlog): Promise<Versioned<BlogRecord>> {
  const licence = newLicence(writer);
  const id = newId();
  const { into, values } = insertInto(blogs, {
    id,
    organizationId: writer.organizationId,
    name: blog.name,
    vanityId: "given" in blog.vanityId ? blog.vanityId.given : firstFree(blog.vanityId.derived, id, taken),
    coverUrl: blog.coverUrl,
    locales: JSON.stringify(blog.locales),
    version: licence.id,
    creationTime: licence.time,
    lastEditTime: licence.time,
  });
  const hasRoom = sql`(select count(*) from ${blogs} where organization_id = ${writer.organizationId}) < ${LIMITS.blogs}`;
  const outcome = await commit(writer, licence, {
    action: "blogs.create",
    resourceId: id,
    blogId: id,
    where: sql`where ${all(hasRoom, "given" in blog.vanityId && sql`not ${taken(sql`${blog.vanityId.given}`)}`)}`,
    change: ({ held }) => ({ returning: sql<BlogRow>`${into} select ${values} where ${held} returning ${RETURNED}` }),
    event: { kind: "blog.created", blogId: sql`id`, data: blogJson, from: sql`from ${blogs} where id = ${id}` },
    answer: sql`(select ${answer} from ${blogs} where id = ${id})`,
    diagnose: sql`select 1 where ${hasRoom}`,
  });
  if (outcome.refused) throw new DomainError(outcome.diagnosis.length > 0 ? "vanity_id_taken" : "blog_limit");
  return toBlog(outcome.row);
}

/** Changes the given members of a blog. */
export async function updateBlog(writer: Writer, change: BlogChange): Promise<Versioned<BlogRecord>> {
  const licence = newLicence(writer);
  const { vanityId, locales, topicSources, topicRefresh, ...texts } = change.fields;
  const target = all(sql`${blogs.id} = ${change.id}`, own(writer));
  const free =
    vanityId === undefined
      ? sql`1`
      : sql`not exists (select 1 from ${blogs} x where x.vanity_id = ${vanityId} and x.id <> ${change.id})`;
  const outcome = await commit(writer, licence, {
    action: "blogs.update",
    resourceId: change.id,
    blogId: change.id,
    where: sql`from ${blogs} where ${all(target, free, ...holds(change, blogs.version, READ_ONLY_COLUMNS))}`,
    change: ({ held }) => ({
      returning: sql<BlogRow>`update ${blogs} set ${assignments(blogs, {
        ...texts,
        vanityId,
        locales: locales && JSON.stringify(locales),
        topicSources: topicSources && JSON.stringify(topicSources),
        refreshDueTime: topicRefresh && dueTime(topicRefresh, licence.time),
        version: licence.id,
        lastEditTime: licence.time,
      })} where ${all(sql`id = ${change.id}`, held)} returning ${RETURNED}`,
    }),
    answer: sql`(select ${answer} from ${blogs} where id = ${change.id})`,
    diagnose: sql<BlogRow>`select ${RETURNED} from ${blogs} where ${target}`,
  });
  if (outcome.refused) throw updateRefusal(outcome.diagnosis[0], change);
  return toBlog(outcome.row);
}

/** The first daily refresh is due at once; asking for it again does not move it. */
const dueTime = (refresh: TopicRefresh, now: string): SQL =>
  refresh === "manual" ? sql`null` : sql`coalesce(refresh_due_time, ${now})`;

type ReadOnly = Pick<BlogRecord, "_id" | "creationTime" | "lastEditTime">;

const READ_ONLY_COLUMNS = {
  _id: blogs.id,
  creationTime: blogs.creationTime,
  lastEditTime: blogs.lastEditTime,
} as const;

function updateRefusal(found: BlogRow | undefined, change: BlogChange): DomainError {
  // 403, not 404 (contract 5.5): an unknown blog must look the same.
  if (found === undefined) return new DomainError("blog_forbidden");
  return refusal(change, found) ?? new DomainError("vanity_id_taken");
}

/** What the writer may touch: its organization's blogs, for a pinned credential one. */
function own(writer: Writer): SQL {
  return all(
    sql`${blogs.organizationId} = ${writer.organizationId}`,
    writer.pinnedBlogId !== null && sql`${blogs.id} = ${writer.pinnedBlogId}`,
  );
}

function taken(vanityId: SQL): SQL {
  return sql`exists (select 1 from ${blogs} x where x.vanity_id = ${vanityId})`;
}
