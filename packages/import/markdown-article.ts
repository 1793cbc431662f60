/** Converts a Markdown file into an article, by the conventions of site generators and of our own exports. */
import { NAMED_TEXTS } from "../../src/domain/article-fields.ts";
import { toCoverUrl, type Wishes } from "./source.ts";
import { FIELDS, type Article, type LocalFile } from "./article.ts";
import { foldName, findHeaderLine, type FrontMatter, type Value } from "./front-matter.ts";
import type { SaidExtras } from "./extras.ts";
import { Losses } from "./losses.ts";
import {
  findCover,
  findDateInPath,
  EXTRA_NAMES,
  findField,
  findText,
  isMap,
  isKnownField,
  listLeftOut,
  collectNames,
  findTime,
} from "./markdown-fields.ts";
import { relinkContent, type Files, type Linked } from "./markdown-links.ts";
import { readPage, TITLE, type Page } from "./markdown-page.ts";
import type { PathInfo } from "./old-paths.ts";
import type { Site } from "./markdown-site.ts";
import { decidePublication, type Visibility } from "./publication.ts";
import type { Remarks } from "./remarks.ts";
import type { References } from "./references.ts";
import { expandTemplates } from "./templates.ts";

export type Around = {
  readonly file: string;
  readonly place: PathInfo;
  readonly site: Site;
  readonly files: Files;
  /** Whether the old site showed the file, if the file does not say. */
  readonly isShown?: boolean;
  /** The slug to use instead of the file's own, which another article has. */
  readonly slug?: string | undefined;
};

/** Returns the article of a file. Notes what it loses. Throws `Unusable`. */
export function parseArticle(text: string, around: Around, wishes: Wishes, remarks: Remarks): Article {
  const { file, place, site, files } = around;
  const losses = new Losses();
  const where = { file, place, config: site.config, locale: wishes.locale };
  const { page, asWritten, content } = readPage(text, where, remarks, losses);
  page.slug = around.slug ?? page.slug;
  const { named, counted } = listLeftOut(asWritten);
  for (const name of [...named, ...counted]) remarks.count(`articles whose field "${name}" was left out`);
  for (const name of named) losses.add("fields", name);
  const known = new Set<string>();
  const references = makeReferences(page, site, known, losses);
  // What this service exported stays unchanged.
  const linked: Linked = isExported(asWritten)
    ? { content, files: new Map() }
    : relinkContent(
        expandTemplates(content.replace(TITLE, ""), references),
        page,
        { site, files, known, anchors: references.anchors },
        losses,
      );
  const extras = getExtras(page, site, losses);
  const article = {
    title: page.title,
    description: findField(page.fields, "description") ?? "",
    content: linked.content,
    slug: page.slug,
    locale: page.locale,
    ...resolveCover(page, around, losses, remarks),
    ...decidePublication(getVisibility(asWritten, content, around), extras, wishes, remarks),
    ...(!isExported(asWritten) && { files: linked.files }),
    ...listRedirects(page),
  };
  if (wishes.media !== true) for (const { path } of listLocalFiles(article)) losses.add("unbrought", path);
  losses.reportTo(remarks);
  return article;
}

function listLocalFiles({ files, coverFile }: Pick<Article, "files" | "coverFile">): LocalFile[] {
  const all = [...(files?.values() ?? []), ...(coverFile === undefined ? [] : [coverFile])];
  return [...new Map(all.map((file) => [file.path, file])).values()];
}

/** Returns the old paths that do not lead to the article anyway. */
function listRedirects({ slug, oldPaths }: Page): Pick<Article, "redirects"> {
  const redirects = oldPaths.filter((path) => path.replaceAll(/^\/|\/$/g, "") !== slug);
  return redirects.length === 0 ? {} : { redirects };
}

const isExported = (asWritten: FrontMatter): boolean =>
  FIELDS.every((field) => field === "content" || asWritten.has(field));

function makeReferences(page: Page, site: Site, known: Set<string>, losses: Losses): References {
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
    findArticle: (name) => {
      const found = site.findPageNamed(page, name);
      if (found === null) return null;
      known.add(`/${found.slug}`);
      return { address: `/${found.slug}`, title: found.title };
    },
    findFile: (name) => {
      const found = site.fileAt(page, name, true);
      return found === null ? null : encodeURI(`/${found}`);
    },
  };
}

function resolveCover(
  page: Page,
  { site, files }: Around,
  losses: Losses,
  remarks: Remarks,
): Pick<Article, "coverUrl" | "coverFile"> {
  const { address = "", alt = "" } = findCover(page.fields) ?? {};
  const path = site.pathOn(address);
  const file = path === null || path === "" ? null : site.fileAt(page, path);
  if (file !== null) return { coverUrl: "", coverFile: { ...files(file), alt } };
  if (path !== null && path !== "" && !/^https?:/i.test(address)) losses.add("pictures", address);
  return { coverUrl: toCoverUrl(address, remarks, "files, not web addresses") };
}

/** Returns the extras in front matter. The name of the file may also have the time of publication. */
function getExtras({ fields, place, file }: Page, { config }: Site, losses: Losses): SaidExtras {
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
    ...Object.fromEntries(NAMED_TEXTS.map((name) => [name, first(foldName(name))])),
    time: findTime(fields) ?? ((isInSlug ? "" : place.date) || findDateInPath(fields)),
    tags: collectNames(fields, EXTRA_NAMES.tags, losses, bySpaces),
    authors: collectNames(fields, EXTRA_NAMES.authors, losses),
    seo: Object.fromEntries(Object.entries(said).filter(([, value]) => value !== undefined)),
  };
}

/** Returns who may see a file, with the reasons not to rely on that. */
function getVisibility(frontMatter: FrontMatter, content: string, { place, isShown = false }: Around): Visibility {
  const { folderIsDrafts, stem } = place;
  const header = frontMatter.size === 0 ? findHeaderLine(content, isKnownField) : undefined;
  const doubts = {
    [`it begins with "${header}", which may be metadata in a form that is not read`]: header !== undefined,
    "its name begins with _": stem.startsWith("_"),
    "parts of it are encrypted": /\{\{[<%]\s*(?:hugo-)?encrypt/.test(content),
  };
  return {
    fields: [...frontMatter].flatMap(flattenField).concat(folderIsDrafts ? [["draft", "true"]] : []),
    doubts: Object.keys(doubts).filter((doubt) => doubts[doubt]),
    mayLackDate: true,
    isShown: isShown && frontMatter.size > 0,
  };
}

/** Returns a field as text, and the fields in it: Hugo has `build: {render: never}`. */
function flattenField([name, value = ""]: readonly [string, Value | undefined]): [string, string][] {
  if (!isMap(value)) return [[name, typeof value === "string" ? value : "…"]];
  return [[name, "…"], ...[...value].flatMap(([inner, each]) => flattenField([`${name}.${inner}`, each]))];
}
