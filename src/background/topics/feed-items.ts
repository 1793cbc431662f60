import type { JsonFeed } from "feedsmith";
import type { Candidate } from "./candidate.ts";
import { attributeOf, elementIn, elementsIn, textIn, type Element, type FeedXml, type Part } from "./feed-xml.ts";
import type { Markup } from "./plain-text.ts";

export type Listing = { readonly name: Markup | undefined; readonly candidates: readonly Candidate[] };

/** Reads RSS 0.9x, 1.0 and 2.0, and Atom 0.3 and 1.0. Relative links count from that of the site, as in feed readers. */
export function xmlListing({ feed, items, isAtom }: Extract<FeedXml, { kind: "feed" }>, address: string): Listing {
  const base = resolved(address, attributeOf(feed, "xml:base") ?? textIn(feed, "link") ?? pageOf(feed));
  const language = textIn(feed, "language", "dc:language") ?? attributeOf(feed, "xml:lang");
  const markup = (element: Element | undefined): Markup | undefined => {
    if (element === undefined) return undefined;
    return isAtom && OF_ATOM.has(element.name) ? construct(element) : html(element.text);
  };
  const candidates = items.map((item) => ({
    url: urlOf(item),
    base: resolved(base, attributeOf(item, "xml:base")),
    title: markup(elementIn(item, "title", "dc:title", "media:title", "itunes:title")),
    text: markup(elementIn(item, ...SUMMARIES)),
    time: textIn(item, ...TIMES),
    engagement: numberIn(item, "slash:comments") + numberIn(item, "thr:total"),
    keywords: [
      ...elementsIn(item, "category").map(
        (category) => category.text || attributeOf(category, "label") || attributeOf(category, "term"),
      ),
      ...elementsIn(item, "dc:subject").map(({ text }) => text),
      ...elementsIn(item, "itunes:keywords", "media:keywords").flatMap(({ text }) => text.split(",")),
    ],
    locale: attributeOf(item, "xml:lang") ?? textIn(item, "dc:language") ?? language,
  }));
  return { name: markup(elementIn(feed, "title")), candidates };
}

/** Elements with the text of an item, best first. */
const SUMMARIES = "description summary content content:encoded itunes:summary dc:description media:description".split(
  " ",
);

const TIMES = (
  "pubdate published issued created updated modified dc:date " +
  "atom:published atom:updated dcterms:issued dcterms:modified"
).split(" ");

/** Elements of Atom that say whether they are HTML. */
const OF_ATOM: ReadonlySet<string> = new Set(["title", "summary", "content"]);

/** Returns the page of an item. A guid is a permalink unless it says otherwise (RSS 2.0). */
function urlOf(item: Part): string | undefined {
  const guid = elementIn(item, "guid");
  const isPermalink = guid !== undefined && attributeOf(guid, "ispermalink")?.toLowerCase() !== "false";
  const [enclosure] = elementsIn(item, "enclosure");
  return (
    textIn(item, "link") ??
    pageOf(item) ??
    (isPermalink ? webAddress(guid.text) : undefined) ??
    webAddress(textIn(item, "id")) ??
    attributeOf(item, "rdf:about") ??
    (enclosure && attributeOf(enclosure, "url"))
  );
}

/** Reads JSON Feed 1.0 and 1.1. */
export function jsonListing(feed: JsonFeed.Feed<string>, address: string): Listing {
  const base = resolved(address, feed.home_page_url);
  const candidates = (feed.items ?? []).map((item) => ({
    url: item.url ?? item.external_url ?? webAddress(item.id),
    base,
    title: plain(item.title),
    text: plain(item.summary) ?? plain(item.content_text) ?? html(item.content_html),
    time: item.date_published ?? item.date_modified,
    engagement: 0,
    keywords: item.tags ?? [],
    locale: item.language ?? feed.language,
  }));
  return { name: plain(feed.title), candidates };
}

/** Resolves a reference. Returns the base itself if the reference is missing or not valid. */
const resolved = (base: string, reference: string | undefined): string =>
  reference !== undefined && URL.canParse(reference, base) ? new URL(reference, base).href : base;

/** Returns the Atom link with `rel` alternate, preferably to HTML (RFC 4287, 4.2.7). */
function pageOf(part: Part): string | undefined {
  const pages = elementsIn(part, "link", "atom:link").filter(
    (link) => (attributeOf(link, "rel") ?? "alternate").toLowerCase() === "alternate" && attributeOf(link, "href"),
  );
  const page = pages.find((link) => (attributeOf(link, "type") ?? "html").includes("html")) ?? pages[0];
  return page && attributeOf(page, "href");
}

/** Returns the identifier if it is a web address, and not only a name, such as `tag:` or `urn:`. */
const webAddress = (id: string | undefined): string | undefined =>
  id !== undefined && /^https?:\/\//i.test(id) ? id : undefined;

/** Returns a text of Atom, which says whether it is HTML (RFC 4287, 3.1). Atom 0.3 uses a media type for that. */
function construct(element: Element): Markup | undefined {
  const type = attributeOf(element, "type")?.toLowerCase() ?? "text";
  return type === "text" || type === "text/plain" ? plain(element.text) : html(element.text);
}

const numberIn = (item: Part, name: string): number => Number(textIn(item, name) ?? 0) || 0;

const plain = (value: string | undefined): Markup | undefined =>
  value === undefined ? undefined : { kind: "text", value };

const html = (value: string | undefined): Markup | undefined =>
  value === undefined ? undefined : { kind: "html", value };
