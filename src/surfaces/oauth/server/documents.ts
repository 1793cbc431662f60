/** Checks client ID metadata documents (draft-ietf-oauth-client-id-metadata-document). */
import { parseContentType } from "../../../lib/content-type.ts";
import { guardedGet, USER_AGENT } from "../../../outbound/fetch.ts";

/**
 * Returns whether a URL answers with a JSON document, with status 200 and without a redirect. The document proves that
 * the application belongs to its host. The library follows redirects and accepts any media type, so an open redirect or
 * an uploaded file on a trusted host could make another application look like that host's.
 */
export async function isJsonDocument(clientId: string): Promise<boolean> {
  const outcome = await guardedGet({
    url: clientId,
    rules: { allowLoopback: false },
    timeoutMs: 10_000,
    maxBytes: MOST_BYTES,
    maxRedirects: 0,
    headers: { Accept: "application/json", "User-Agent": USER_AGENT },
  });
  if (outcome.kind === "failed" || outcome.status !== 200) return false;
  return JSON_TYPE.test(parseContentType(outcome.headers).type);
}

/** More than the 5 KiB that the library accepts: it refuses larger documents itself. */
const MOST_BYTES = 64 * 1024;

const JSON_TYPE = /^application\/(?:[\w.-]+\+)?json$/;
