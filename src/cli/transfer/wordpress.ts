/** Reads articles from an export of WordPress (WXR). */
import { LIMITS } from "../../domain/limits.ts";
import { parseDate } from "../../lib/dates.ts";
import { slugFrom, Unusable, type Article } from "./article.ts";
import { descriptionFrom, lineFrom, markdownFrom } from "./html.ts";
import { languageTag } from "./markdown-article.ts";
import { publicationOf, type Said } from "./publication.ts";
import type { Remarks } from "./remarks.ts";
import { coverFrom, naturalKey, newEntry, uniqueKeys, type Entry, type Source, type Wishes } from "./source.ts";
import { addParagraphs, expandShortcodes, isBlockContent, linkAddresses } from "./wordpress-html.ts";
import { itemsOf, type Item } from "./wxr.ts";

/** What the first pass collects. A second pass reads the posts, because attachments may come after their posts. */
type Survey = {
  readonly keys: ReadonlySet<string>;
  readonly attachments: Map<string, string>;
  /** The names of authors, by their accounts. */
  readonly authors: Map<string, string>;
  /** The common slug of the translations of a post, by their group (see `groupOf`). */
  readonly slugs: Map<string, string>;
  /** By how many minutes the site's clock is ahead of UTC, by month, because of summer time. */
  readonly offsets: Map<string, number>;
};

/**
 * Opens an export. Reads the whole file, so that a malformed file is found before anything is sent. Throws `Unusable`.
 */
export async function openWordPress(file: string, wishes: Wishes, remarks: Remarks): Promise<Source> {
  const survey = await surveyOf(file, wishes, remarks);
  return {
    format: "wordpress",
    keys: survey.keys,
    async *entries(): AsyncGenerator<Entry> {
      const { keyOf } = uniqueKeys();
      for await (const item of itemsOf(file)) {
        if (!isWanted(item, wishes)) continue;
        const key = keyOf(naturalKey(item.type, item));
        yield newEntry(key, nameOf(item), remarks, (ofPost) => articleFrom(item, survey, wishes, ofPost));
      }
    },
  };
}

const nameOf = (item: Item): string =>
  `${item.type} ${(item.id || item.slug).slice(0, 60)} (${startOfTitle(item).slice(0, 60)})`;

/** Returns the text of a title; "" if it cannot be read. That problem is reported when the post is read. */
function startOfTitle({ title }: Item): string {
  try {
    return lineFrom(title.slice(0, LIMITS.title * 3));
  } catch (error) {
    if (error instanceof Unusable) return "";
    throw error;
  }
}

const isPost = ({ type }: Item): boolean => type === "post";
const isGone = ({ status }: Item): boolean => ["trash", "auto-draft"].includes(status);
const isWanted = (item: Item, { pages }: Wishes): boolean =>
  (isPost(item) || (pages && item.type === "page")) && !isGone(item);

async function surveyOf(file: string, wishes: Wishes, remarks: Remarks): Promise<Survey> {
  const { keys, keyOf } = uniqueKeys();
  const survey: Survey = { keys, attachments: new Map(), authors: new Map(), slugs: new Map(), offsets: new Map() };
  for await (const item of itemsOf(file, survey.authors)) {
    surveyClock(item, survey);
    if (item.type === "attachment") survey.attachments.set(item.id, item.attachmentUrl);
    else if (isWanted(item, wishes)) {
      keyOf(naturalKey(item.type, item));
      surveyPost(item, survey, wishes, remarks);
    } else if (item.type === "page" && !isGone(item)) remarks.add("pages left out (--pages imports them)");
    else
      remarks.add(
        isGone(item) ? "posts in the trash, and revisions, left out" : `entries of type "${item.type}" left out`,
      );
  }
  if (wishes.media !== true)
    remarks.add("attachments not uploaded: articles refer to them where they are (--media)", survey.attachments.size);
  return survey;
}

function surveyClock({ localDate, publishDate }: Item, { offsets }: Survey): void {
  const minutes = ((parseDate(localDate) ?? NaN) - (parseDate(publishDate) ?? NaN)) / 60_000;
  if (Math.abs(minutes) <= 14 * 60) offsets.set(monthOf(localDate), minutes);
}

const monthOf = (date: string): string => date.slice(5, 7);

