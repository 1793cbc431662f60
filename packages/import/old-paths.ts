/** The paths of an article on the old site, by the rules of its generator. Redirects will begin there. */
import { toValidSlug } from "./article.ts";
import type { FrontMatter, Value } from "./front-matter.ts";
import type { Losses } from "./losses.ts";
import { findText, isMap, isText, findTime } from "./markdown-fields.ts";
import { getHost, parseUrl, toPathBelow } from "./old-site.ts";
import { isVisibilityField } from "./publication.ts";

export type Generator = "hugo" | "zola" | "jekyll" | "hexo" | "obsidian" | "other";

export type SiteConfig = {
  readonly generator: Generator;
  /** The old site's addresses, without a slash at the end. */
  readonly origins: readonly string[];
  /** The form of addresses: for all posts under "" (Jekyll, Hexo), or by section (Hugo). */
  readonly permalinks: ReadonlyMap<string, string>;
  /** The language whose articles have no prefix (Hugo). */
  readonly language: string;
  /** Whether the settings may hide files that say nothing about it. */
  readonly mayHide: boolean;
};

/** What the addresses of a file depend on. */
type About = {
  /** The path below the folder of contents, with `/` and without extension. */
  readonly path: string;
  readonly place: PathInfo;
  readonly fields: FrontMatter;
  readonly title: string;
};

/** Returns the old paths of an article, its own first. Leaves out what may not be a path, such as `aliases` in Obsidian. */
export function listOldPaths(about: About, config: SiteConfig, losses: Losses): string[] {
  const own = findOwnPath(about, config, losses);
  const base = own ?? `/${about.path}/`;
  const others = ["redirects", "redirectfrom", "aliases", "alias"].flatMap((name) =>
    listTexts(about.fields.get(name)).map((text) =>
      isPath(text, name, config) ? toPath(text, base, config, losses) : null,
    ),
  );
  const paths = [own, ...others].filter((path) => path !== null && path !== undefined && path !== "/");
  return [...new Set(paths as string[])];
}

export const listTexts = (value: Value | undefined): string[] =>
  (Array.isArray(value) ? (value as readonly Value[]) : [value]).filter(isText);

