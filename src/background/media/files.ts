/** Stores the files of articles and of libraries in R2. */
import type { Image } from "../../ai/model.ts";
import { MEDIA_WIDTHS } from "../../domain/pictures.ts";
import { findUnownedMedia, forgetMedia } from "../../store/media/system-media.ts";
import type { Database } from "../../store/core/sql.ts";

/** A file that nobody has is removed after this time. It is longer than the longest generation, and any upload. */
const PATIENCE_MS = 30 * 60_000;
/** Maximum number of keys in one R2 delete, and of those a file has: the original and one for each width. */
const MOST_KEYS = 1000;
const KEYS = 1 + MEDIA_WIDTHS.length;
/** Maximum files that one run removes. */
const MOST = 1000;

export type FileName = { readonly id: string; readonly organizationId: string };

/** Returns the R2 key of a file, in a smaller width where one is given. The keys of an organization share a prefix. */
const keyOf = ({ id, organizationId }: FileName, width?: number): string =>
  `${organizationId}/${id}${width === undefined ? "" : `/${width}`}`;

/** Stores an image in R2. It is not served until it belongs to an article or a library (table `media`). */
export async function putFile(
  bucket: R2Bucket,
  name: FileName,
  { bytes, mediaType }: Pick<Image, "bytes"> & { readonly mediaType: string },
  width?: number,
): Promise<void> {
  await bucket.put(keyOf(name, width), bytes, { httpMetadata: { contentType: mediaType } });
}

/** Returns a stored file, in a smaller width where one is given, or null if R2 has none. */
export const getFile = (bucket: R2Bucket, name: FileName, width?: number): Promise<R2ObjectBody | null> =>
  bucket.get(keyOf(name, width));

/** Deletes the smaller files of a file. */
export const removeSizes = (bucket: R2Bucket, name: FileName): Promise<void> =>
  bucket.delete(MEDIA_WIDTHS.map((width) => keyOf(name, width)));

/**
 * Removes files that nobody has: first from R2, then their rows in D1. Returns the number of files, at most 1000.
 */
export async function removeUnowned(db: Database, bucket: R2Bucket, now: Date): Promise<number> {
  const found = await findUnownedMedia(db, new Date(now.getTime() - PATIENCE_MS), MOST);
  if (found.length === 0) return 0;
  const perDelete = Math.floor(MOST_KEYS / KEYS);
  for (let from = 0; from < found.length; from += perDelete) {
    const some = found.slice(from, from + perDelete).map(({ fileId: id, organizationId }) => ({ id, organizationId }));
    await bucket.delete(some.flatMap((name) => [undefined, ...MEDIA_WIDTHS].map((width) => keyOf(name, width))));
  }
  await forgetMedia(
    db,
    found.map(({ id }) => id),
  );
  return found.length;
}
