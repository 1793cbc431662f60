import { hmacSha256 } from "../lib/hash.ts";

/**
 * The value of X-Service-Signature (contract 11.6): `t=<timestamp>,v1=<hex>`,
 * the lower-case hex HMAC-SHA256 of `<timestamp>.<raw body>`. The key is the secret's own UTF-8 text, whole.
 *
 * @param timestamp Unix time in seconds, the same as in the body.
 */
export async function sign(secret: string, timestamp: number, body: string): Promise<string> {
  return `t=${timestamp},v1=${await hmacSha256(secret, `${timestamp}.${body}`)}`;
}
