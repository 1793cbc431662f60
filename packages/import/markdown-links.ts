/** Makes the links of an article lead to the imported articles, and finds the files that it shows. */
import type { LocalFile } from "./article.ts";
import type { Losses } from "./losses.ts";
import type { Page } from "./markdown-page.ts";
import type { Site } from "./markdown-site.ts";
import { isPicture as isPictureName } from "./source.ts";
import { findAddresses, replaceAddresses, type AddressRange } from "../markdown/picture-addresses.ts";

export type Linked = { readonly content: string; readonly files: ReadonlyMap<string, LocalFile> };

export type Files = (path: string) => LocalFile;

type Around = {
  readonly site: Site;
  readonly files: Files;
  /** Addresses of imported articles, as templates were replaced by them. */
  readonly known: ReadonlySet<string>;
  readonly anchors: ReadonlyMap<string, string>;
};

/** Returns the content with the new addresses of articles, and the files behind the addresses of its pictures. */
export function relinkContent(
  content: string,
  page: Page,
  { site, files, known, anchors }: Around,
  losses: Losses,
): Linked {
  const places = findAddresses(content);
  const shown = new Map<string, LocalFile>();
  const targets = new Map<string, string | null>();
  for (const place of places) {
    const key = `${place.isPicture} ${place.address}`;
    if (!targets.has(key)) targets.set(key, findTarget(place));
  }
  const getTarget = ({ isPicture, address }: AddressRange) => targets.get(`${isPicture} ${address}`) ?? null;
  const text = replaceAddresses(content, places, (place) => getTarget(place) ?? content.slice(place.from, place.to));
  return { content: text, files: shown };

  function findTarget({ address, isPicture }: AddressRange): string | null {
    const heading = address.startsWith("#") ? anchors.get(address.slice(1)) : undefined;
    if (heading !== undefined) return `#${heading}`;
    const path = known.has(address.replace(/#.*$/, "")) ? null : site.pathOn(address);
    if (path === null || path === "" || path.startsWith("#")) return null;
    const file = isMarkdownPath(path) ? null : site.fileAt(page, path);
    if (isPicture || (file !== null && isPictureName(file))) {
      if (file !== null) shown.set(address, files(file));
      // A full address of the old site may still work.
      else if (!/^https?:/i.test(address)) losses.add("pictures", path);
      return null;
    }
    const anchor = /#[^#]*$/.exec(path)?.[0] ?? "";
    const found = site.findPageAt(page, path);
    if (found !== null) return `/${found.slug}${anchor}`;
    // A slash is the front page, both here and there.
    if (path !== "/") losses.add(file === null || isMarkdownPath(file) ? "links" : "files", path);
    return null;
  }
}

const isMarkdownPath = (path: string): boolean => /\.(?:mdx?|markdown)(?:[?#].*)?$/i.test(path);
