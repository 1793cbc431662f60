/**
 * The queue of uploads that need smaller files. A message is only a hint: the rows say what to do, and for which upload
 * first. The sweep sends lost messages again.
 */
import { beginSizes, findUnsized, finishSizes, type Unsized } from "../../store/media/system-sizes.ts";
import { openFor, type Meter } from "../../meter.ts";
import { meterDatabase } from "../../store/core/metered.ts";
import type { Database } from "../../store/core/sql.ts";
import { getFile, putFile, removeSizes } from "./files.ts";
import { makeSizes, makeNoSizes } from "./sizes.ts";

export type SizeMessage = { readonly mediaId: string; readonly organizationId: string };

export type SizeRelay = {
  readonly db: Database;
  readonly meter: Meter;
  readonly bucket: R2Bucket;
  readonly sizes: Queue<SizeMessage>;
  /** Counts a quarter of a second for an organization. Resolves to false if it has used up its share of this minute. */
  readonly share: (organizationId: string) => Promise<boolean>;
  readonly now: () => Date;
  readonly log: (entry: Readonly<Record<string, unknown>>) => void;
};

/** Milliseconds after which the message about an upload without smaller files is sent again. */
const PATIENCE_MS = 5 * 60_000;
/** The most messages that one sweep sends: one queue batch. */
const MOST = 100;

/** An organization has `RATES.sizeQuarters` of these in a minute, pauses included. */
const QUARTER_MS = 250;

/**
 * Makes the smaller files of an upload for each message. Logs errors; the sweep sends the message again. If an
 * organization has used up its share, its message comes again after a minute.
 */
export async function consumeSizes(shared: SizeRelay, batch: MessageBatch<SizeMessage>): Promise<void> {
  for (const message of batch.messages) {
    const { mediaId, organizationId } = message.body;
    const { db, meter, share, log } = shared;
    let rowsWritten = 0;
    const began = Date.now();
    let begun: Unsized | null = null;
    try {
      if (!(await share(organizationId))) {
        message.retry({ delaySeconds: 60 });
        continue;
      }
      begun = await beginSizes(
        meterDatabase(db, (rows) => (rowsWritten += rows)),
        mediaId,
      );
      if (begun === null) continue;
      meter.count(begun.organizationId, { rowsWritten });
      await sizeUpload(openFor(shared, begun.organizationId), begun);
      for (let used = Date.now() - began; used > QUARTER_MS; used -= QUARTER_MS) await share(begun.organizationId);
    } catch (error) {
      log({ level: "error", message: "sizes failed", media: begun?.id ?? mediaId, error });
    }
  }
}

async function sizeUpload({ db, bucket, meter }: SizeRelay, { id, fileId, organizationId }: Unsized): Promise<void> {
  const name = { id: fileId, organizationId };
  const file = await getFile(bucket, name);
  if (file === null) return;
  const making = makeSizes(new Uint8Array(await file.arrayBuffer()));
  const { files, reason, blurHash } = await making.catch(() => makeNoSizes("undecodable"));
  meter.count(organizationId, { pictureOperations: files.length });
  for (const { width, bytes } of files) await putFile(bucket, name, { bytes, mediaType: "image/webp" }, width);
  const sizes = reason === null ? files.map(({ width }) => width) : [reason];
  const isNoted = await finishSizes(db, { id, fileId }, { sizes, blurHash });
  // The upload was replaced or deleted meanwhile, and the sweep may have run before these files were stored.
  if (!isNoted) await removeSizes(bucket, name);
}

/** Sends messages again for uploads without smaller files, at most 100. */
export async function sweepSizes({ db, sizes, now }: SizeRelay): Promise<void> {
  const waiting = await findUnsized(db, new Date(now().getTime() - PATIENCE_MS), MOST);
  if (waiting.length > 0) await sizes.sendBatch(waiting.map((body) => ({ body })));
}
