import { LIMITS } from "../../domain/limits.ts";
import { UploadedFile } from "../../domain/pictures.ts";
import { DomainError } from "../../domain/errors.ts";
import { TOO_LARGE } from "../../background/media/read.ts";
import { guardedGet, USER_AGENT, type GetOutcome } from "../../outbound/fetch.ts";
import { readingRules } from "../../outbound/target.ts";
import type { Arrival } from "./arrival.ts";

/**
 * Fetches a picture from an address that a caller names. Its format is detected from its bytes. Throws
 * `picture_unreachable`, also for an address or a redirect that is not allowed, `body_too_large`, and `not_ready`.
 */
export async function fetchPicture({ settings }: Arrival, url: string): Promise<UploadedFile> {
  const outcome = await guardedGet({
    url,
    rules: readingRules(settings.targetRules),
    timeoutMs: LIMITS.mediaFetchTimeoutMs,
    maxBytes: LIMITS.mediaBytes,
    maxRedirects: LIMITS.sourceRedirects,
    headers: { "User-Agent": USER_AGENT, Accept: "image/*" },
  });
  return UploadedFile.of(bytesOf(outcome));
}

function bytesOf(outcome: GetOutcome): Uint8Array<ArrayBuffer> {
  if (outcome.kind === "failed") {
    if (outcome.reason === "too_large") throw new DomainError("body_too_large", TOO_LARGE);
    throw new DomainError("picture_unreachable", outcome.detail);
  }
  const { status, bytes } = outcome;
  if (status < 200 || status > 299) throw new DomainError("picture_unreachable", `The server answered with ${status}.`);
  if (bytes.length === 0) throw new DomainError("picture_unreachable", "The server's response is empty.");
  return bytes as Uint8Array<ArrayBuffer>;
}
