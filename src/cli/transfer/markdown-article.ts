/** From a Markdown file's text and place to an article, by the customs of Hugo, Jekyll, Astro and this client. */
import path from "node:path";
import { canonicalLocale } from "../../domain/locale.ts";
import { slugFrom, Unusable, type Article } from "./article.ts";
import { splitFrontMatter, type FrontMatter, type Value } from "./front-matter.ts";
import type { Remarks } from "./remarks.ts";
import { coverFrom, isPublished, type Wishes } from "./source.ts";

/** Names of members, the first that is there counts. */
const NAMES = {
  title: ["title"],
  description: ["description", "summary", "excerpt"],
  slug: ["slug"],
  locale: ["locale", "lang", "language"],
  coverUrl: ["coverUrl", "cover", "image", "featured_image", "feature_image", "heroImage", "thumbnail", "banner"],
} as const;

const READ = new Set<string>([...Object.values(NAMES).flat(), "published", "draft"]);

/** What a file's place says: `posts/hello.de.md` is `hello` in German. */
export type Place = { readonly stem: string; readonly locale: string | null; readonly folderIsDrafts: boolean };

/** Reads a place, a path relative to the folder with `/` between. `localeFolders`: its first folder is a locale. */
export function placeOf(file: string, localeFolders: boolean): Place {
  const folders = file.split("/").slice(0, -1);
  const whole = path.posix.basename(file).replace(/\.[^.]+$/, "");
  const [, name = whole, tag = ""] = /^(.+)\.([A-Za-z0-9-]+)$/.exec(whole) ?? [];
  const named = languageTag(tag);
  const base = named === null ? whole : name;
  return {
    // Hugo's leaf bundles: the folder is the article.
    stem: (base === "index" && folders.at(-1)) || base.replace(/^\d{4}-\d\d?-\d\d?-(?=.)/, ""),
    locale: named ?? (localeFolders ? languageTag(folders[0] ?? "") : null),
    folderIsDrafts: folders.includes("_drafts"),
  };
}

/** A tag of a language that has a name: `old` in `notes.old.md` has the form of a tag only. */
export function languageTag(tag: string): string | null {
  if (!/^[A-Za-z]{2,3}(?:[-_][A-Za-z0-9]{2,8})*$/.test(tag)) return null;
  const canonical = canonicalLocale(tag.replaceAll("_", "-"));
  if (canonical === null) return null;
  return LANGUAGES.of(new Intl.Locale(canonical).language) === undefined ? null : canonical;
}

const LANGUAGES = new Intl.DisplayNames(["en"], { type: "language", fallback: "none" });

/** The article of a file; throws `Unusable`. What is not carried over is remarked. */
export function articleFromMarkdown(text: string, place: Place, wishes: Wishes, remarks: Remarks): Article {
  const { frontMatter, content } = splitFrontMatter(text);
  for (const name of frontMatter.keys()) if (!READ.has(name)) remarks.add(`articles whose "${name}" was left out`);
  const title = oneLine(textOf(frontMatter, "title") ?? firstHeading(content) ?? place.stem.replaceAll(/[-_]+/g, " "));
  return {
    title,
    description: textOf(frontMatter, "description") ?? "",
    content,
    slug: slugOfFile(textOf(frontMatter, "slug"), place, title, remarks),
    locale: localeOf(textOf(frontMatter, "locale"), place, wishes),
    coverUrl: coverOf(frontMatter, remarks),
    published: isPublished(saidPublished(frontMatter, place), wishes),
  };
}

/** When a file says that it was written, as text that sorts; "" where it says nothing. */
export function dateOf(frontMatter: FrontMatter): string {
  for (const name of ["creationTime", "date", "pubDate", "publishDate"]) {
    const value = frontMatter.get(name);
    const time = typeof value === "string" ? Date.parse(value) : Number.NaN;
    if (!Number.isNaN(time)) return new Date(time).toISOString();
  }
  return "";
}

