/** A blog's site, its feeds and the URLs of its articles (contract 20.1 and 20.2). */
import { LIMITS } from "./limits.ts";
import { canonicalizeLocale } from "./locale.ts";
import { isSlug } from "./slug.ts";

/** What feeds contain of an article: all of it, or its beginning. */
export const FEED_CONTENTS = ["full", "excerpt"] as const;
export type FeedContent = (typeof FEED_CONTENTS)[number];

export const SITE_FONTS = ["serif", "sans"] as const;
export type SiteFont = (typeof SITE_FONTS)[number];

/** Maximum characters, but for `menuEntries`. */
export const SITE_LIMITS = { siteUrl: 500, articlePath: 200, newsletter: 200, menuLabel: 60, menuEntries: 20 } as const;

/** `url` is absolute, or a path on the site. */
export type MenuEntry = { readonly label: string; readonly url: string };

export const DEFAULT_ARTICLE_PATH = "/{locale}/{slug}";

/** Returns whether a text may be an `articlePath`: a path with `{slug}`, optionally `{locale}`, and no other braces. */
export function isArticlePath(text: string): boolean {
  const filled = text.replace("{slug}", "a").replace("{locale}", "a");
  return text.includes("{slug}") && isPath(filled) && new URL(filled, "http://a.example").pathname === filled;
}

function isPath(text: string): boolean {
  try {
    return PATH.test(text) && decodeURI(text) !== "";
  } catch {
    // An invalid percent encoding.
    return false;
  }
}

/** One or more segments of URL characters (RFC 3986, 3.3). */
const PATH = /^(?:\/[\w.~!$&'()*+,;=:@%-]+)+\/?$/;

export type Named = { readonly slug: string; readonly locale: string };

/**
 * Returns the path of an article on its blog's site. Without `{locale}`, the `articlePath` applies to the `main`
 * language; others have the language in front. `buildArticleUrl` in store/articles/rows.ts does the same in SQL.
 */
export function toArticlePath(articlePath: string, main: string, { slug, locale }: Named): string {
  const prefix = locale === main || articlePath.includes("{locale}") ? "" : `/${locale}`;
  return prefix + articlePath.replace("{locale}", () => locale).replace("{slug}", () => encodeURIComponent(slug));
}

/** What a path says about an article. No locale: the path names none. */
export type Address = { readonly slug: string; readonly locale?: string };

/**
 * Returns the article that a decoded path names, the reverse of {@link toArticlePath}; null if it names none. Capitals
 * are accepted if no other article has that path.
 */
export function parseAddress(articlePath: string, path: string): Address | null {
  if (path.length > articlePath.length + LIMITS.slug + LIMITS.locale) return null;
  const found = makePattern(articlePath, false)?.exec(path) ?? makePattern(articlePath, true)?.exec(path);
  const { slug, locale } = found?.groups ?? {};
  const canonical = locale === undefined ? undefined : canonicalizeLocale(locale);
  if (slug === undefined || canonical === null) return null;
  return { slug: slug.toLowerCase().normalize("NFC"), ...(canonical !== undefined && { locale: canonical }) };
}

/** Returns a pattern of the decoded paths of articles; null if the `articlePath` cannot be decoded. */
function makePattern(articlePath: string, inCapitals: boolean): RegExp | null {
  const places: Readonly<Record<string, string>> = {
    // No slug has capitals, so `en-US-one` is "one" in "en-US", not "US-one" in "en".
    "{slug}": inCapitals ? "(?<slug>[^/]+)" : "(?<slug>[^/A-Z]+)",
    "{locale}": String.raw`(?<locale>[A-Za-z\d-]+?)`,
  };
  try {
    const parts = articlePath.replace(/\/$/, "").split(/(\{slug\}|\{locale\})/);
    const sources = parts.map((part) =>
      part.startsWith("{") ? places[part] : decodeURIComponent(part).replaceAll(SIGNS, String.raw`\$&`),
    );
    const prefix = parts.includes("{locale}") ? "" : `(?:/${places["{locale}"]})?`;
    return new RegExp(`^${prefix}${sources.join("")}$`, inCapitals ? "iu" : "u");
  } catch {
    return null;
  }
}

const SIGNS = /[\\^$.*+?()[\]{}|/]/g;

/**
 * Returns the articles that an old path may name, the likeliest first: from before the `articlePath` changed, or from
 * another site of the blog. Its end is the slug, also with an extension such as `.html`.
 */
export function guessAddresses(segments: readonly string[], locales: readonly string[]): readonly Address[] {
  const findLocale = (text: string) => locales.find((locale) => locale.toLowerCase() === text.toLowerCase());
  const last = segments.findLast((segment, at) => at === 0 || findLocale(segment) === undefined) ?? "";
  const parts = last
    .slice(0, LIMITS.slug + LIMITS.locale)
    .toLowerCase()
    .normalize("NFC")
    .split(".");
  const words = segments.join("/").split(/[^a-z\d-]+/i);
  const locale = words.map(findLocale).find((found) => found !== undefined);
  const whole = parts.map((slug) => ({ slug, ...(locale !== undefined && { locale }) }));
  // `/en-US-one`, if the `articlePath` was `/{locale}-{slug}`.
  const glued = locales
    .filter((each) => last.toLowerCase().startsWith(`${each.toLowerCase()}-`))
    .map((each) => ({ slug: parts[0]?.slice(each.length + 1) ?? "", locale: each }));
  return [...whole, ...glued].filter(({ slug }) => slug.length <= LIMITS.slug && isSlug(slug));
}

/** Returns a site's URL as it is stored; null if the text is no http or https URL, or has a query or fragment. */
export function parseSiteUrl(text: string): string | null {
  if (!/^https?:\/\/[^\s\p{Cc}]+$/iu.test(text) || !URL.canParse(text)) return null;
  const { origin, pathname, search, hash, username, password } = new URL(text);
  if (search !== "" || hash !== "" || username !== "" || password !== "" || /[?#]$/.test(text)) return null;
  return origin + pathname.replace(/\/+$/, "");
}

/** Returns the URL for a place that SQL has composed: an absolute URL, or a path of the service. */
export const toAbsoluteUrl = (place: string, baseUrl: () => string): string =>
  place.startsWith("/") ? new URL(baseUrl() + place).href : new URL(place).href;

/** Returns whether a canonical URL ("" for none) differs from the article's own URL. */
export const isElsewhere = (canonicalUrl: string, own: string): boolean =>
  canonicalUrl !== "" && new URL(canonicalUrl).href !== own;

/**
 * Rewrites links in an article's HTML for the service's own site. Links to paths such as `/six-walks` get the `prefix`
 * of the blog's site; otherwise they would lead to the service or another blog. `locale` is added to a path that may be
 * a slug, so that it leads to the article in this language.
 */
export const rewriteSitePaths = (html: string, prefix: string, locale: string): string =>
  html.replaceAll(PATH_LINK, (_, path: string, rest: string) => {
    const query = path === "" || path.includes("/") || rest.startsWith("?") ? "" : `?locale=${locale}`;
    return `<a href="${prefix}/${path}${query}${rest}"`;
  });

/** In sanitized HTML, texts have no `<`. */
const PATH_LINK = /<a href="\/(?![/\\])([^"?#]*)([^"]*)"/g;
