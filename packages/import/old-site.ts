/** The site that articles come from. Links among its pages should lead to the articles here. */
import { visit } from "unist-util-visit";
import { decodeAddress } from "../markdown/parser.ts";
import { UNCHOSEN } from "./choices.ts";
import { said } from "./html-nodes.ts";
import type { Element, Root } from "./html-tree.ts";
import type { Remarks } from "./remarks.ts";

/** What was at an address: an article of this import, a file, or something that is left out. */
export type Place =
  | { readonly slug: string; readonly isPublic: boolean }
  | { readonly file: string }
  | { readonly left: string };

type Target = { readonly href: string; readonly remark?: string };

const NOWHERE = "https://old-site.invalid";

export class OldSite {
  readonly #hosts = new Set<string>();
  readonly #places = new Map<string, Place>();
  #base = NOWHERE;

  /** Adds an address of the site. Relative links are relative to the first one. */
  addAddress(address: string): void {
    const url = parsedUrl(address);
    if (url === null || !/^https?:$/.test(url.protocol)) return;
    if (this.#base === NOWHERE) this.#base = url.href;
    this.#hosts.add(hostOf(url));
  }

  /** Adds what is at an address or path. The first one added stays. */
  addPlace(address: string, place: Place): void {
    const key = this.#keyOf(parsedUrl(address, this.#base));
    if (key !== null && !this.#places.has(key)) this.#places.set(key, place);
  }

  /** Returns the absolute form of a relative address. */
  absolute(address: string, page = ""): string {
    const url = address === "" ? null : parsedUrl(address, parsedUrl(page, this.#base)?.href ?? this.#base);
    return url === null || url.origin === NOWHERE || /^[a-z][\w+.-]*:/i.test(address) ? address : url.href;
  }

  /**
   * Returns the paths from which redirects should lead to an article: on the host, and below the root of the site.
   * None for the home page, and for the article's path here.
   */
  redirectsFrom(address: string, slug: string): string[] {
    const url = parsedUrl(this.absolute(address), NOWHERE);
    if (url === null || address === "" || !/^https?:$/.test(url.protocol)) return [];
    const below = pathBelow(url, parsedUrl(this.#base)?.pathname ?? "/");
    // An address with a page's number is always at the root.
    const paths = url.search === "" ? [url.pathname, below] : [below];
    const isHome = below === "/" || (url.pathname === "/" && url.search === "");
    return isHome || decodeAddress(below).replaceAll(/^\/|\/$/g, "") === slug ? [] : [...new Set(paths)];
  }

  /** Returns a canonical address; "" for that of the article itself, which is here now. */
  canonical(address: string, slug: string): string {
    return address === "" || this.targetOf(address).href === `/${slug}` ? "" : this.absolute(address);
  }

  /** Makes links lead to imported articles, and other relative addresses to the old site. `page` is the tree's address. */
  relink(tree: Root, remarks: Remarks, page = ""): void {
    let isRelative = false;
    visit(tree, "element", (node: Element) => {
      for (const name of ["src", "data", "dataSrc"]) {
        const address = said(node, name);
        if (address === "") continue;
        node.properties[name] = this.absolute(address, page);
        isRelative ||= isOfNowhere(address) && this.#base === NOWHERE;
      }
      const href = said(node, "href");
      if (node.tagName !== "a" || href === "") return;
      const target = this.targetOf(href, page);
      isRelative ||= isOfNowhere(target.href) && target.href === href && this.#base === NOWHERE;
      node.properties["href"] = target.href;
      if (target.remark !== undefined) remarks.add(target.remark);
    });
    if (isRelative) remarks.add(RELATIVE);
  }

  targetOf(href: string, page = ""): Target {
    const url = /^#|^(?!https?:)[a-z][\w+.-]*:/i.test(href)
      ? null
      : parsedUrl(href, parsedUrl(page, this.#base)?.href ?? this.#base);
    const key = this.#keyOf(url);
    if (url === null || key === null) return { href };
    const place = this.#places.get(key);
    const old = this.absolute(href, page);
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
    if (url === null || (url.origin !== NOWHERE && !this.#hosts.has(hostOf(url)))) return null;
    const id = ["p", "page_id", "attachment_id"].map((name) => url.searchParams.get(name)).find(Boolean);
    return id === undefined
      ? decodeAddress(url.pathname).replaceAll(/\/+/g, "/").replace(/\/$/, "").toLowerCase()
      : `?${id}`;
  }
}

export const RELATIVE = `articles with relative addresses, because ${UNCHOSEN.siteUrl}`;
const isOfNowhere = (address: string): boolean => !/^(?:#|\/\/|[a-z][\w+.-]*:)/i.test(address);

const OTHERS = "links to other pages of the old site, left as they are";

/** Returns a parsed URL; null if it is malformed. Node has `URL.parse` only from version 22 on. */
export function parsedUrl(address: string, base?: string): URL | null {
  try {
    return new URL(address, base);
  } catch {
    return null;
  }
}

export const hostOf = ({ host }: URL): string => host.replace(/^www\./, "");

const isFile = (path: string): boolean =>
  /\/(?:wp-content|content\/(?:images|files|media))\/|\.(?!html?$|php$|aspx?$)[a-z\d]{2,5}$/i.test(path);

/** Returns the path and query of a URL, relative to the root of a site if it is below that. */
export function pathBelow({ pathname, search }: URL, root: string): string {
  const start = root.replace(/\/*$/, "/");
  return (pathname.startsWith(start) ? pathname.slice(start.length - 1) : pathname) + search;
}
