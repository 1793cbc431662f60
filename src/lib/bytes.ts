/** Returns the bytes of a text of characters below 256. */
export const encodeAscii = (text: string): Uint8Array<ArrayBuffer> =>
  Uint8Array.from(text, (character) => character.charCodeAt(0));

/** Returns the bytes of a text in base64. Throws for what is none. */
export const decodeBase64 = (text: string): Uint8Array<ArrayBuffer> => encodeAscii(atob(text));

/** Returns bytes in base64. Byte by byte, because many have no room among the arguments of a call. */
export const encodeBase64 = (bytes: Uint8Array): string =>
  btoa(Array.from(bytes, (byte) => String.fromCharCode(byte)).join(""));

export function concatBytes(chunks: readonly Uint8Array[]): Uint8Array<ArrayBuffer> {
  const bytes = new Uint8Array(chunks.reduce((sum, chunk) => sum + chunk.byteLength, 0));
  let at = 0;
  for (const chunk of chunks) {
    bytes.set(chunk, at);
    at += chunk.byteLength;
  }
  return bytes;
}
