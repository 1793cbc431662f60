/** Files of articles in R2. */
import type { Image } from "./ai/model.ts";
import { findUnownedMedia, forgetMedia } from "./store/generation/system-media.ts";
import type { Database } from "./store/core/sql.ts";

/** How long a file may wait for its article: longer than the longest generation. */
const PATIENCE_MS = 30 * 60_000;
/** Files that one run removes; R2 takes as many keys at once. */
const MOST = 1000;

type FileName = { readonly id: string; readonly organizationId: string };

/** The key of a file: an organization's files share their beginning. */
const keyOf = ({ id, organizationId }: FileName): string => `${organizationId}/${id}`;

/** Stores an image. It is served once an article has it (store, `media`). */
export async function putFile(bucket: R2Bucket, name: FileName, { bytes, mediaType }: Image): Promise<void> {
  await bucket.put(keyOf(name), bytes, { httpMetadata: { contentType: mediaType } });
}

/** A stored file, or null. */
export const getFile = (bucket: R2Bucket, name: FileName): Promise<R2ObjectBody | null> => bucket.get(keyOf(name));

/** Removes the files that no article has: first the files, then what is known of them. Returns their number. */
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
