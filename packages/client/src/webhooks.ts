/** Checks that a webhook came from the service. */
import type { WebhookEvent } from "./api.ts";
import { EdgepressError } from "./errors.ts";
import { judge, TOLERANCE_SECONDS } from "./signature.ts";

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
  { toleranceSeconds = TOLERANCE_SECONDS }: VerifyOptions = {},
): Promise<WebhookEvent> {
  const header = request.headers.get("X-Service-Signature") ?? "";
  if (header === "") throw refusal("signature_invalid", "There is no signature.");
  const body = new Uint8Array(await request.arrayBuffer());
  const secrets = typeof secret === "string" ? [secret] : secret;
  const verdict = await judge(secrets, { header, body }, Date.now() / 1000, toleranceSeconds);
  if (verdict === "wrong") throw refusal("signature_invalid", "The signature does not fit.");
  if (verdict === "stale") throw refusal("timestamp_invalid", "The webhook is too old, or the clocks differ.");
  return JSON.parse(new TextDecoder().decode(body)) as WebhookEvent;
}

const refusal = (code: "signature_invalid" | "timestamp_invalid", detail: string): EdgepressError =>
  new EdgepressError(code, detail, { status: 400 });
