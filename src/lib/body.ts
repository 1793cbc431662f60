import { concatBytes } from "./bytes.ts";

/** Bodies up to this size are not counted in memory.ts: there is room for a thousand of them. */
export const SMALL_BYTES = 64 * 1024;

/**
 * Returns the maximum bytes of a body: its Content-Length, or `most` if that is missing or no number. A chunked body
 * (RFC 9112, 6.3) may be longer than its Content-Length.
 */
export function getAnnouncedBytes(headers: Headers, most: number): number {
  const length = Number(headers.get("Content-Length") ?? most);
  return headers.has("Transfer-Encoding") || !(length >= 0) ? most : Math.min(length, most);
}

/**
 * Returns the body of a request, or null if it has more than `most` bytes. Counts the bytes, because Content-Length may
 * be wrong. Stops reading at the limit and leaves the rest to the caller. Rejects if the connection breaks.
 */
export async function readBytes(request: Request, most: number): Promise<Uint8Array | null> {
  if (Number(request.headers.get("Content-Length") ?? 0) > most) return null;
  if (request.body === null) return new Uint8Array();
  const chunks: Uint8Array[] = [];
  let length = 0;
  const reader = (request.body as ReadableStream<Uint8Array>).getReader();
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return concatBytes(chunks);
    length += value.byteLength;
    if (length > most) {
      reader.releaseLock();
      return null;
    }
    chunks.push(value);
  }
}
