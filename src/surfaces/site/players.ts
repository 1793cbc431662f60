/**
 * Players of embeds (contract 21.5). The stored HTML has links with the URL of a player. On the site, the player is a frame
 * within `details`: it needs no script, and browsers load nothing before it is opened.
 */
import { getProviderName } from "../../../packages/markdown/embeds.ts";

/** Embedded content of an article: the origins of its frames, and whether it has audio or video. */
export type EmbeddedContent = { readonly frames: readonly string[]; readonly media: boolean };

/** Matches an embed in sanitized HTML: texts contain no `<`, and authors cannot give a figure a class. */
const FIGURE =
  /<figure class="embed"( data-provider="([\w-]+)" data-id="[^"]*")(?: data-player="([^"]+)")?><a href="([^"]*)"(?:[^>"]|"[^"]*")*>(<img (?:[^>"]|"[^"]*")*>)?(?:<span>([^<]*)<\/span>|[^<]*)<\/a>(?:<figcaption(?:[^>"]|"[^"]*")*>((?:(?!<\/?fig)[\s\S])*)<\/figcaption>)?<\/figure>/g;

/** Replaces links to embeds by cards. */
export const withPlayers = (html: string): string => html.replaceAll(FIGURE, (...found: string[]) => renderCard(found));

function renderCard([
  ,
  data = "",
  provider = "",
  player,
  href = "",
  picture = "",
  said,
  caption,
]: readonly string[]): string {
  const name = said || getProviderName(provider);
  const place = href.replace(/^https?:\/\/(?:www\.)?/, "");
  const begin = `<figure class="embed"${data}>`;
  if (player === undefined) {
    const told = caption ? `<figcaption>${caption}</figcaption>` : "";
    return `${begin}<a href="${href}">${picture}<b>${name}</b><small>${place}</small></a>${told}</figure>`;
  }
  const frame = `<iframe src="${player}" title="${name.replaceAll('"', "&quot;")}" ${FRAME}></iframe>`;
  const told = `${caption ? `${caption} · ` : ""}<a href="${href}">${place}</a>`;
  return `${begin}<details><summary>${picture}<b>${name}</b></summary>${frame}</details><figcaption>${told}</figcaption></figure>`;
}

/** A player may run scripts at its own origin and open pages, but not navigate this page. */
const FRAME =
  'loading="lazy" referrerpolicy="strict-origin-when-cross-origin" sandbox="allow-scripts allow-same-origin allow-forms allow-popups allow-popups-to-escape-sandbox allow-presentation" allow="encrypted-media; fullscreen; picture-in-picture"';

export const findEmbeddedContent = (html: string): EmbeddedContent => ({
  frames: [
    ...new Set([...html.matchAll(/<iframe src="(https:\/\/[\w.-]+)\//g)].map(([, host = ""]) => host)),
  ].toSorted(),
  media: /<(?:audio|video)[ >]/.test(html),
});