function surveyPost(item: Item, survey: Survey, wishes: Wishes, remarks: Remarks): void {
  remarks.add("comments left out", item.comments);
  const group = groupOf(item);
  if (group === undefined) return;
  const isOriginal = languageOf(item, wishes) === wishes.locale;
  if (isOriginal || !survey.slugs.has(group)) survey.slugs.set(group, slugOf(item));
}

/** Returns the term by which the plugin Polylang groups the translations of a post. They get the same slug here. */
const groupOf = ({ categories }: Item): string | undefined =>
  categories.find(({ domain }) => domain === "post_translations")?.name;

function articleFrom(item: Item, survey: Survey, wishes: Wishes, remarks: Remarks): Article {
  const { attachments, authors, slugs } = survey;
  const group = groupOf(item);
  const cover = attachments.get(item.meta.get("_thumbnail_id") ?? "") ?? "";
  const html = expandShortcodes(item.content, attachments, remarks);
  const shared = group === undefined ? undefined : slugs.get(group);
  if (shared !== undefined && shared !== slugOf(item))
    remarks.add("translations that now have the slug of their original");
  const said = {
    time: timeOf(item, survey, remarks),
    tags: tagsOf(item),
    authors: item.creator === "" ? undefined : [authors.get(item.creator) || item.creator],
  };
  return {
    title: lineFrom(item.title),
    description: descriptionFrom(item.excerpt, remarks),
    content: markdownFrom(html, remarks, isBlockContent(item.content) ? linkAddresses : addParagraphs),
    slug: shared ?? slugOf(item),
    locale: localeOf(item, wishes),
    coverUrl: coverFrom(cover, remarks, "not web addresses"),
    ...publicationOf(saidOf(item), said, wishes, remarks),
  };
}

/** Returns the names of a post's tags and categories; undefined if it has none. */
function tagsOf({ categories }: Item): string[] | undefined {
  const found = categories.filter(
    ({ domain, name }) => domain === "post_tag" || (domain === "category" && name !== "uncategorized"),
  );
  return found.length === 0 ? undefined : found.map(({ name, label }) => lineFrom(label) || name);
}

/**
 * Returns when a post was or is going to be published, by the first of its dates that can be read. Of a draft, only the
 * one in UTC counts: the others are from when it was begun.
 */
function timeOf(item: Item, { offsets }: Survey, remarks: Remarks): string {
  const { publishDate, pubDate, localDate } = item;
  if (["draft", "pending"].includes(item.status)) return publishDate;
  const readable = [publishDate, pubDate].find((text) => parseDate(text) !== undefined);
  if (readable !== undefined) return readable;
  const local = parseDate(localDate);
  if (local === undefined) return [publishDate, pubDate, localDate].find((text) => text !== "") ?? "";
  const minutes = offsets.get(monthOf(localDate)) ?? [...offsets.values()][0];
  if (minutes === undefined) remarks.add("dates by a site's clock that is not known, taken as UTC");
  return new Date(local - (minutes ?? 0) * 60_000).toISOString();
}

const saidOf = ({ status, password }: Item): Said => ({
  fields: Object.entries({ status, password }),
  doubts: [],
  mayLackDate: false,
});

/** Returns the slug of a post. WordPress percent-encodes other scripts in `post_name`; drafts have no `post_name`. */
function slugOf(item: Item): string {
  const own = item.slug === "" ? startOfTitle(item) : decoded(item.slug);
  return slugFrom(own || `post-${item.id}`);
}

function decoded(slug: string): string {
  try {
    return decodeURIComponent(slug);
  } catch {
    // WordPress may cut the slug in the middle of an encoded character.
    return slug.replaceAll(/%[0-9a-f]{0,2}/gi, "-");
  }
}

function localeOf(item: Item, wishes: Wishes): string {
  const locale = languageOf(item, wishes);
  if (locale === null) throw new Unusable(`its language "${saidLanguage(item)}" is not a BCP 47 language tag`);
  return locale;
}

/** Returns the locale of a post, the default if it names none; null if what it names is not a language. */
function languageOf(item: Item, wishes: Wishes): string | null {
  const said = saidLanguage(item);
  return said === "" ? wishes.locale : languageTag(said);
}

/** Returns the language that a post names: WPML stores it in a custom field, Polylang in a category. */
const saidLanguage = ({ meta, categories }: Item): string =>
  meta.get("_wpml_import_language_code") ?? categories.find(({ domain }) => domain === "language")?.name ?? "";
