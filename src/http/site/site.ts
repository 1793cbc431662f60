/** Shows a blog as a site (contract 21): finds the page that a path means. Loaded on first use. */
import type { Context } from "hono";
import { blogTag } from "../../domain/cache-tags.ts";
import { LIMITS } from "../../domain/limits.ts";
import { canonicalLocale } from "../../domain/locale.ts";
import { firstWords, phrasesOf } from "../../domain/search-query.ts";
import type { TermKind } from "../../domain/terms.ts";
import { isSlug } from "../../domain/slug.ts";
import { isVanityId } from "../../domain/vanity.ts";
import { DomainError } from "../../errors.ts";
import { isId } from "../../lib/ids.ts";
import { limitReaderSearches } from "../../request/strangers.ts";
import type { PublishedStore } from "../../store/articles/published.ts";
import type { SiteBlog, SiteList, SiteListQuery, SitePlace } from "../../store/articles/site-pages.ts";
import { searchSite } from "../../store/articles/site-search.ts";
import { sharedDatabase } from "../../store/database.ts";
import type { AppEnv } from "../app-env.ts";
import { arrivalOf } from "../caller.ts";
import type { Reply } from "../reply.ts";
import { otherMethod } from "../cross-origin.ts";
import { openReader, publicReply } from "../readers/replies.ts";
import { articlePage } from "./article.tsx";
import { pageReply } from "./layout.tsx";
import { archivePage, frontPage, missingPage, searchPage, termPage } from "./lists.tsx";
import { cachingOf, mainOf, mountAt, pathTo, PLACES, siteOf, type Mount } from "./place.ts";

/**
 * How many articles are on a page of a list, on a page of the archive, and on the page of an address that does not
 * exist.
 */
const ENTRIES = 12;
const TITLES = 100;
const SUGGESTIONS = 5;

/** What all pages need. */
type Asked = {
  readonly c: Context<AppEnv>;
  readonly mount: Mount;
  readonly published: PublishedStore;
  readonly baseUrl: () => string;
};

/**
 * Handles a request that no other route knows: for `/{vanityId}` and what is below it. Throws `route_not_found` where no blog
 * has this vanityId or shows its site, `rate_limited`, and `method_not_allowed`.
 */
export async function siteReply(c: Context<AppEnv>): Promise<Reply> {
  const [, vanityId = ""] = c.req.path.split("/", 2);
  if (!isVanityId(vanityId)) throw new DomainError("route_not_found");
  return mountedReply(c, mountAt(vanityId), segmentsOf(c.req.path)?.slice(1) ?? null);
}

/**
 * Returns the reply of a site. `below` has the segments of the request's path below the site's root; null if they
 * cannot be decoded.
 */
export async function mountedReply(c: Context<AppEnv>, mount: Mount, below: readonly string[] | null): Promise<Reply> {
  const { published, baseUrl } = await openReader(c);
  const asked = { c, mount, published, baseUrl };
  if (!/^(?:GET|HEAD)$/.test(c.req.method)) {
    // Every path of a site has a page, if only one that names other articles; where there is no site, this throws.
    await listed(asked, { limit: 0, from: undefined });
    return otherMethod(c.req.method, ["GET", "HEAD", "OPTIONS"]);
  }
  return (below === null ? null : await found(asked, below)) ?? missing(asked, below?.[0]);
}

/** Returns the segments of a path, decoded, without an empty one at the end; null if they cannot be decoded. */
export function segmentsOf(path: string): string[] | null {
  try {
    return path.replace(/\/$/, "").split("/").slice(1).map(decodeURIComponent);
  } catch {
    return null;
  }
}

/** Returns the page that a path means; null if there is none. */
async function found(asked: Asked, below: readonly string[]): Promise<Reply | null> {
  const [first = "", second = ""] = below;
  if (below.length === 0) return front(asked, undefined);
  const isSearch = below.length === 1 && first === "search";
  if (isSearch && asked.c.req.query("q") !== undefined) return search(asked);
  if (below.length === 1 && first === "robots.txt" && asked.mount.prefix === "") return robots(asked);
  if (below.length === 2 && first === "tags") return term(asked, "tag", second);
  if (below.length === 2 && first === "authors") return term(asked, "author", second);
  const named = articleIn(asked.mount, below);
  // A former slug must not take the place of another page: those come before `leadOn`, which follows it.
  const isPlain = below.length === 1 && named?.slug === first.normalize("NFC");
  const page = named && (await article(asked, named, !isPlain));
  if (page !== null || below.length !== 1) return page;
  // Where paths of articles are `/{slug}`, these look like one: an article comes first, as feeds and site maps lead to it.
  if (first === "archive") return archive(asked);
  if (isSearch) return search(asked);
  return (isLocale(first) ? await front(asked, first) : null) ?? leadOn(asked, first);
}

