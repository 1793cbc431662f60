/** The feeds of a blog: RSS 2.0, Atom and JSON Feed (contract 20.4). Loaded on first use. */
import { generateAtomFeed, generateJsonFeed, generateRssFeed } from "feedsmith";
import type { Context } from "hono";
import { findFirstAudio } from "../../../packages/markdown/audio.ts";
import { makeBlogNotFoundError } from "../../domain/errors.ts";
import { DISCLOSURES } from "../../domain/origin.ts";
import { toAbsoluteUrl, rewriteSitePaths } from "../../domain/site.ts";
import { escapeHtml } from "../../lib/html.ts";
import { pickVisible } from "../../lib/text.ts";
import type { Feed, FeedEntry } from "../../store/articles/feeds.ts";
import type { AppEnv } from "../rest/app-env.ts";
import type { Reply } from "../rest/reply.ts";
import { getBlogName, readFilters, openReader, toPublicReply, formatQuery } from "./replies.ts";
import { stripInvalidXml } from "./xml.ts";

const ENTRIES = 30;
/** Maximum bytes of HTML in a feed. The entries after it have excerpts. */
const HTML_BYTES = 1024 * 1024;

/** The formats, by the last part of the path. */
const FORMATS = {
  "feed.xml": { type: "application/rss+xml", write: writeRss },
  "atom.xml": { type: "application/atom+xml", write: writeAtom },
  "feed.json": { type: "application/feed+json", write: writeJson },
} as const;

/** Handles `GET /blogs/{blogId}/feed.xml` and the other formats. Throws `not_found`, `invalid_request` and `rate_limited`. */
export const serveFeed = async (c: Context<AppEnv>, format: keyof typeof FORMATS): Promise<Reply> => {
  const asked = readFilters(c);
  const { published, baseUrl } = await openReader(c);
  const found = await published.readFeed({ blog: getBlogName(c), ...asked, limit: ENTRIES, bytes: HTML_BYTES });
  if (found === null) throw makeBlogNotFoundError();
  const { type, write } = FORMATS[format];
  const self = `${baseUrl()}${new URL(c.req.url).pathname}${formatQuery(asked)}`;
  const body = write(toFeedContent(found, { self, asked, address: (place) => toAbsoluteUrl(place, baseUrl) }));
  return toPublicReply(c, { blogId: found.blog._id, type, body });
};

type Asked = { readonly locale?: string; readonly tag?: string };

type Shown = ReturnType<typeof toFeedContent>;

/** Returns the content of all formats, with absolute URLs, and without the characters that XML does not allow. */
function toFeedContent(
  { blog, entries }: Feed,
  { self, asked, address }: { self: string; asked: Asked; address: (place: string) => string },
) {
  const name = stripInvalidXml(blog.name) || blog.vanityId;
  // Entries have the name of the tag in their own language. Prefer the blog's main language.
  const main = entries.filter(({ locale }) => locale === blog.locales[0]);
  const tags = [...main, ...entries].flatMap((entry) => entry.tags);
  const tag = tags.find(({ slug }) => slug === asked.tag)?.name ?? asked.tag;
  const home = address(blog.place);
  // If the blog's site is here, paths in articles are paths of the site.
  const isOwn = home === address(`/${blog.vanityId}`);
  const toFeedHtml = ({ html, locale }: FeedEntry, url: string): string | null =>
    html && withAbsoluteLinks(stripInvalidXml(isOwn ? rewriteSitePaths(html, home, locale) : html), url);
  return {
    self,
    // A feed of one locale or tag is a feed with its own id.
    id: `urn:uuid:${blog._id}${formatQuery(asked).replace("?", "?=")}`,
    title: tag === undefined ? name : `${name}: ${stripInvalidXml(tag)}`,
    author: name,
    description: stripInvalidXml(blog.description),
    home,
    picture: blog.logoUrl || blog.coverUrl,
    locale: asked.locale ?? (blog.locales.length === 1 ? blog.locales[0] : undefined),
    updated: [blog.lastEditTime, ...entries.map(({ lastEditTime }) => lastEditTime)].reduce((a, b) => (a > b ? a : b)),
    entries: entries.map((entry) => {
      const url = address(entry.place);
      return { ...toFeedEntry(entry, url), html: toFeedHtml(entry, url) };
    }),
  };
}

/** Makes links absolute, because a feed has no base URL for them. */
const withAbsoluteLinks = (html: string, url: string): string =>
  html.replaceAll(/<a href="(?![a-z][\w+.-]*:|\/\/|[?#"])(\/?)/gi, (_, root: string) =>
    root === "" ? `<a href="${new URL(".", url).href}` : `<a href="${new URL(url).origin}/`,
  );

const toFeedEntry = (entry: FeedEntry, url: string) => ({
  id: `urn:uuid:${entry._id}`,
  url,
  title: pickVisible(stripInvalidXml(entry.title), entry.slug),
  summary: stripInvalidXml(entry.description || entry.excerpt || ""),
  locale: entry.locale,
  picture: entry.coverUrl,
  published: entry.publishTime,
  updated: entry.lastEditTime,
  tags: entry.tags.map(({ slug, name }) => ({ slug, name: stripInvalidXml(name) })),
  authors: entry.authors.map(({ name }) => stripInvalidXml(name)),
  audio: entry.audio === null ? null : findFirstAudio(entry.audio),
  source: entry.origin && DISCLOSURES[entry.origin].sourceType,
});

