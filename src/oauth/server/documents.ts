/** Client ID metadata documents, which speak for the host they are at (draft-ietf-oauth-client-id-metadata-document). */
import { guardedGet, USER_AGENT } from "../../outbound/fetch.ts";

/**
 * Whether an address answers itself, with JSON. The library follows redirects and reads any type: a host that
 * redirects to wherever a link says, or that shows what people upload, would vouch for applications of others.
 */
export async function isDocument(clientId: string): Promise<boolean> {
  const outcome = await guardedGet({
    url: clientId,
    rules: { allowLoopback: false },
    timeoutMs: 10_000,
    maxBytes: MOST_BYTES,
    maxRedirects: 0,
    headers: { Accept: "application/json", "User-Agent": USER_AGENT },
  });
  if (outcome.kind === "failed" || outcome.status !== 200) return false;
  return JSON_TYPE.test(outcome.headers.get("Content-Type") ?? "");
}

/** The library reads 5 KiB at most, and refuses a larger one itself. */
const MOST_BYTES = 64 * 1024;

const JSON_TYPE = /^application\/(?:[\w.-]+\+)?json\s*(?:;|$)/i;
