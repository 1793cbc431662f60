import { NAMED_TEXTS } from "../../src/domain/article-fields.ts";
import { parseDate } from "../../src/lib/dates.ts";
import { splitAtCommas } from "../../src/lib/text.ts";
import { Unusable } from "./article.ts";
import { foldName, foldNames, type FrontMatter, type Value } from "./front-matter.ts";
import type { Losses } from "./losses.ts";
import { isVisibilityField } from "./publication.ts";

/** The folded names of each field. The first one that is present counts. */
const NAMES = {
  title: ["title"],
  description: ["description", "summary", "excerpt"],
  slug: ["slug"],
  locale: ["locale", "lang", "language"],
} as const;

const COVERS = ["coverurl", "cover", "coverimage", "image", "featuredimage", "featureimage", "heroimage", "ogimage"];
const MORE_COVERS = ["thumbnail", "banner", "images", "header"];

export const EXTRA_NAMES = {
  time: ["publishtime", "publishdate", "pubdate", "datepublished", "publishedat", "published", "date", "created"],
  tags: ["tags", "tag", "categories", "category"],
  authors: ["authors", "author"],
  canonicalUrl: ["canonicalurl", "canonical"],
} as const;

const PATH_NAMES = ["redirects", "redirectfrom", "aliases", "alias", "permalink", "url", "path"] as const;

const READ = new Set<string>(
  [Object.values(NAMES), Object.values(EXTRA_NAMES), COVERS, MORE_COVERS, PATH_NAMES]
    .flat(2)
    .concat("seo", "noindex", "build", ...NAMED_TEXTS.map(foldName)),
);

/** Fields for the layout of the old site. Reports count them, but name no article for them. */
const PRESENTATION = new Set(
  [
    "layout type weight comments toc showtoc tocopen menu outputs template id uid uuid key cssclasses cssclass math katex",
    "mermaid lastmod updated updatedat dateupdated modified lastupdated modifieddate creationtime lastedittime _id comment",
    "sidebar sidebarlabel sidebarposition pagination paginationnext sitemap robots priority showdate readingtime featured sticky top",
    "disqus hidetitle slugified license translationkey injectscript markup mathjax",
  ]
    .join(" ")
    .split(" "),
);

/** Tables of generators that contain fields of an article: Hugo's `params`, Zola's `extra` and `taxonomies`. */
const TABLES = ["params", "extra", "taxonomies"];

export const isMap = (value: Value | undefined): value is FrontMatter => value instanceof Map;
export const isText = (value: Value | undefined): value is string => typeof value === "string" && value !== "";

export const findText = (fields: FrontMatter, names: readonly string[]): string | undefined =>
  names.map((name) => fields.get(name)).find(isText);

/** Returns the fields by their folded names, including those in `TABLES`. */
export function flattenFields(asWritten: FrontMatter): FrontMatter {
  const fields = foldNames(asWritten);
  const inner = TABLES.flatMap((name) => {
    const table = fields.get(name);
    return isMap(table) ? [...table] : [];
  });
  return new Map([...inner, ...[...fields].filter(([name]) => !isMap(fields.get(name)) || !TABLES.includes(name))]);
}

export const isKnownField = (name: string): boolean => READ.has(foldName(name)) || isVisibilityField(name);

/** Returns the names of the fields that are not imported. `counted` are those that only concern the layout. */
export function listLeftOut(asWritten: FrontMatter): { named: string[]; counted: string[] } {
  const all = [...asWritten].flatMap(([name, value]) =>
    isMap(value) && TABLES.includes(foldName(name))
      ? [...value].map(([key, each]) => [key, each] as const)
      : [[name, value] as const],
  );
  const names = all.filter(([name, value]) => isSaid(value) && !isKnownField(name)).map(([name]) => name);
  return { named: names.filter((name) => !isLayout(name)), counted: names.filter(isLayout) };
}

const isLayout = (name: string): boolean => PRESENTATION.has(foldName(name));

const isSaid = (value: Value | undefined): boolean =>
  value !== undefined && value !== "" && !(Array.isArray(value) && value.length === 0);

