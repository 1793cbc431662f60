import { utf8 } from "./text.ts";

export const toHex = (bytes: ArrayBuffer | Uint8Array): string =>
  Array.from(bytes instanceof Uint8Array ? bytes : new Uint8Array(bytes), (byte) =>
    byte.toString(16).padStart(2, "0"),
  ).join("");

/** Returns the SHA-256 of bytes or of a text in UTF-8, in lower-case hexadecimal. */
export async function sha256(content: string | Uint8Array<ArrayBuffer>): Promise<string> {
  return toHex(await crypto.subtle.digest("SHA-256", typeof content === "string" ? utf8(content) : content));
}

/** Returns the first 16 hexadecimal digits of a text's SHA-256. */
export const toShortHash = async (text: string): Promise<string> => (await sha256(text)).slice(0, 16);

/** Returns the HMAC-SHA256 of a text in UTF-8. A key that is a text counts in UTF-8, too. */
export async function hmacSha256(key: string | Uint8Array<ArrayBuffer>, text: string): Promise<Uint8Array> {
  const algorithm = { name: "HMAC", hash: "SHA-256" };
  const bytes = typeof key === "string" ? utf8(key) : key;
  const imported = await crypto.subtle.importKey("raw", bytes, algorithm, false, ["sign"]);
  return new Uint8Array(await crypto.subtle.sign("HMAC", imported, utf8(text)));
}
