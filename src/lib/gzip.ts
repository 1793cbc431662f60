import { utf8 } from "./text.ts";

export async function gzip(text: string): Promise<Uint8Array<ArrayBuffer>> {
  const stream = new Response(utf8(text)).body?.pipeThrough(new CompressionStream("gzip"));
  return new Uint8Array(await new Response(stream).arrayBuffer());
}

/** Decompresses a result of {@link gzip}. Throws if the bytes are not gzip. */
export async function gunzip(bytes: Uint8Array<ArrayBuffer>): Promise<string> {
  const stream = new Response(bytes).body?.pipeThrough(new DecompressionStream("gzip"));
  return new Response(stream).text();
}
