/** Sites of blogs (contract 21): finds the page for a path. Loaded on first use. */
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

/** Articles on a page of a list, of the archive, and on the 404 page. */
const ENTRIES = 12;
const TITLES = 100;
const SUGGESTIONS = 5;

type Asked = {
  readonly c: Context<AppEnv>;
  readonly mount: Mount;
  readonly published: PublishedStore;
  readonly baseUrl: () => string;
};

/**
 * Handles requests at and below `/{vanityId}`. Throws `route_not_found` if no blog has this vanityId or its site is off,
 * `rate_limited`, and `method_not_allowed`.
 */
export async function siteReply(c: Context<AppEnv>): Promise<Reply> {
  const [, given = ""] = c.req.path.split("/", 2);
  const vanityId = given.toLowerCase();
  if (!isVanityId(vanityId)) throw new DomainError("route_not_found");
  return mountedReply(c, mountAt(vanityId), segmentsOf(c.req.path)?.slice(1) ?? null);
}

/** `below` has the segments of the path below the site's root, or is null if they cannot be decoded. */
export async function mountedReply(c: Context<AppEnv>, mount: Mount, below: readonly string[] | null): Promise<Reply> {
  const { published, baseUrl } = await openReader(c);
  const asked = { c, mount, published, baseUrl };
  if (!/^(?:GET|HEAD)$/.test(c.req.method)) {
    // Every path of a site has a page, even if it is a 404. If there is no site, this throws.
    await listed(asked, { limit: 0, from: undefined });
    return otherMethod(c.req.method, ["GET", "HEAD", "OPTIONS"]);
  }
  const found = below === null ? null : await pageAt(asked, below);
  return found !== null && "status" in found ? found : missing(asked, below ?? [], found);
}

/** Returns the decoded segments of a path, without an empty one at the end, or null if they cannot be decoded. */
export function segmentsOf(path: string): string[] | null {
  try {
    return path.replace(/\/$/, "").split("/").slice(1).map(decodeURIComponent);
  } catch {
    return null;
  }
}

/** There is no page. The list may have been read before this was known. */
type Nothing = SiteList | null;

/** Returns the page for a path, in any case. */
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
  // If articles are at `/{slug}`, one of them may have such a path. It comes first, because feeds and site maps lead to it.
  if (word === "archive") return archive(asked);
  if (isSearch) return search(asked);
  const locale = localeIn(first);
  return locale === undefined ? null : front(asked, locale);
}

/** Returns the canonical locale of a text, or undefined if it is not a locale. */
const localeIn = (text: string): string | undefined =>
  text.length <= LIMITS.locale ? (canonicalLocale(text) ?? undefined) : undefined;

/** Returns a page, or a redirect to it if the request has another path, such as one in capitals. */
async function placed({ c, mount }: Asked, page: PageOf): Promise<Reply> {
  const path = pathTo(mount, page.below ?? "");
  const isOwn = String(segmentsOf(path.replace(/\?.*/, ""))) === String(segmentsOf(c.req.path));
  return page.below === null || isOwn ? pageReply(c, page) : redirect(mount, page.site.blog, path);
}

/** Links contain only a slug. If there is a translation into the locale of the query, they lead there. */
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

/** Returns a redirect. It is cached and purged like the pages of the blog. */
const redirect = (mount: Mount, blog: SiteBlog, Location: string): Reply => ({
  status: 301,
  headers: { ...cachingOf(mount), "Cache-Tag": blogTag(blog._id), Location },
  body: null,
});

/** Returns the reply of a blog's redirect, or null if there is none for this path. */
async function redirected({ c, mount, published }: Asked, blog: SiteBlog, key: string | null): Promise<Reply | null> {
  const found = key === null ? null : await published.findRedirect(blog._id, key);
  if (found === null) return null;
  const below = found.to ?? PLACES.article({ ...mount, blog }, found);
  const place = below.startsWith("/") ? pathTo(mount, below) : below;
  const query = new URL(c.req.url).searchParams;
  if (key?.startsWith("/?")) for (const name of ["p", "page_id"]) query.delete(name);
  return redirect(mount, blog, withRest(place, query));
}