/** Returns the text of a field; undefined if it is absent. Throws `Unusable` if it is not a text. */
export function findField(fields: FrontMatter, field: keyof typeof NAMES): string | undefined {
  for (const name of NAMES[field]) {
    const value = fields.get(name);
    if (typeof value === "string") return value;
    if (value !== undefined) throw new Unusable(`${name}: must be a string`);
  }
  return undefined;
}

export type Cover = { readonly address: string; readonly alt: string };

/** Returns the cover: an address or a path, perhaps in an object or a list. */
export function findCover(fields: FrontMatter): Cover | undefined {
  for (const name of [...COVERS, ...MORE_COVERS]) {
    const value = fields.get(name);
    const found = isMap(value) || Array.isArray(value) ? findCoverIn(value) : value;
    if (typeof found === "string")
      return { address: found.trim(), alt: findText(fields, ["coveralt", "imagealt", "heroimagealt"]) ?? "" };
    if (found !== undefined && !Array.isArray(found)) return found as Cover;
  }
  return undefined;
}

/** Hugo's themes use `cover: {image: …}`, Astro's `image: {url: …}`, Jekyll's `header: {teaser: …}`. */
function findCoverIn(value: Value, depth = 0): Cover | undefined {
  if (typeof value === "string") return { address: value.trim(), alt: "" };
  if (depth > 3) return undefined;
  if (Array.isArray(value)) return value.length === 0 ? undefined : findCoverIn(value[0] as Value, depth + 1);
  const map = value as FrontMatter;
  for (const name of "image url src path relative file overlayimage teaser feature thumbnail".split(" ")) {
    const inner = map.get(name);
    if (inner === undefined || inner === "true" || inner === "false") continue;
    const found = findCoverIn(inner, depth + 1);
    if (found !== undefined) return { ...found, alt: found.alt || (findText(map, ["alt", "imagealt"]) ?? "") };
  }
  return undefined;
}

/** Returns the date as front matter has it. In some themes, `published` is that date and not a flag. */
export function findTime(fields: FrontMatter): string | undefined {
  const values = EXTRA_NAMES.time.map((name) => {
    const value = fields.get(name);
    const text = typeof value === "object" ? "…" : value?.trim();
    return text === "" || (name === "published" && parseDate(text ?? "") === undefined) ? undefined : text;
  });
  return values.find((value) => value !== undefined);
}

/** Returns the date in the path of a file, as blogs of Zola have it: `path = "2024/01/31/title"`. */
export function findDateInPath(fields: FrontMatter): string | undefined {
  const path = findText(fields, ["path", "permalink", "url"]) ?? "";
  const [, year, month, day] = /^\/?(?:[^/]+\/){0,3}?((?:19|20)\d\d)\/(\d\d?)\/(\d\d?)\//.exec(path) ?? [];
  return year && `${year}-${month}-${day}`;
}

/**
 * Returns the names under all of these keys; undefined if none is present. Values may be lists, nested lists (Hexo),
 * texts with commas, or mappings with a name. Texts of the keys `bySpaces` without commas are split at spaces.
 */
export function collectNames(
  fields: FrontMatter,
  keys: readonly string[],
  losses: Losses,
  bySpaces: readonly string[] = [],
): string[] | undefined {
  const said = keys.filter((key) => fields.get(key) !== undefined);
  if (said.length === 0) return undefined;
  return said.flatMap((key) => {
    const value = fields.get(key) ?? "";
    if (Array.isArray(value)) return (value as readonly Value[]).flatMap((each) => toNames(each, key, losses));
    const names = toNames(value, key, losses);
    if (bySpaces.includes(key) && !names.some((name) => name.includes(","))) {
      return names.flatMap((name) => name.split(/\s+/).filter((word) => word !== ""));
    }
    return names.flatMap(splitAtCommas);
  });
}

function toNames(value: Value, key: string, losses: Losses, depth = 0): string[] {
  if (typeof value === "string") return value === "" ? [] : [value];
  if (Array.isArray(value) && depth < 10) {
    return (value as readonly Value[]).flatMap((each) => toNames(each, key, losses, depth + 1));
  }
  const name = isMap(value) ? findText(value, ["name", "title", "label", "slug", "value"]) : undefined;
  if (name === undefined) losses.add("values", key);
  return name === undefined ? [] : [name];
}
