import type { Image } from "../../ai/model.ts";
import { MEDIA_WIDTHS } from "../../domain/pictures.ts";
import { findUnownedMedia, forgetMedia } from "../../store/media/system-media.ts";
import type { Database } from "../../store/core/sql.ts";

/** Milliseconds after which a file without an owner is removed. Longer than any generation or upload. */
const PATIENCE_MS = 30 * 60_000;
/** The most keys in one R2 delete, and the keys of one file: the original and one for each width. */
const MOST_KEYS = 1000;
const KEYS = 1 + MEDIA_WIDTHS.length;
const MOST = 1000;

export type FileName = { readonly id: string; readonly organizationId: string };

/** Returns the R2 key of a file, or of its smaller width. The keys of an organization share a prefix. */
const makeKey = ({ id, organizationId }: FileName, width?: number): string =>
  `${organizationId}/${id}${width === undefined ? "" : `/${width}`}`;

/** Stores an image in R2. It is not served until it belongs to an article or a library (table `media`). */
export async function putFile(
  bucket: R2Bucket,
  name: FileName,
  { bytes, mediaType }: Pick<Image, "bytes"> & { readonly mediaType: string },
  width?: number,
): Promise<void> {
  await bucket.put(makeKey(name, width), bytes, { httpMetadata: { contentType: mediaType } });
}

/** Returns a stored file, or its smaller width. Null if R2 does not have it. */
export const getFile = (bucket: R2Bucket, name: FileName, width?: number): Promise<R2ObjectBody | null> =>
  bucket.get(makeKey(name, width));

export const removeSizes = (bucket: R2Bucket, name: FileName): Promise<void> =>
  bucket.delete(MEDIA_WIDTHS.map((width) => makeKey(name, width)));

/** Removes all files whose keys begin with this. */
export async function removeFiles(bucket: R2Bucket, prefix: string): Promise<void> {
  for (;;) {
    const { objects, truncated } = await bucket.list({ prefix });
    if (objects.length > 0) await bucket.delete(objects.map(({ key }) => key));
    if (!truncated) return;
  }
}

/** Removes files without an owner, first from R2 and then from D1. Returns how many, at most 1000. */
export async function removeUnownedFiles(db: Database, bucket: R2Bucket, now: Date): Promise<number> {
  const found = await findUnownedMedia(db, new Date(now.getTime() - PATIENCE_MS), MOST);
  if (found.length === 0) return 0;
  const perDelete = Math.floor(MOST_KEYS / KEYS);
  for (let from = 0; from < found.length; from += perDelete) {
    const some = found.slice(from, from + perDelete).map(({ fileId: id, organizationId }) => ({ id, organizationId }));
    await bucket.delete(some.flatMap((name) => [undefined, ...MEDIA_WIDTHS].map((width) => makeKey(name, width))));
  }
  await forgetMedia(
    db,
    found.map(({ id }) => id),
  );
  return found.length;
}
