/** Text that only the holder of a secret can read again: for answers that show a secret once. */
import { utf8 } from "./text.ts";

/** Encrypts with AES-256-GCM under a key derived from the secret (HKDF, RFC 5869); returns base64. */
export async function seal(secret: string, text: string): Promise<string> {
  const iv = crypto.getRandomValues(new Uint8Array(12));
  const sealed = await crypto.subtle.encrypt({ name: "AES-GCM", iv }, await keyOf(secret), utf8(text));
  // One by one: as arguments of one call, the bytes of a long text are too many.
  return btoa(Array.from([...iv, ...new Uint8Array(sealed)], (byte) => String.fromCharCode(byte)).join(""));
}

/** Reads what {@link seal} wrote under the same secret; throws under any other. */
export async function unseal(secret: string, sealed: string): Promise<string> {
  const bytes = Uint8Array.from(atob(sealed), (character) => character.charCodeAt(0));
  const algorithm = { name: "AES-GCM", iv: bytes.subarray(0, 12) };
  const text = await crypto.subtle.decrypt(algorithm, await keyOf(secret), bytes.subarray(12));
  return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(text);
}

async function keyOf(secret: string): Promise<CryptoKey> {
  const material = await crypto.subtle.importKey("raw", utf8(secret), "HKDF", false, ["deriveKey"]);
  const derivation = { name: "HKDF", hash: "SHA-256", salt: new Uint8Array(), info: utf8("edgepress answer") };
  return crypto.subtle.deriveKey(derivation, material, { name: "AES-GCM", length: 256 }, false, ["encrypt", "decrypt"]);
}
