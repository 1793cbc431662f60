import type { JsonFeed } from "feedsmith";
import type { Candidate } from "./candidate.ts";
import {
  findAttribute,
  findElement,
  listElements,
  findText,
  type Element,
  type FeedXml,
  type Part,
} from "./feed-xml.ts";
import type { Markup } from "./plain-text.ts";

export type Listing = { readonly name: Markup | undefined; readonly candidates: readonly Candidate[] };

/** Reads RSS 0.9x, 1.0 and 2.0, and Atom 0.3 and 1.0. Relative links count from that of the site, as in feed readers. */
export function xmlToListing({ feed, items, isAtom }: Extract<FeedXml, { kind: "feed" }>, address: string): Listing {
  const base = resolveUrl(address, findAttribute(feed, "xml:base") ?? findText(feed, "link") ?? findPage(feed));
  const language = findText(feed, "language", "dc:language") ?? findAttribute(feed, "xml:lang");
  const markup = (element: Element | undefined): Markup | undefined => {
    if (element === undefined) return undefined;
    return isAtom && OF_ATOM.has(element.name) ? toAtomMarkup(element) : toHtmlMarkup(element.text);
  };
  const candidates = items.map((item) => ({
    url: findUrl(item),
    base: resolveUrl(base, findAttribute(item, "xml:base")),
    title: markup(findElement(item, "title", "dc:title", "media:title", "itunes:title")),
    text: markup(findElement(item, ...SUMMARIES)),
    time: findText(item, ...TIMES),
    engagement: readNumber(item, "slash:comments") + readNumber(item, "thr:total"),
    keywords: [
      ...listElements(item, "category").map(
        (category) => category.text || findAttribute(category, "label") || findAttribute(category, "term"),
      ),
      ...listElements(item, "dc:subject").map(({ text }) => text),
      ...listElements(item, "itunes:keywords", "media:keywords").flatMap(({ text }) => text.split(",")),
    ],
    locale: findAttribute(item, "xml:lang") ?? findText(item, "dc:language") ?? language,
  }));
  return { name: markup(findElement(feed, "title")), candidates };
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
function findUrl(item: Part): string | undefined {
  const guid = findElement(item, "guid");
  const isPermalink = guid !== undefined && findAttribute(guid, "ispermalink")?.toLowerCase() !== "false";
  const [enclosure] = listElements(item, "enclosure");
  return (
    findText(item, "link") ??
    findPage(item) ??
    (isPermalink ? toWebAddress(guid.text) : undefined) ??
    toWebAddress(findText(item, "id")) ??
    findAttribute(item, "rdf:about") ??
    (enclosure && findAttribute(enclosure, "url"))
  );
}

/** Reads JSON Feed 1.0 and 1.1. */
export function jsonToListing(feed: JsonFeed.Feed<string>, address: string): Listing {
  const base = resolveUrl(address, feed.home_page_url);
  const candidates = (feed.items ?? []).map((item) => ({
    url: item.url ?? item.external_url ?? toWebAddress(item.id),
    base,
    title: toTextMarkup(item.title),
    text: toTextMarkup(item.summary) ?? toTextMarkup(item.content_text) ?? toHtmlMarkup(item.content_html),
    time: item.date_published ?? item.date_modified,
    engagement: 0,
    keywords: item.tags ?? [],
    locale: item.language ?? feed.language,
  }));
  return { name: toTextMarkup(feed.title), candidates };
}

/** Resolves a reference. Returns the base itself if the reference is missing or not valid. */
const resolveUrl = (base: string, reference: string | undefined): string =>
  reference !== undefined && URL.canParse(reference, base) ? new URL(reference, base).href : base;

/** Returns the Atom link with `rel` alternate, preferably to HTML (RFC 4287, 4.2.7). */
function findPage(part: Part): string | undefined {
  const pages = listElements(part, "link", "atom:link").filter(
    (link) => (findAttribute(link, "rel") ?? "alternate").toLowerCase() === "alternate" && findAttribute(link, "href"),
  );
  const page = pages.find((link) => (findAttribute(link, "type") ?? "html").includes("html")) ?? pages[0];
  return page && findAttribute(page, "href");
}

/** Returns the identifier if it is a web address, and not only a name, such as `tag:` or `urn:`. */
const toWebAddress = (id: string | undefined): string | undefined =>
  id !== undefined && /^https?:\/\//i.test(id) ? id : undefined;

/** Returns a text of Atom, which says whether it is HTML (RFC 4287, 3.1). Atom 0.3 uses a media type for that. */
function toAtomMarkup(element: Element): Markup | undefined {
  const type = findAttribute(element, "type")?.toLowerCase() ?? "text";
  return type === "text" || type === "text/plain" ? toTextMarkup(element.text) : toHtmlMarkup(element.text);
}

const readNumber = (item: Part, name: string): number => Number(findText(item, name) ?? 0) || 0;

const toTextMarkup = (value: string | undefined): Markup | undefined =>
  value === undefined ? undefined : { kind: "text", value };

const toHtmlMarkup = (value: string | undefined): Markup | undefined =>
  value === undefined ? undefined : { kind: "html", value };
