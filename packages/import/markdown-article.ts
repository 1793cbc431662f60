/** Converts a Markdown file into an article, by the conventions of site generators and of our own exports. */
import { NAMED_TEXTS } from "../../src/domain/article-fields.ts";
import { coverFrom, type Wishes } from "./source.ts";
import { FIELDS, type Article, type LocalFile } from "./article.ts";
import { folded, headerLine, type FrontMatter, type Value } from "./front-matter.ts";
import type { SaidExtras } from "./extras.ts";
import { Losses } from "./losses.ts";
import {
  coverOf,
  dateInPath,
  EXTRA_NAMES,
  fieldOf,
  findText,
  isMap,
  isRead,
  leftOut,
  namesIn,
  timeIn,
} from "./markdown-fields.ts";
import { withLinks, type Files, type Linked } from "./markdown-links.ts";
import { readPage, TITLE, type Page } from "./markdown-page.ts";
import type { Place } from "./old-paths.ts";
import type { Site } from "./markdown-site.ts";
import { publicationOf, type Said } from "./publication.ts";
import type { Remarks } from "./remarks.ts";
import type { References } from "./references.ts";
import { withoutTemplates } from "./templates.ts";

export type Around = {
  readonly file: string;
  readonly place: Place;
  readonly site: Site;
  readonly files: Files;
  /** Whether the old site showed the file, if the file does not say. */
  readonly isShown?: boolean;
  /** The slug to use instead of the file's own, which another article has. */
  readonly slug?: string | undefined;
};

/** Returns the article of a file. Notes what it loses. Throws `Unusable`. */
export function articleFromMarkdown(text: string, around: Around, wishes: Wishes, remarks: Remarks): Article {
  const { file, place, site, files } = around;
  const losses = new Losses();
  const where = { file, place, config: site.config, locale: wishes.locale };
  const { page, asWritten, content } = readPage(text, where, remarks, losses);
  page.slug = around.slug ?? page.slug;
  const { named, counted } = leftOut(asWritten);
  for (const name of [...named, ...counted]) remarks.count(`articles whose field "${name}" was left out`);
  for (const name of named) losses.add("fields", name);
  const known = new Set<string>();
  const references = referencesOf(page, site, known, losses);
  // What this service exported stays unchanged.
  const linked: Linked = isOwn(asWritten)
    ? { content, files: new Map() }
    : withLinks(
        withoutTemplates(content.replace(TITLE, ""), references),
        page,
        { site, files, known, anchors: references.anchors },
        losses,
      );
  const extras = saidExtras(page, site, losses);
  const article = {
    title: page.title,
    description: fieldOf(page.fields, "description") ?? "",
    content: linked.content,
    slug: page.slug,
    locale: page.locale,
    ...coverFor(page, around, losses, remarks),
    ...publicationOf(saidOf(asWritten, content, around), extras, wishes, remarks),
    ...(!isOwn(asWritten) && { files: linked.files }),
    ...redirectsOf(page),
  };
  if (wishes.media !== true) for (const { path } of localFilesOf(article)) losses.add("unbrought", path);
  losses.tell(remarks);
  return article;
}

function localFilesOf({ files, coverFile }: Pick<Article, "files" | "coverFile">): LocalFile[] {
  const all = [...(files?.values() ?? []), ...(coverFile === undefined ? [] : [coverFile])];
  return [...new Map(all.map((file) => [file.path, file])).values()];
}

/** Returns the old paths that do not lead to the article anyway. */
function redirectsOf({ slug, oldPaths }: Page): Pick<Article, "redirects"> {
  const redirects = oldPaths.filter((path) => path.replaceAll(/^\/|\/$/g, "") !== slug);
  return redirects.length === 0 ? {} : { redirects };
}

const isOwn = (asWritten: FrontMatter): boolean => FIELDS.every((field) => field === "content" || asWritten.has(field));

