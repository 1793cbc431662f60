/** An export of WordPress (WXR) as a source of articles. */
import { LIMITS } from "../../domain/limits.ts";
import { slugFrom, Unusable, type Article } from "./article.ts";
import { descriptionFrom, lineFrom, markdownFrom } from "./html.ts";
import { languageTag } from "./markdown-article.ts";
import type { Remarks } from "./remarks.ts";
import {
  coverFrom,
  isPublished,
  naturalKey,
  newEntry,
  uniqueKeys,
  type Entry,
  type Source,
  type Wishes,
} from "./source.ts";
import { addParagraphs, expandShortcodes, isBlockContent } from "./wordpress-html.ts";
import { itemsOf, type Item } from "./wxr.ts";

/** What the first look at a file finds: attachments may stand behind the posts that show them. */
type Survey = {
  readonly keys: ReadonlySet<string>;
  readonly attachments: Map<string, string>;
  /** The slug that the translations of a post share, by their group. */
  readonly slugs: Map<string, string>;
};

/** Looks through an export. All of it is read, so what is malformed is found before anything is sent. */
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
        yield newEntry(key, nameOf(item), () => articleFrom(item, survey, wishes, remarks));
      }
    },
  };
}

const nameOf = (item: Item): string =>
  `${item.type} ${(item.id || item.slug).slice(0, 60)} (${startOfTitle(item).slice(0, 60)})`;

/** "" for a title that cannot be read: that is to show when its post is read, and not before. */
function startOfTitle({ title }: Item): string {
  try {
    return lineFrom(title.slice(0, LIMITS.title * 3));
  } catch (error) {
    if (error instanceof Unusable) return "";
    throw error;
  }
}

const isPost = ({ type }: Item): boolean => type === "post";
const isGone = ({ status }: Item): boolean => ["trash", "auto-draft", "inherit"].includes(status);
const isWanted = (item: Item, { pages }: Wishes): boolean =>
  (isPost(item) || (pages && item.type === "page")) && !isGone(item);

async function surveyOf(file: string, wishes: Wishes, remarks: Remarks): Promise<Survey> {
  const { keys, keyOf } = uniqueKeys();
  const survey: Survey = { keys, attachments: new Map(), slugs: new Map() };
  for await (const item of itemsOf(file)) {
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
  remarks.add("attachments not uploaded: articles refer to them where they are", survey.attachments.size);
  return survey;
}

function surveyPost(item: Item, survey: Survey, wishes: Wishes, remarks: Remarks): void {
  remarks.add("comments left out", item.comments);
  remarks.add("authors and dates left out");
  if (item.categories.some(({ domain }) => domain === "category" || domain === "post_tag")) {
    remarks.add("articles whose categories or tags were left out");
  }
  const group = groupOf(item);
  if (group === undefined) return;
  const isOriginal = languageOf(item, wishes) === wishes.locale;
  if (isOriginal || !survey.slugs.has(group)) survey.slugs.set(group, slugOf(item));
}

/** Polylang joins the translations of a post by a term; here they share a slug. */
const groupOf = ({ categories }: Item): string | undefined =>
  categories.find(({ domain }) => domain === "post_translations")?.name;

function articleFrom(item: Item, { attachments, slugs }: Survey, wishes: Wishes, remarks: Remarks): Article {
  const group = groupOf(item);
  const cover = attachments.get(item.meta.get("_thumbnail_id") ?? "") ?? "";
  const html = expandShortcodes(item.content, attachments, remarks);
  if (item.password !== "") remarks.add("posts with a password, imported as drafts");
  const shared = group === undefined ? undefined : slugs.get(group);
  if (shared !== undefined && shared !== slugOf(item))
    remarks.add("translations that now have the slug of their original");
  return {
    title: lineFrom(item.title),
    description: descriptionFrom(item.excerpt, remarks),
    content: markdownFrom(html, remarks, isBlockContent(html) ? undefined : addParagraphs),
    slug: shared ?? slugOf(item),
    locale: localeOf(item, wishes),
    coverUrl: coverFrom(cover, remarks, "not web addresses"),
    published: isPublished(saidPublished(item), wishes),
  };
}

/** Private and scheduled posts, and those behind a password, are for nobody else to see: drafts. */
const saidPublished = ({ status, password }: Item): boolean => status === "publish" && password === "";

/** `post_name` has other scripts percent-encoded; drafts have none yet. */
function slugOf(item: Item): string {
  const own = item.slug === "" ? startOfTitle(item) : decoded(item.slug);
  return slugFrom(own || `post-${item.id}`);
}

function decoded(slug: string): string {
  try {
    return decodeURIComponent(slug);
  } catch {
    // Cut off by WordPress in the middle of a character.
    return slug.replaceAll(/%[0-9a-f]{0,2}/gi, "-");
  }
}

function localeOf(item: Item, wishes: Wishes): string {
  const locale = languageOf(item, wishes);
  if (locale === null) throw new Unusable(`its language "${saidLanguage(item)}" is not a BCP 47 language tag`);
  return locale;
}

/** Null for what is no language. */
function languageOf(item: Item, wishes: Wishes): string | null {
  const said = saidLanguage(item);
  return said === "" ? wishes.locale : languageTag(said);
}

/** Polylang's is a category of its own, WPML's a custom field. */
const saidLanguage = ({ meta, categories }: Item): string =>
  meta.get("_wpml_import_language_code") ?? categories.find(({ domain }) => domain === "language")?.name ?? "";
