/**
 * Finds the articles and files that links in an imported folder lead to: by path, by address on the old site, and by
 * name, as in Obsidian.
 */
import { decodeAddress } from "../markdown/parser.ts";
import type { Page } from "./markdown-page.ts";
import { parseUrl } from "./old-site.ts";
import type { SiteConfig } from "./old-paths.ts";
import { getFolder } from "./site-config.ts";

export type Site = {
  readonly config: SiteConfig;
  /** Returns the path of an address on the old site, with its query and anchor; null if it is elsewhere. */
  pathOn(address: string): string | null;
  findPageAt(from: Page, address: string): Page | null;
  /** Returns the article with this name, path suffix, or alias (Obsidian). */
  findPageNamed(from: Page, name: string): Page | null;
  fileAt(from: Page, address: string, anywhere?: boolean): string | null;
};

const SERVED = [
  "",
  ..."static/ public/ assets/ source/ src/ src/assets/ content/ src/content/ docs/ media/ app/".split(" "),
];

/** `base` is the full path of the folder. Addresses may begin with its last folders. */
export function makeSite(base: string, files: readonly string[], pages: readonly Page[], config: SiteConfig): Site {
  const byPath = groupByKeys(pages, (page) => listKeys(page, base));
  const byName = groupByKeys(pages, ({ path, place, names }) => [getFileName(path), place.stem, ...names].map(toKey));
  const findFileAt = makeFileFinder(files);
  // A folder without a generator's settings may be a vault, or a part of one.
  const isVault = config.generator === "obsidian" || config.generator === "other";
  const bySlug = groupByKeys(pages, ({ slug }) => [slug]);
  const paths = config.origins.map((origin) => parseUrl(origin)?.pathname ?? "/").filter((path) => path !== "/");
  const findByPath = (key: string, from: Page): Page | null => findNearest(byPath.get(toKey(key)) ?? [], from);
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
    findPageAt(from, address) {
      const path = decodeAddress(stripQuery(address)).replace(/^@\//, "/");
      if (path.startsWith("/")) return findByPath(path, from) ?? findNearest(bySlug.get(toKey(path)) ?? [], from);
      if (path === "") return null;
      const beside = joinPath(getFolder(from.file), path);
      if (isVault && /\.md$/i.test(path)) return this.findPageNamed(from, path);
      if (/\.(?:mdx?|markdown)$/i.test(path)) return findByPath(beside ?? "", from);
      // Other relative addresses are relative to the page's own address.
      const addresses = [from.oldPaths[0] ?? `/${from.path}/`, `/${from.path}/`];
      const paths = [...addresses.map((each) => joinPath(each.replace(/[^/]*$/, "").slice(1), path)), beside];
      return paths.map((each) => (each === null ? null : findByPath(each, from))).find((each) => each !== null) ?? null;
    },
    findPageNamed(from, name) {
      const wanted = toKey(name);
      const same = byName.get(getFileName(wanted)) ?? byName.get(wanted) ?? [];
      const fitting = same.filter((page) => isSuffix(wanted, page));
      return (
        findByPath(joinPath(getFolder(from.file), name) ?? "", from) ??
        findByPath(name, from) ??
        findNearest(fitting, from)
      );
    },
    fileAt: (from, address, anywhere = isVault) => findFileAt(from.file, stripQuery(address), anywhere),
  };
}

function isSuffix(wanted: string, page: Page): boolean {
  if (!wanted.includes("/")) return true;
  return [toKey(page.path), toKey(page.file)].some((path) => `/${path}`.endsWith(`/${wanted}`));
}

const getOnly = (found: readonly string[] = []): string | null => (found.length === 1 ? (found[0] ?? null) : null);

/** Returns a function that finds files by their address in another file: beside it, where they are served, or anywhere. */
function makeFileFinder(files: readonly string[]) {
  const exact = new Set(files);
  const byFolded = groupByKeys(files, (file) => [foldPath(file)]);
  const byName = groupByKeys(files, (file) => [foldPath(getFileName(file))]);
  const findFile = (path: string) => (exact.has(path) ? path : getOnly(byFolded.get(foldPath(path))));

  return (from: string, raw: string, anywhere: boolean): string | null => {
    const path = decodeAddress(raw).normalize("NFC");
    // Hexo has a folder for the files of each article.
    const beside = [getFolder(from), from.replace(/\.[^./]+$/, "")];
    for (const each of new Set([path, raw, path.replace(/^[@~](?:site)?\//, "/")])) {
      const served = SERVED.map((folder) => joinPath(folder, each.replace(/^\/+/, "")));
      const near = beside.map((folder) => joinPath(folder, each));
      const candidates = each.startsWith("/") ? served : [...near, ...(each.startsWith(".") ? [] : served)];
      const file = candidates.flatMap((one) => (one === null || one === "" ? [] : (findFile(one) ?? []))).at(0);
      if (file !== undefined) return file;
    }
    const end = `/${foldPath(path.replace(/^(?:\.{0,2}\/)+/, ""))}`;
    const isRooted = path.startsWith("/") && path.lastIndexOf("/") > 0;
    const named = byName.get(foldPath(getFileName(path)))?.filter((file) => `/${foldPath(file)}`.endsWith(end));
    return anywhere || isRooted ? getOnly(named) : null;
  };
}

/** Returns the paths that may mean a page: on the old site, in the folder, and with the folders above. */
function listKeys({ file, path, place, oldPaths }: Page, base: string): string[] {
  const above = base.split("/").filter(Boolean).slice(-2);
  const undated = [...path.split("/").slice(0, -1), place.stem].join("/");
  const prefixes = ["", ...above.map((_, at) => `${above.slice(at).join("/")}/`)];
  const inFolder = [path, undated, file].flatMap((each) => prefixes.map((prefix) => prefix + each));
  return [...oldPaths, ...inFolder].map(toKey);
}

/** Returns the form in which paths are compared: without extension, in lower case. */
const toKey = (path: string): string =>
  decodeAddress(path)
    .normalize("NFC")
    .toLowerCase()
    .replaceAll(/^\/+|\/+$/g, "")
    .replace(/\.(?:mdx?|markdown|html?)$/, "")
    .replace(/(?:^|\/)index$/, "");

const foldPath = (path: string): string => path.normalize("NFC").toLowerCase();

const getFileName = (path: string): string => path.slice(path.lastIndexOf("/") + 1);
const stripQuery = (address: string): string => address.replace(/[?#][^]*$/, "");

/** Returns a path below a folder; null if it leads out of the imported one. */
function joinPath(folder: string, path: string): string | null {
  const parts: string[] = [];
  for (const part of `${path.startsWith("/") ? "" : folder}/${path}`.split("/")) {
    if (part === "..") {
      if (parts.pop() === undefined) return null;
    } else if (part !== "" && part !== ".") parts.push(part);
  }
  return parts.join("/");
}

/** Prefers the same language, then the same folder, then the shortest path. */
function findNearest(pages: readonly Page[], from: Page): Page | null {
  const rank = (page: Page) =>
    (page.locale === from.locale ? 0 : 10_000) +
    (getFolder(page.file) === getFolder(from.file) ? 0 : 5000) +
    page.path.length;
  return pages.toSorted((a, b) => rank(a) - rank(b))[0] ?? null;
}

function groupByKeys<T>(items: readonly T[], keysOf: (item: T) => readonly string[]): Map<string, T[]> {
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
