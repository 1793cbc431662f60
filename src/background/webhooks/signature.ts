import { hmacSha256 } from "../../lib/hash.ts";

/**
 * Returns the value of X-Service-Signature (contract 11.6): `t=<timestamp>,v1=<hex>`. `<hex>` is the HMAC-SHA256 of
 * `<timestamp>.<raw body>` in lower case. The key is the whole secret as UTF-8.
 *
 * @param timestamp Unix time in seconds, the same as in the body.
 */
export async function signBody(secret: string, timestamp: number, body: string): Promise<string> {
  return `t=${timestamp},v1=${await hmacSha256(secret, `${timestamp}.${body}`)}`;
}
