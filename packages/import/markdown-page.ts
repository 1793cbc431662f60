/** What the file of an article says about itself: its place, title, slug and language, and where it was on the old site. */
import type { Place } from "./old-paths.ts";
import { canonicalLocale } from "../../src/domain/locale.ts";
import { parseDate } from "../../src/lib/dates.ts";
import { isSingleLine } from "../../src/lib/text.ts";
import { slugFrom, Unusable } from "./article.ts";
import { splitFrontMatter, type FrontMatter } from "./front-matter.ts";
import { Losses } from "./losses.ts";
import { dateInPath, fieldOf, fieldsOf } from "./markdown-fields.ts";
import { namesAmong, oldPathsOf, type SiteConfig } from "./old-paths.ts";
import type { Remarks } from "./remarks.ts";

/** An article's file, as other articles refer to it. */
export type Page = {
  /** Its path in the imported folder, and the same below the folder of contents, without its ending, language and `index`. */
  readonly file: string;
  readonly path: string;
  readonly place: Place;
  readonly fields: FrontMatter;
  readonly title: string;
  /** Another one than its file says, if that of an earlier article is the same. */
  slug: string;
  readonly locale: string;
  /** Its paths on the old site, its own first. */
  readonly oldPaths: readonly string[];
  /** Other names that it has, in Obsidian. */
  readonly names: readonly string[];
};

/** Where a file is, and what is so of its whole folder: the old site's settings, and the locale of what names none. */
export type Where = {
  readonly file: string;
  readonly place: Place;
  readonly config: SiteConfig;
  readonly locale: string;
};

/** A page and the rest of its file. */
export type Read = { readonly page: Page; readonly asWritten: FrontMatter; readonly content: string };

/** Returns what a file says about itself. Throws `Unusable`. */
export function readPage(
  text: string,
  { file, place, config, locale }: Where,
  remarks: Remarks,
  losses: Losses = new Losses(),
): Read {
  const { frontMatter: asWritten, content } = splitFrontMatter(text);
  const fields = fieldsOf(asWritten);
  const title = oneLine(
    fieldOf(fields, "title") ?? firstHeading(content.replace(TITLE, "")) ?? place.stem.replaceAll(/[-_]+/g, " "),
  );
  const page = {
    file,
    path: place.path,
    place,
    fields,
    title,
    slug: slugOfFile(fieldOf(fields, "slug"), place, title, remarks),
    locale: localeOf(fieldOf(fields, "locale"), place, locale),
    names: namesAmong(fields, config),
  };
  return { page: { ...page, oldPaths: oldPathsOf(page, config, losses) }, asWritten, content };
}

/** The heading by which posts of Jekyll show their title: here, it is shown above the text. */
export const TITLE =
  /^\s*(?:#[ \t]*\{\{-?\s*page\.title\s*-?\}\}[ \t#]*|\{\{-?\s*page\.title\s*-?\}\}[ \t]*\r?\n=+[ \t]*)(?:\r?\n)+/;

/**
 * Returns what a path says. `file` is relative to the imported folder, with `/` as the separator. `localeFolders` means
 * that the first folder of the path is a locale.
 */
export function placeOf(file: string, localeFolders: boolean): Place {
  const folders = file.split("/").slice(0, -1);
  const whole = file.slice(file.lastIndexOf("/") + 1).replace(/\.[^.]+$/, "");
  const [, name = whole, tag = ""] = /^(.+)\.([A-Za-z0-9-]+)$/.exec(whole) ?? [];
  const named = languageTag(tag);
  const base = named === null ? whole : name;
  // The posts of Jekyll are named `2024-01-31-title.md`.
  const [, date = ""] = /^(\d{4}-\d\d?-\d\d?)-./.exec(base) ?? [];
  const isDated = parseDate(date) !== undefined;
  const below = localeFolders ? folders.slice(1) : folders;
  return {
    path: (base === "index" ? below : [...below, base]).join("/"),
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

/**
 * Returns the date of a file in ISO 8601, which sorts as text: that of its front matter, or that in its name; "" if there
 * is none.
 */
export function dateOf(fields: FrontMatter, { date }: Place): string {
  const said = ["creationtime", "date", "pubdate", "publishdate"].map((name) => fields.get(name));
  for (const value of [...said, date, dateInPath(fields)]) {
    const time = typeof value === "string" ? parseDate(value) : undefined;
    if (time !== undefined) return new Date(time).toISOString();
  }
  return "";
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

function localeOf(given: string | undefined, place: Place, locale: string): string {
  if (given === undefined || given === "") return place.locale ?? locale;
  const canonical = canonicalLocale(given.replaceAll("_", "-"));
  if (canonical === null) throw new Unusable("locale: must be a BCP 47 language tag");
  return canonical;
}
