/** Converts the parsed feed formats to candidates. */
import type { AtomFeed, JsonFeed, RdfFeed, RssFeed } from "feedsmith";
import type { Candidate } from "./candidate.ts";
import type { Markup } from "./plain-text.ts";

export type Listing = { readonly name: Markup | undefined; readonly candidates: readonly Candidate[] };

/** RSS 0.9x and 2.0. A relative link is resolved against the link of the site, as feed readers do. */
export function rssListing(feed: RssFeed.Feed<string>, address: string): Listing {
  const base = resolved(address, feed.xml?.base ?? feed.link ?? linkTo(feed.atom?.links));
  const language = feed.language ?? feed.dc?.languages?.[0];
  const candidates = (feed.items ?? []).map((item) => ({
    url: item.link ?? linkTo(item.atom?.links) ?? permalinkOf(item.guid) ?? item.enclosures?.[0]?.url,
    base: resolved(base, item.xml?.base),
    title: html(item.title ?? item.dc?.titles?.[0] ?? item.media?.title?.value ?? item.itunes?.title),
    text: html(
      item.description ??
        item.content?.encoded ??
        item.itunes?.summary ??
        item.dc?.descriptions?.[0] ??
        mediaText(item),
    ),
    time: item.pubDate ?? item.dc?.dates?.[0] ?? item.atom?.published ?? item.atom?.updated,
    engagement: (item.slash?.comments ?? 0) + (item.thr?.total ?? 0),
    keywords: [
      ...(item.categories ?? []).map((category) => category.name),
      ...(item.dc?.subjects ?? []),
      ...(item.itunes?.keywords ?? []),
      ...(item.media?.keywords ?? []),
    ],
    locale: item.xml?.lang ?? item.dc?.languages?.[0] ?? language,
  }));
  return { name: html(feed.title), candidates };
}

/** RSS 0.90 and 1.0, which are based on RDF. */
export function rdfListing(feed: RdfFeed.Feed<string>, address: string): Listing {
  const base = resolved(address, feed.xml?.base ?? feed.link);
  const candidates = (feed.items ?? []).map((item) => ({
    url: item.link ?? item.rdf?.about,
    base: resolved(base, item.xml?.base),
    title: html(item.title ?? item.dc?.titles?.[0]),
    text: html(item.description ?? item.content?.encoded ?? item.dc?.descriptions?.[0]),
    time: item.dc?.dates?.[0] ?? item.dcterms?.issued?.[0] ?? item.dcterms?.modified?.[0],
    engagement: item.slash?.comments ?? 0,
    keywords: item.dc?.subjects ?? [],
    locale: item.xml?.lang ?? item.dc?.languages?.[0] ?? feed.dc?.languages?.[0] ?? feed.xml?.lang,
  }));
  return { name: html(feed.title), candidates };
}

/** Atom 0.3 and 1.0. */
export function atomListing(feed: AtomFeed.Feed<string>, address: string): Listing {
  const base = resolved(address, feed.xml?.base ?? linkTo(feed.links));
  const candidates = (feed.entries ?? []).map((entry) => ({
    url: linkTo(entry.links) ?? webAddress(entry.id),
    base: resolved(base, entry.xml?.base),
    title: construct(entry.title) ?? html(entry.media?.groups?.[0]?.title?.value),
    text: construct(entry.summary) ?? construct(entry.content) ?? html(mediaText(entry)),
    time: entry.published ?? entry.updated ?? entry.dc?.dates?.[0],
    engagement: (entry.thr?.total ?? 0) + (entry.slash?.comments ?? 0),
    keywords: [
      ...(entry.categories ?? []).map((category) => category.label ?? category.term),
      ...(entry.dc?.subjects ?? []),
      ...(entry.media?.groups?.[0]?.keywords ?? []),
    ],
    locale: entry.xml?.lang ?? feed.xml?.lang,
  }));
  return { name: construct(feed.title), candidates };
}

/** JSON Feed 1.0 and 1.1. */
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

/** Returns the page among Atom links: one with `rel` alternate, preferably HTML (RFC 4287, 4.2.7). */
function linkTo(links: readonly AtomFeed.Link<string>[] | undefined): string | undefined {
  const pages = (links ?? []).filter((link) => link.rel === undefined || link.rel.toLowerCase() === "alternate");
  return (pages.find((link) => link.type === undefined || link.type.includes("html")) ?? pages[0])?.href;
}

/** Returns the guid if it is a URL. In RSS 2.0 a guid is a permalink unless it says otherwise. */
const permalinkOf = (guid: RssFeed.Guid | undefined): string | undefined =>
  guid?.isPermaLink === false ? undefined : webAddress(guid?.value);

/** Returns the identifier if it is a web address, and undefined if it is only a name, such as `tag:` or `urn:`. */
const webAddress = (id: string | undefined): string | undefined =>
  id !== undefined && /^https?:\/\//i.test(id) ? id : undefined;

/** Returns a text of Atom, which says whether it is HTML (RFC 4287, 3.1). Atom 0.3 uses a media type for that. */
function construct(text: { readonly value?: string; readonly type?: string } | undefined): Markup | undefined {
  const type = text?.type?.toLowerCase() ?? "text";
  return type === "text" || type === "text/plain" ? plain(text?.value) : html(text?.value);
}

const mediaText = (item: RssFeed.Item<string> | AtomFeed.Entry<string>): string | undefined =>
  item.media?.description?.value ?? item.media?.groups?.[0]?.description?.value;

const plain = (value: string | undefined): Markup | undefined =>
  value === undefined ? undefined : { kind: "text", value };

const html = (value: string | undefined): Markup | undefined =>
  value === undefined ? undefined : { kind: "html", value };
