/** Bodies of requests. */
import { joined } from "./bytes.ts";

/**
 * The bytes of a request's body; null where there are more than `most`: then no more of them is read than shows that,
 * whatever Content-Length says. Rejects where the body breaks off.
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
      await reader.cancel().catch(() => undefined);
      return null;
    }
    chunks.push(value);
  }
}
