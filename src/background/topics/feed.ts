import { parseJsonFeed } from "feedsmith";
import type { Candidate, Refusal } from "./candidate.ts";
import { decodeText } from "./decode.ts";
import { jsonToListing, type Listing, xmlToListing } from "./feed-items.ts";
import { readFeedXml } from "./feed-xml.ts";
import type { Markup } from "./plain-text.ts";
import { Parser } from "htmlparser2";

export type Listed =
  | { readonly kind: "listed"; readonly name: Markup; readonly listed: readonly (Candidate | Refusal)[] }
  /** `detail` is a sentence for the person who chose the source. */
  | { readonly kind: "unreadable"; readonly detail: string };

/** Reads a feed. `address` is its URL, and `contentType` is the header of the response. Never throws. */
export function readFeed(bytes: Uint8Array, contentType: string | null, address: string): Listed {
  const text = decodeText(bytes, contentType).replace(/^[\s\0]+/, "");
  if (text === "") return makeUnreadable("It is empty.");
  return text.startsWith("{") ? readJson(text, address) : readXml(text, address);
}

function readXml(text: string, address: string): Listed {
  const read = readFeedXml(text);
  if (read.kind === "nested") return makeUnreadable("Its elements are nested too deeply.");
  if (read.kind === "feed") return listed(xmlToListing(read, address), read.cutOff ? [{ refused: "is cut off" }] : []);
  return read.kind === "other"
    ? explainNoFeed(text, address)
    : makeUnreadable("It looks like a feed, but cannot be read as one.");
}

/** Explains why a document is no feed. People often give the address of a site instead of its feed. */
function explainNoFeed(text: string, address: string): Listed {
  const feed = findFeed(text, address);
  if (feed !== undefined) return makeUnreadable(`It is a web page, not a feed. Its feed is at ${feed}`);
  const isPage = /<(?:!doctype\s+html|html)[\s>]/i.test(text.slice(0, BEGINNING));
  return makeUnreadable(isPage ? "It is a web page, not a feed, and it links to no feed." : "It is not a feed.");
}

function readJson(text: string, address: string): Listed {
  const json = tryParse((): unknown => JSON.parse(text));
  if (json === undefined) return makeUnreadable("It looks like JSON, but cannot be read as such.");
  const listing = tryParse(() => jsonToListing(parseJsonFeed(json, { maxItems: MOST_ITEMS }), address));
  return listing === undefined ? makeUnreadable("It is JSON, but not a JSON Feed.") : listed(listing, []);
}

const listed = (listing: Listing, refusals: readonly Refusal[]): Listed => ({
  kind: "listed",
  name: listing.name ?? { kind: "text", value: "" },
  listed: [...listing.candidates, ...refusals],
});

const makeUnreadable = (detail: string): Listed => ({ kind: "unreadable", detail });

/** Returns undefined if `parse` throws. Parsers throw different errors, all for text that they cannot read. */
function tryParse<T>(parse: () => T): T | undefined {
  try {
    return parse();
  } catch {
    return undefined;
  }
}

/** How many items of a JSON Feed are read. */
const MOST_ITEMS = 1000;

/** Characters at the start of a document that are searched for signs of HTML. */
const BEGINNING = 2000;

/** Returns the absolute address of the first feed, or undefined. */
function findFeed(html: string, address: string): string | undefined {
  let found: string | undefined;
  const parser = new Parser({
    onopentag(name, attributes) {
      const rel = (attributes["rel"] ?? "").toLowerCase().split(/\s+/);
      const type = (attributes["type"] ?? "").toLowerCase().trim();
      const isFeed = name === "link" && rel.includes("alternate") && FEED_TYPES.has(type);
      if (isFeed) found = toAbsolute(attributes["href"], address);
      if (found !== undefined || name === "body") parser.pause();
    },
  });
  // Such links stand in the head. The limit also bounds the time, because the parser is slow with deep nesting.
  parser.end(html.slice(0, HEAD_CHARACTERS));
  return found;
}

function toAbsolute(href: string | undefined, address: string): string | undefined {
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

/** The most characters of an address in a sentence. */
const LONGEST = 500;
