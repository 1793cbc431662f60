/** Compresses texts with gzip. */
import { utf8 } from "./text.ts";

/** Returns the text, encoded as UTF-8 and compressed. */
export async function gzip(text: string): Promise<Uint8Array<ArrayBuffer>> {
  const stream = new Response(utf8(text)).body?.pipeThrough(new CompressionStream("gzip"));
  return new Uint8Array(await new Response(stream).arrayBuffer());
}

/** Returns the text that {@link gzip} has compressed. Throws if the bytes are not such a text. */
export async function gunzip(bytes: Uint8Array<ArrayBuffer>): Promise<string> {
  const stream = new Response(bytes).body?.pipeThrough(new DecompressionStream("gzip"));
  return new Response(stream).text();
}
