/** Converts a Markdown file into an article, by the conventions of Hugo, Jekyll, Astro and this client's exports. */
import path from "node:path";
import { canonicalLocale } from "../../domain/locale.ts";
import { parseDate } from "../../lib/dates.ts";
import { commaSeparated, isSingleLine } from "../../lib/text.ts";
import { slugFrom, Unusable, type Article } from "./article.ts";
import { folded, headerLine, splitFrontMatter, withFoldedNames, type FrontMatter, type Value } from "./front-matter.ts";
import type { SaidExtras } from "./extras.ts";
import { publicationOf, saysWhoSees, type Said } from "./publication.ts";
import type { Remarks } from "./remarks.ts";
import { coverFrom, type Wishes } from "./source.ts";

/** The names in front matter for each field of an article, folded. The first name that is present counts. */
const NAMES = {
  title: ["title"],
  description: ["description", "summary", "excerpt"],
  slug: ["slug"],
  locale: ["locale", "lang", "language"],
  coverUrl: ["coverurl", "cover", "image", "featuredimage", "featureimage", "heroimage", "thumbnail", "banner"],
} as const;

/** Those of what an article has beside its fields. */
const EXTRA_NAMES = {
  time: ["publishtime", "publishdate", "pubdate", "datepublished", "publishedat", "published", "date"],
  tags: ["tags", "tag", "categories", "category"],
  authors: ["authors", "author"],
  canonicalUrl: ["canonicalurl", "canonical"],
} as const;

const READ = new Set<string>([...Object.values(NAMES).flat(), ...Object.values(EXTRA_NAMES).flat(), "seo", "noindex"]);

/** What the path of a file says about its article: `posts/hello.de.md` is `hello` in German. */
export type Place = {
  readonly stem: string;
  /** What stands as a date in the name; "" if there is none. */
  readonly date: string;
  readonly locale: string | null;
  readonly folderIsDrafts: boolean;
};

/**
 * Returns what a path says. `file` is relative to the imported folder, with `/` as the separator. `localeFolders` means
 * that the first folder of the path is a locale.
 */
export function placeOf(file: string, localeFolders: boolean): Place {
  const folders = file.split("/").slice(0, -1);
  const whole = path.posix.basename(file).replace(/\.[^.]+$/, "");
  const [, name = whole, tag = ""] = /^(.+)\.([A-Za-z0-9-]+)$/.exec(whole) ?? [];
  const named = languageTag(tag);
  const base = named === null ? whole : name;
  // The posts of Jekyll are named `2024-01-31-title.md`.
  const [, date = ""] = /^(\d{4}-\d\d?-\d\d?)-./.exec(base) ?? [];
  const isDated = parseDate(date) !== undefined;
  return {
    // In Hugo's leaf bundles, the folder has the name of the article and the file is `index.md`.
    stem: (base === "index" && folders.at(-1)) || (isDated ? base.slice(date.length + 1) : base),
    date,
    locale: named ?? (localeFolders ? languageTag(folders[0] ?? "") : null),
    folderIsDrafts: folders.some((name) => /^_?drafts?$/i.test(name)),
  };
}

/**
 * Returns the canonical language tag, or null if it is none. The language must have a name: `old` in `notes.old.md` has
 * the form of a tag, but is no language.
 */
export function languageTag(tag: string): string | null {
  if (!/^[A-Za-z]{2,3}(?:[-_][A-Za-z0-9]{2,8})*$/.test(tag)) return null;
  const canonical = canonicalLocale(tag.replaceAll("_", "-"));
  if (canonical === null) return null;
  return LANGUAGES.of(new Intl.Locale(canonical).language) === undefined ? null : canonical;
}

const LANGUAGES = new Intl.DisplayNames(["en"], { type: "language", fallback: "none" });

