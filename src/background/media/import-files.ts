/** The files of imports in R2, and the articles that were read from them. None of them is served. */
import { IMPORT_LIMITS, type ImportFile } from "../../domain/imports.ts";
import { DomainError } from "../../domain/errors.ts";
import { removeFiles } from "./files.ts";

export type ImportName = { readonly id: string; readonly organizationId: string };

/** The prefix of all keys of an import. No media file has it (files.ts). */
const makePrefix = ({ id, organizationId }: ImportName): string => `imports/${organizationId}/${id}/`;
const makeFileKey = (name: ImportName): string => `${makePrefix(name)}file`;
const makeArticleKey = (name: ImportName, number: number): string => `${makePrefix(name)}articles/${number}`;

/** R2 takes parts of 5 MiB and more, all of the same size but the last. */
const PART_BYTES = 8 * 1024 * 1024;

const BLOCK_BYTES = 1024 * 1024;

/** Stores a file in parts as it arrives, with one part in memory. Returns its size. Throws `body_too_large`. */
export async function putImport(bucket: R2Bucket, name: ImportName, { stream, length }: ImportFile): Promise<number> {
  if ((length ?? 0) > IMPORT_LIMITS.bytes) throw makeTooLargeError();
  const upload = await bucket.createMultipartUpload(makeFileKey(name));
  const parts: R2UploadedPart[] = [];
  let bytes = 0;
  try {
    for await (const part of splitIntoParts(stream)) {
      bytes += part.byteLength;
      if (bytes > IMPORT_LIMITS.bytes) throw makeTooLargeError();
      parts.push(await upload.uploadPart(parts.length + 1, part));
    }
    if (bytes === 0) await upload.abort();
    else await upload.complete(parts);
    return bytes;
  } catch (error) {
    // The sender has to see the first error. R2 removes an upload that was not aborted after a week.
    await upload.abort().catch(() => undefined);
    throw error;
  }
}

async function* splitIntoParts(stream: ReadableStream<Uint8Array>): AsyncGenerator<Uint8Array> {
  let [part, length] = [new Uint8Array(PART_BYTES), 0];
  for await (const chunk of readBody(stream)) {
    for (let from = 0; from < chunk.byteLength;) {
      const some = chunk.subarray(from, from + PART_BYTES - length);
      part.set(some, length);
      length += some.byteLength;
      from += some.byteLength;
      if (length < PART_BYTES) continue;
      yield part;
      [part, length] = [new Uint8Array(PART_BYTES), 0];
    }
  }
  if (length > 0) yield part.subarray(0, length);
}

async function* readBody(stream: ReadableStream<Uint8Array>): AsyncGenerator<Uint8Array> {
  try {
    yield* stream;
  } catch {
    throw new DomainError("invalid_request", "The body ended early.");
  }
}

const makeTooLargeError = (): DomainError =>
  new DomainError("body_too_large", `The file has more than ${IMPORT_LIMITS.bytes / 1024 / 1024} MiB.`);

/** Returns a part of a file. Throws if R2 does not have it. */
export async function readImportBytes(
  bucket: R2Bucket,
  name: ImportName,
  offset: number,
  length: number,
): Promise<Uint8Array<ArrayBuffer>> {
  const part = await bucket.get(makeFileKey(name), { range: { offset, length } });
  if (part === null) throw new Error("The file of the import is gone.");
  return new Uint8Array(await part.arrayBuffer());
}

/** Yields a file of `bytes` bytes in blocks. */
export async function* readImportBlocks(
  bucket: R2Bucket,
  name: ImportName,
  bytes: number,
): AsyncGenerator<Uint8Array<ArrayBuffer>> {
  for (let at = 0; at < bytes; at += BLOCK_BYTES) {
    yield await readImportBytes(bucket, name, at, Math.min(BLOCK_BYTES, bytes - at));
  }
}

export const putArticle = async (bucket: R2Bucket, name: ImportName, number: number, article: unknown): Promise<void> =>
  void (await bucket.put(makeArticleKey(name, number), JSON.stringify(article)));

/** Returns a stored article; null if it is gone. */
export const getArticle = async <T>(bucket: R2Bucket, name: ImportName, number: number): Promise<T | null> =>
  (await bucket.get(makeArticleKey(name, number)))?.json<T>() ?? null;

export const removeImport = (bucket: R2Bucket, name: ImportName): Promise<void> =>
  removeFiles(bucket, makePrefix(name));
