/** Sites of blogs (contract 21): finds the page for a path. Loaded on first use. */
import type { Context } from "hono";
import { blogTag } from "../../domain/cache-tags.ts";
import { LIMITS } from "../../domain/limits.ts";
import { canonicalizeLocale } from "../../domain/locale.ts";
import { limitWords, parsePhrases } from "../../domain/search-query.ts";
import { parsePathKey, parseNumberedKey } from "../../domain/redirects.ts";
import { parseAddress, guessAddresses, type Address } from "../../domain/site.ts";
import type { TermKind } from "../../domain/terms.ts";
import { isVanityId } from "../../domain/vanity.ts";
import { DomainError } from "../../domain/errors.ts";
import { isId } from "../../lib/ids.ts";
import { enforceSearchLimit } from "../request/strangers.ts";
import type { PublishedStore } from "../../store/articles/published.ts";
import type { SiteList, SiteListQuery, SitePlace } from "../../store/articles/site-pages.ts";
import { searchSite } from "../../store/articles/reader-search.ts";
import type { SiteBlog } from "../../store/blogs/shown.ts";
import { openDatabase } from "../../store/database.ts";
import type { AppEnv } from "../rest/app-env.ts";
import { makeArrival } from "../rest/caller.ts";
import type { Reply } from "../rest/reply.ts";
import { answerOtherMethod } from "../rest/cross-origin.ts";
import { openReader, toPublicReply } from "./replies.ts";
import { buildArticlePage } from "./article.tsx";
import { renderPage, type SitePage } from "./layout.tsx";
import { renderLonePage } from "./lone-page.tsx";
import { buildArchivePage, buildFrontPage, buildMissingPage, buildSearchPage, buildTermPage } from "./lists.tsx";
import { getCacheHeaders, getMainLocale, makeMount, toPath, PLACES, makeSite, type Mount } from "./place.ts";
import { getSiteWords } from "./words.ts";

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
export async function serveSite(c: Context<AppEnv>): Promise<Reply> {
  const [, given = ""] = c.req.path.split("/", 2);
  const vanityId = given.toLowerCase();
  if (!isVanityId(vanityId)) throw new DomainError("route_not_found");
  return serveMount(c, makeMount(vanityId), parseSegments(c.req.path)?.slice(1) ?? null);
}

/**
 * `below` has the segments of the path below the site's root, or is null if they cannot be decoded. Throws as {@link serveSite}
 * does, but for a browser, which gets a page.
 */
export async function serveMount(c: Context<AppEnv>, mount: Mount, below: readonly string[] | null): Promise<Reply> {
  try {
    return await serveBelow(c, mount, below);
  } catch (error) {
    const isMissing = error instanceof DomainError && error.code === "route_not_found";
    if (!isMissing || !c.req.header("Accept")?.includes("text/html")) throw error;
    const { words } = getSiteWords("en");
    const headers = { "Cache-Control": "no-store", Vary: "Accept" };
    return renderLonePage(makeArrival(c), {
      blog: null,
      lang: "en",
      title: words.missing,
      status: 404,
      headers,
      main: null,
    });
  }
}

async function serveBelow(c: Context<AppEnv>, mount: Mount, below: readonly string[] | null): Promise<Reply> {
  const { published, baseUrl } = await openReader(c);
  const asked = { c, mount, published, baseUrl };
  if (!/^(?:GET|HEAD)$/.test(c.req.method)) {
    // Every path of a site has a page, even if it is a 404. If there is no site, this throws.
    await readList(asked, { limit: 0, from: undefined });
    return answerOtherMethod(c.req.method, ["GET", "HEAD", "OPTIONS"]);
  }
  const found = below === null ? null : await findPage(asked, below);
  return found !== null && "status" in found ? found : showMissing(asked, below ?? [], found);
}

/** Returns the decoded segments of a path, without an empty one at the end, or null if they cannot be decoded. */
export function parseSegments(path: string): string[] | null {
  try {
    return path.replace(/\/$/, "").split("/").slice(1).map(decodeURIComponent);
  } catch {
    return null;
  }
}

/** There is no page. The list may have been read before this was known. */
type Nothing = SiteList | null;

/** Returns the page for a path, in any case. */
async function findPage(asked: Asked, below: readonly string[]): Promise<Reply | Nothing> {
  const [first = "", second = ""] = below;
  const word = first.toLowerCase();
  if (below.length === 0) return (await findNumberedRedirect(asked)) ?? showFront(asked, undefined);
  const isSearch = below.length === 1 && word === "search";
  if (isSearch && asked.c.req.query("q") !== undefined) return showSearch(asked);
  if (below.length === 1 && first === "robots.txt" && asked.mount.prefix === "") return showRobots(asked);
  if (below.length === 2 && word === "tags") return showTerm(asked, "tag", second);
  if (below.length === 2 && word === "authors") return showTerm(asked, "author", second);
  const named = parseAddress(asked.mount.articlePath, `/${below.join("/")}`);
  const page = named && (await showArticle(asked, named));
  if (page !== null || below.length !== 1) return page;
  // If articles are at `/{slug}`, one of them may have such a path. It comes first, because feeds and site maps lead to it.
  if (word === "archive") return showArchive(asked);
  if (isSearch) return showSearch(asked);
  const locale = parseLocale(first);
  return locale === undefined ? null : showFront(asked, locale);
}