/** Aliases are paths in Hugo and Zola, and names in Obsidian. */
function isPath(text: string, name: string, { generator }: SiteConfig): boolean {
  if (text.startsWith("/") || /^https?:\/\//.test(text)) return true;
  if (generator === "obsidian" || /\s/.test(text)) return false;
  if (!name.startsWith("alias") || generator === "hugo" || generator === "zola") return true;
  return /\.html?$|\/$/.test(text) || /^[a-z\d/_.-]+\/[a-z\d/_.-]+$/.test(text);
}

export const listAliases = (fields: FrontMatter, config: SiteConfig): string[] =>
  ["aliases", "alias"].flatMap((name) => listTexts(fields.get(name)).filter((text) => !isPath(text, name, config)));

/** Returns an absolute path. In Hugo, relative paths begin beside the article; elsewhere at the root. */
function toPath(text: string, base: string, { generator, origins }: SiteConfig, losses: Losses): string | null {
  if (/^[a-z][a-z\d+.-]*:/i.test(text)) {
    const path = findSitePath(text, origins);
    if (path === null) losses.add("redirects", text);
    return path;
  }
  if (text.startsWith("/")) return text;
  return generator === "hugo" ? new URL(`../${text}`, `https://old.invalid${base}`).pathname : `/${text}`;
}

/** Returns the path of a URL below the old site, whose address may be unknown; null if it is elsewhere. */
function findSitePath(address: string, origins: readonly string[]): string | null {
  const url = parseUrl(address);
  if (url === null || !/^https?:$/.test(url.protocol)) return null;
  const roots = origins.map((origin) => parseUrl(origin)).filter((root) => root !== null);
  const below = roots.find((root) => getHost(root) === getHost(url));
  return below === undefined && roots.length > 0 ? null : toPathBelow(url, below?.pathname ?? "/");
}

function findOwnPath(about: About, config: SiteConfig, losses: Losses): string | undefined {
  const { fields } = about;
  const said = findText(fields, ["permalink", "url", "path"]);
  if (said !== undefined && !/^(?:true|false)$/.test(said)) {
    if (/\{[{%]/.test(said)) losses.add("redirects", said);
    else if (/^[a-z][a-z\d+.-]*:\/\//i.test(said)) {
      const path = config.origins.length === 0 ? null : findSitePath(said, config.origins);
      if (path !== null) return path;
      losses.add("fields", `url (${said})`);
    } else if (config.generator === "jekyll" || said.includes("/:") || said.startsWith(":"))
      return expandPermalink(said, about, config);
    else return said.startsWith("/") ? said : `/${said}`;
  }
  if (config.generator === "jekyll") return makeJekyllPath(about, config);
  if (config.generator === "hexo")
    return expandPermalink(config.permalinks.get("") ?? ":year/:month/:day/:title/", about, config);
  if (config.generator === "hugo") return makeHugoPath(about, config);
  return config.generator === "zola" ? makeZolaPath(about) : undefined;
}

/** https://jekyllrb.com/docs/permalinks/ */
const JEKYLL_STYLES = new Map([
  ["date", "/:categories/:year/:month/:day/:title.html"],
  ["pretty", "/:categories/:year/:month/:day/:title/"],
  ["ordinal", "/:categories/:year/:y_day/:title.html"],
  ["none", "/:categories/:title.html"],
]);

function makeJekyllPath(about: About, config: SiteConfig): string | undefined {
  if (about.place.date === "" && findTime(about.fields) === undefined) return undefined;
  const style = config.permalinks.get("") ?? "date";
  return expandPermalink(JEKYLL_STYLES.get(style) ?? style, about, config);
}

/** https://gohugo.io/content-management/urls/ */
function makeHugoPath(about: About, config: SiteConfig): string {
  const { permalinks, language } = config;
  const { place, fields, path } = about;
  const segments = path.split("/");
  const section = segments.length > 1 ? (segments[0] ?? "") : "";
  const form = permalinks.get(section.toLowerCase());
  const prefix = place.locale === null || place.locale === language ? "" : `/${place.locale.toLowerCase()}`;
  if (form !== undefined) return `${prefix}${expandPermalink(form, about, config)}`;
  const slug = findText(fields, ["slug"]);
  const whole = slug === undefined ? segments : [...segments.slice(0, -1), slug];
  return `${prefix}/${whole.map((each) => each.toLowerCase().replaceAll(/\s+/g, "-")).join("/")}/`;
}

/** https://www.getzola.org/documentation/content/page/#path-and-slug */
function makeZolaPath({ place, fields, path }: About): string {
  const segments = path.split("/");
  const name = findText(fields, ["slug"]) ?? (place.date === "" ? (segments.at(-1) ?? "") : place.stem);
  return `/${[...segments.slice(0, -1), name].map((each) => toValidSlug(each.toLowerCase())).join("/")}/`;
}

/** Fills in `:year` and the like, as Jekyll, Hexo and Hugo have them. */
function expandPermalink(form: string, about: About, { generator }: SiteConfig): string {
  const { place, fields, title, path } = about;
  // The day on the clock of its author.
  const [, year = "", month = "", day = ""] =
    /^\s*(\d{4})[-/](\d{1,2})[-/](\d{1,2})/.exec(findTime(fields) ?? "") ??
    /^(\d{4})-(\d\d?)-(\d\d?)/.exec(place.date) ??
    [];
  const slug = findText(fields, ["slug"]);
  const name = slug ?? place.stem;
  const folders = path
    .split("/")
    .slice(0, -1)
    .filter((each) => !each.startsWith("_"));
  const categories = [...folders, ...listCategories(fields)].map((each) => each.toLowerCase().replaceAll(/\s+/g, "-"));
  const yearDay = Math.floor((Date.UTC(+year, +month - 1, +day) - Date.UTC(+year, 0, 0)) / 86_400_000);
  const values: Record<string, string> = {
    year,
    short_year: year.slice(-2),
    month: month.padStart(2, "0"),
    i_month: String(Number(month)),
    day: day.padStart(2, "0"),
    i_day: String(Number(day)),
    y_day: String(yearDay).padStart(3, "0"),
    yearday: String(yearDay),
    title: generator === "hugo" ? toValidSlug(title.toLowerCase()) : name,
    slug: generator === "hugo" && slug === undefined ? toValidSlug(title.toLowerCase()) : name,
    name,
    slugorfilename: name,
    slugorcontentbasename: name,
    filename: place.stem,
    contentbasename: place.stem,
    post_title: name,
    categories: categories.join("/"),
    category: categories[0] ?? "uncategorized",
    section: folders[0] ?? "",
    sections: folders.join("/"),
    output_ext: ".html",
  };
  const filled = form.replaceAll(/:([a-z_]+)(?:\[[^\]]*\])?/g, (whole, key: string) => values[key] ?? whole);
  return `/${filled}`.replaceAll(/\/{2,}/g, "/");
}

function listCategories(fields: FrontMatter): string[] {
  const [list, one] = [fields.get("categories"), fields.get("category")];
  if (isText(list)) return list.includes(",") ? list.split(",").map((each) => each.trim()) : list.split(/\s+/);
  if (Array.isArray(list))
    return (list as readonly Value[]).flatMap((each) => (Array.isArray(each) ? each : [each])).filter(isText);
  return isText(one) ? [one] : [];
}

export function makeConfig(generator: Generator, settings: FrontMatter): SiteConfig {
  const text = (...names: string[]) => findText(settings, names) ?? "";
  const permalinks = new Map<string, string>();
  const said = settings.get("permalink") ?? findCollectionPermalink(settings);
  if (isText(said)) permalinks.set("", said);
  const bySection = settings.get("permalinks");
  if (isMap(bySection)) {
    const pages = bySection.get("page");
    const all = [...bySection, ...(isMap(pages) ? pages : [])];
    for (const [section, form] of all) if (isText(form)) permalinks.set(section.toLowerCase(), form);
  }
  const origin = text("baseurl", "url").replace(/\/+$/, "");
  const jekyll = `${text("url").replace(/\/+$/, "")}${text("baseurl").replace(/\/+$/, "")}`;
  const origins = [origin, jekyll].filter((each) => /^https?:\/\//.test(each));
  return {
    generator,
    origins,
    permalinks,
    language: text("defaultcontentlanguage", "defaultlanguage", "languagecode"),
    mayHide: [...settings].some(([name, value]) => Object.hasOwn(HIDING, name) && HIDING[name]?.(value)),
  };
}

const always = (): boolean => true;
/** Most `exclude` only what is no article, such as `Gemfile`. */
const namesPosts = (value: Value | undefined): boolean =>
  listTexts(value).some((text) => /_posts|\.(?:md|markdown)\b|[*[(]/.test(text));
/** Defaults for many files may only concern their layout. */
const saysOfOthers = (value: Value | undefined): boolean =>
  isMap(value)
    ? [...value].some(([name, each]) => isVisibilityField(name) || saysOfOthers(each))
    : Array.isArray(value) && (value as readonly Value[]).some(saysOfOthers);

const HIDING: Readonly<Record<string, (value: Value | undefined) => boolean>> = {
  // Files that are elsewhere, or encrypted.
  ...Object.fromEntries(
    "collectionsdir contentdir disablelanguages encrypt ignoredcontent ignorefiles limitposts source sourcedir"
      .split(" ")
      .map((name) => [name, always]),
  ),
  languages: (value) => isMap(value) && [...value.values()].some((each) => isMap(each) && each.has("disabled")),
  module: (value) => isMap(value) && value.has("mounts"),
  cascade: saysOfOthers,
  defaults: saysOfOthers,
  exclude: namesPosts,
  ignore: namesPosts,
  skiprender: namesPosts,
};

function findCollectionPermalink(settings: FrontMatter): Value | undefined {
  const collections = settings.get("collections");
  const posts = isMap(collections) ? collections.get("posts") : undefined;
  return isMap(posts) ? posts.get("permalink") : undefined;
}

/** What a file's path says about its article: `posts/hello.de.md` is `hello` in German. */
export type PathInfo = {
  readonly stem: string;
  readonly date: string;
  readonly locale: string | null;
  readonly folderIsDrafts: boolean;
  readonly path: string;
};
