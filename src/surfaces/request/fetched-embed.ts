/** The title and picture of an embed, from its provider (oEmbed, https://oembed.com). */
import { LIMITS } from "../../domain/limits.ts";
import { providerName, type Embed } from "../../../packages/markdown/embeds.ts";
import { DomainError } from "../../domain/errors.ts";
import { SMALL_BYTES } from "../../lib/body.ts";
import { withoutInvisible } from "../../lib/invisible.ts";
import { jsonIn } from "../../lib/json.ts";
import { asLine, shortened } from "../../lib/text.ts";
import { guardedGet, USER_AGENT } from "../../outbound/fetch.ts";
import type { Arrival } from "./arrival.ts";

/** The title is on one line. The address of the picture is not checked. */
type Told = { readonly title: string; readonly picture: string };

/** Asks the provider, or the endpoint in the settings. Throws `picture_unreachable`. */
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
