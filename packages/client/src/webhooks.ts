/** Checks that a webhook came from the service. */
import type { WebhookEvent } from "./api.ts";
import { EdgepressError } from "./errors.ts";

export type VerifyOptions = {
  /** How many seconds the clocks and the way may differ; 300 by default. Older requests may be repeated by others. */
  readonly toleranceSeconds?: number | undefined;
};

/**
 * Returns the event that a webhook brings, after checking its signature and its age. Reads the body of the request, so
 * nobody else may have read it.
 *
 * @param request As your server got it: anything with `headers` and `arrayBuffer()`, such as a `Request`.
 * @param secret The secret of the subscription (`whsec_…`), or several of them while you replace one.
 * @throws EdgepressError `signature_invalid` if nobody who knows the secret sent it; `timestamp_invalid` if it is too
 * old, or from the future. Answer both with 400.
 */
export async function verifyWebhook(
  request: Pick<Request, "headers" | "arrayBuffer">,
  secret: string | readonly string[],
  { toleranceSeconds = 300 }: VerifyOptions = {},
): Promise<WebhookEvent> {
  const header = request.headers.get("X-Service-Signature") ?? "";
  const [, time, hex] = /^t=(\d{1,12}),v1=([0-9a-f]{64})$/.exec(header) ?? [];
  if (time === undefined || hex === undefined) throw invalid("There is no signature.");
  const body = new Uint8Array(await request.arrayBuffer());
  const prefix = new TextEncoder().encode(`${time}.`);
  const signed = new Uint8Array(prefix.length + body.length);
  signed.set(prefix);
  signed.set(body, prefix.length);
  const signature = Uint8Array.from(hex.match(/../g) ?? [], (byte) => Number.parseInt(byte, 16));
  const secrets = typeof secret === "string" ? [secret] : secret;
  const fits = await Promise.all(secrets.map((each) => isSignedBy(each, signature, signed)));
  if (!fits.includes(true)) throw invalid("The signature does not fit.");
  // After the signature, so that only the service can learn how the clocks differ.
  if (Math.abs(Date.now() / 1000 - Number(time)) > toleranceSeconds) {
    throw new EdgepressError("timestamp_invalid", "The webhook is too old, or the clocks differ.", { status: 400 });
  }
  return JSON.parse(new TextDecoder().decode(body)) as WebhookEvent;
}

/** `crypto.subtle.verify` compares in constant time. */
async function isSignedBy(
  secret: string,
  signature: Uint8Array<ArrayBuffer>,
  signed: Uint8Array<ArrayBuffer>,
): Promise<boolean> {
  // An empty secret, such as of a variable that is not set, would let everybody sign.
  if (secret === "") return false;
  const key = new TextEncoder().encode(secret);
  const hmac = { name: "HMAC", hash: "SHA-256" };
  const imported = await crypto.subtle.importKey("raw", key, hmac, false, ["verify"]);
  return crypto.subtle.verify("HMAC", imported, signature, signed);
}

const invalid = (detail: string): EdgepressError => new EdgepressError("signature_invalid", detail, { status: 400 });
