/** The feed that a web page names (HTML, 4.6.7.1: `alternate` with the media type of a feed). */
import { Parser } from "htmlparser2";

/** The absolute address of the first one, or undefined. */
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
  // Such links are in the head; a page's parser may be slow in what is nested deeply.
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

/** Characters of an address that fits into a sentence. */
const LONGEST = 500;