/** Returns the canonical locale of a text, or undefined if it is not a locale. */
const parseLocale = (text: string): string | undefined =>
  text.length <= LIMITS.locale ? (canonicalizeLocale(text) ?? undefined) : undefined;

/** Returns a page, or a redirect to it if the request has another path, such as one in capitals. */
async function replyAtOwnPath({ c, mount }: Asked, page: SitePage): Promise<Reply> {
  const path = toPath(mount, page.below ?? "");
  const isOwn = String(parseSegments(path.replace(/\?.*/, ""))) === String(parseSegments(c.req.path));
  return page.below === null || isOwn ? renderPage(c, page) : redirect(mount, page.site.blog, path);
}

/** Links contain only a slug. If there is a translation into the locale of the query, they lead there. */
async function showArticle(asked: Asked, { slug, locale }: Address): Promise<Reply | null> {
  const { mount, published, baseUrl } = asked;
  const read = await published.readSiteArticle({ vanityId: mount.vanityId, slug, locale });
  if (read === null || !isBlogOfMount(mount, read.blog)) throw new DomainError("route_not_found");
  const found = read.article;
  if (found === null) return null;
  const site = makeSite(mount, read.blog, baseUrl(), found.locale);
  const wanted = locale === undefined ? getLocale(asked) : locale;
  const other = found.translations.find((each) => each.locale === wanted && wanted !== found.locale);
  if (other !== undefined) return redirect(mount, read.blog, toPath(mount, PLACES.article(site, other)));
  return replyAtOwnPath(asked, buildArticlePage(site, found));
}

/** Returns a redirect. It is cached and purged like the pages of the blog. */
const redirect = (mount: Mount, blog: SiteBlog, Location: string): Reply => ({
  status: 301,
  headers: { ...getCacheHeaders(mount), "Cache-Tag": blogTag(blog._id), Location },
  body: null,
});

/** Returns the reply of a blog's redirect, or null if there is none for this path. */
async function findRedirectReply(
  { c, mount, published }: Asked,
  blog: SiteBlog,
  key: string | null,
): Promise<Reply | null> {
  const found = key === null ? null : await published.findRedirect(blog._id, key);
  if (found === null) return null;
  const below = found.to ?? PLACES.article({ ...mount, blog }, found);
  const place = below.startsWith("/") ? toPath(mount, below) : below;
  const query = new URL(c.req.url).searchParams;
  if (key?.startsWith("/?")) for (const name of ["p", "page_id"]) query.delete(name);
  return redirect(mount, blog, keepQuery(place, query));
}

/** Adds the query of the request to a redirect, unless the redirect has its own. */
function keepQuery(place: string, query: URLSearchParams): string {
  if (query.size === 0 || place.includes("?")) return place;
  const [path = "", ...fragment] = place.split("#");
  return [`${path}?${query.toString()}`, ...fragment].join("#");
}

/** Returns the redirect of a WordPress URL with a number, `/?p=123`, or null if there is none. */
async function findNumberedRedirect(asked: Asked): Promise<Reply | null> {
  const key = parseNumberedKey(new URL(asked.c.req.url).searchParams);
  return key === null ? null : findRedirectReply(asked, (await readList(asked, { limit: 0 })).blog, key);
}

async function showFront(asked: Asked, locale: string | undefined): Promise<Reply | Nothing> {
  const list = await readList(asked, { locale, limit: ENTRIES });
  if (hasNoArticles(list, locale)) return list;
  return replyAtOwnPath(asked, buildFrontPage(openSite(asked, list, locale), list, formatPlace(asked)));
}

/** Returns whether a blog has nothing in a locale other than its main one. */
const hasNoArticles = ({ blog, spoken, entries }: SiteList, locale: string | undefined): boolean =>
  locale !== undefined && locale !== getMainLocale(blog) && entries.length === 0 && !spoken.includes(locale);

async function showArchive(asked: Asked): Promise<Reply | Nothing> {
  const locale = getLocale(asked);
  const list = await readList(asked, { locale, limit: TITLES });
  if (hasNoArticles(list, locale)) return list;
  return replyAtOwnPath(asked, buildArchivePage(openSite(asked, list, locale), list, formatPlace(asked)));
}

async function showTerm(asked: Asked, kind: TermKind, given: string): Promise<Reply | Nothing> {
  const locale = getLocale(asked);
  const slug = given.slice(0, LIMITS.slug).toLowerCase().normalize("NFC");
  const list = await readList(asked, { locale, term: { kind, slug }, limit: ENTRIES });
  if (list.term === null || hasNoArticles(list, locale)) return list;
  const page = { ...list, term: list.term };
  return replyAtOwnPath(asked, buildTermPage(openSite(asked, list, locale), page, { kind, asked: formatPlace(asked) }));
}

