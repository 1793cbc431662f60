/** The two signatures of a webhook's request (contract 11.6). `timestamp` is the Unix time in seconds that the body has. */
import { decodeBase64, encodeBase64 } from "../../lib/bytes.ts";
import { hmacSha256, toHex } from "../../lib/hash.ts";

/**
 * Returns the value of X-Service-Signature: `t=<timestamp>,v1=<hex>`. `<hex>` is the HMAC-SHA256 of
 * `<timestamp>.<raw body>` in lower case. The key is the whole secret as UTF-8.
 */
export async function signBody(secret: string, timestamp: number, body: string): Promise<string> {
  return `t=${timestamp},v1=${toHex(await hmacSha256(secret, `${timestamp}.${body}`))}`;
}

type Signed = { readonly eventId: string; readonly timestamp: number; readonly body: string };

/**
 * Returns the value of webhook-signature, of Standard Webhooks: `v1,<base64>`, the HMAC-SHA256 of
 * `<event id>.<timestamp>.<raw body>`. The key is what the base64 behind `whsec_` stands for.
 */
export async function signStandard(secret: string, { eventId, timestamp, body }: Signed): Promise<string> {
  const key = decodeBase64(secret.replace(/^whsec_/, ""));
  return `v1,${encodeBase64(await hmacSha256(key, `${eventId}.${timestamp}.${body}`))}`;
}
