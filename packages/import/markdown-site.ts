/**
 * Finds the articles and files that links in an imported folder lead to: by path, by address on the old site, and by
 * name, as in Obsidian.
 */
import { decodeAddress } from "../markdown/parser.ts";
import type { Page } from "./markdown-page.ts";
import { parsedUrl } from "./old-site.ts";
import type { SiteConfig } from "./old-paths.ts";
import { folderOf } from "./site-config.ts";

export type Site = {
  readonly config: SiteConfig;
  /** Returns the path of an address on the old site, with its query and anchor; null if it is elsewhere. */
  pathOn(address: string): string | null;
  pageAt(from: Page, address: string): Page | null;
  /** Returns the article with this name, path suffix, or alias (Obsidian). */
  pageNamed(from: Page, name: string): Page | null;
  fileAt(from: Page, address: string, anywhere?: boolean): string | null;
};

const SERVED = [
  "",
  ..."static/ public/ assets/ source/ src/ src/assets/ content/ src/content/ docs/ media/ app/".split(" "),
];

/** `base` is the full path of the folder. Addresses may begin with its last folders. */
export function siteOf(base: string, files: readonly string[], pages: readonly Page[], config: SiteConfig): Site {
  const byPath = grouped(pages, (page) => keysOf(page, base));
  const byName = grouped(pages, ({ path, place, names }) => [lastOf(path), place.stem, ...names].map(keyOf));
  const fileAt = fileFinder(files);
  // A folder without a generator's settings may be a vault, or a part of one.
  const isVault = config.generator === "obsidian" || config.generator === "other";
  const bySlug = grouped(pages, ({ slug }) => [slug]);
  const paths = config.origins.map((origin) => parsedUrl(origin)?.pathname ?? "/").filter((path) => path !== "/");
  const found = (key: string, from: Page): Page | null => nearest(byPath.get(keyOf(key)) ?? [], from);
  const pathOn = (address: string): string | null => {
    const origin = config.origins.find((each) => address === each || address.startsWith(`${each}/`));
    if (origin !== undefined) return address.slice(origin.length) || "/";
    if (/^(?:[a-z][a-z\d+.-]*:|\/\/|#)/i.test(address)) return null;
    const below = paths.find((path) => address.startsWith(`${path}/`));
    return below === undefined ? address : address.slice(below.length);
  };

  return {
    config,
    pathOn,
    pageAt(from, address) {
      const path = decodeAddress(withoutTail(address)).replace(/^@\//, "/");
      if (path.startsWith("/")) return found(path, from) ?? nearest(bySlug.get(keyOf(path)) ?? [], from);
      if (path === "") return null;
      const beside = joined(folderOf(from.file), path);
      if (isVault && /\.md$/i.test(path)) return this.pageNamed(from, path);
      if (/\.(?:mdx?|markdown)$/i.test(path)) return found(beside ?? "", from);
      // Other relative addresses are relative to the page's own address.
      const addresses = [from.oldPaths[0] ?? `/${from.path}/`, `/${from.path}/`];
      const paths = [...addresses.map((each) => joined(each.replace(/[^/]*$/, "").slice(1), path)), beside];
      return paths.map((each) => (each === null ? null : found(each, from))).find((each) => each !== null) ?? null;
    },
    pageNamed(from, name) {
      const wanted = keyOf(name);
      const same = byName.get(lastOf(wanted)) ?? byName.get(wanted) ?? [];
      const fitting = same.filter((page) => isSuffix(wanted, page));
      return found(joined(folderOf(from.file), name) ?? "", from) ?? found(name, from) ?? nearest(fitting, from);
    },
    fileAt: (from, address, anywhere = isVault) => fileAt(from.file, withoutTail(address), anywhere),
  };
}

function isSuffix(wanted: string, page: Page): boolean {
  if (!wanted.includes("/")) return true;
  return [keyOf(page.path), keyOf(page.file)].some((path) => `/${path}`.endsWith(`/${wanted}`));
}

const only = (found: readonly string[] = []): string | null => (found.length === 1 ? (found[0] ?? null) : null);

/** Returns a function that finds files by their address in another file: beside it, where they are served, or anywhere. */
function fileFinder(files: readonly string[]) {
  const exact = new Set(files);
  const byFolded = grouped(files, (file) => [foldedPath(file)]);
  const byName = grouped(files, (file) => [foldedPath(lastOf(file))]);
  const fileOf = (path: string) => (exact.has(path) ? path : only(byFolded.get(foldedPath(path))));

  return (from: string, raw: string, anywhere: boolean): string | null => {
    const path = decodeAddress(raw).normalize("NFC");
    // Hexo has a folder for the files of each article.
    const beside = [folderOf(from), from.replace(/\.[^./]+$/, "")];
    for (const each of new Set([path, raw, path.replace(/^[@~](?:site)?\//, "/")])) {
      const served = SERVED.map((folder) => joined(folder, each.replace(/^\/+/, "")));
      const near = beside.map((folder) => joined(folder, each));
      const candidates = each.startsWith("/") ? served : [...near, ...(each.startsWith(".") ? [] : served)];
      const file = candidates.flatMap((one) => (one === null || one === "" ? [] : (fileOf(one) ?? []))).at(0);
      if (file !== undefined) return file;
    }
    const end = `/${foldedPath(path.replace(/^(?:\.{0,2}\/)+/, ""))}`;
    const isRooted = path.startsWith("/") && path.lastIndexOf("/") > 0;
    const named = byName.get(foldedPath(lastOf(path)))?.filter((file) => `/${foldedPath(file)}`.endsWith(end));
    return anywhere || isRooted ? only(named) : null;
  };
}

/** Returns the paths that may mean a page: on the old site, in the folder, and with the folders above. */
function keysOf({ file, path, place, oldPaths }: Page, base: string): string[] {
  const above = base.split("/").filter(Boolean).slice(-2);
  const undated = [...path.split("/").slice(0, -1), place.stem].join("/");
  const prefixes = ["", ...above.map((_, at) => `${above.slice(at).join("/")}/`)];
  const inFolder = [path, undated, file].flatMap((each) => prefixes.map((prefix) => prefix + each));
  return [...oldPaths, ...inFolder].map(keyOf);
}

/** Returns the form in which paths are compared: without extension, in lower case. */
const keyOf = (path: string): string =>
  decodeAddress(path)
    .normalize("NFC")
    .toLowerCase()
    .replaceAll(/^\/+|\/+$/g, "")
    .replace(/\.(?:mdx?|markdown|html?)$/, "")
    .replace(/(?:^|\/)index$/, "");

const foldedPath = (path: string): string => path.normalize("NFC").toLowerCase();

const lastOf = (path: string): string => path.slice(path.lastIndexOf("/") + 1);
const withoutTail = (address: string): string => address.replace(/[?#][^]*$/, "");

/** Returns a path below a folder; null if it leads out of the imported one. */
function joined(folder: string, path: string): string | null {
  const parts: string[] = [];
  for (const part of `${path.startsWith("/") ? "" : folder}/${path}`.split("/")) {
    if (part === "..") {
      if (parts.pop() === undefined) return null;
    } else if (part !== "" && part !== ".") parts.push(part);
  }
  return parts.join("/");
}

/** Prefers the same language, then the same folder, then the shortest path. */
function nearest(pages: readonly Page[], from: Page): Page | null {
  const rank = (page: Page) =>
    (page.locale === from.locale ? 0 : 10_000) +
    (folderOf(page.file) === folderOf(from.file) ? 0 : 5000) +
    page.path.length;
  return pages.toSorted((a, b) => rank(a) - rank(b))[0] ?? null;
}

function grouped<T>(items: readonly T[], keysOf: (item: T) => readonly string[]): Map<string, T[]> {
  const groups = new Map<string, T[]>();
  for (const item of items) {
    for (const key of new Set(keysOf(item))) {
      if (key === "") continue;
      const group = groups.get(key);
      if (group === undefined) groups.set(key, [item]);
      else group.push(item);
    }
  }
  return groups;
}