/** Returns the article of a file. Adds a remark for what is not imported. Throws `Unusable`. */
export function articleFromMarkdown(text: string, place: Place, wishes: Wishes, remarks: Remarks): Article {
  const { frontMatter: asWritten, content } = splitFrontMatter(text);
  for (const [name, value] of asWritten)
    if (value !== undefined && !isRead(name)) remarks.add(`articles whose "${name}" was left out`);
  const frontMatter = withFoldedNames(asWritten);
  const title = oneLine(fieldOf(frontMatter, "title") ?? firstHeading(content) ?? place.stem.replaceAll(/[-_]+/g, " "));
  return {
    title,
    description: fieldOf(frontMatter, "description") ?? "",
    content,
    slug: slugOfFile(fieldOf(frontMatter, "slug"), place, title, remarks),
    locale: localeOf(fieldOf(frontMatter, "locale"), place, wishes),
    coverUrl: coverOf(frontMatter, remarks),
    ...publicationOf(saidOf(asWritten, content, place), saidExtras(frontMatter, place), wishes, remarks),
  };
}

/** Returns what front matter says beside the fields. If it has no time of publication, the name of the file may. */
function saidExtras(frontMatter: FrontMatter, { date }: Place): SaidExtras {
  const first = (names: readonly string[]) => names.map((name) => frontMatter.get(name)).find(isText);
  const seo = frontMatter.get("seo");
  const own: FrontMatter = isMap(seo) ? seo : new Map();
  const text = (name: string) => [own.get(name)].find(isText);
  const said = {
    title: text("title"),
    description: text("description"),
    canonicalUrl: text("canonicalurl") ?? first(EXTRA_NAMES.canonicalUrl),
    noindex: (text("noindex") ?? first(["noindex"])) === "true",
    image: text("image"),
  };
  // The slug of an exported article may begin with a date, and so does the name of its file.
  const isInSlug = first(NAMES.slug)?.startsWith(date) ?? false;
  return {
    time: timeIn(frontMatter) ?? (isInSlug ? undefined : date),
    tags: namesIn(frontMatter, EXTRA_NAMES.tags),
    authors: namesIn(frontMatter, EXTRA_NAMES.authors),
    seo: Object.fromEntries(Object.entries(said).filter(([, value]) => value !== undefined)),
  };
}

/** Returns the date in front matter, as it is written there. In some themes, `published` is not a flag, but that date. */
function timeIn(frontMatter: FrontMatter): string | undefined {
  const values = EXTRA_NAMES.time.map((name) => {
    const value = frontMatter.get(name);
    const text = typeof value === "object" ? "…" : value?.trim();
    return text === "" || (name === "published" && parseDate(text ?? "") === undefined) ? undefined : text;
  });
  return values.find((value) => value !== undefined);
}

const isText = (value: Value | undefined): value is string => typeof value === "string" && value !== "";

/** Returns the names under all of these keys: lists, texts with commas, or mappings with a name; undefined if none is there. */
function namesIn(frontMatter: FrontMatter, keys: readonly string[]): string[] | undefined {
  const values = keys.map((key) => frontMatter.get(key)).filter((value) => value !== undefined);
  if (values.length === 0) return undefined;
  return values.flatMap((value) =>
    Array.isArray(value) ? (value as readonly Value[]).flatMap(nameOf) : nameOf(value).flatMap(commaSeparated),
  );
}

function nameOf(value: Value): string[] {
  if (isText(value)) return [value];
  const name = isMap(value) ? value.get("name") : undefined;
  return isText(name) ? [name] : [];
}

/**
 * Returns the date of a file in ISO 8601, which sorts as text: that of its front matter, or that in its name; "" if there
 * is none.
 */
export function dateOf(frontMatter: FrontMatter, { date }: Place): string {
  const fields = withFoldedNames(frontMatter);
  const said = ["creationtime", "date", "pubdate", "publishdate"].map((name) => fields.get(name));
  for (const value of [...said, date]) {
    const time = typeof value === "string" ? parseDate(value) : undefined;
    if (time !== undefined) return new Date(time).toISOString();
  }
  return "";
}

/** Returns the text of a field; undefined if it is absent. Throws `Unusable` if it is not a text, except for covers. */
function fieldOf(frontMatter: FrontMatter, field: keyof typeof NAMES): string | undefined {
  for (const name of NAMES[field]) {
    const value = frontMatter.get(name);
    if (typeof value === "string") return value;
    if (value !== undefined && field !== "coverUrl") throw new Unusable(`${name}: must be a string`);
  }
  return undefined;
}

/** Returns a title on one line, as the service requires. A YAML text may have several lines. */
const oneLine = (text: string): string => (isSingleLine(text) ? text : text.replaceAll(BREAKS, " ").trim());

