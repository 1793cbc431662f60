import { isUuid } from "../lib/ids.ts";

/** A DNS label (RFC 1035) in lower case with 3 to 63 characters. */
const VANITY_SHAPE = /^[a-z0-9](?:[a-z0-9-]{1,61})[a-z0-9]$/;

/**
 * Labels that the service or its operators need: a blog's site is at `/{vanityId}`, beside the service's own paths. A
 * blog that already has one of them keeps it, but has no site there.
 */
const RESERVED = new Set(
  (
    "about account accounts admin administrator api app apps archive assets atom auth author authors autoconfig " +
    "autodiscover billing blog blogs cdn confirm console contact dashboard demo dev dns docs edgepress email errors " +
    "favicon feed feeds ftp healthz help home host imap info internal llms localhost login logout mail mcp media mx " +
    "news ns1 ns2 oauth openapi ops pop postmaster previews pricing public robots root rss search security settings " +
    "signin signup site sitemap sites smtp sso staging static status subscribe support system tag tags test " +
    "unsubscribe webhooks webmaster well-known wpad www"
  ).split(" "),
);

/** Returns whether a text may be the vanityId of a new blog. */
export const isVanityId = (text: string): boolean => hasVanityShape(text) && !isReserved(text);

/** Returns whether a text has the form of a vanityId. An existing blog may have one that was reserved later. */
export function hasVanityShape(text: string): boolean {
  // Hyphens in the third and fourth place, as in "xn--", are for internationalized names (RFC 5890).
  return VANITY_SHAPE.test(text) && !isUuid(text) && text.slice(2, 4) !== "--";
}

export const isReserved = (vanityId: string): boolean => RESERVED.has(vanityId);