/** Returns the reply that leads from a slug to its article, in the language that the query names if there is one. */
async function leadOn(asked: Asked, given: string): Promise<Reply | null> {
  const { mount, published } = asked;
  const slug = given.normalize("NFC");
  if (!isSlug(slug)) return null;
  const wanted = localeAsked(asked);
  for (const locale of wanted === undefined ? [undefined] : [wanted, undefined]) {
    const read = await published.readSiteArticle({ vanityId: mount.vanityId, slug, locale });
    if (read === null || !shows(mount, read.blog)) throw new DomainError("route_not_found");
    const { article: there } = read;
    const found = there ?? (await published.findMoved({ idOrSlug: slug, blogId: read.blog._id, locale }));
    if (found !== null) return redirect(mount, read.blog, found);
  }
  return null;
}

const isLocale = (text: string): boolean => text.length <= LIMITS.locale && canonicalLocale(text) === text;

type Named = { readonly slug: string; readonly locale?: string };

/** Returns the article that a path names, by the way in which the site makes paths of articles. */
function articleIn({ articlePath }: Mount, below: readonly string[]): Named | null {
  const path = `/${below.join("/")}`;
  if (path.length > articlePath.length + LIMITS.slug + LIMITS.locale) return null;
  const { slug, locale } = patternOf(articlePath)?.exec(path)?.groups ?? {};
  if (slug === undefined || slug.length > LIMITS.slug || (locale !== undefined && !isLocale(locale))) return null;
  return { slug: slug.normalize("NFC"), ...(locale !== undefined && { locale }) };
}

/** Returns what the decoded paths of articles look like; null if an `articlePath` cannot be decoded. */
function patternOf(articlePath: string): RegExp | null {
  try {
    const parts = articlePath.replace(/\/$/, "").split(/(\{slug\}|\{locale\})/);
    const sources = parts.map((part) => PLACEHOLDERS.get(part) ?? literally(decodeURIComponent(part)));
    return new RegExp(`^${sources.join("")}$`, "u");
  } catch {
    return null;
  }
}

/** No slug has capitals, so that `en-US-one` is "one" in "en-US", and not "US-one" in "en". */
const PLACEHOLDERS: ReadonlyMap<string, string> = new Map([
  ["{slug}", "(?<slug>[^/A-Z]+)"],
  ["{locale}", String.raw`(?<locale>[A-Za-z\d-]+?)`],
]);

const literally = (text: string): string => text.replaceAll(/[\\^$.*+?()[\]{}|/]/g, String.raw`\$&`);

/** Returns the page of an article; if `follows`, also what leads to where the article with this former slug is now. */
async function article(asked: Asked, { slug, locale }: Named, follows: boolean): Promise<Reply | null> {
  const { c, mount, published, baseUrl } = asked;
  const read = await published.readSiteArticle({ vanityId: mount.vanityId, slug, locale });
  if (read === null || !shows(mount, read.blog)) throw new DomainError("route_not_found");
  if (read.article !== null) {
    return pageReply(c, articlePage(siteOf(mount, read.blog, baseUrl(), read.article.locale), read.article));
  }
  const moved = follows ? await published.findMoved({ idOrSlug: slug, blogId: read.blog._id, locale }) : null;
  return moved && redirect(mount, read.blog, moved);
}

/** Returns the reply that leads to where an article is now. It is kept as long as a page is, and purged with the blog's. */
function redirect(mount: Mount, blog: SiteBlog, article: { readonly slug: string; readonly locale: string }): Reply {
  const Location = pathTo(mount, PLACES.article(mount, article));
  return { status: 301, headers: { ...cachingOf(mount), "Cache-Tag": blogTag(blog._id), Location }, body: null };
}

async function front(asked: Asked, locale: string | undefined): Promise<Reply | null> {
  const list = await listed(asked, { locale, limit: ENTRIES });
  if (isForeign(list, locale)) return null;
  return pageReply(asked.c, frontPage(siteIn(asked, list, locale), list, placeAsked(asked)));
}

/** Returns whether a language is none of the blog's, and nothing is in it. */
const isForeign = ({ blog, entries }: SiteList, locale: string | undefined): boolean =>
  locale !== undefined && entries.length === 0 && !blog.locales.includes(locale);

