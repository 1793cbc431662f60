/** Where the pages of a site are: paths for its own links, and URLs for search engines. */
import { DEFAULT_ARTICLE_PATH, toArticlePath, type Named } from "../../domain/site.ts";
import { SHARED_CACHING } from "../rest/respond.ts";
import type { SiteBlog } from "../../store/blogs/shown.ts";

/** Where the site of a request is. */
export type Mount = {
  readonly vanityId: string;
  /** The blog of a custom domain. Its vanityId may belong to another blog by now. Null for all other hosts. */
  readonly blogId: string | null;
  /** The prefix of all paths: `/{vanityId}`, or "" on its own host. */
  readonly prefix: string;
  /** The pattern of paths of articles ({@link DEFAULT_ARTICLE_PATH}). */
  readonly articlePath: string;
  /** The URL of the front page if the site belongs at this host. Null for the URL below the service's base URL. */
  readonly root: string | null;
};

export type Site = Mount & {
  readonly blog: SiteBlog;
  readonly locale: string;
  readonly baseUrl: string;
  /** The URL of the front page, without a slash at the end. */
  readonly root: string;
  /** The blog's readers are at another URL, so search engines must not list its pages here. */
  readonly isElsewhere: boolean;
};

export const makeMount = (vanityId: string): Mount => ({
  vanityId,
  blogId: null,
  prefix: `/${vanityId}`,
  articlePath: DEFAULT_ARTICLE_PATH,
  root: null,
});

/**
 * Returns the headers for caching. The edge's cache key has no host, so it does not keep pages of a site's own host. It
 * keeps pages below the service's base URL, where `Vary: Host` prevents their use at other hosts: `/fil` is the page of a
 * blog called "fil", but on another blog's own host it is the page in the language "fil".
 */
export const getCacheHeaders = ({ prefix }: Mount): Readonly<Record<string, string>> => (prefix === "" ? OWN : KEPT);

const KEPT = { ...SHARED_CACHING, Vary: "Host" };
const OWN = {
  "Cache-Control": "private, max-age=0, must-revalidate",
  "Cloudflare-CDN-Cache-Control": "no-store",
} as const;

export function makeSite(mount: Mount, blog: SiteBlog, baseUrl: string, locale?: string): Site {
  const own = `${baseUrl}/${blog.vanityId}`;
  const isElsewhere = !blog.place.startsWith("/") && blog.place !== (mount.root ?? own);
  return { ...mount, blog, baseUrl, locale: locale ?? getMainLocale(blog), root: mount.root ?? own, isElsewhere };
}

export const getMainLocale = (blog: SiteBlog): string => blog.locales[0] ?? "en";

/** Returns the path of a page of the site. `below` is its path below the site's root, "" for the front page. */
export const toPath = ({ prefix }: Mount, below: string): string => prefix + below || "/";

/** The paths of pages below the site's root. */
export const PLACES = {
  front: ({ blog }: Pick<Site, "blog">, locale: string): string => (locale === getMainLocale(blog) ? "" : `/${locale}`),
  article: ({ articlePath, blog }: Pick<Site, "articlePath" | "blog">, article: Named): string =>
    toArticlePath(articlePath, getMainLocale(blog), article),
  term: (site: Site, kind: "tag" | "author", slug: string, locale: string): string =>
    `/${kind}s/${encodeURIComponent(slug)}${toLocaleQuery(site, locale)}`,
  archive: (site: Site, locale: string): string => `/archive${toLocaleQuery(site, locale)}`,
  search: (): string => "/search",
};

/** Returns the query for a locale, "" for the main one. */
const toLocaleQuery = ({ blog }: Site, locale: string): string =>
  locale === getMainLocale(blog) ? "" : `?locale=${encodeURIComponent(locale)}`;

export const toUrl = ({ root }: Site, below: string): string => new URL(root + below).href;

export const withQuery = (below: string, name: string, value: string): string =>
  `${below}${below.includes("?") ? "&" : "?"}${name}=${encodeURIComponent(value)}`;
