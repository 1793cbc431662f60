/** Redirects of a blog's site (contract 21.8). */
import { isStorable } from "../lib/text.ts";
import { isStorableWebUrl } from "../lib/web-url.ts";
import { parseAddress, DEFAULT_ARTICLE_PATH, type Address } from "./site.ts";
import { LIMITS } from "./limits.ts";

/** Maximum characters of a redirect's source, and maximum redirects of one request and of an organization. */
export const REDIRECT_LIMITS = { from: 500, rows: 500, redirects: 50_000 } as const;

export const A_SOURCE = `must be a path of the site, such as /2012/02/old-name, of at most ${REDIRECT_LIMITS.from} characters; without a query, but for /?p=123 and /?page_id=123`;
export const A_TARGET = "must be a path of the site, such as /en/new-name, or an https URL";

/** The target of a redirect: an article or a URL. */
export type Goal = {
  readonly articleId: string | null;
  readonly to: string | null;
  /** The path at which a next redirect could begin; null if none can. */
  readonly key: string | null;
};

export const toArticleGoal = (articleId: string): Goal => ({ articleId, to: null, key: null });

/**
 * Returns a decoded path in the form in which redirects are compared: NFC, no slash at the end. Null for the root, and
 * for paths that cannot have a redirect.
 */
export function parsePathKey(path: string): string | null {
  // Before normalizing: composing a long run of marks takes quadratic time.
  if (path.length > LIMITS.url) return null;
  const key = path.normalize("NFC").replace(/\/+$/, "");
  const isPath = /^\/(?![/\\])/.test(key) && !/\p{Cc}/u.test(key) && !key.split("/").some(isDots);
  return isPath && isStorable(key) && key.length <= REDIRECT_LIMITS.from ? key : null;
}

function decodePathKey(path: string): string | null {
  try {
    return parsePathKey(decodeURIComponent(path));
  } catch {
    return null;
  }
}

/** Browsers resolve such segments, so no request has them. */
const isDots = (segment: string): boolean => segment === "." || segment === "..";

/** Returns the key of a numbered page of WordPress (`/?p=123`); null if the query has none. */
export function parseNumberedKey(query: URLSearchParams): string | null {
  const name = ["p", "page_id"].find((each) => /^[1-9]\d{0,19}$/.test(query.get(each) ?? ""));
  return name === undefined ? null : `/?${name}=${query.get(name)}`;
}

/** Returns the source of a redirect as it is stored; null if the text is not a valid one. */
export function parseSource(text: string): string | null {
  const given = text.trim();
  if (/^\/\?(?:p|page_id)=[1-9]\d{0,19}$/.test(given)) return given;
  return /[?#\\]/.test(given) ? null : decodePathKey(given);
}

/** Returns a source in a form that {@link parseSource} reads as the same. */
export const formatSource = (source: string): string =>
  /^\/\?(?:p|page_id)=\d+$/.test(source) ? source : source.replaceAll(/[%?#\\\s]/g, encodeURIComponent);

/**
 * Returns the target that a path or URL means; null if redirects may not lead there. `roots` are the URLs of the blog's
 * own site: URLs below them become paths.
 */
export function parseGoal(text: string, roots: readonly string[]): Goal | null {
  const given = text.trim();
  if (given.length > LIMITS.url) return null;
  if (given.startsWith("/")) return parsePathGoal(given);
  if (!/^https:\/\//i.test(given) || !isStorableWebUrl(given)) return null;
  const { href, username, password } = new URL(given);
  if (username !== "" || password !== "" || href.length > LIMITS.url) return null;
  const root = roots.find((each) => isBelow(href, each));
  if (root === undefined) return { articleId: null, to: href, key: null };
  return parsePathGoal(`/${href.slice(root.length).replace(/^\//, "")}`);
}

const isBelow = (href: string, root: string): boolean =>
  href.startsWith(root) && /^(?:$|[/?#])/.test(href.slice(root.length));

function parsePathGoal(given: string): Goal | null {
  // Refuse `//host`, also as the result of resolving `/.//host`.
  if (/^\/[/\\]|[\\\s\p{Cc}]/u.test(given) || !isStorable(given)) return null;
  const { pathname, search, hash, searchParams } = new URL(given, "https://site.invalid");
  const to = pathname + search + hash;
  if (pathname.startsWith("//") || to.length > LIMITS.url) return null;
  const key = pathname === "/" ? parseNumberedKey(searchParams) : decodePathKey(pathname);
  return pathname !== "/" && key === null ? null : { articleId: null, to, key };
}

export type SitePaths = { readonly locales: readonly string[]; readonly articlePath: string };

/** Returns the articles that a path of the site may name. */
export const parseAddresses = (key: string, { articlePath }: SitePaths): Address[] =>
  [...new Set([articlePath, DEFAULT_ARTICLE_PATH])].flatMap((each) => parseAddress(each, key) ?? []);

/** Returns whether a path is a page that every site has. Redirects cannot replace it. */
export const isOwnPage = (key: string): boolean => /^\/(?:archive|search)$/i.test(key);

/** Returns whether a path is such a page, or the front page of a language. */
export const isSitePage = (key: string, { locales }: SitePaths): boolean =>
  isOwnPage(key) || locales.some((locale) => `/${locale}`.toLowerCase() === key.toLowerCase());
