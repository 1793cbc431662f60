/** Makes the links of an article lead to the imported articles, and finds the files that it shows. */
import type { LocalFile } from "./article.ts";
import type { Losses } from "./losses.ts";
import type { Page } from "./markdown-page.ts";
import type { Site } from "./markdown-site.ts";
import { isPicture as isPictureName } from "./source.ts";
import { addressesIn, replaced, type Place } from "../markdown/picture-addresses.ts";

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
export function withLinks(
  content: string,
  page: Page,
  { site, files, known, anchors }: Around,
  losses: Losses,
): Linked {
  const places = addressesIn(content);
  const shown = new Map<string, LocalFile>();
  const targets = new Map<string, string | null>();
  for (const place of places) {
    const key = `${place.isPicture} ${place.address}`;
    if (!targets.has(key)) targets.set(key, targetOf(place));
  }
  const targetAt = ({ isPicture, address }: Place) => targets.get(`${isPicture} ${address}`) ?? null;
  const text = replaced(content, places, (place) => targetAt(place) ?? content.slice(place.from, place.to));
  return { content: text, files: shown };

  function targetOf({ address, isPicture }: Place): string | null {
    const heading = address.startsWith("#") ? anchors.get(address.slice(1)) : undefined;
    if (heading !== undefined) return `#${heading}`;
    const path = known.has(address.replace(/#.*$/, "")) ? null : site.pathOn(address);
    if (path === null || path === "" || path.startsWith("#")) return null;
    const file = isOther(path) ? null : site.fileAt(page, path);
    if (isPicture || (file !== null && isPictureName(file))) {
      if (file !== null) shown.set(address, files(file));
      // A full address of the old site may still work.
      else if (!/^https?:/i.test(address)) losses.add("pictures", path);
      return null;
    }
    const anchor = /#[^#]*$/.exec(path)?.[0] ?? "";
    const found = site.pageAt(page, path);
    if (found !== null) return `/${found.slug}${anchor}`;
    // A slash is the front page, both here and there.
    if (path !== "/") losses.add(file === null || isOther(file) ? "links" : "files", path);
    return null;
  }
}

const isOther = (path: string): boolean => /\.(?:mdx?|markdown)(?:[?#].*)?$/i.test(path);
