/** Files in R2 of all organizations: for readers and for the sweep. */
import { and, eq, isNotNull, isNull, lt, or, sql } from "drizzle-orm";
import type { NoSizes } from "../../domain/pictures.ts";
import { articles } from "../../schema/articles.ts";
import { hiddenBlogs } from "../../schema/blogs.ts";
import { generationAnswers } from "../../schema/generation.ts";
import { media } from "../../schema/media.ts";
import { isHere, isSuspended } from "../core/suspension.ts";
import { joinAnd, isAmong, orm, queryRows, runTransaction, type Database } from "../core/sql.ts";

export type StoredMedia = {
  readonly organizationId: string;
  readonly mediaType: string;
  readonly fileId: string;
  /** Null for an upload. */
  readonly articleId: string | null;
  readonly sha256: string | null;
  readonly bytes: number;
  readonly width: number | null;
  /** Widths of the smaller files of an upload, or why there are none; null until that is known. */
  readonly sizes: readonly (number | NoSizes)[] | null;
};

/** An SQL expression for the name of the file in R2: an upload gets a new one with each replacement. */
export const FILE = sql<string>`coalesce(${media.fileId}, ${media.id})`;

/**
 * The condition that a file belongs to a suspended organization or a hidden blog: an upload may have no blog. While the organization has no hidden
 * blog, no article is read.
 */
const IS_HIDDEN = sql`(${isSuspended(media.organizationId)} or exists (select 1 from ${hiddenBlogs} where ${hiddenBlogs.organizationId} = ${media.organizationId}
  and ${hiddenBlogs.blogId} = coalesce((select ${articles.blogId} from ${articles} where ${articles.id} = ${media.articleId}), ${media.blogId})))`;

/** Returns a file that belongs to an article or to a library, and to nothing hidden; null if there is none with this id. */
export async function findServedMedia(db: Database, id: string): Promise<StoredMedia | null> {
  const { organizationId, articleId, mediaType, sha256, bytes, width, sizes } = media;
  const [file] = await orm(db)
    .select({ organizationId, articleId, mediaType, sha256, bytes, width, sizes, fileId: FILE })
    .from(media)
    .where(and(eq(media.id, id), or(isNotNull(articleId), eq(media.library, 1)), sql`not ${IS_HIDDEN}`));
  return file ?? null;
}

// A literal instead of a parameter: otherwise SQLite cannot use the partial index. The query must also name the index:
// SQLite would read all uploads, which have no article either.
const isUnowned = and(isNull(media.articleId), sql`${media.library} = 0`);

/** A generation may still go on with an image. */
const isKept = sql`exists (select 1 from ${generationAnswers} where ${generationAnswers.mediaId} = ${media.id})`;

/** A file of no article and no library. */
export type UnownedMedia = { readonly id: string; readonly organizationId: string; readonly fileId: string };

/** Returns unowned files that were recorded before a time: at most `most`, oldest first. */
export const findUnownedMedia = (db: Database, before: Date, most: number): Promise<UnownedMedia[]> =>
  queryRows<UnownedMedia>(
    db,
    sql`select ${media.id} as "id", ${media.organizationId} as "organizationId", ${FILE} as "fileId"
      from ${media} indexed by media_unowned
      where ${joinAnd(isUnowned, sql`not ${isKept}`, lt(media.creationTime, before.toISOString()), isHere(media.organizationId))}
      order by ${media.creationTime} limit ${most}`,
  );

/** Deletes the rows of files that were deleted from R2. Keeps the row of a file that has got an owner meanwhile. */
export async function forgetMedia(db: Database, ids: readonly string[]): Promise<void> {
  const unowned = and(isAmong(media.id, ids), isUnowned);
  await runTransaction(db, { forgotten: orm(db).delete(media).where(unowned) });
}
