/** Where a site's pages are: paths for its own links, and the addresses that search engines are told. */
import { DEFAULT_ARTICLE_PATH, pathOfArticle, type Named } from "../../domain/site.ts";
import { SHARED } from "../rest/respond.ts";
import type { SiteBlog } from "../../store/blogs/shown.ts";

/** Where a site was asked for. */
export type Mount = {
  readonly vanityId: string;
  /** The blog that a host of its own shows, even if another blog has taken its vanityId since; null for any blog. */
  readonly blogId: string | null;
  /** What the paths of its pages begin with: `/{vanityId}`, or "" on a host of its own. */
  readonly prefix: string;
  /** How the paths of its articles are made ({@link DEFAULT_ARTICLE_PATH}). */
  readonly articlePath: string;
  /** The address of its front page if it is at this host; null for what the service's own address says. */
  readonly root: string | null;
};

/** A blog, where it was asked for and in which language. */
export type Site = Mount & {
  readonly blog: SiteBlog;
  readonly locale: string;
  readonly baseUrl: string;
  /** Where its front page is: absolute, without a slash at the end. */
  readonly root: string;
  /** Whether the blog's readers are elsewhere, so that its lists are not to be found here. */
  readonly isElsewhere: boolean;
};

export const mountAt = (vanityId: string): Mount => ({
  vanityId,
  blogId: null,
  prefix: `/${vanityId}`,
  articlePath: DEFAULT_ARTICLE_PATH,
  root: null,
});

/**
 * Returns the headers of caching. The key of the edge's cache has no host. So what a site shows on a host of its own
 * is not kept there; browsers ask again, by the ETag. Pages below the service's own address are kept, but `Vary:
 * Host` keeps the edge from using them elsewhere: the page of a blog called "fil" is at `/fil`, and so is, on another
 * blog's own host, its page in the language "fil".
 */
export const cachingOf = ({ prefix }: Mount): Readonly<Record<string, string>> => (prefix === "" ? OWN : KEPT);

const KEPT = { ...SHARED, Vary: "Host" };
const OWN = {
  "Cache-Control": "private, max-age=0, must-revalidate",
  "Cloudflare-CDN-Cache-Control": "no-store",
} as const;

/** Returns a site in a language; without one, in its main language. */
export function siteOf(mount: Mount, blog: SiteBlog, baseUrl: string, locale?: string): Site {
  const own = `${baseUrl}/${blog.vanityId}`;
  const isElsewhere = !blog.place.startsWith("/") && blog.place !== (mount.root ?? own);
  return { ...mount, blog, baseUrl, locale: locale ?? mainOf(blog), root: mount.root ?? own, isElsewhere };
}

export const mainOf = (blog: SiteBlog): string => blog.locales[0] ?? "en";

/** Returns the path of a place of the site below its root: "" for its front page. */
export const pathTo = ({ prefix }: Mount, below: string): string => prefix + below || "/";

/** The places of a site below its root. */
export const PLACES = {
  front: ({ blog }: Pick<Site, "blog">, locale: string): string => (locale === mainOf(blog) ? "" : `/${locale}`),
  article: ({ articlePath, blog }: Pick<Site, "articlePath" | "blog">, article: Named): string =>
    pathOfArticle(articlePath, mainOf(blog), article),
  term: (site: Site, kind: "tag" | "author", slug: string, locale: string): string =>
    `/${kind}s/${encodeURIComponent(slug)}${inLanguage(site, locale)}`,
  archive: (site: Site, locale: string): string => `/archive${inLanguage(site, locale)}`,
  search: (): string => "/search",
};

/** Returns the query that names a language, unless it is the main one. */
const inLanguage = ({ blog }: Site, locale: string): string =>
  locale === mainOf(blog) ? "" : `?locale=${encodeURIComponent(locale)}`;

/** Returns the address of a place: of the front page without a slash at the end, as `url` of the site. */
export const addressIn = ({ root }: Site, below: string): string => new URL(root + below).href;

/** Returns a parameter added to a place. */
export const withQuery = (below: string, name: string, value: string): string =>
  `${below}${below.includes("?") ? "&" : "?"}${name}=${encodeURIComponent(value)}`;
