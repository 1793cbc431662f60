/**
 * The queue of uploads whose smaller files are to be made. A message is a hint: the rows say whether there is something to do,
 * and for which upload first; the sweep sends again what was lost.
 */
import { beginSizes, findUnsized, finishSizes, type Unsized } from "../store/media/system-sizes.ts";
import type { Database } from "../store/core/sql.ts";
import { getFile, putFile, removeSizes } from "./files.ts";
import { makeSizes, type Sizes } from "./sizes.ts";

export type SizeMessage = { readonly mediaId: string };

export type SizeRelay = {
  readonly db: Database;
  readonly bucket: R2Bucket;
  readonly sizes: Queue<SizeMessage>;
  readonly now: () => Date;
  readonly log: (entry: Readonly<Record<string, unknown>>) => void;
};

/** After this time without smaller files, the message about an upload is sent again. */
const PATIENCE_MS = 5 * 60_000;
/** Messages that one sweep sends: one queue batch. */
const MOST = 100;

/** Makes the smaller files of an upload for each message of a batch. One that fails is logged, and sent again by the sweep. */
export async function consumeSizes(relay: SizeRelay, batch: MessageBatch<SizeMessage>): Promise<void> {
  for (const { body } of batch.messages) {
    let begun: Unsized | null = null;
    try {
      begun = await beginSizes(relay.db, body.mediaId);
      if (begun !== null) await sizeUpload(relay, begun);
    } catch (error) {
      relay.log({ level: "error", message: "sizes failed", media: begun?.id ?? body.mediaId, error });
    }
  }
}

async function sizeUpload({ db, bucket }: SizeRelay, { id, fileId, organizationId }: Unsized): Promise<void> {
  const name = { id: fileId, organizationId };
  const file = await getFile(bucket, name);
  if (file === null) return;
  const { files, blurHash } = await makeSizes(new Uint8Array(await file.arrayBuffer())).catch(nothing);
  for (const { width, bytes } of files) await putFile(bucket, name, { bytes, mediaType: "image/webp" }, width);
  const widths = files.map(({ width }) => width);
  const isNoted = await finishSizes(db, { id, fileId, widths, blurHash });
  // It was replaced or deleted meanwhile, and the sweep may have been here already.
  if (!isNoted) await removeSizes(bucket, name);
}

/** A picture that no codec can decode is served as it is. */
const nothing = (): Sizes => ({ files: [], blurHash: null });

/** Sends messages about uploads without smaller files again, at most 100. */
export async function sweepSizes({ db, sizes, now }: SizeRelay): Promise<void> {
  const ids = await findUnsized(db, new Date(now().getTime() - PATIENCE_MS), MOST);
  if (ids.length > 0) await sizes.sendBatch(ids.map((mediaId) => ({ body: { mediaId } })));
}
