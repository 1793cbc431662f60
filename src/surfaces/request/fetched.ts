/** What operations fetch from other servers: pictures, and the titles of embeds. */
import { LIMITS } from "../../domain/limits.ts";
import { UploadedFile } from "../../domain/pictures.ts";
import { getProviderName, type Embed } from "../../../packages/markdown/embeds.ts";
import { DomainError } from "../../domain/errors.ts";
import { TOO_LARGE } from "../../background/media/read.ts";
import { SMALL_BYTES } from "../../lib/body.ts";
import { removeInvisible } from "../../lib/invisible.ts";
import { decodeJson } from "../../lib/json.ts";
import { toLine, shorten } from "../../lib/text.ts";
import { guardedGet, USER_AGENT, type GetOutcome } from "../../outbound/fetch.ts";
import { toReadingRules } from "../../outbound/target.ts";
import type { Arrival } from "./arrival.ts";

/**
 * Fetches a picture from an address that a caller names. Its format is detected from its bytes. Throws
 * `picture_unreachable`, also for an address or a redirect that is not allowed, `body_too_large`, and `not_ready`.
 */
export async function fetchPicture({ settings }: Arrival, url: string): Promise<UploadedFile> {
  const outcome = await guardedGet({
    url,
    rules: toReadingRules(settings.targetRules),
    timeoutMs: LIMITS.mediaFetchTimeoutMs,
    maxBytes: LIMITS.mediaBytes,
    maxRedirects: LIMITS.sourceRedirects,
    headers: { "User-Agent": USER_AGENT, Accept: "image/*" },
  });
  return UploadedFile.of(getBytes(outcome));
}

function getBytes(outcome: GetOutcome): Uint8Array<ArrayBuffer> {
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
type EmbedDetails = { readonly title: string; readonly picture: string };

/** Asks the provider of an embed, or the endpoint in the settings (oEmbed, https://oembed.com). Throws `picture_unreachable`. */
export async function fetchEmbed({ settings }: Arrival, { provider, url, oembed }: Embed): Promise<EmbedDetails> {
  const name = getProviderName(provider);
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
  const told = parseEmbed(decodeJson(outcome.bytes));
  if (told === null) throw refused("names no title and image of it.");
  return told;
}

function parseEmbed(answer: unknown): EmbedDetails | null {
  const { title, thumbnail_url: picture } = (answer ?? {}) as Readonly<Record<string, unknown>>;
  if (typeof title !== "string" || typeof picture !== "string") return null;
  const line = removeInvisible(toLine(title)).trim();
  return line === "" || picture === "" ? null : { title: shorten(line, LIMITS.mediaName), picture };
}
