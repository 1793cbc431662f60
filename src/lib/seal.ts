/** Encrypts stored responses that contain a secret. */
import { decodeBase64, encodeBase64 } from "./bytes.ts";
import { utf8 } from "./text.ts";

/** Encrypts with AES-256-GCM under a key derived from the secret (HKDF, RFC 5869). Returns base64. */
export async function seal(secret: string, text: string): Promise<string> {
  const iv = crypto.getRandomValues(new Uint8Array(12));
  const sealed = await crypto.subtle.encrypt({ name: "AES-GCM", iv }, await makeSealKey(secret), utf8(text));
  return encodeBase64(new Uint8Array([...iv, ...new Uint8Array(sealed)]));
}

/** Decrypts a result of {@link seal}. Throws if the secret is a different one. */
export async function unseal(secret: string, sealed: string): Promise<string> {
  const bytes = decodeBase64(sealed);
  const algorithm = { name: "AES-GCM", iv: bytes.subarray(0, 12) };
  const text = await crypto.subtle.decrypt(algorithm, await makeSealKey(secret), bytes.subarray(12));
  return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(text);
}

async function makeSealKey(secret: string): Promise<CryptoKey> {
  const material = await crypto.subtle.importKey("raw", utf8(secret), "HKDF", false, ["deriveKey"]);
  const derivation = { name: "HKDF", hash: "SHA-256", salt: new Uint8Array(), info: utf8("edgepress answer") };
  return crypto.subtle.deriveKey(derivation, material, { name: "AES-GCM", length: 256 }, false, ["encrypt", "decrypt"]);
}
