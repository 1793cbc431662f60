import { concatBytes } from "./bytes.ts";
import { withTimeout } from "./within.ts";

/** Bodies up to this size are not counted in memory.ts: there is room for a thousand of them. */
export const SMALL_BYTES = 64 * 1024;

/** How long the next bytes of a body may take, in milliseconds. */
const IDLE_MS = 10_000;

/**
 * Returns the body of a request, or null if it has more than `most` bytes. Counts the bytes, because Content-Length may
 * be wrong. Stops reading at the limit and leaves the rest to the caller. Rejects if the connection breaks, or if nothing
 * arrives for ten seconds. `onArrived` is called with the number of bytes so far, and reading goes on once it has resolved.
 */
export async function readBytes(
  request: Request,
  most: number,
  onArrived?: (length: number) => Promise<void> | undefined,
): Promise<Uint8Array | null> {
  if (Number(request.headers.get("Content-Length") ?? 0) > most) return null;
  if (request.body === null) return new Uint8Array();
  const chunks: Uint8Array[] = [];
  let length = 0;
  const reader = (request.body as ReadableStream<Uint8Array>).getReader();
  for (;;) {
    const read = await withTimeout(IDLE_MS, reader.read());
    if (read === null) throw new Error("the body stopped arriving");
    if (read.done) return concatBytes(chunks);
    length += read.value.byteLength;
    if (length > most) {
      reader.releaseLock();
      return null;
    }
    chunks.push(read.value);
    await onArrived?.(length);
  }
}