function referencesOf(page: Page, site: Site, known: Set<string>, losses: Losses): References {
  const { config } = site;
  return {
    losses,
    isJekyll: config.generator === "jekyll",
    isMdx: /\.mdx$/i.test(page.file),
    title: page.title,
    origin: config.origins[0] ?? "",
    modules: new Map<string, string>(),
    anchors: new Map<string, string>(),
    unclosed: new Map<string, number>(),
    article: (name) => {
      const found = site.pageNamed(page, name);
      if (found === null) return null;
      known.add(`/${found.slug}`);
      return { address: `/${found.slug}`, title: found.title };
    },
    file: (name) => {
      const found = site.fileAt(page, name, true);
      return found === null ? null : encodeURI(`/${found}`);
    },
  };
}

function coverFor(
  page: Page,
  { site, files }: Around,
  losses: Losses,
  remarks: Remarks,
): Pick<Article, "coverUrl" | "coverFile"> {
  const { address = "", alt = "" } = coverOf(page.fields) ?? {};
  const path = site.pathOn(address);
  const file = path === null || path === "" ? null : site.fileAt(page, path);
  if (file !== null) return { coverUrl: "", coverFile: { ...files(file), alt } };
  if (path !== null && path !== "" && !/^https?:/i.test(address)) losses.add("pictures", address);
  return { coverUrl: coverFrom(address, remarks, "files, not web addresses") };
}

/** Returns the extras in front matter. The name of the file may also have the time of publication. */
function saidExtras({ fields, place, file }: Page, { config }: Site, losses: Losses): SaidExtras {
  const first = (...names: readonly string[]) => findText(fields, names);
  const seo = fields.get("seo");
  const text = (name: string) => (isMap(seo) ? findText(seo, [name]) : undefined);
  const said = {
    title: text("title"),
    description: text("description"),
    canonicalUrl: text("canonicalurl") ?? first(...EXTRA_NAMES.canonicalUrl),
    noindex: (text("noindex") ?? first("noindex")) === "true",
    image: text("image"),
  };
  // The slug of an exported article may begin with a date, and so does its file name.
  const isInSlug = first("slug")?.startsWith(place.date) ?? false;
  const isJekyll = config.generator === "jekyll" || /(?:^|\/)_posts\//.test(file) || fields.has("layout");
  const bySpaces = isJekyll && config.generator !== "hexo" ? ["tags", "categories"] : [];
  return {
    ...Object.fromEntries(NAMED_TEXTS.map((name) => [name, first(folded(name))])),
    time: timeIn(fields) ?? ((isInSlug ? "" : place.date) || dateInPath(fields)),
    tags: namesIn(fields, EXTRA_NAMES.tags, losses, bySpaces),
    authors: namesIn(fields, EXTRA_NAMES.authors, losses),
    seo: Object.fromEntries(Object.entries(said).filter(([, value]) => value !== undefined)),
  };
}

/** Returns who may see a file, with the reasons not to rely on that. */
function saidOf(frontMatter: FrontMatter, content: string, { place, isShown = false }: Around): Said {
  const { folderIsDrafts, stem } = place;
  const header = frontMatter.size === 0 ? headerLine(content, isRead) : undefined;
  const doubts = {
    [`it begins with "${header}", which may be metadata in a form that is not read`]: header !== undefined,
    "its name begins with _": stem.startsWith("_"),
    "parts of it are encrypted": /\{\{[<%]\s*(?:hugo-)?encrypt/.test(content),
  };
  return {
    fields: [...frontMatter].flatMap(fieldsIn).concat(folderIsDrafts ? [["draft", "true"]] : []),
    doubts: Object.keys(doubts).filter((doubt) => doubts[doubt]),
    mayLackDate: true,
    isShown: isShown && frontMatter.size > 0,
  };
}

/** Returns a field as text, and the fields in it: Hugo has `build: {render: never}`. */
function fieldsIn([name, value = ""]: readonly [string, Value | undefined]): [string, string][] {
  if (!isMap(value)) return [[name, typeof value === "string" ? value : "…"]];
  return [[name, "…"], ...[...value].flatMap(([inner, each]) => fieldsIn([`${name}.${inner}`, each]))];
}
