/**
 * Opens what an article embeds (contract 21.5). The stored HTML has a link there, with the address of a player. On the site, a
 * press on it opens the player in a frame: within `details`, so that no script is needed, and browsers load nothing before.
 */
import { providerName } from "../../../packages/markdown/embeds.ts";

/** What an article shows of others: the hosts of its frames, and whether it plays sounds or films. */
export type Shows = { readonly frames: readonly string[]; readonly media: boolean };

/** A figure of sanitized HTML, whose texts have no `<`. Authors can give a figure no class. */
const FIGURE =
  /<figure class="embed"( data-provider="([\w-]+)" data-id="[^"]*")(?: data-player="([^"]+)")?><a href="([^"]*)"(?:[^>"]|"[^"]*")*>(<img (?:[^>"]|"[^"]*")*>)?(?:<span>([^<]*)<\/span>|[^<]*)<\/a>(?:<figcaption(?:[^>"]|"[^"]*")*>((?:(?!<\/?fig)[\s\S])*)<\/figcaption>)?<\/figure>/g;

/** Returns the HTML with cards in place of the links to what can be embedded. */
export const withPlayers = (html: string): string => html.replaceAll(FIGURE, (...found: string[]) => cardOf(found));

function cardOf([
  ,
  data = "",
  provider = "",
  player,
  href = "",
  picture = "",
  said,
  caption,
]: readonly string[]): string {
  const name = said || providerName(provider);
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

/** A player may run its scripts at its own origin, and open pages, but not lead this one elsewhere. */
const FRAME =
  'loading="lazy" referrerpolicy="strict-origin-when-cross-origin" sandbox="allow-scripts allow-same-origin allow-forms allow-popups allow-popups-to-escape-sandbox allow-presentation" allow="encrypted-media; fullscreen; picture-in-picture"';

/** Returns what HTML with cards shows. */
export const showsIn = (html: string): Shows => ({
  frames: [
    ...new Set([...html.matchAll(/<iframe src="(https:\/\/[\w.-]+)\//g)].map(([, host = ""]) => host)),
  ].toSorted(),
  media: /<(?:audio|video)[ >]/.test(html),
});
