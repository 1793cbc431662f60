/** Files in R2 of all organizations: for readers and for the sweep. */
import { and, eq, isNotNull, isNull, lt, sql } from "drizzle-orm";
import { media } from "./schema.ts";
import { isOneOf, orm, transaction, type Database } from "../core/sql.ts";

export type StoredMedia = Pick<typeof media.$inferSelect, "organizationId" | "mediaType"> & {
  readonly articleId: string;
};

/** Returns a file that belongs to an article, or null if there is none with this id. */
export async function findMedia(db: Database, id: string): Promise<StoredMedia | null> {
  const { organizationId, articleId, mediaType } = media;
  const [file] = await orm(db)
    .select({ organizationId, articleId: sql<string>`${articleId}`, mediaType })
    .from(media)
    .where(and(eq(media.id, id), isNotNull(articleId)));
  return file ?? null;
}

/** Returns files that belong to no article and were recorded before a time: at most `most`, oldest first. */
export async function findUnownedMedia(
  db: Database,
  before: Date,
  most: number,
): Promise<{ id: string; organizationId: string }[]> {
  return orm(db)
    .select({ id: media.id, organizationId: media.organizationId })
    .from(media)
    .where(and(isNull(media.articleId), lt(media.creationTime, before.toISOString())))
    .orderBy(media.creationTime)
    .limit(most);
}

/** Deletes the rows of files that were deleted from R2. Keeps the row of a file that an article has taken meanwhile. */
export async function forgetMedia(db: Database, ids: readonly string[]): Promise<void> {
  const unowned = and(isOneOf(media.id, ids), isNull(media.articleId));
  await transaction(db, { forgotten: orm(db).delete(media).where(unowned) });
}