/** The property of schema.org whose value an entry names. In XML, a category of this vocabulary has it. */
const SOURCE = "https://schema.org/digitalSourceType";

/** Feed readers parse `description` as HTML, and all other elements as text (RSS Best Practices Profile, rssboard.org). */
function writeRss(shown: Shown): string {
  const { title, home, self, description, locale, updated, picture } = shown;
  const written = generateRssFeed({
    title,
    link: home,
    description: escapeHtml(description || title),
    ...(locale !== undefined && { language: locale }),
    lastBuildDate: new Date(updated),
    generator: "Edgepress",
    ...(picture !== "" && { image: { url: picture, title, link: home } }),
    atom: { links: [{ href: self, rel: "self", type: FORMATS["feed.xml"].type }] },
    items: shown.entries.map((entry) => ({
      title: entry.title,
      link: entry.url,
      guid: { value: entry.id, isPermaLink: false },
      pubDate: new Date(entry.published),
      description: escapeHtml(entry.summary),
      ...(entry.html !== null && { content: { encoded: entry.html } }),
      // RSS requires a length. 0 means unknown.
      ...(entry.audio !== null && { enclosures: [{ ...entry.audio, length: 0 }] }),
      categories: [
        ...entry.tags.map(({ name }) => ({ name })),
        ...(entry.source === null ? [] : [{ name: entry.source, domain: SOURCE }]),
      ],
      dc: { creators: entry.authors, languages: [entry.locale] },
    })),
  });
  return trimCdata(written);
}

function writeAtom(shown: Shown): string {
  const { id, title, home, self, description, locale, updated, picture } = shown;
  const written = generateAtomFeed({
    id,
    title: { value: title },
    ...(description !== "" && { subtitle: { value: description } }),
    updated: new Date(updated),
    authors: [{ name: shown.author }],
    generator: { text: "Edgepress" },
    ...(picture !== "" && { logo: picture }),
    links: [
      { href: self, rel: "self", type: FORMATS["atom.xml"].type },
      { href: home, rel: "alternate", type: "text/html" },
    ],
    ...(locale !== undefined && { xml: { lang: locale } }),
    entries: shown.entries.map((entry) => ({
      id: entry.id,
      title: { value: entry.title },
      links: [
        { href: entry.url, rel: "alternate", type: "text/html", hreflang: entry.locale },
        ...(entry.audio === null ? [] : [{ href: entry.audio.url, rel: "enclosure", type: entry.audio.type }]),
      ],
      published: new Date(entry.published),
      updated: new Date(entry.updated),
      authors: entry.authors.map((name) => ({ name })),
      categories: [
        ...entry.tags.map(({ slug, name }) => ({ term: slug, label: name })),
        ...(entry.source === null ? [] : [{ term: entry.source, scheme: SOURCE }]),
      ],
      ...(entry.summary !== "" && { summary: { value: entry.summary } }),
      ...(entry.html !== null && { content: { value: entry.html, type: "html" } }),
      xml: { lang: entry.locale, base: entry.url },
    })),
  });
  return trimCdata(written);
}

/** Removes the line breaks that the library writes around CDATA, because some feed readers show them. */
const trimCdata = (xml: string): string =>
  xml.replaceAll(/>\s+<!\[CDATA\[/g, "><![CDATA[").replaceAll(/\]\]>\s+<\//g, "]]></");

function writeJson(shown: Shown): string {
  const { title, home, self, description, locale, picture } = shown;
  const written = generateJsonFeed({
    title,
    home_page_url: home,
    feed_url: self,
    ...(description !== "" && { description }),
    ...(picture !== "" && { icon: picture }),
    ...(locale !== undefined && { language: locale }),
    authors: [{ name: shown.author }],
    items: shown.entries.map((entry) => ({
      id: entry.id,
      url: entry.url,
      title: entry.title,
      ...(entry.html === null ? { content_text: entry.summary || entry.title } : { content_html: entry.html }),
      ...(entry.summary !== "" && { summary: entry.summary }),
      ...(entry.picture !== "" && { image: entry.picture }),
      ...(entry.audio !== null && { attachments: [{ url: entry.audio.url, mime_type: entry.audio.type }] }),
      date_published: new Date(entry.published),
      date_modified: new Date(entry.updated),
      ...(entry.authors.length > 0 && { authors: entry.authors.map((name) => ({ name })) }),
      tags: entry.tags.map(({ name }) => name),
      language: entry.locale,
      // JSON Feed 1.1, extensions.
      ...(entry.source !== null && { _edgepress: { digitalSourceType: entry.source } }),
    })),
  });
  // The format requires `items`, which the library leaves out if it is empty.
  return JSON.stringify(shown.entries.length === 0 ? { ...(written as object), items: [] } : written);
}
