/** How readers find a blog: its site, its feeds and the addresses of its articles (contract 20.1 and 20.2). */
import { LIMITS } from "./limits.ts";
import { canonicalLocale } from "./locale.ts";
import { isSlug } from "./slug.ts";

/** What a feed has of an article: all of it, or its beginning. */
export const FEED_CONTENTS = ["full", "excerpt"] as const;
export type FeedContent = (typeof FEED_CONTENTS)[number];

export const SITE_FONTS = ["serif", "sans"] as const;
export type SiteFont = (typeof SITE_FONTS)[number];

/** Maximum characters of a site's address, of the path of an article, of a newsletter, and of a menu's label; maximum entries of a menu. */
export const SITE_LIMITS = { siteUrl: 500, articlePath: 200, newsletter: 200, menuLabel: 60, menuEntries: 20 } as const;

/** An entry of a site's menu. `url` is absolute, or a path on the site. */
export type MenuEntry = { readonly label: string; readonly url: string };

/** Where a blog's articles are on its site. */
export const DEFAULT_ARTICLE_PATH = "/{locale}/{slug}";

/** Returns whether a text may be an `articlePath`: a path with `{slug}`, `{locale}` if wanted, and nothing else in braces. */
export function isArticlePath(text: string): boolean {
  const filled = text.replace("{slug}", "a").replace("{locale}", "a");
  return text.includes("{slug}") && isPath(filled) && new URL(filled, "http://a.example").pathname === filled;
}

function isPath(text: string): boolean {
  try {
    return PATH.test(text) && decodeURI(text) !== "";
  } catch {
    // A percent sign that encodes nothing, or bytes that are no text.
    return false;
  }
}

/** A path of one or more segments, in the characters that a URL has (RFC 3986, 3.3). */
const PATH = /^(?:\/[\w.~!$&'()*+,;=:@%-]+)+\/?$/;

/** An article in the path of its page. */
export type Named = { readonly slug: string; readonly locale: string };

/**
 * Returns the path of an article on its blog's site. An `articlePath` without `{locale}` is that of the blog's `main` language; in
 * others, the language comes first. `placeOf` (store/articles/rows.ts) makes the same of it in SQL.
 */
export function pathOfArticle(articlePath: string, main: string, { slug, locale }: Named): string {
  const prefix = locale === main || articlePath.includes("{locale}") ? "" : `/${locale}`;
  return prefix + articlePath.replace("{locale}", () => locale).replace("{slug}", () => encodeURIComponent(slug));
}

/** What a path says of an article: without a locale if it names none. */
export type Address = { readonly slug: string; readonly locale?: string };

/**
 * Returns the article that a decoded path names, by the way in which {@link pathOfArticle} makes it; null if it names none. In
 * capitals, where that is no other article's, it names the same one.
 */
export function articleAt(articlePath: string, path: string): Address | null {
  if (path.length > articlePath.length + LIMITS.slug + LIMITS.locale) return null;
  const found = patternOf(articlePath, false)?.exec(path) ?? patternOf(articlePath, true)?.exec(path);
  const { slug, locale } = found?.groups ?? {};
  const canonical = locale === undefined ? undefined : canonicalLocale(locale);
  if (slug === undefined || canonical === null) return null;
  return { slug: slug.toLowerCase().normalize("NFC"), ...(canonical !== undefined && { locale: canonical }) };
}

/** Returns what the decoded paths of articles look like; null if an `articlePath` cannot be decoded. */
function patternOf(articlePath: string, inCapitals: boolean): RegExp | null {
  const places: Readonly<Record<string, string>> = {
    // No slug has capitals, so that `en-US-one` is "one" in "en-US", and not "US-one" in "en".
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

/** What means something else than itself in a regular expression. */
const SIGNS = /[\\^$.*+?()[\]{}|/]/g;

/**
 * Returns what a path may name, the likeliest first, if it was the address of an article before the `articlePath` changed, or on
 * another site of the blog: its end is the slug, also before an ending such as `.html`.
 */
export function formerlyAt(segments: readonly string[], locales: readonly string[]): readonly Address[] {
  const localeOf = (text: string) => locales.find((locale) => locale.toLowerCase() === text.toLowerCase());
  const last = segments.findLast((segment, at) => at === 0 || localeOf(segment) === undefined) ?? "";
  const parts = last
    .slice(0, LIMITS.slug + LIMITS.locale)
    .toLowerCase()
    .normalize("NFC")
    .split(".");
  const words = segments.join("/").split(/[^a-z\d-]+/i);
  const locale = words.map(localeOf).find((found) => found !== undefined);
  const whole = parts.map((slug) => ({ slug, ...(locale !== undefined && { locale }) }));
  // `/en-US-one`, if paths were `/{locale}-{slug}`.
  const glued = locales
    .filter((each) => last.toLowerCase().startsWith(`${each.toLowerCase()}-`))
    .map((each) => ({ slug: parts[0]?.slice(each.length + 1) ?? "", locale: each }));
  return [...whole, ...glued].filter(({ slug }) => slug.length <= LIMITS.slug && isSlug(slug));
}

/** Returns a site's address as it is stored, or null if the text is none: http or https, and no query or fragment. */
export function siteUrlOf(text: string): string | null {
  if (!/^https?:\/\/[^\s\p{Cc}]+$/iu.test(text) || !URL.canParse(text)) return null;
  const { origin, pathname, search, hash, username, password } = new URL(text);
  if (search !== "" || hash !== "" || username !== "" || password !== "" || /[?#]$/.test(text)) return null;
  return origin + pathname.replace(/\/+$/, "");
}

/** Returns the address of a place that SQL has composed: absolute, or a path below the service's own address. */
export const addressOf = (place: string, baseUrl: () => string): string =>
  place.startsWith("/") ? new URL(baseUrl() + place).href : new URL(place).href;

/** Whether a canonical address, which may be "" for none, leads elsewhere than to the article's own address. */
export const isElsewhere = (canonicalUrl: string, own: string): boolean =>
  canonicalUrl !== "" && new URL(canonicalUrl).href !== own;

/**
 * Returns an article's HTML for a page of the service's own site. Its links to paths, such as `/six-walks`, are those of the blog's
 * site, which begins with `prefix` here; without it, they would lead to the service, or to another blog. `locale` is
 * added to a path that may be the slug of an article, which then leads to that article in this language.
 */
export const withSitePaths = (html: string, prefix: string, locale: string): string =>
  html.replaceAll(PATH_LINK, (_, path: string, rest: string) => {
    const query = path === "" || path.includes("/") || rest.startsWith("?") ? "" : `?locale=${locale}`;
    return `<a href="${prefix}/${path}${query}${rest}"`;
  });

/** A link of sanitized HTML, in which texts have no `<`, to a path: without its slash, and with what is behind it. */
const PATH_LINK = /<a href="\/(?![/\\])([^"?#]*)([^"]*)"/g;
