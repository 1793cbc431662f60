/** Reads the bodies of requests, and says how large a body may be. */
import { joined } from "./bytes.ts";

/** Bodies up to this size are not counted in memory.ts: there is room for a thousand of them. */
export const SMALL_BYTES = 64 * 1024;

/**
 * Returns the bytes that a body may have: its Content-Length, or `most` without one that is a number. In pieces (RFC 9112, 6.3),
 * it may have more than its Content-Length.
 */
export function announcedBytes(headers: Headers, most: number): number {
  const length = Number(headers.get("Content-Length") ?? most);
  return headers.has("Transfer-Encoding") || !(length >= 0) ? most : Math.min(length, most);
}

/**
 * Returns the body of a request, or null if it has more than `most` bytes. It checks Content-Length first, but also
 * counts the bytes, because the header may be wrong. Reading stops at the limit, and others may read the rest. Rejects if
 * the connection breaks.
 */
export async function bytesWithin(request: Request, most: number): Promise<Uint8Array | null> {
  if (Number(request.headers.get("Content-Length") ?? 0) > most) return null;
  if (request.body === null) return new Uint8Array();
  const chunks: Uint8Array[] = [];
  let length = 0;
  const reader = (request.body as ReadableStream<Uint8Array>).getReader();
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return joined(chunks);
    length += value.byteLength;
    if (length > most) {
      reader.releaseLock();
      return null;
    }
    chunks.push(value);
  }
}
