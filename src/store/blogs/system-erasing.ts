/** Deletes blogs for good, in portions: with all rows and files that belong to one. The sweep runs it. */
import { and, eq, lt, sql } from "drizzle-orm";
import { LIMITS } from "../../domain/limits.ts";
import { DAY_MS } from "../../lib/time.ts";
import { hiddenBlogs } from "../../schema/blogs.ts";
import { imports } from "../../schema/imports.ts";
import { isActive } from "../core/suspension.ts";
import { bindD1 } from "../export/database.ts";
import { emptyLastEvent, PORTION, type Left } from "../export/removing.ts";
import { orm, queryRows, runTransaction, type Database } from "../core/sql.ts";

export type ErasedBlog = { readonly blogId: string; readonly organizationId: string };

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

/** Each table with rows of a blog, and its key; those that refer to others first. Foreign keys delete the rest. */
export const PARTS: Readonly<Record<string, string>> = {
  imports: "id",
  articles: "id",
  slug_terms: "blog_id, slug, kind, term_id",
  terms: "id",
  redirects: "id",
  contacts: "id",
  contact_requests: "id",
  topic_items: "blog_id, url_key",
  topics: "id",
  topic_source_states: "blog_id, source_key",
  topic_refreshes: "id",
  site_hosts: "blog_id, host",
  blogs: "id",
};

/**
 * Deletes the rows of a blog, its own row last. Returns false once no portion is left: the rest is for the next run.
 */
export async function eraseRows(db: Database, blog: ErasedBlog, left: Left): Promise<boolean> {
  await releaseRows(db, blog);
  for (;;) {
    if (left.portions-- <= 0) return false;
    if ((await eraseEvents(db, blog)) < PORTION) break;
  }
  for (const [table, key] of Object.entries(PARTS)) {
    const where = sql`${sql.raw(table === "blogs" ? "id" : "blog_id")} = ${blog.blogId}`;
    for (;;) {
      if (left.portions-- <= 0) return false;
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

/** Leaves the articles in the trash to its sweep, and the uploads of the blog to that of files without an owner. */
async function releaseRows(db: Database, { blogId, organizationId }: ErasedBlog): Promise<void> {
  const ofBlog = [organizationId, blogId];
  await bindD1(db).execute([
    { sql: "update trash set due_time = '' where organization_id = ?1 and blog_id = ?2", values: ofBlog },
    // "library = 1" is the condition of the indexes.
    { sql: "update media set library = 0 where library = 1 and organization_id = ?1 and blog_id = ?2", values: ofBlog },
    emptyLastEvent(organizationId, blogId),
  ]);
}

/**
 * Deletes a portion of the blog's events with their deliveries. Returns how many events. Deliveries of subscriptions that
 * were deleted are left to retention.ts.
 */
async function eraseEvents(db: Database, { blogId, organizationId }: ErasedBlog): Promise<number> {
  const next = sql`select seq, id from events indexed by events_feed
    where organization_id = ${organizationId} and kind <> 'ping' and blog_id = ${blogId} order by seq limit ${PORTION}`;
  const { deleted } = await runTransaction(db, {
    deliveries: sql`delete from deliveries where event_id in (select id from (${next})) and subscription_id in
      (select id from webhook_subscriptions where organization_id = ${organizationId} and (blog_id is null or blog_id = ${blogId}))`,
    deadLetters: sql`delete from dead_letters where event_id in (select id from (${next}))`,
    deleted: sql`delete from events where seq in (select seq from (${next})) returning 1`,
  });
  return deleted.length;
}
