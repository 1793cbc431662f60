import { hex } from "../lib/hash.ts";
import { utf8 } from "../lib/text.ts";

/**
 * The value of X-Service-Signature (specification, Events, delivery rule 4): `t=<timestamp>,v1=<hex>`,
 * the lower-case hex HMAC-SHA256 of `<timestamp>.<raw body>`. The key is the secret's own UTF-8 text, whole.
 *
 * @param timestamp Unix time in seconds, the same as in the body.
 */
export async function sign(secret: string, timestamp: number, body: string): Promise<string> {
  const algorithm = { name: "HMAC", hash: "SHA-256" };
  const key = await crypto.subtle.importKey("raw", utf8(secret), algorithm, false, ["sign"]);
  const signature = await crypto.subtle.sign("HMAC", key, utf8(`${timestamp}.${body}`));
  return `t=${timestamp},v1=${hex(signature)}`;
}
