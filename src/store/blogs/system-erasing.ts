/** Deletes blogs for good, in portions: with all rows and files that belong to one. The sweep runs it. */
import { and, eq, lt, sql, type SQL } from "drizzle-orm";
import { LIMITS } from "../../domain/limits.ts";
import { newId } from "../../lib/ids.ts";
import { DAY_MS } from "../../lib/time.ts";
import { hiddenBlogs } from "../../schema/blogs.ts";
import { imports } from "../../schema/imports.ts";
import { isActive } from "../core/suspension.ts";
import { orm, queryRows, runTransaction, type Database } from "../core/sql.ts";

export type ErasedBlog = { readonly blogId: string; readonly organizationId: string };

/** Rows of one statement: few, because triggers and foreign keys delete more, and D1 does nothing else meanwhile. */
const PORTION = 100;
/** How many statements of a run delete rows. An invocation may make 1,000 queries. */
export const MOST_STATEMENTS = 500;

/**
 * Returns the blog that has been erased longest, and erases those whose time to be restored is over; null if there is none. Leaves out
 * those of suspended organizations.
 */
export async function findErasedBlog(db: Database, now: Date): Promise<ErasedBlog | null> {
  const before = new Date(now.getTime() - LIMITS.trashDays * DAY_MS).toISOString();
  await orm(db)
    .update(hiddenBlogs)
    .set({ reason: "erased" })
    .where(and(eq(hiddenBlogs.reason, "deleted"), lt(hiddenBlogs.time, before), isActive(hiddenBlogs.organizationId)));
  const [found] = await orm(db)
    .select({ blogId: hiddenBlogs.blogId, organizationId: hiddenBlogs.organizationId })
    .from(hiddenBlogs)
    .where(and(eq(hiddenBlogs.reason, "erased"), isActive(hiddenBlogs.organizationId)))
    .orderBy(hiddenBlogs.time)
    .limit(1);
  return found ?? null;
}

/** Returns the imports of a blog, whose files are in R2. */
export const listImportsOf = (db: Database, { blogId }: ErasedBlog) =>
  orm(db)
    .select({ id: imports.id, organizationId: imports.organizationId })
    .from(imports)
    .where(eq(imports.blogId, blogId));

/** Each table with rows of a blog, its key, and which they are; those that refer to others first. Foreign keys delete the rest. */
const makeParts = ({ blogId }: ErasedBlog): readonly (readonly [string, string, SQL])[] => {
  const ofBlog = sql`blog_id = ${blogId}`;
  return [
    ["imports", "id", ofBlog],
    ["articles", "id", ofBlog],
    ["slug_terms", "blog_id, slug, kind, term_id", ofBlog],
    ["terms", "id", ofBlog],
    ["redirects", "id", ofBlog],
    ["contacts", "id", ofBlog],
    ["contact_requests", "id", ofBlog],
    ["topic_items", "blog_id, url_key", ofBlog],
    ["topics", "id", ofBlog],
    ["topic_source_states", "blog_id, source_key", ofBlog],
    ["topic_refreshes", "id", ofBlog],
    ["site_hosts", "blog_id, host", ofBlog],
    ["blogs", "id", sql`id = ${blogId}`],
  ];
};

/**
 * Deletes the rows of a blog, its own row last. Counts its statements in `left`. Returns false once none is left: the rest is
 * for the next run.
 */
export async function eraseRows(db: Database, blog: ErasedBlog, left: { statements: number }): Promise<boolean> {
  await releaseRows(db, blog);
  for (;;) {
    if (left.statements-- <= 0) return false;
    if ((await eraseEvents(db, blog)) < PORTION) break;
  }
  for (const [table, key, where] of makeParts(blog)) {
    for (;;) {
      if (left.statements-- <= 0) return false;
      const deleted = await queryRows(
        db,
        sql`delete from ${sql.raw(table)} where (${sql.raw(key)}) in
          (select ${sql.raw(key)} from ${sql.raw(table)} where ${where} limit ${PORTION}) returning 1`,
      );
      if (deleted.length < PORTION) break;
    }
  }
  return true;
}

/**
 * Leaves the articles in the trash to its sweep, and the uploads of the blog to that of files without an owner. The last event of all stays, with nothing of the
 * blog: the next one would get its number (schema/webhooks.ts).
 */
async function releaseRows(db: Database, { blogId, organizationId }: ErasedBlog): Promise<void> {
  await db.batch([
    db.prepare("update trash set due_time = '' where blog_id = ?1").bind(blogId),
    // "library = 1" is the condition of the indexes.
    db
      .prepare("update media set library = 0 where library = 1 and organization_id = ?1 and blog_id = ?2")
      .bind(organizationId, blogId),
    db
      .prepare(
        `update events set id = ?3, organization_id = '', blog_id = null, kind = 'ping', data = '{}',
           fan_out_time = coalesce(fan_out_time, creation_time)
         where organization_id = ?1 and blog_id = ?2 and seq = (select max(seq) from events)`,
      )
      .bind(organizationId, blogId, newId()),
  ]);
}

/** Deletes a portion of the blog's events with their deliveries. Returns how many events. */
async function eraseEvents(db: Database, { blogId, organizationId }: ErasedBlog): Promise<number> {
  const next = sql`select seq, id from events indexed by events_feed
    where organization_id = ${organizationId} and kind <> 'ping' and blog_id = ${blogId} order by seq limit ${PORTION}`;
  const { deleted } = await runTransaction(db, {
    deliveries: sql`delete from deliveries where event_id in (select id from (${next}))`,
    deadLetters: sql`delete from dead_letters where event_id in (select id from (${next}))`,
    deleted: sql`delete from events where seq in (select seq from (${next})) returning 1`,
  });
  return deleted.length;
}