async function showSearch(asked: Asked): Promise<Reply | Nothing> {
  const { c, mount, baseUrl } = asked;
  const locale = getLocale(asked);
  const query = (c.req.query("q") ?? "")
    .replaceAll(/\p{Cc}+/gu, " ")
    .trim()
    .slice(0, LIMITS.searchQuery);
  const phrases = parsePhrases(query);
  const list = await readList(asked, { locale, limit: 1, from: undefined });
  if (hasNoArticles(list, locale)) return list;
  const { blog } = list;
  const site = makeSite(mount, blog, baseUrl(), locale);
  if (phrases.length === 0) return renderPage(c, buildSearchPage(site, query, query === "" ? null : []));
  await enforceSearchLimit(makeArrival(c), c.req.raw);
  const known = limitWords(phrases, LIMITS.searchWords);
  const results = await searchSite(openDatabase(c.env, blog.organizationId), blog, {
    phrases: known,
    locale: site.locale,
  });
  return renderPage(c, buildSearchPage(site, query, results));
}

/**
 * Returns the robots.txt of a site on its own host. Rules are prefixes of paths (RFC 9309, 2.2.2): `/search` without `?`
 * would also match an article at `/search-and-rescue`.
 */
async function showRobots(asked: Asked): Promise<Reply> {
  const { blog } = await readList(asked, { limit: 0 });
  const body = `User-agent: *\nDisallow: /search?\n\nSitemap: ${asked.baseUrl()}/blogs/${blog._id}/sitemap.xml\n`;
  return toPublicReply(asked.c, { blogId: blog._id, type: "text/plain", body, headers: getCacheHeaders(asked.mount) });
}

/**
 * Returns the reply for a path without a page: a redirect to an article that had this path or has this slug, otherwise the
 * 404 page, in the locale at the beginning of the path. `read` is the list, if it was read already.
 */
async function showMissing(asked: Asked, below: readonly string[], read: Nothing): Promise<Reply> {
  const page = { limit: SUGGESTIONS, from: undefined };
  const locale = getLocale(asked) ?? parseLocale(below[0] ?? "");
  let list = read ?? (await readList(asked, { ...page, locale }));
  const led =
    (await findRedirectReply(asked, list.blog, parsePathKey(`/${below.join("/")}`))) ??
    (await findMovedArticle(asked, list.blog, below));
  if (led !== null) return led;
  const isKnown = locale !== undefined && !hasNoArticles(list, locale);
  if (read !== null || !isKnown) list = await readList(asked, { ...page, ...(isKnown && { locale }) });
  return renderPage(asked.c, buildMissingPage(openSite(asked, list, isKnown ? locale : undefined), list));
}

/** Returns a redirect from a previous path of an article, or from its slug alone, or null if there is no such article. */
async function findMovedArticle(asked: Asked, blog: SiteBlog, below: readonly string[]): Promise<Reply | null> {
  const { mount, published } = asked;
  const names = /^(?:tags|authors)$/i.test(below[0] ?? "") ? [] : guessAddresses(below, blog.locales);
  if (names.length === 0) return null;
  const found = await published.findAddressed(blog._id, names, [getLocale(asked) ?? "", getMainLocale(blog)]);
  return found && redirect(mount, blog, toPath(mount, PLACES.article({ ...mount, blog }, found)));
}

/** Returns a page of a list. Throws `route_not_found` if no blog has this vanityId or its site is off. */
async function readList(asked: Asked, query: Omit<SiteListQuery, "vanityId">): Promise<SiteList> {
  const from = "from" in query ? query.from : parsePlace(asked);
  const list = await asked.published.readSiteList({ ...query, from, vanityId: asked.mount.vanityId });
  if (list === null || !isBlogOfMount(asked.mount, list.blog)) throw new DomainError("route_not_found");
  return list;
}

const isBlogOfMount = ({ blogId }: Mount, blog: SiteBlog): boolean => blogId === null || blogId === blog._id;

const openSite = ({ mount, baseUrl }: Asked, { blog }: SiteList, locale: string | undefined) =>
  makeSite(mount, blog, baseUrl(), locale ?? getMainLocale(blog));

const getLocale = ({ c }: Asked): string | undefined => parseLocale(c.req.query("locale") ?? "");

/** Returns where a page of a list begins, or undefined for the first page or an invalid place. */
function parsePlace({ c }: Asked): SitePlace | undefined {
  const newer = c.req.query("after");
  const [, time, id] = PLACE.exec(newer ?? c.req.query("before") ?? "") ?? [];
  if (time === undefined || id === undefined || !isId(id)) return undefined;
  return { time, id, newer: newer !== undefined };
}

const PLACE = /^(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z)_([0-9a-f-]{36})$/;

function formatPlace(asked: Asked): string | undefined {
  const from = parsePlace(asked);
  return from && `${from.newer ? "after" : "before"}=${from.time}_${from.id}`;
}
