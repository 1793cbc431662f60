/** Shows a blog as a site (contract 21): finds the page that a path means. Loaded on first use. */
import type { Context } from "hono";
import { blogTag } from "../../domain/cache-tags.ts";
import { LIMITS } from "../../domain/limits.ts";
import { canonicalLocale } from "../../domain/locale.ts";
import { firstWords, phrasesOf } from "../../domain/search-query.ts";
import { keyOf, numberedKeyOf } from "../../domain/redirects.ts";
import { articleAt, formerlyAt, type Address } from "../../domain/site.ts";
import type { TermKind } from "../../domain/terms.ts";
import { isVanityId } from "../../domain/vanity.ts";
import { DomainError } from "../../domain/errors.ts";
import { isId } from "../../lib/ids.ts";
import { limitReaderSearches } from "../request/strangers.ts";
import type { PublishedStore } from "../../store/articles/published.ts";
import type { SiteList, SiteListQuery, SitePlace } from "../../store/articles/site-pages.ts";
import { searchSite } from "../../store/articles/reader-search.ts";
import type { SiteBlog } from "../../store/blogs/shown.ts";
import { sharedDatabase } from "../../store/database.ts";
import type { AppEnv } from "../rest/app-env.ts";
import { arrivalOf } from "../rest/caller.ts";
import type { Reply } from "../rest/reply.ts";
import { otherMethod } from "../rest/cross-origin.ts";
import { openReader, publicReply } from "./replies.ts";
import { articlePage } from "./article.tsx";
import { pageReply, type PageOf } from "./layout.tsx";
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
  const [, given = ""] = c.req.path.split("/", 2);
  const vanityId = given.toLowerCase();
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
  const found = below === null ? null : await pageAt(asked, below);
  return found !== null && "status" in found ? found : missing(asked, below ?? [], found);
}

/** Returns the segments of a path, decoded, without an empty one at the end; null if they cannot be decoded. */
export function segmentsOf(path: string): string[] | null {
  try {
    return path.replace(/\/$/, "").split("/").slice(1).map(decodeURIComponent);
  } catch {
    return null;
  }
}

/** Nothing, or what was read before it was known that there is nothing. */
type Nothing = SiteList | null;

/** Returns the page that a path means. It is found in capitals, too. */
async function pageAt(asked: Asked, below: readonly string[]): Promise<Reply | Nothing> {
  const [first = "", second = ""] = below;
  const word = first.toLowerCase();
  if (below.length === 0) return (await numbered(asked)) ?? front(asked, undefined);
  const isSearch = below.length === 1 && word === "search";
  if (isSearch && asked.c.req.query("q") !== undefined) return search(asked);
  if (below.length === 1 && first === "robots.txt" && asked.mount.prefix === "") return robots(asked);
  if (below.length === 2 && word === "tags") return term(asked, "tag", second);
  if (below.length === 2 && word === "authors") return term(asked, "author", second);
  const named = articleAt(asked.mount.articlePath, `/${below.join("/")}`);
  const page = named && (await article(asked, named));
  if (page !== null || below.length !== 1) return page;
  // Where paths of articles are `/{slug}`, these look like one: an article comes first, as feeds and site maps lead to it.
  if (word === "archive") return archive(asked);
  if (isSearch) return search(asked);
  const locale = localeIn(first);
  return locale === undefined ? null : front(asked, locale);
}

/** Returns the locale that a text is, however it is written; undefined for none. */
const localeIn = (text: string): string | undefined =>
  text.length <= LIMITS.locale ? (canonicalLocale(text) ?? undefined) : undefined;

/** Returns a page; if the request's path is not the page's own, as in capitals, what leads there. */
async function placed({ c, mount }: Asked, page: PageOf): Promise<Reply> {
  const path = pathTo(mount, page.below ?? "");
  const isOwn = String(segmentsOf(path.replace(/\?.*/, ""))) === String(segmentsOf(c.req.path));
  return page.below === null || isOwn ? pageReply(c, page) : redirect(mount, page.site.blog, path);
}

/** Returns the page of an article. A slug alone, as links have it, leads to the language that the query names if it is there. */
async function article(asked: Asked, { slug, locale }: Address): Promise<Reply | null> {
  const { mount, published, baseUrl } = asked;
  const read = await published.readSiteArticle({ vanityId: mount.vanityId, slug, locale });
  if (read === null || !shows(mount, read.blog)) throw new DomainError("route_not_found");
  const found = read.article;
  if (found === null) return null;
  const site = siteOf(mount, read.blog, baseUrl(), found.locale);
  const wanted = locale === undefined ? localeAsked(asked) : locale;
  const other = found.translations.find((each) => each.locale === wanted && wanted !== found.locale);
  if (other !== undefined) return redirect(mount, read.blog, pathTo(mount, PLACES.article(site, other)));
  return placed(asked, articlePage(site, found));
}

/** Returns the reply that leads to a path. It is kept as long as a page is, and purged with the blog's. */
const redirect = (mount: Mount, blog: SiteBlog, Location: string): Reply => ({
  status: 301,
  headers: { ...cachingOf(mount), "Cache-Tag": blogTag(blog._id), Location },
  body: null,
});

