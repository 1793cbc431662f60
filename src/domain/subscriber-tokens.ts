/** Subscriptions to a blog's emails: limits, and the token of the unsubscribe link (contract 20.9, 20.10). */
import { isId } from "../lib/ids.ts";
import { utf8 } from "../lib/text.ts";

export const SUBSCRIBING = {
  /** Hours until an unconfirmed subscription expires, and seconds until an address gets another such email. */
  hours: 24,
  againSeconds: 900,
  /** Maximum bytes of a request. */
  bytes: 8 * 1024,
} as const;

/**
 * Returns a contact's token for the unsubscribe link: its id, and a signature (HMAC-SHA-256) with the service's secret.
 * It is not stored and does not expire, because an email may be years old.
 */
export async function makeUnsubscribeToken(secret: string, contactId: string): Promise<string> {
  return `${contactId}.${await signature(secret, contactId)}`;
}

/** Returns the id of the contact, or null if the signature is wrong. */
export async function verifyToken(secret: string, token: string): Promise<string | null> {
  const [contactId = "", signed = "", ...more] = token.split(".");
  if (more.length > 0 || !isId(contactId) || signed.length !== SIGNATURE_LENGTH) return null;
  const expected = await signature(secret, contactId);
  // Constant time, so that the duration does not tell how much was right.
  let different = 0;
  for (let n = 0; n < SIGNATURE_LENGTH; n++) different |= expected.charCodeAt(n) ^ signed.charCodeAt(n);
  return different === 0 ? contactId : null;
}

/** 24 bytes in base64url. */
const SIGNATURE_LENGTH = 32;

async function signature(secret: string, contactId: string): Promise<string> {
  const key = await crypto.subtle.importKey("raw", utf8(secret), { name: "HMAC", hash: "SHA-256" }, false, ["sign"]);
  const signed = new Uint8Array(await crypto.subtle.sign("HMAC", key, utf8(`unsubscribe ${contactId}`)));
  const text = btoa(String.fromCharCode(...signed.subarray(0, 24)));
  return text.replaceAll("+", "-").replaceAll("/", "_");
}
