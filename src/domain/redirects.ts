/** Redirects of a blog's site: what a path is that one begins at, and what one may lead to (contract 21.8). */
import { isStorable } from "../lib/text.ts";
import { isStorableWebUrl } from "../lib/web-url.ts";
import { articleAt, DEFAULT_ARTICLE_PATH, type Address } from "./site.ts";
import { LIMITS } from "./limits.ts";

/** Maximum characters of the path that a redirect begins at, redirects of one request, and of an organization. */
export const REDIRECT_LIMITS = { from: 500, rows: 500, redirects: 50_000 } as const;

export const A_SOURCE = `must be a path of the site, such as /2012/02/old-name, of at most ${REDIRECT_LIMITS.from} characters; without a query, but for /?p=123 and /?page_id=123`;
export const A_TARGET = "must be a path of the site, such as /en/new-name, or an https URL";

/** Where a redirect leads: to an article, or to an address. */
export type Goal = {
  readonly articleId: string | null;
  readonly to: string | null;
  /** The path that a redirect would begin at to go on from there; null if none can. */
  readonly key: string | null;
};

export const goalOfArticle = (articleId: string): Goal => ({ articleId, to: null, key: null });

/**
 * Returns a decoded path as redirects are compared by: in NFC, without a slash at the end. Null for the root, and for what no
 * redirect can begin at.
 */
export function keyOf(path: string): string | null {
  // Before normalizing, too: composing a long run of marks takes time in proportion to its square.
  if (path.length > LIMITS.url) return null;
  const key = path.normalize("NFC").replace(/\/+$/, "");
  const isPath = /^\/(?![/\\])/.test(key) && !/\p{Cc}/u.test(key) && !key.split("/").some(isDots);
  return isPath && isStorable(key) && key.length <= REDIRECT_LIMITS.from ? key : null;
}

function decodedKeyOf(path: string): string | null {
  try {
    return keyOf(decodeURIComponent(path));
  } catch {
    return null;
  }
}

/** No request has such a segment: browsers resolve it. */
const isDots = (segment: string): boolean => segment === "." || segment === "..";

/** Returns what WordPress calls a page by its number, as redirects are compared by; null if the query names none. */
export function numberedKeyOf(query: URLSearchParams): string | null {
  const name = ["p", "page_id"].find((each) => /^[1-9]\d{0,19}$/.test(query.get(each) ?? ""));
  return name === undefined ? null : `/?${name}=${query.get(name)}`;
}

/** Returns what a redirect begins at, as it is stored; null if the text is no such path. */
export function sourceOf(text: string): string | null {
  const given = text.trim();
  if (/^\/\?(?:p|page_id)=[1-9]\d{0,19}$/.test(given)) return given;
  return /[?#\\]/.test(given) ? null : decodedKeyOf(given);
}

/** Returns what a redirect begins at in a form that {@link sourceOf} reads as the same. */
export const writtenSource = (source: string): string =>
  /^\/\?(?:p|page_id)=\d+$/.test(source) ? source : source.replaceAll(/[%?#\\\s]/g, encodeURIComponent);

/**
 * Returns where a path or URL leads, null if a redirect may not lead there. `roots` are the addresses of the blog's own site: what
 * is below one of them is a path.
 */
export function goalOf(text: string, roots: readonly string[]): Goal | null {
  const given = text.trim();
  if (given.length > LIMITS.url) return null;
  if (given.startsWith("/")) return pathGoalOf(given);
  if (!/^https:\/\//i.test(given) || !isStorableWebUrl(given)) return null;
  const { href, username, password } = new URL(given);
  if (username !== "" || password !== "" || href.length > LIMITS.url) return null;
  const root = roots.find((each) => isBelow(href, each));
  if (root === undefined) return { articleId: null, to: href, key: null };
  return pathGoalOf(`/${href.slice(root.length).replace(/^\//, "")}`);
}

const isBelow = (href: string, root: string): boolean =>
  href.startsWith(root) && /^(?:$|[/?#])/.test(href.slice(root.length));

function pathGoalOf(given: string): Goal | null {
  // Never `//host`, also not as what is left of `/.//host`.
  if (/^\/[/\\]|[\\\s\p{Cc}]/u.test(given) || !isStorable(given)) return null;
  const { pathname, search, hash, searchParams } = new URL(given, "https://site.invalid");
  const to = pathname + search + hash;
  if (pathname.startsWith("//") || to.length > LIMITS.url) return null;
  const key = pathname === "/" ? numberedKeyOf(searchParams) : decodedKeyOf(pathname);
  return pathname !== "/" && key === null ? null : { articleId: null, to, key };
}

/** How a blog's site makes its paths. */
export type SitePaths = { readonly locales: readonly string[]; readonly articlePath: string };

/** Returns the articles that a path of the site names, if it is the address of one. */
export const articlesAt = (key: string, { articlePath }: SitePaths): Address[] =>
  [...new Set([articlePath, DEFAULT_ARTICLE_PATH])].flatMap((each) => articleAt(each, key) ?? []);

/** Returns whether a path is one of a page that every site has, whatever redirects say. */
export const isOwnPage = (key: string): boolean => /^\/(?:archive|search)$/i.test(key);

/** Returns whether a path is one of the site's pages: such a page, or the front page of a language. */
export const isPageOfSite = (key: string, { locales }: SitePaths): boolean =>
  isOwnPage(key) || locales.some((locale) => `/${locale}`.toLowerCase() === key.toLowerCase());
