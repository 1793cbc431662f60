/** An export of WordPress (WXR) as a source of articles. */
import { slugFrom, Unusable, type Article } from "./article.ts";
import { descriptionFrom, lineFrom, markdownFrom } from "./html.ts";
import { languageTag } from "./markdown-article.ts";
import type { Remarks } from "./remarks.ts";
import { isPublished, type Entry, type Source, type Wishes } from "./source.ts";
import { addParagraphs, expandShortcodes, isBlockContent } from "./wordpress-html.ts";
import { itemsOf, type Item } from "./wxr.ts";

/** What the first look at a file finds: attachments may stand behind the posts that show them. */
type Survey = { total: number; attachments: Map<string, string>; slugs: Map<string, { locale: string; slug: string }> };

/** Looks through an export. All of it is read, so what is malformed is found before anything is sent. */
export async function openWordPress(file: string, wishes: Wishes, remarks: Remarks): Promise<Source> {
  const survey = await surveyOf(file, wishes, remarks);
  return {
    format: "wordpress",
    total: survey.total,
    async *entries(): AsyncGenerator<Entry> {
      for await (const item of itemsOf(file)) {
        if (!isWanted(item, wishes)) continue;
        yield {
          key: `${item.type}-${item.id}`,
          name: `${item.type} ${item.id} (${lineFrom(item.title).slice(0, 60)})`,
          load: async () => articleFrom(item, survey, wishes, remarks),
        };
      }
    },
  };
}

const isPost = ({ type }: Item): boolean => type === "post";
const isGone = ({ status }: Item): boolean => ["trash", "auto-draft", "inherit"].includes(status);
const isWanted = (item: Item, { pages }: Wishes): boolean =>
  (isPost(item) || (pages && item.type === "page")) && !isGone(item);

async function surveyOf(file: string, wishes: Wishes, remarks: Remarks): Promise<Survey> {
  const survey: Survey = { total: 0, attachments: new Map(), slugs: new Map() };
  for await (const item of itemsOf(file)) {
    if (item.type === "attachment") survey.attachments.set(item.id, item.attachmentUrl);
    else if (isWanted(item, wishes)) surveyPost(item, survey, wishes, remarks);
    else if (item.type === "page" && !isGone(item)) remarks.add("pages left out (--pages imports them)");
    else
      remarks.add(
        isGone(item) ? "posts in the trash, and revisions, left out" : `entries of type "${item.type}" left out`,
      );
  }
  remarks.add("attachments not uploaded: articles refer to them where they are", survey.attachments.size);
  return survey;
}

function surveyPost(item: Item, survey: Survey, wishes: Wishes, remarks: Remarks): void {
  survey.total++;
  remarks.add("comments left out", item.comments);
  remarks.add("authors and dates left out");
  if (item.categories.some(({ domain }) => domain === "category" || domain === "post_tag")) {
    remarks.add("articles whose categories or tags were left out");
  }
  const group = groupOf(item);
  const locale = localeOf(item, wishes);
  if (group !== undefined && (!survey.slugs.has(group) || locale === wishes.locale)) {
    survey.slugs.set(group, { locale, slug: slugOf(item) });
  }
}

/** Polylang joins the translations of a post by a term; here they share a slug. */
const groupOf = ({ categories }: Item): string | undefined =>
  categories.find(({ domain }) => domain === "post_translations")?.name;

function articleFrom(item: Item, { attachments, slugs }: Survey, wishes: Wishes, remarks: Remarks): Article {
  const group = groupOf(item);
  const cover = attachments.get(item.meta.get("_thumbnail_id") ?? "") ?? "";
  const html = expandShortcodes(item.content, attachments, remarks);
  if (item.password !== "") remarks.add("posts with a password, imported as drafts");
  const shared = group === undefined ? undefined : slugs.get(group)?.slug;
  if (shared !== undefined && shared !== slugOf(item))
    remarks.add("translations that now have the slug of their original");
  return {
    title: lineFrom(item.title),
    description: descriptionFrom(item.excerpt, remarks),
    content: markdownFrom(html, remarks, isBlockContent(html) ? undefined : addParagraphs),
    slug: shared ?? slugOf(item),
    locale: localeOf(item, wishes),
    coverUrl: cover,
    published: isPublished(saidPublished(item), wishes),
  };
}

/** Private and scheduled posts, and those behind a password, are for nobody else to see: drafts. */
const saidPublished = ({ status, password }: Item): boolean => status === "publish" && password === "";

/** `post_name` has other scripts percent-encoded; drafts have none yet. */
function slugOf({ slug, title, id }: Item): string {
  const own = slug === "" ? lineFrom(title) : decoded(slug);
  return own === "" ? `post-${id}` : slugFrom(own);
}

function decoded(slug: string): string {
  try {
    return decodeURIComponent(slug);
  } catch {
    // Cut off by WordPress in the middle of a character.
    return slug.replaceAll(/%[0-9a-f]{0,2}/gi, "-");
  }
}

/** Polylang's is a category of its own, WPML's a custom field. */
function localeOf(item: Item, wishes: Wishes): string {
  const said =
    item.meta.get("_wpml_import_language_code") ?? item.categories.find(({ domain }) => domain === "language")?.name;
  if (said === undefined || said === "") return wishes.locale;
  const tag = languageTag(said);
  if (tag === null) throw new Unusable(`its language "${said}" is not a BCP 47 language tag`);
  return tag;
}
