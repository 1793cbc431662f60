/** What the file of an article says about itself: place, title, slug, language and paths on the old site. */
import type { PathInfo } from "./old-paths.ts";
import { canonicalizeLocale } from "../../src/domain/locale.ts";
import { parseDate } from "../../src/lib/dates.ts";
import { isSingleLine } from "../../src/lib/text.ts";
import { toValidSlug, Unusable } from "./article.ts";
import { splitFrontMatter, type FrontMatter } from "./front-matter.ts";
import { Losses } from "./losses.ts";
import { findDateInPath, findField, flattenFields } from "./markdown-fields.ts";
import { listAliases, listOldPaths, type SiteConfig } from "./old-paths.ts";
import type { Remarks } from "./remarks.ts";

export type Page = {
  /** The path in the imported folder. `path` is below the folder of contents, without extension, language and `index`. */
  readonly file: string;
  readonly path: string;
  readonly place: PathInfo;
  readonly fields: FrontMatter;
  readonly title: string;
  /** Differs from the file's own if an earlier article has that. */
  slug: string;
  readonly locale: string;
  /** Paths on the old site, its own first. */
  readonly oldPaths: readonly string[];
  readonly names: readonly string[];
};

export type Where = {
  readonly file: string;
  readonly place: PathInfo;
  readonly config: SiteConfig;
  readonly locale: string;
};

export type Read = { readonly page: Page; readonly asWritten: FrontMatter; readonly content: string };

/** Returns what a file says about itself. Throws `Unusable`. */
export function readPage(
  text: string,
  { file, place, config, locale }: Where,
  remarks: Remarks,
  losses: Losses = new Losses(),
): Read {
  const { frontMatter: asWritten, content } = splitFrontMatter(text);
  const fields = flattenFields(asWritten);
  const title = toLine(
    findField(fields, "title") ?? findHeading(content.replace(TITLE, "")) ?? place.stem.replaceAll(/[-_]+/g, " "),
  );
  const page = {
    file,
    path: place.path,
    place,
    fields,
    title,
    slug: toFileSlug(findField(fields, "slug"), place, title, remarks),
    locale: parseLocale(findField(fields, "locale"), place, locale),
    names: listAliases(fields, config),
  };
  return { page: { ...page, oldPaths: listOldPaths(page, config, losses) }, asWritten, content };
}

/** A heading with Jekyll's `page.title`. Sites show the title above the text anyway. */
export const TITLE =
  /^\s*(?:#[ \t]*\{\{-?\s*page\.title\s*-?\}\}[ \t#]*|\{\{-?\s*page\.title\s*-?\}\}[ \t]*\r?\n=+[ \t]*)(?:\r?\n)+/;

/**
 * Returns what a path says. `file` is relative to the imported folder, with `/` as separator. If `localeFolders` is
 * set, its first folder is a locale.
 */
export function parsePath(file: string, localeFolders: boolean): PathInfo {
  const folders = file.split("/").slice(0, -1);
  const whole = file.slice(file.lastIndexOf("/") + 1).replace(/\.[^.]+$/, "");
  const [, name = whole, tag = ""] = /^(.+)\.([A-Za-z0-9-]+)$/.exec(whole) ?? [];
  const named = parseLanguageTag(tag);
  const base = named === null ? whole : name;
  // Posts of Jekyll are named `2024-01-31-title.md`.
  const [, date = ""] = /^(\d{4}-\d\d?-\d\d?)-./.exec(base) ?? [];
  const isDated = parseDate(date) !== undefined;
  const below = localeFolders ? folders.slice(1) : folders;
  return {
    path: (base === "index" ? below : [...below, base]).join("/"),
    // A leaf bundle of Hugo is a folder with the name of the article, and the file is `index.md`.
    stem: (base === "index" && folders.at(-1)) || (isDated ? base.slice(date.length + 1) : base),
    date,
    locale: named ?? (localeFolders ? parseLanguageTag(folders[0] ?? "") : null),
    folderIsDrafts: folders.some((name) => /^_?drafts?$/i.test(name)),
  };
}

/** Returns the canonical language tag; null if it is none. The language must exist: `old` in `notes.old.md` is none. */
export function parseLanguageTag(tag: string): string | null {
  if (!/^[A-Za-z]{2,3}(?:[-_][A-Za-z0-9]{2,8})*$/.test(tag)) return null;
  const canonical = canonicalizeLocale(tag.replaceAll("_", "-"));
  if (canonical === null) return null;
  return LANGUAGES.of(new Intl.Locale(canonical).language) === undefined ? null : canonical;
}

const LANGUAGES = new Intl.DisplayNames(["en"], { type: "language", fallback: "none" });

/** Returns the date of a file in ISO 8601, from its front matter or name; "" if it has none. */
export function findDate(fields: FrontMatter, { date }: PathInfo): string {
  const said = ["creationtime", "date", "pubdate", "publishdate"].map((name) => fields.get(name));
  for (const value of [...said, date, findDateInPath(fields)]) {
    const time = typeof value === "string" ? parseDate(value) : undefined;
    if (time !== undefined) return new Date(time).toISOString();
  }
  return "";
}

/** Returns a title on one line. Texts in YAML may have several. */
const toLine = (text: string): string => (isSingleLine(text) ? text : text.replaceAll(BREAKS, " ").trim());

const BREAKS = /[\p{Cc}\u2028\u2029]+/gu;

/** Returns the first heading outside of code blocks, `# Title` or underlined with `=`, in the first 20,000 characters. */
function findHeading(content: string): string | undefined {
  let fence = "";
  let above = "";
  for (const line of content.slice(0, 20_000).split(/\r?\n/)) {
    const [, mark = ""] = /^ {0,3}(`{3,}|~{3,})/.exec(line) ?? [];
    // A code block ends with a fence of the same character that is at least as long.
    if (mark !== "") fence = fence === "" ? mark : mark.startsWith(fence) ? "" : fence;
    if (fence !== "" || mark !== "") continue;
    const [, rest = ""] = /^ {0,3}#{1,6}(?=[ \t])(.*)$/.exec(line) ?? [];
    const heading = stripClosing(rest.trim());
    if (heading !== "") return heading;
    if (/^ {0,3}=+[ \t]*$/.test(line) && above.trim() !== "") return above.trim();
    above = line;
  }
  return undefined;
}

/** Removes the `#` characters that close a heading. A regular expression would take quadratic time. */
function stripClosing(text: string): string {
  let end = text.length;
  while (text[end - 1] === "#") end--;
  return end === 0 || /[ \t]/.test(text.charAt(end - 1)) ? text.slice(0, end).trim() : text;
}

function toFileSlug(given: string | undefined, { stem }: PathInfo, title: string, remarks: Remarks): string {
  const name = given ?? stem;
  const slug = toValidSlug(name.toLowerCase());
  if (slug !== name.normalize("NFC"))
    remarks.add("slugs converted to the service's format (lower case, single hyphens)");
  // The name has no character that a slug may have, but the title may.
  return slug === "untitled" && name !== "untitled" ? toValidSlug(title) : slug;
}

function parseLocale(given: string | undefined, place: PathInfo, locale: string): string {
  if (given === undefined || given === "") return place.locale ?? locale;
  const canonical = canonicalizeLocale(given.replaceAll("_", "-"));
  if (canonical === null) throw new Unusable("locale: must be a BCP 47 language tag");
  return canonical;
}
