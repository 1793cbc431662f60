/** How readers find a blog: its site, its feeds and the addresses of its articles (contract 20.1 and 20.2). */

/** What a feed has of an article: all of it, or its beginning. */
export const FEED_CONTENTS = ["full", "excerpt"] as const;
export type FeedContent = (typeof FEED_CONTENTS)[number];

export const SITE_FONTS = ["serif", "sans"] as const;
export type SiteFont = (typeof SITE_FONTS)[number];

/** Maximum characters of a site's address, of the path of an article and of a menu's label; maximum entries of a menu. */
export const SITE_LIMITS = { siteUrl: 500, articlePath: 200, menuLabel: 60, menuEntries: 20 } as const;

/** An entry of a site's menu. `url` is absolute, or a path on the site. */
export type MenuEntry = { readonly label: string; readonly url: string };

/** Where a blog's articles are on its site. */
export const DEFAULT_ARTICLE_PATH = "/{locale}/{slug}";

/**
 * Returns whether a text may be an `articlePath`: a path with `{slug}`, `{locale}` if wanted, and nothing else in braces.
 * A path without `{locale}` gives translations one address.
 */
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
