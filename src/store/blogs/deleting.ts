/** Deleted blogs (contract 5.9): hidden from everybody, until they are restored or deleted for good (system-erasing.ts). */
import { and, eq, sql, type SQL } from "drizzle-orm";
import { isStale, type IfMatch } from "../../domain/preconditions.ts";
import { DomainError } from "../../domain/errors.ts";
import { LIMITS } from "../../domain/limits.ts";
import { blogs, hiddenBlogs } from "../../schema/blogs.ts";
import { commit, makeLicense, type License, type Write } from "../core/commit.ts";
import { paginate, toPage, type Page, type PageQuery, type Versioned } from "../core/paging.ts";
import { matchVersion } from "../core/preconditions.ts";
import { isOwnBlog } from "../core/reach.ts";
import { defineResource, type RecordOf } from "../core/resource.ts";
import { builder, joinAnd, orm } from "../core/sql.ts";
import type { Writer } from "../core/writer.ts";
import { BLOG, type BlogRecord } from "./blogs.ts";
import { hideBlogs, showBlogs } from "./hiding.ts";

const DELETED = defineResource(
  {
    _id: blogs.id,
    name: blogs.name,
    vanityId: blogs.vanityId,
    deletionTime: hiddenBlogs.time,
    /** Until when it can be restored. */
    dueTime: sql<string>`strftime('%Y-%m-%dT%H:%M:%fZ', ${hiddenBlogs.time}, ${sql.raw(`'+${LIMITS.trashDays} days'`)})`,
  },
  hiddenBlogs.time,
);

export type DeletedBlogRecord = RecordOf<typeof DELETED>;

const isDeleted = ({ organizationId }: Writer): SQL =>
  sql`${hiddenBlogs.organizationId} = ${organizationId} and ${hiddenBlogs.reason} = 'deleted'`;

/** Returns a page of the deleted blogs, the last one first. Throws `invalid_cursor`. */
export async function listDeletedBlogs(writer: Writer, query: PageQuery): Promise<Page<DeletedBlogRecord>> {
  const page = paginate(query, hiddenBlogs.time, hiddenBlogs.blogId);
  const found = await orm(writer.db)
    .select(DELETED.fields)
    .from(hiddenBlogs)
    .innerJoin(blogs, eq(blogs.id, hiddenBlogs.blogId))
    .where(and(isDeleted(writer), page.from))
    .orderBy(...page.order)
    .limit(page.limit)
    .offset(page.offset);
  return toPage(query, found, DELETED.toRecord, ({ deletionTime, _id }) => ({ time: deletionTime, id: _id }));
}

/** Hides a blog until it is restored, and stores its event `blog.deleted`. Throws `blog_forbidden`, `precondition_failed`. */
export async function deleteBlog(writer: Writer, id: string, ifMatch: IfMatch | undefined): Promise<void> {
  const target = isOwnBlog(writer, id);
  const outcome = await commit(writer, makeLicense(writer), {
    action: "blogs.delete",
    resourceId: id,
    blogId: id,
    where: sql`from ${blogs} where ${joinAnd(target, ...matchVersion(blogs.version, ifMatch))}`,
    change: ({ held, time }) => hideBlogs("deleted", sql`${blogs.id} = ${id} and ${held}`, time),
    event: buildEvent("blog.deleted", id),
    answer: buildAnswer(id),
    diagnose: sql<{ rowVersion: string }>`select ${blogs.version} as "rowVersion" from ${blogs} where ${target}`,
  });
  if (!outcome.refused) return;
  const [found] = outcome.diagnosis;
  throw new DomainError(found && isStale(ifMatch, found.rowVersion) ? "precondition_failed" : "blog_forbidden");
}

const buildEvent = (kind: "blog.created" | "blog.deleted", id: string) => ({
  kind,
  blogId: sql`${blogs.id}`,
  data: BLOG.json(),
  from: sql`from ${blogs} where ${blogs.id} = ${id}`,
});

const buildAnswer = (id: string): SQL => sql`json_object('value', json_object('_id', ${id}))`;

/** Shows a deleted blog again, as it was, and stores its event `blog.created`. Throws `not_found`. */
export async function restoreBlog(writer: Writer, id: string): Promise<Versioned<BlogRecord>> {
  const stored = builder.select(BLOG.fields).from(blogs).where(eq(blogs.id, id));
  const row = await changeDeleted(writer, id, {
    action: "blogs.restore",
    change: ({ held }) => ({
      before: [showBlogs("deleted", sql`${hiddenBlogs.blogId} = ${id} and ${held}`)],
      returning: stored,
      again: () => stored,
    }),
    event: buildEvent("blog.created", id),
    answer: sql`(select ${BLOG.answer()} from ${blogs} where ${blogs.id} = ${id})`,
  });
  return BLOG.toRecord(row);
}

/** Ends the time in which a deleted blog can be restored. Throws `not_found`. */
export async function eraseBlog(writer: Writer, id: string): Promise<void> {
  await changeDeleted(writer, id, {
    action: "blogs.erase",
    change: ({ held }) => [
      builder
        .update(hiddenBlogs)
        .set({ reason: "erased" })
        .where(and(eq(hiddenBlogs.blogId, id), isDeleted(writer), held)),
    ],
    answer: buildAnswer(id),
  });
}

async function changeDeleted<Row>(
  writer: Writer,
  id: string,
  write: Pick<Write<Row>, "action" | "event" | "answer"> & {
    readonly change: (license: License) => ReturnType<Write<Row>["change"]>;
  },
): Promise<Row> {
  const outcome = await commit(writer, makeLicense(writer), {
    ...write,
    resourceId: id,
    blogId: id,
    where: sql`from ${hiddenBlogs} where ${hiddenBlogs.blogId} = ${id} and ${isDeleted(writer)}`,
  });
  if (outcome.refused) throw new DomainError("not_found", "There is no such deleted blog.");
  return outcome.row;
}