async function archive(asked: Asked): Promise<Reply | null> {
  const locale = localeAsked(asked);
  const list = await listed(asked, { locale, limit: TITLES });
  if (isForeign(list, locale)) return null;
  return pageReply(asked.c, archivePage(siteIn(asked, list, locale), list, placeAsked(asked)));
}

async function term(asked: Asked, kind: TermKind, slug: string): Promise<Reply | null> {
  const locale = localeAsked(asked);
  const named = { kind, slug: slug.slice(0, LIMITS.slug).normalize("NFC") };
  const list = await listed(asked, { locale, term: named, limit: ENTRIES });
  if (list.term === null) return null;
  const page = { ...list, term: list.term };
  return pageReply(asked.c, termPage(siteIn(asked, list, locale), page, { kind, asked: placeAsked(asked) }));
}

async function search(asked: Asked): Promise<Reply> {
  const { c, mount, baseUrl } = asked;
  const locale = localeAsked(asked);
  const query = (c.req.query("q") ?? "")
    .replaceAll(/\p{Cc}+/gu, " ")
    .trim()
    .slice(0, LIMITS.searchQuery);
  const phrases = phrasesOf(query);
  const { blog } = await listed(asked, { locale, limit: 0 });
  const site = siteOf(mount, blog, baseUrl(), locale);
  if (phrases.length === 0) return pageReply(c, searchPage(site, query, query === "" ? null : []));
  await limitReaderSearches(arrivalOf(c), c.req.raw);
  const known = firstWords(phrases, LIMITS.searchWords);
  const results = await searchSite(sharedDatabase(c.env), blog, { phrases: known, locale: site.locale });
  return pageReply(c, searchPage(site, query, results));
}

/**
 * Returns the robots.txt of a host that shows one site: it names the site map. A rule is the beginning of a path (RFC 9309,
 * 2.2.2): `/search` would also be that of an article at `/search-and-rescue`.
 */
async function robots(asked: Asked): Promise<Reply> {
  const { blog } = await listed(asked, { limit: 0 });
  const body = `User-agent: *\nDisallow: /search?\n\nSitemap: ${asked.baseUrl()}/blogs/${blog._id}/sitemap.xml\n`;
  return publicReply(asked.c, { blogId: blog._id, type: "text/plain", body, headers: cachingOf(asked.mount) });
}

/** Returns the page with other articles, for a path that means nothing, in the language of the blog in which it begins. */
async function missing(asked: Asked, first = ""): Promise<Reply> {
  const page = { limit: SUGGESTIONS, from: undefined };
  const locale = localeAsked(asked) ?? (isLocale(first) ? first : undefined);
  let list = await listed(asked, { ...page, locale });
  const isKnown = locale !== undefined && list.blog.locales.includes(locale);
  if (locale !== undefined && !isKnown) list = await listed(asked, page);
  return pageReply(asked.c, missingPage(siteIn(asked, list, isKnown ? locale : undefined), list));
}

/** Returns a page of a list. Throws `route_not_found` if no blog with this vanityId shows its site. */
async function listed(asked: Asked, query: Omit<SiteListQuery, "vanityId">): Promise<SiteList> {
  const from = "from" in query ? query.from : placeOf(asked);
  const list = await asked.published.readSiteList({ ...query, from, vanityId: asked.mount.vanityId });
  if (list === null || !shows(asked.mount, list.blog)) throw new DomainError("route_not_found");
  return list;
}

const shows = ({ blogId }: Mount, blog: SiteBlog): boolean => blogId === null || blogId === blog._id;

const siteIn = ({ mount, baseUrl }: Asked, { blog }: SiteList, locale: string | undefined) =>
  siteOf(mount, blog, baseUrl(), locale ?? mainOf(blog));

/** Returns the language that the query names; undefined if it names none. */
function localeAsked({ c }: Asked): string | undefined {
  const given = c.req.query("locale");
  return given !== undefined && isLocale(given) ? given : undefined;
}

/** Returns where the page of a list begins; undefined for its beginning, also if the query names no such place. */
function placeOf({ c }: Asked): SitePlace | undefined {
  const newer = c.req.query("after");
  const [, time, id] = PLACE.exec(newer ?? c.req.query("before") ?? "") ?? [];
  if (time === undefined || id === undefined || !isId(id)) return undefined;
  return { time, id, newer: newer !== undefined };
}

const PLACE = /^(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z)_([0-9a-f-]{36})$/;

/** Returns the query of {@link placeOf}, as it was asked for. */
function placeAsked(asked: Asked): string | undefined {
  const from = placeOf(asked);
  return from && `${from.newer ? "after" : "before"}=${from.time}_${from.id}`;
}
