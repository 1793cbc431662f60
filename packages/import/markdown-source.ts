/** Reads articles from a folder of Markdown files, wherever it is. */
import { LIMITS } from "../../src/domain/limits.ts";
import { Unusable, type LocalFile } from "./article.ts";
import { parseArticle } from "./markdown-article.ts";
import { renameDuplicates } from "./duplicates.ts";
import { findDate, parseLanguageTag, parsePath, readPage, type Page } from "./markdown-page.ts";
import type { PathInfo, SiteConfig } from "./old-paths.ts";
import { makeSite } from "./markdown-site.ts";
import { Remarks } from "./remarks.ts";
import { findContentFolder, getFolder, explainNotArticle, makeIsShown, readSiteConfig } from "./site-config.ts";
import { makeEntry, makeKeys, type Source, type Wishes } from "./source.ts";

/** `base` is the full path of the folder. The other paths are relative to it, with `/`, and sorted. */
export type Listed = {
  readonly base: string;
  readonly files: readonly string[];
  readonly articles: readonly string[];
  readonly unusable: readonly Unread[];
  readonly isVault: boolean;
  /** Both throw `Unusable` if a file cannot be read, or has more than `most` bytes. A `head` is the first `most` bytes. */
  readonly text: (file: string, most: number, part: "whole" | "head") => Promise<string>;
  readonly bytes: (file: string, most: number) => Promise<Uint8Array<ArrayBuffer>>;
};

export type Unread = { readonly name: string; readonly reason: string };

/** Maximum bytes of a file: the maximum content, plus 512 KiB for front matter. */
const MOST_BYTES = LIMITS.contentBytes + 512 * 1024;
/** Bytes that are read of a file for what other articles need to know. Front matter has fewer. */
const HEAD_BYTES = 40 * 1024;

export const isMarkdownName = (name: string): boolean => /\.(?:md|markdown|mdx)$/i.test(name);

/** Opens a folder. Entries are sorted by date, because the service lists articles by the time of their creation. */
export async function openListed(listed: Listed, wishes: Wishes, remarks: Remarks): Promise<Source> {
  const { base, files, isVault, bytes } = listed;
  const found = await readSiteConfig(files, base, isVault, (file) => listed.text(file, MOST_BYTES, "whole"));
  const config = { ...found, origins: [wishes.siteUrl, ...found.origins].filter((origin) => origin !== "") };
  const contents = findContentFolder(files, config);
  const articles = filterArticles(listed, contents, config, remarks);
  const toContentPath = (file: string) => (file.startsWith(contents) ? file.slice(contents.length) : file);
  const isLocales =
    articles.length > 0 &&
    articles.every((file) => parseLanguageTag(toContentPath(file).split("/", 2)[0] ?? "") !== null);
  const toPlace = (file: string) => parsePath(toContentPath(file), isLocales && toContentPath(file).includes("/"));
  const { keys, makeKey } = makeKeys();
  // Keys depend on the order of names, because dates may change.
  const keyed = articles.map((file) => ({ file, key: makeKey(file.normalize("NFC")), place: toPlace(file) }));
  const heads = await readHeads(listed, keyed, config, wishes.locale);
  const sorted = heads.toSorted((a, b) => (a.date < b.date ? -1 : a.date > b.date ? 1 : 0));
  if (wishes.renameDuplicates === true) renamePages(sorted, remarks);
  const pages = heads.map(({ page }) => page).filter((page) => page !== null);
  const site = makeSite(base, files, pages, config);
  const isShown = makeIsShown(config, files, await findHidingFolders(listed));
  // The imported folder may be `_posts` itself.
  const above = `${base}/`.endsWith("/_posts/") ? "_posts/" : "";
  const toLocalFile = (file: string): LocalFile => ({ path: file, read: (most) => bytes(file, most) });
  const toEntry = ({ file, key, place, page, date }: Head) =>
    makeEntry(key, file, remarks, async (ofFile) => {
      const text = await listed.text(file, MOST_BYTES, "whole");
      const around = { file, place, site, files: toLocalFile, slug: page?.slug, isShown: isShown(above + file, date) };
      return parseArticle(text, around, wishes, ofFile);
    });
  const refused = listed.unusable.map(({ name, reason }) =>
    makeEntry(makeKey(name), name, remarks, () => {
      throw new Unusable(reason);
    }),
  );
  return { format: "markdown", keys, entries: () => [...sorted.map(toEntry), ...refused] };
}

/** Returns the folders whose `_index.md` may hide the files in them. */
async function findHidingFolders({ files, text }: Listed): Promise<Set<string>> {
  const found = new Set<string>();
  for (const file of files.filter((each) => SECTION.test(each))) {
    const head = await text(file, HEAD_BYTES, "head").catch(() => "cascade");
    if (/cascade|^\s*["']?draft["']?\s*[=:]\s*["']?(?:true|yes|on|1)\b/im.test(head)) found.add(getFolder(file));
  }
  return found;
}

const SECTION = /(?:^|\/)_index\.[^/]*$/;

type Keyed = { readonly file: string; readonly key: string; readonly place: PathInfo };
type Head = Keyed & { readonly page: Page | null; readonly date: string };

function renamePages(heads: readonly Head[], remarks: Remarks): void {
  const named = heads.flatMap(({ file, page }) =>
    page === null ? [] : [{ name: file, slug: page.slug, locale: page.locale, page }],
  );
  renameDuplicates(named, remarks);
  for (const { page, slug } of named) page.slug = slug;
}

function filterArticles({ files, articles }: Listed, contents: string, config: SiteConfig, remarks: Remarks): string[] {
  // settings.ts reads `blog.yaml`.
  const others = files.filter((file) => !isMarkdownName(file) && file !== "blog.yaml");
  if (articles.length === files.filter(isMarkdownName).length) {
    remarks.add("other files in the folder, imported only if an article shows them as a picture", others.length);
  }
  return articles.filter((file) => {
    if (SECTION.test(file)) {
      remarks.forArticle(file).add("pages of sections (_index.md) left out");
      return false;
    }
    const reason = explainNotArticle(file, contents, files, config);
    if (reason !== null)
      remarks.forArticle(file).note("Markdown files left out, because they are not articles", `left out: it ${reason}`);
    return reason === null;
  });
}

/** Reads the starts of files. The date of each is that in its front matter or name; else "". */
async function readHeads(listed: Listed, files: readonly Keyed[], config: SiteConfig, locale: string): Promise<Head[]> {
  const heads: Head[] = [];
  for (const each of files) {
    try {
      const text = await listed.text(each.file, HEAD_BYTES, "head");
      const { page } = readPage(text, { ...each, config, locale }, new Remarks());
      heads.push({ ...each, page, date: findDate(page.fields, each.place) });
    } catch {
      // Reading the whole file reports the problem.
      heads.push({ ...each, page: null, date: findDate(new Map(), each.place) });
    }
  }
  return heads;
}
