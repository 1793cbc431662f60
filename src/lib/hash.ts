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

/** Returns the HMAC-SHA256 of a text in lower-case hexadecimal. */
export async function hmacSha256(secret: string, text: string): Promise<string> {
  const algorithm = { name: "HMAC", hash: "SHA-256" };
  const key = await crypto.subtle.importKey("raw", utf8(secret), algorithm, false, ["sign"]);
  return toHex(await crypto.subtle.sign("HMAC", key, utf8(text)));
}
