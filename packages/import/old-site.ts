/** The site that articles come from. Links among its pages should lead to the articles here. */
import { visit } from "unist-util-visit";
import { decodeAddress } from "../markdown/parser.ts";
import { UNCHOSEN } from "./choices.ts";
import { getProperty } from "./html-nodes.ts";
import type { Element, Root } from "./html-tree.ts";
import type { Remarks } from "./remarks.ts";

/** What was at an address: an article of this import, a file, or something that is left out. */
export type OldPage =
  | { readonly slug: string; readonly isPublic: boolean }
  | { readonly file: string }
  | { readonly left: string };

type Target = { readonly href: string; readonly remark?: string };

const NOWHERE = "https://old-site.invalid";

export class OldSite {
  readonly #hosts = new Set<string>();
  readonly #places = new Map<string, OldPage>();
  #base = NOWHERE;

  /** Adds an address of the site. Relative links are relative to the first one. */
  addAddress(address: string): void {
    const url = parseUrl(address);
    if (url === null || !/^https?:$/.test(url.protocol)) return;
    if (this.#base === NOWHERE) this.#base = url.href;
    this.#hosts.add(getHost(url));
  }

  /** Adds what is at an address or path. The first one added stays. */
  addPlace(address: string, place: OldPage): void {
    const key = this.#keyOf(parseUrl(address, this.#base));
    if (key !== null && !this.#places.has(key)) this.#places.set(key, place);
  }

  /** Returns the absolute form of a relative address. */
  toAbsolute(address: string, page = ""): string {
    const url = address === "" ? null : parseUrl(address, parseUrl(page, this.#base)?.href ?? this.#base);
    return url === null || url.origin === NOWHERE || /^[a-z][\w+.-]*:/i.test(address) ? address : url.href;
  }

  /**
   * Returns the paths from which redirects should lead to an article: on the host, and below the root of the site.
   * None for the home page, and for the article's path here.
   */
  listRedirects(address: string, slug: string): string[] {
    const url = parseUrl(this.toAbsolute(address), NOWHERE);
    if (url === null || address === "" || !/^https?:$/.test(url.protocol)) return [];
    const below = toPathBelow(url, parseUrl(this.#base)?.pathname ?? "/");
    // An address with a page's number is always at the root.
    const paths = url.search === "" ? [url.pathname, below] : [below];
    const isHome = below === "/" || (url.pathname === "/" && url.search === "");
    return isHome || decodeAddress(below).replaceAll(/^\/|\/$/g, "") === slug ? [] : [...new Set(paths)];
  }

  /** Returns a canonical address; "" for that of the article itself, which is here now. */
  toCanonical(address: string, slug: string): string {
    return address === "" || this.findTarget(address).href === `/${slug}` ? "" : this.toAbsolute(address);
  }

  /** Makes links lead to imported articles, and other relative addresses to the old site. `page` is the tree's address. */
  relink(tree: Root, remarks: Remarks, page = ""): void {
    let isRelative = false;
    visit(tree, "element", (node: Element) => {
      for (const name of ["src", "data", "dataSrc"]) {
        const address = getProperty(node, name);
        if (address === "") continue;
        node.properties[name] = this.toAbsolute(address, page);
        isRelative ||= isRelativeAddress(address) && this.#base === NOWHERE;
      }
      const href = getProperty(node, "href");
      if (node.tagName !== "a" || href === "") return;
      const target = this.findTarget(href, page);
      isRelative ||= isRelativeAddress(target.href) && target.href === href && this.#base === NOWHERE;
      node.properties["href"] = target.href;
      if (target.remark !== undefined) remarks.add(target.remark);
    });
    if (isRelative) remarks.add(RELATIVE);
  }

  findTarget(href: string, page = ""): Target {
    const url = /^#|^(?!https?:)[a-z][\w+.-]*:/i.test(href)
      ? null
      : parseUrl(href, parseUrl(page, this.#base)?.href ?? this.#base);
    const key = this.#keyOf(url);
    if (url === null || key === null) return { href };
    const place = this.#places.get(key);
    const old = this.toAbsolute(href, page);
    // `RELATIVE` says so if the site's address is unknown.
    if (place === undefined)
      return isFile(url.pathname) || this.#base === NOWHERE ? { href: old } : { href: old, remark: OTHERS };
    if ("left" in place) return { href: old, remark: `links to ${place.left}, which are not imported` };
    if ("file" in place) return { href: place.file, remark: "links to attachment pages, which now lead to the files" };
    const target = { href: `/${place.slug}${url.hash}` };
    return place.isPublic ? target : { ...target, remark: "links to articles that are not public" };
  }

  /** Returns the key of a page of the site; null for another site. */
  #keyOf(url: URL | null): string | null {
    if (url === null || (url.origin !== NOWHERE && !this.#hosts.has(getHost(url)))) return null;
    const id = ["p", "page_id", "attachment_id"].map((name) => url.searchParams.get(name)).find(Boolean);
    return id === undefined
      ? decodeAddress(url.pathname).replaceAll(/\/+/g, "/").replace(/\/$/, "").toLowerCase()
      : `?${id}`;
  }
}

export const RELATIVE = `articles with relative addresses, because ${UNCHOSEN.siteUrl}`;
const isRelativeAddress = (address: string): boolean => !/^(?:#|\/\/|[a-z][\w+.-]*:)/i.test(address);

const OTHERS = "links to other pages of the old site, left as they are";

/** Returns a parsed URL; null if it is malformed. Node has `URL.parse` only from version 22 on. */
export function parseUrl(address: string, base?: string): URL | null {
  try {
    return new URL(address, base);
  } catch {
    return null;
  }
}

export const getHost = ({ host }: URL): string => host.replace(/^www\./, "");

const isFile = (path: string): boolean =>
  /\/(?:wp-content|content\/(?:images|files|media))\/|\.(?!html?$|php$|aspx?$)[a-z\d]{2,5}$/i.test(path);

/** Returns the path and query of a URL, relative to the root of a site if it is below that. */
export function toPathBelow({ pathname, search }: URL, root: string): string {
  const start = root.replace(/\/*$/, "/");
  return (pathname.startsWith(start) ? pathname.slice(start.length - 1) : pathname) + search;
}