/** Returns the reply that leads from a path to where a redirect leads; null if there is none. */
async function redirected({ c, mount, published }: Asked, blog: SiteBlog, key: string | null): Promise<Reply | null> {
  const found = key === null ? null : await published.findRedirect(blog._id, key);
  if (found === null) return null;
  const below = found.to ?? PLACES.article({ ...mount, blog }, found);
  const place = below.startsWith("/") ? pathTo(mount, below) : below;
  const query = new URL(c.req.url).searchParams;
  if (key?.startsWith("/?")) for (const name of ["p", "page_id"]) query.delete(name);
  return redirect(mount, blog, withRest(place, query));
}

/** Returns a place with the query that it was asked for with, unless it has one of its own. */
function withRest(place: string, query: URLSearchParams): string {
  if (query.size === 0 || place.includes("?")) return place;
  const [path = "", ...fragment] = place.split("#");
  return [`${path}?${query.toString()}`, ...fragment].join("#");
}

/** Returns the reply to WordPress's address of a page by its number, `/?p=123`, if a redirect begins there. */
async function numbered(asked: Asked): Promise<Reply | null> {
  const key = numberedKeyOf(new URL(asked.c.req.url).searchParams);
  return key === null ? null : redirected(asked, (await listed(asked, { limit: 0 })).blog, key);
}

async function front(asked: Asked, locale: string | undefined): Promise<Reply | Nothing> {
  const list = await listed(asked, { locale, limit: ENTRIES });
  if (isSilent(list, locale)) return list;
  return placed(asked, frontPage(siteIn(asked, list, locale), list, placeAsked(asked)));
}

/** Returns whether nothing is published in a language, which is not the blog's main one. */
const isSilent = ({ blog, spoken, entries }: SiteList, locale: string | undefined): boolean =>
  locale !== undefined && locale !== mainOf(blog) && entries.length === 0 && !spoken.includes(locale);

async function archive(asked: Asked): Promise<Reply | Nothing> {
  const locale = localeAsked(asked);
  const list = await listed(asked, { locale, limit: TITLES });
  if (isSilent(list, locale)) return list;
  return placed(asked, archivePage(siteIn(asked, list, locale), list, placeAsked(asked)));
}

async function term(asked: Asked, kind: TermKind, given: string): Promise<Reply | Nothing> {
  const locale = localeAsked(asked);
  const slug = given.slice(0, LIMITS.slug).toLowerCase().normalize("NFC");
  const list = await listed(asked, { locale, term: { kind, slug }, limit: ENTRIES });
  if (list.term === null || isSilent(list, locale)) return list;
  const page = { ...list, term: list.term };
  return placed(asked, termPage(siteIn(asked, list, locale), page, { kind, asked: placeAsked(asked) }));
}

async function search(asked: Asked): Promise<Reply | Nothing> {
  const { c, mount, baseUrl } = asked;
  const locale = localeAsked(asked);
  const query = (c.req.query("q") ?? "")
    .replaceAll(/\p{Cc}+/gu, " ")
    .trim()
    .slice(0, LIMITS.searchQuery);
  const phrases = phrasesOf(query);
  const list = await listed(asked, { locale, limit: 1, from: undefined });
  if (isSilent(list, locale)) return list;
  const { blog } = list;
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

/**
 * Returns the reply to a path that means nothing: if it was the address of an article, or is its slug alone, what leads there;
 * otherwise the page with other articles, in the language of the blog in which the path begins. `read` is what is known.
 */
async function missing(asked: Asked, below: readonly string[], read: Nothing): Promise<Reply> {
  const page = { limit: SUGGESTIONS, from: undefined };
  const locale = localeAsked(asked) ?? localeIn(below[0] ?? "");
  let list = read ?? (await listed(asked, { ...page, locale }));
  const led =
    (await redirected(asked, list.blog, keyOf(`/${below.join("/")}`))) ?? (await leadOn(asked, list.blog, below));
  if (led !== null) return led;
  const isKnown = locale !== undefined && !isSilent(list, locale);
  if (read !== null || !isKnown) list = await listed(asked, { ...page, ...(isKnown && { locale }) });
  return pageReply(asked.c, missingPage(siteIn(asked, list, isKnown ? locale : undefined), list));
}

/** Returns the reply that leads from what was the address of an article, or is only its slug, to its page; null if it is none. */
async function leadOn(asked: Asked, blog: SiteBlog, below: readonly string[]): Promise<Reply | null> {
  const { mount, published } = asked;
  const names = /^(?:tags|authors)$/i.test(below[0] ?? "") ? [] : formerlyAt(below, blog.locales);
  if (names.length === 0) return null;
  const found = await published.findAddressed(blog._id, names, [localeAsked(asked) ?? "", mainOf(blog)]);
  return found && redirect(mount, blog, pathTo(mount, PLACES.article({ ...mount, blog }, found)));
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
const localeAsked = ({ c }: Asked): string | undefined => localeIn(c.req.query("locale") ?? "");

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
