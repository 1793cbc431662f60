/** How readers subscribe to a blog's mails: limits, and the token by which they leave (contract 20.9, 20.10). */
import { isId } from "../lib/ids.ts";
import { utf8 } from "../lib/text.ts";

export const SUBSCRIBING = {
  /** Hours in which a subscription has to be confirmed, and seconds until the same address gets another such mail of a blog. */
  hours: 24,
  againSeconds: 900,
  /** Maximum bytes of a request. */
  bytes: 8 * 1024,
} as const;

/**
 * Returns the token by which a contact ends its subscription: its id, and a signature (HMAC-SHA-256) under the service's secret.
 * It is not stored and does not expire: a mail may be years old.
 */
export async function unsubscribeToken(secret: string, contactId: string): Promise<string> {
  return `${contactId}.${await signature(secret, contactId)}`;
}

/** Returns the contact of a token, or null if it is none or somebody has changed it. */
export async function contactOf(secret: string, token: string): Promise<string | null> {
  const [contactId = "", signed = "", ...more] = token.split(".");
  if (more.length > 0 || !isId(contactId) || signed.length !== SIGNATURE_LENGTH) return null;
  const expected = await signature(secret, contactId);
  // Compares all of it, so that the time does not tell how much was right.
  let different = 0;
  for (let n = 0; n < SIGNATURE_LENGTH; n++) different |= expected.charCodeAt(n) ^ signed.charCodeAt(n);
  return different === 0 ? contactId : null;
}

/** Characters of a signature: 24 bytes in base64url. */
const SIGNATURE_LENGTH = 32;

async function signature(secret: string, contactId: string): Promise<string> {
  const key = await crypto.subtle.importKey("raw", utf8(secret), { name: "HMAC", hash: "SHA-256" }, false, ["sign"]);
  const signed = new Uint8Array(await crypto.subtle.sign("HMAC", key, utf8(`unsubscribe ${contactId}`)));
  const text = btoa(String.fromCharCode(...signed.subarray(0, 24)));
  return text.replaceAll("+", "-").replaceAll("/", "_");
}
