/** Finds the feed that a web page links to (HTML, 4.6.7.1: `alternate` with the media type of a feed). */
import { Parser } from "htmlparser2";

/** Returns the absolute address of the first feed, or undefined. */
export function feedOfPage(html: string, address: string): string | undefined {
  let found: string | undefined;
  const parser = new Parser({
    onopentag(name, attributes) {
      const rel = (attributes["rel"] ?? "").toLowerCase().split(/\s+/);
      const type = (attributes["type"] ?? "").toLowerCase().trim();
      const isFeed = name === "link" && rel.includes("alternate") && FEED_TYPES.has(type);
      if (isFeed) found = absolute(attributes["href"], address);
      if (found !== undefined || name === "body") parser.pause();
    },
  });
  // Such links stand in the head. The limit also bounds the time, because the parser is slow with deep nesting.
  parser.end(html.slice(0, HEAD_CHARACTERS));
  return found;
}

function absolute(href: string | undefined, address: string): string | undefined {
  if (href === undefined || !URL.canParse(href, address)) return undefined;
  const url = new URL(href, address);
  return /^https?:$/.test(url.protocol) && url.href.length <= LONGEST ? url.href : undefined;
}

const FEED_TYPES: ReadonlySet<string> = new Set([
  "application/rss+xml",
  "application/atom+xml",
  "application/rdf+xml",
  "application/feed+json",
]);

const HEAD_CHARACTERS = 200_000;

/** Most characters of an address, which has to fit into a sentence. */
const LONGEST = 500;
