/** Stores the files of articles in R2. */
import type { Image } from "./ai/model.ts";
import { findUnownedMedia, forgetMedia } from "./store/generation/system-media.ts";
import type { Database } from "./store/core/sql.ts";

/** A file without an article is removed after this time. It is longer than the longest generation. */
const PATIENCE_MS = 30 * 60_000;
/** Maximum files that one run removes. It is also the maximum number of keys in one R2 delete. */
const MOST = 1000;

type FileName = { readonly id: string; readonly organizationId: string };

/** Returns the R2 key of a file. The keys of an organization's files share a prefix. */
const keyOf = ({ id, organizationId }: FileName): string => `${organizationId}/${id}`;

/** Stores an image in R2. It is not served until it belongs to an article (table `media`). */
export async function putFile(bucket: R2Bucket, name: FileName, { bytes, mediaType }: Image): Promise<void> {
  await bucket.put(keyOf(name), bytes, { httpMetadata: { contentType: mediaType } });
}

/** Returns a stored file, or null if R2 has none. */
export const getFile = (bucket: R2Bucket, name: FileName): Promise<R2ObjectBody | null> => bucket.get(keyOf(name));

/**
 * Removes files that belong to no article: first from R2, then their rows in D1. Returns the number of files, at most
 * 1000.
 */
export async function removeUnowned(db: Database, bucket: R2Bucket, now: Date): Promise<number> {
  const found = await findUnownedMedia(db, new Date(now.getTime() - PATIENCE_MS), MOST);
  if (found.length === 0) return 0;
  await bucket.delete(found.map(keyOf));
  await forgetMedia(
    db,
    found.map(({ id }) => id),
  );
  return found.length;
}
