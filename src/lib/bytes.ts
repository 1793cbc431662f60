/** Returns the bytes of a text of characters below 256. */
export const encodeAscii = (text: string): Uint8Array => Uint8Array.from(text, (character) => character.charCodeAt(0));

export function concatBytes(chunks: readonly Uint8Array[]): Uint8Array<ArrayBuffer> {
  const bytes = new Uint8Array(chunks.reduce((sum, chunk) => sum + chunk.byteLength, 0));
  let at = 0;
  for (const chunk of chunks) {
    bytes.set(chunk, at);
    at += chunk.byteLength;
  }
  return bytes;
}