function textOf(frontMatter: FrontMatter, field: keyof typeof NAMES): string | undefined {
  for (const name of NAMES[field]) {
    const value = frontMatter.get(name);
    if (typeof value === "string") return value;
    if (value !== undefined && field !== "coverUrl") throw new Unusable(`${name}: must be a string`);
  }
  return undefined;
}

/** The service takes one line; a folded YAML text may have more. */
const oneLine = (text: string): string => (/\p{Cc}/u.test(text) ? text.replaceAll(/\p{Cc}+/gu, " ").trim() : text);

/** The text of the first heading, `# Title` or underlined, outside of code. */
function firstHeading(content: string): string | undefined {
  let fence = "";
  let above = "";
  for (const line of content.slice(0, 20_000).split(/\r?\n/)) {
    const [, mark = ""] = /^ {0,3}(`{3,}|~{3,})/.exec(line) ?? [];
    // A fence ends with one of the same character that is as long at least.
    if (mark !== "") fence = fence === "" ? mark : mark.startsWith(fence) ? "" : fence;
    if (fence !== "" || mark !== "") continue;
    const [, heading] = /^ {0,3}#{1,6}[ \t]+(.*?)(?:[ \t]+#*)?[ \t]*$/.exec(line) ?? [];
    if (heading) return heading;
    if (/^ {0,3}=+[ \t]*$/.test(line) && above.trim() !== "") return above.trim();
    above = line;
  }
  return undefined;
}

function slugOfFile(given: string | undefined, { stem }: Place, title: string, remarks: Remarks): string {
  const name = given ?? stem;
  const slug = slugFrom(name.toLowerCase());
  if (slug !== name.normalize("NFC"))
    remarks.add("slugs converted to the service's format (lower case, single hyphens)");
  // No part of the name can be used in a slug, but perhaps some of the title.
  return slug === "untitled" && name !== "untitled" ? slugFrom(title) : slug;
}

function localeOf(given: string | undefined, place: Place, wishes: Wishes): string {
  if (given === undefined || given === "") return place.locale ?? wishes.locale;
  const canonical = canonicalLocale(given.replaceAll("_", "-"));
  if (canonical === null) throw new Unusable("locale: must be a BCP 47 language tag");
  return canonical;
}

const coverOf = (frontMatter: FrontMatter, remarks: Remarks): string =>
  coverFrom(textOf(frontMatter, "coverUrl") ?? nestedCover(frontMatter) ?? "", remarks, "files, not web addresses");

const isMap = (value: Value | undefined): value is FrontMatter => value instanceof Map;

/** Hugo's themes: `cover: {image: …}`; Astro's: `image: {url: …}`. */
function nestedCover(frontMatter: FrontMatter): string | undefined {
  const found = NAMES.coverUrl.map((name) => frontMatter.get(name)).find(isMap);
  const url = found?.get("image") ?? found?.get("url") ?? found?.get("src");
  return typeof url === "string" ? url : undefined;
}

function saidPublished(frontMatter: FrontMatter, { folderIsDrafts }: Place): boolean | undefined {
  const published = booleanOf(frontMatter, "published");
  const draft = booleanOf(frontMatter, "draft");
  if (published !== undefined) return published && draft !== true;
  return draft === undefined ? (folderIsDrafts ? false : undefined) : !draft;
}

function booleanOf(frontMatter: FrontMatter, name: string): boolean | undefined {
  const value = frontMatter.get(name);
  if (value === undefined || value === "") return undefined;
  if (typeof value !== "string") throw new Unusable(`${name}: must be true or false`);
  if (/^(?:true|yes|on)$/i.test(value)) return true;
  if (/^(?:false|no|off)$/i.test(value)) return false;
  // A date of publication, as some themes have it.
  if (name === "published" && !Number.isNaN(Date.parse(value))) return undefined;
  throw new Unusable(`${name}: must be true or false`);
}