/** Adds the query of the request to a redirect, unless the redirect has its own. */
function withRest(place: string, query: URLSearchParams): string {
  if (query.size === 0 || place.includes("?")) return place;
  const [path = "", ...fragment] = place.split("#");
  return [`${path}?${query.toString()}`, ...fragment].join("#");
}

/** Returns the redirect of a WordPress URL with a number, `/?p=123`, or null if there is none. */
async function numbered(asked: Asked): Promise<Reply | null> {
  const key = numberedKeyOf(new URL(asked.c.req.url).searchParams);
  return key === null ? null : redirected(asked, (await listed(asked, { limit: 0 })).blog, key);
}

async function front(asked: Asked, locale: string | undefined): Promise<Reply | Nothing> {
  const list = await listed(asked, { locale, limit: ENTRIES });
  if (isSilent(list, locale)) return list;
  return placed(asked, frontPage(siteIn(asked, list, locale), list, placeAsked(asked)));
}

/** Returns whether a blog has nothing in a locale other than its main one. */
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
 * Returns the robots.txt of a site on its own host. Rules are prefixes of paths (RFC 9309, 2.2.2): `/search` without `?`
 * would also match an article at `/search-and-rescue`.
 */
async function robots(asked: Asked): Promise<Reply> {
  const { blog } = await listed(asked, { limit: 0 });
  const body = `User-agent: *\nDisallow: /search?\n\nSitemap: ${asked.baseUrl()}/blogs/${blog._id}/sitemap.xml\n`;
  return publicReply(asked.c, { blogId: blog._id, type: "text/plain", body, headers: cachingOf(asked.mount) });
}

/**
 * Returns the reply for a path without a page: a redirect to an article that had this path or has this slug, otherwise the
 * 404 page, in the locale at the beginning of the path. `read` is the list, if it was read already.
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

/** Returns a redirect from a previous path of an article, or from its slug alone, or null if there is no such article. */
async function leadOn(asked: Asked, blog: SiteBlog, below: readonly string[]): Promise<Reply | null> {
  const { mount, published } = asked;
  const names = /^(?:tags|authors)$/i.test(below[0] ?? "") ? [] : formerlyAt(below, blog.locales);
  if (names.length === 0) return null;
  const found = await published.findAddressed(blog._id, names, [localeAsked(asked) ?? "", mainOf(blog)]);
  return found && redirect(mount, blog, pathTo(mount, PLACES.article({ ...mount, blog }, found)));
}

/** Returns a page of a list. Throws `route_not_found` if no blog has this vanityId or its site is off. */
async function listed(asked: Asked, query: Omit<SiteListQuery, "vanityId">): Promise<SiteList> {
  const from = "from" in query ? query.from : placeOf(asked);
  const list = await asked.published.readSiteList({ ...query, from, vanityId: asked.mount.vanityId });
  if (list === null || !shows(asked.mount, list.blog)) throw new DomainError("route_not_found");
  return list;
}

const shows = ({ blogId }: Mount, blog: SiteBlog): boolean => blogId === null || blogId === blog._id;

const siteIn = ({ mount, baseUrl }: Asked, { blog }: SiteList, locale: string | undefined) =>
  siteOf(mount, blog, baseUrl(), locale ?? mainOf(blog));

const localeAsked = ({ c }: Asked): string | undefined => localeIn(c.req.query("locale") ?? "");

/** Returns where a page of a list begins, or undefined for the first page or an invalid place. */
function placeOf({ c }: Asked): SitePlace | undefined {
  const newer = c.req.query("after");
  const [, time, id] = PLACE.exec(newer ?? c.req.query("before") ?? "") ?? [];
  if (time === undefined || id === undefined || !isId(id)) return undefined;
  return { time, id, newer: newer !== undefined };
}

const PLACE = /^(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z)_([0-9a-f-]{36})$/;

function placeAsked(asked: Asked): string | undefined {
  const from = placeOf(asked);
  return from && `${from.newer ? "after" : "before"}=${from.time}_${from.id}`;
}
