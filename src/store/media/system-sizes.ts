/** The smaller files of the uploads of all organizations: which uploads need them, and which have them. */
import { and, eq, lt, sql } from "drizzle-orm";
import { isActive } from "../core/suspension.ts";
import { orm, type Database } from "../core/sql.ts";
import { media } from "../../schema/media.ts";
import { FILE } from "./system-media.ts";

/** How often making the smaller files of an image is begun. An image that crashes its isolate each time is given up. */
const MOST_TRIES = 3;

const isUnsized = sql`${media.library} = 1 and ${media.sizes} is null and ${isActive(media.organizationId)}`;

/** An upload whose smaller files are being made. */
export type Unsized = { readonly id: string; readonly organizationId: string; readonly fileId: string };

/** How many of the newest waiting uploads are considered: as many as an organization can send in more than a minute. */
const MOST_WAITING = 2000;

/**
 * Counts an attempt to make the smaller files of a waiting upload, and returns the upload. It takes one with the fewest
 * attempts; of these, one of the organization with the fewest waiting, so that an import of thousands holds up nobody
 * else; and of these, the one that the message named (`id`). Returns null if none waits, or if this one was begun too
 * often: then it waits no longer.
 */
export async function beginSizes(db: Database, id: string): Promise<Unsized | null> {
  const waiting = sql`select id, organization_id, size_tries, last_edit_time from ${media} where ${isUnsized}
    order by ${media.lastEditTime} desc limit ${MOST_WAITING}`;
  const next = sql`select id from (select id, size_tries, last_edit_time, count(*) over (partition by organization_id) as beside
    from (${waiting})) order by size_tries, beside, id = ${id} desc, last_edit_time limit 1`;
  const [begun] = await orm(db)
    .update(media)
    .set({
      sizeTries: sql`${media.sizeTries} + 1`,
      sizes: sql`case when ${media.sizeTries} >= ${MOST_TRIES} then '["undecodable"]' end`,
    })
    .where(sql`${media.id} = (${next})`)
    .returning({ id: media.id, organizationId: media.organizationId, fileId: FILE, sizes: media.sizes });
  return begun === undefined || begun.sizes !== null ? null : begun;
}

/**
 * Records the widths of an upload's smaller files, or why it has none. May run twice, because two consumers may have
 * made the same files. Returns false if the upload has another file by now, or is gone.
 */
export async function finishSizes(
  db: Database,
  { id, fileId }: Pick<Unsized, "id" | "fileId">,
  made: Pick<typeof media.$inferSelect, "sizes" | "blurHash">,
): Promise<boolean> {
  const noted = await orm(db)
    .update(media)
    .set(made)
    .where(and(eq(media.id, id), eq(media.library, 1), sql`${FILE} = ${fileId}`))
    .returning({ id: media.id });
  return noted.length > 0;
}

/** Returns uploads without smaller files that were stored before a time: their message was lost. */
export const findUnsized = (db: Database, before: Date, most: number) =>
  orm(db)
    .select({ mediaId: media.id, organizationId: media.organizationId })
    .from(media)
    .where(and(isUnsized, lt(media.lastEditTime, before.toISOString())))
    .orderBy(media.lastEditTime)
    .limit(most);
