/** What operations fetch from other servers: pictures, and the titles of embeds. */
import { LIMITS } from "../../domain/limits.ts";
import { UploadedFile } from "../../domain/pictures.ts";
import { providerName, type Embed } from "../../../packages/markdown/embeds.ts";
import { DomainError } from "../../domain/errors.ts";
import { TOO_LARGE } from "../../background/media/read.ts";
import { SMALL_BYTES } from "../../lib/body.ts";
import { withoutInvisible } from "../../lib/invisible.ts";
import { jsonIn } from "../../lib/json.ts";
import { asLine, shortened } from "../../lib/text.ts";
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

/** The title is on one line. The address of the picture is not checked. */
type Told = { readonly title: string; readonly picture: string };

/** Asks the provider of an embed, or the endpoint in the settings (oEmbed, https://oembed.com). Throws `picture_unreachable`. */
export async function fetchEmbed({ settings }: Arrival, { provider, url, oembed }: Embed): Promise<Told> {
  const name = providerName(provider);
  const refused = (why: string) => new DomainError("picture_unreachable", `${name} ${why}`);
  if (oembed === null) throw refused("offers no title and image of it.");
  const asked = settings.oembedUrl === "" ? new URL(oembed) : new URL(settings.oembedUrl);
  asked.searchParams.set("url", url);
  const outcome = await guardedGet({
    url: asked.href,
    rules: settings.targetRules,
    timeoutMs: LIMITS.mediaFetchTimeoutMs,
    maxBytes: SMALL_BYTES,
    maxRedirects: LIMITS.sourceRedirects,
    headers: { "User-Agent": USER_AGENT, Accept: "application/json" },
  });
  if (outcome.kind === "failed") throw refused(`could not be asked. ${outcome.detail}`);
  if (outcome.status !== 200) throw refused(`answered with status ${outcome.status}.`);
  const told = toldIn(jsonIn(outcome.bytes));
  if (told === null) throw refused("names no title and image of it.");
  return told;
}

function toldIn(answer: unknown): Told | null {
  const { title, thumbnail_url: picture } = (answer ?? {}) as Readonly<Record<string, unknown>>;
  if (typeof title !== "string" || typeof picture !== "string") return null;
  const line = withoutInvisible(asLine(title)).trim();
  return line === "" || picture === "" ? null : { title: shortened(line, LIMITS.mediaName), picture };
}