const BREAKS = /[\p{Cc}\u2028\u2029]+/gu;

/**
 * Returns the text of the first heading outside of code blocks: `# Title`, or a line underlined with `=`. Reads the
 * first 20,000 characters only; returns undefined if they have no heading.
 */
function firstHeading(content: string): string | undefined {
  let fence = "";
  let above = "";
  for (const line of content.slice(0, 20_000).split(/\r?\n/)) {
    const [, mark = ""] = /^ {0,3}(`{3,}|~{3,})/.exec(line) ?? [];
    // A code block ends with a fence of the same character that is at least as long as the first one.
    if (mark !== "") fence = fence === "" ? mark : mark.startsWith(fence) ? "" : fence;
    if (fence !== "" || mark !== "") continue;
    const [, rest = ""] = /^ {0,3}#{1,6}(?=[ \t])(.*)$/.exec(line) ?? [];
    const heading = withoutClosing(rest.trim());
    if (heading !== "") return heading;
    if (/^ {0,3}=+[ \t]*$/.test(line) && above.trim() !== "") return above.trim();
    above = line;
  }
  return undefined;
}

/**
 * Returns the text of a heading without the `#` that may close it. Not by a pattern: a text of many would take the square of
 * its length.
 */
function withoutClosing(text: string): string {
  let end = text.length;
  while (text[end - 1] === "#") end--;
  return end === 0 || /[ \t]/.test(text.charAt(end - 1)) ? text.slice(0, end).trim() : text;
}

function slugOfFile(given: string | undefined, { stem }: Place, title: string, remarks: Remarks): string {
  const name = given ?? stem;
  const slug = slugFrom(name.toLowerCase());
  if (slug !== name.normalize("NFC"))
    remarks.add("slugs converted to the service's format (lower case, single hyphens)");
  // The name has no character that a slug can have. The title may have some.
  return slug === "untitled" && name !== "untitled" ? slugFrom(title) : slug;
}

function localeOf(given: string | undefined, place: Place, wishes: Wishes): string {
  if (given === undefined || given === "") return place.locale ?? wishes.locale;
  const canonical = canonicalLocale(given.replaceAll("_", "-"));
  if (canonical === null) throw new Unusable("locale: must be a BCP 47 language tag");
  return canonical;
}

const coverOf = (frontMatter: FrontMatter, remarks: Remarks): string =>
  coverFrom(fieldOf(frontMatter, "coverUrl") ?? nestedCover(frontMatter) ?? "", remarks, "files, not web addresses");

const isMap = (value: Value | undefined): value is FrontMatter => value instanceof Map;

/** Returns a cover that is a mapping: Hugo's themes use `cover: {image: …}`, Astro's use `image: {url: …}`. */
function nestedCover(frontMatter: FrontMatter): string | undefined {
  const found = NAMES.coverUrl.map((name) => frontMatter.get(name)).find(isMap);
  const url = found?.get("image") ?? found?.get("url") ?? found?.get("src");
  return typeof url === "string" ? url : undefined;
}

/** Returns what a file says of who may see it, with the reasons not to rely on that. */
function saidOf(frontMatter: FrontMatter, content: string, { folderIsDrafts, stem }: Place): Said {
  const header = frontMatter.size === 0 ? headerLine(content, isRead) : undefined;
  const doubts = {
    [`it begins with "${header}", which may be metadata in a form that is not read`]: header !== undefined,
    "its name begins with _": stem.startsWith("_"),
  };
  return {
    fields: [...frontMatter].flatMap(fieldsIn).concat(folderIsDrafts ? [["draft", "true"]] : []),
    doubts: Object.keys(doubts).filter((doubt) => doubts[doubt]),
    mayLackDate: true,
  };
}

/** Returns a field with its value as text, and those in it: Hugo has `build: {render: never}`. */
function fieldsIn([name, value = ""]: readonly [string, Value | undefined]): [string, string][] {
  if (!isMap(value)) return [[name, typeof value === "string" ? value : "…"]];
  return [[name, "…"], ...[...value].flatMap(([inner, each]) => fieldsIn([`${name}.${inner}`, each]))];
}

const isRead = (name: string): boolean => READ.has(folded(name)) || saysWhoSees(name);
