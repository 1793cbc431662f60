/** The files of an organization in R2, for its export (contract 22.8). */
import { decodeRowCursor, encodeRowCursor } from "../../domain/cursor.ts";
import { DomainError } from "../../domain/errors.ts";
import { LIMITS } from "../../domain/limits.ts";
import { encodeBase64 } from "../../lib/bytes.ts";
import { listPrefixes } from "../../store/export/belongings.ts";

const PAGE = 500;

/** Returns a page of the list of files, by their keys. Throws `invalid_cursor`. */
export async function listFiles(bucket: R2Bucket, organizationId: string, cursor: string | undefined) {
  const prefixes = listPrefixes(organizationId);
  const after = cursor === undefined ? undefined : String(decodeRowCursor(cursor).key[0]);
  const first = after === undefined ? 0 : prefixes.findIndex((prefix) => after.startsWith(prefix));
  if (first === -1) throw new DomainError("invalid_cursor");
  const value: Record<string, unknown>[] = [];
  for (const prefix of prefixes.slice(first)) {
    const { objects, truncated } = await bucket.list({
      prefix,
      limit: PAGE,
      include: ["httpMetadata", "customMetadata"],
      ...(after?.startsWith(prefix) && { startAfter: after }),
    });
    for (const { key, etag, size, httpMetadata = {}, customMetadata = {} } of objects)
      value.push({ key, etag, size, httpMetadata: { ...httpMetadata }, customMetadata });
    const last = objects.at(-1);
    if (truncated && last !== undefined) return { value, next: encodeRowCursor({ most: PAGE, key: [last.key] }) };
  }
  return { value, next: undefined };
}

/** Returns a part of a file of an organization; null if there is none, or nothing at this place. */
export async function readFile(bucket: R2Bucket, organizationId: string, key: string, from: number) {
  const isOwn = listPrefixes(organizationId).some((prefix) => key.startsWith(prefix));
  const size = isOwn ? ((await bucket.head(key))?.size ?? 0) : 0;
  if (from >= size) return null;
  const length = Math.min(LIMITS.exportPageBytes, size - from);
  const object = await bucket.get(key, { range: { offset: from, length } });
  if (object === null) return null;
  const next = from + length < size ? from + length : null;
  return { etag: object.etag, base64: encodeBase64(await object.bytes()), next };
}
