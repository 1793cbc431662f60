/** Verifies that a webhook came from the service. */
import type { WebhookEvent } from "./api.ts";
import { EdgepressError } from "./errors.ts";
import { judgeSignature, TOLERANCE_SECONDS } from "./signature.ts";

export type VerifyOptions = {
  /** Seconds that a webhook may be old; 300 by default. Others may have recorded and repeated an older one. */
  readonly toleranceSeconds?: number | undefined;
};

/**
 * Returns the event of a webhook after it has verified the signature and the age. Reads the body of the request, which
 * must not have been read before.
 *
 * @param request As your server got it: a `Request`, or another object with `headers` and `arrayBuffer()`.
 * @param secret The signing secret of the subscription (`whsec_…`), or several while you replace one.
 * @throws EdgepressError `signature_invalid` if it is not signed with the secret; `timestamp_invalid` if it is too old,
 * or from the future. Answer both with 400.
 */
export async function verifyWebhook(
  request: Pick<Request, "headers" | "arrayBuffer">,
  secret: string | readonly string[],
  { toleranceSeconds = TOLERANCE_SECONDS }: VerifyOptions = {},
): Promise<WebhookEvent> {
  const header = request.headers.get("X-Service-Signature") ?? "";
  if (header === "") throw refusal("signature_invalid", "There is no signature.");
  const body = new Uint8Array(await request.arrayBuffer());
  const secrets = typeof secret === "string" ? [secret] : secret;
  const verdict = await judgeSignature(secrets, { header, body }, Date.now() / 1000, toleranceSeconds);
  if (verdict === "wrong") throw refusal("signature_invalid", "The signature does not fit.");
  if (verdict === "stale") throw refusal("timestamp_invalid", "The webhook is too old, or the clocks differ.");
  return JSON.parse(new TextDecoder().decode(body)) as WebhookEvent;
}

const refusal = (code: "signature_invalid" | "timestamp_invalid", detail: string): EdgepressError =>
  new EdgepressError(code, detail, { status: 400 });
