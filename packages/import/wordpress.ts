import { parseDate } from "../../src/lib/dates.ts";
import { Unusable, type Article } from "./article.ts";
import type { Post } from "./duplicates.ts";
import { descriptionFrom, lineFrom, markdownFrom } from "./html.ts";
import { publicationOf, type Said } from "./publication.ts";
import type { Remarks } from "./remarks.ts";
import {
  coverFrom,
  naturalKey,
  newEntry,
  PAGE,
  uniqueKeys,
  type Bytes,
  type Entry,
  type Source,
  type Wishes,
} from "./source.ts";
import { expandBlocks, footnotesOf, numberNotes } from "./wordpress-blocks.ts";
import { linkTo, type Attachment } from "./wordpress-gallery.ts";
import { addParagraphs, isBlockContent, linkAddresses } from "./wordpress-html.ts";
import { seoOf } from "./wordpress-seo.ts";
import { expandShortcodes } from "./wordpress-shortcodes.ts";
import { isWanted, languageOf, monthOf, nameOf, saidLanguage, surveyOf, type Survey } from "./wordpress-survey.ts";
import { ACCESS_FIELDS, itemsOf, type Item } from "./wxr.ts";

/** Opens an export. Reads the whole file, so that a malformed one is found before anything is sent. Throws `Unusable`. */
export async function openWordPress(file: Bytes, wishes: Wishes, remarks: Remarks): Promise<Source> {
  const survey = await surveyOf(file, wishes, remarks);
  return {
    format: "wordpress",
    keys: survey.keys,
    async *entries(): AsyncGenerator<Entry> {
      const { keyOf } = uniqueKeys();
      for await (const item of itemsOf(file)) {
        if (!isWanted(item, wishes)) continue;
        const key = keyOf(naturalKey(item.type, item));
        const post = survey.posts.get(key);
        if (post === undefined) continue;
        yield newEntry(key, nameOf(item), remarks, (ofPost) => articleFrom(item, post, survey, ofPost));
      }
    },
  };
}

function articleFrom(item: Item, post: Post, survey: Survey, remarks: Remarks): Article {
  const title = lineFrom(item.title);
  const excerpt = lineFrom(item.excerpt);
  const seo = seoOf(item.meta, { title, site: survey.channel.title, excerpt }, remarks);
  const said = {
    time: timeOf(item, survey, remarks),
    tags: tagsOf(item),
    authors: authorsOf(item, survey),
    seo: {
      ...seo,
      canonicalUrl: survey.site.canonical(seo.canonicalUrl ?? "", post.slug),
      image: survey.site.absolute(seo.image ?? ""),
    },
  };
  const cover = survey.attachments.get(item.meta.get("_thumbnail_id") ?? "");
  remarkLosses(item, cover, remarks);
  return {
    title,
    description: descriptionFrom(item.excerpt, remarks),
    content: contentOf(item, survey, remarks),
    slug: post.slug,
    locale: localeOf(item, survey.wishes),
    coverUrl: coverFrom(survey.site.absolute(cover?.url ?? ""), remarks, "not web addresses"),
    ...publicationOf(saidOf(item), said, survey.wishes, remarks),
    ...(post.redirects.length > 0 && { redirects: post.redirects }),
  };
}

function contentOf(item: Item, survey: Survey, remarks: Remarks): string {
  const whole = expandBlocks(item.content, survey.blocks, remarks);
  const html = expandShortcodes(whole, { ...survey, postId: item.id }, remarks);
  // The file of a podcast's episode. WordPress also keeps files here that the text shows.
  const [enclosure = ""] = (item.meta.get("enclosure") ?? "").split(/\s/);
  const file = whole.includes(enclosure) ? "" : linkTo({ url: enclosure, title: "" });
  const withLines = isBlockContent(whole) ? linkAddresses : addParagraphs;
  return markdownFrom(html + file + footnotesOf(item.meta.get("footnotes") ?? ""), remarks, (tree) => {
    numberNotes(tree);
    withLines(tree);
    survey.site.relink(tree, remarks, item.link);
  });
}

function remarkLosses(item: Item, cover: Attachment | undefined, remarks: Remarks): void {
  if (item.type === "page") remarks.add(PAGE);
  remarks.add("comments left out", item.comments);
  if (item.sticky === "1") remarks.add("posts that are no longer sticky");
  if (cover === undefined && item.meta.has("_thumbnail_id"))
    remarks.add("covers left out, because they are not in the export");
  if (cover !== undefined && cover.caption !== "") remarks.add("captions of covers left out");
  if (cover !== undefined && cover.alt !== "") remarks.add("alternative texts of covers left out");
  for (const name of item.customFields) remarks.add(`custom fields "${name}" left out`);
  const others = item.categories.filter(({ domain }) => !TAXONOMIES.has(domain));
  for (const { domain } of others) remarks.add(`terms of "${domain.slice(0, 60)}" left out`);
}

/** Taxonomies that are imported, used otherwise, or say nothing to readers. */
const TAXONOMIES = new Set(" category post_tag tag author language post_translations post_format".split(" "));

function tagsOf({ categories }: Item): string[] | undefined {
  const found = categories.filter(
    ({ domain, name }) =>
      domain === "post_tag" || domain === "tag" || (domain === "category" && name !== "uncategorized"),
  );
  return found.length === 0 ? undefined : found.map(({ name, label }) => lineFrom(label) || name);
}

/** Returns the names of a post's authors, from Co-Authors Plus if it has them. */
function authorsOf({ categories, creator }: Item, { channel: { authors }, guests }: Survey): string[] | undefined {
  const several = categories.filter(({ domain }) => domain === "author");
  if (several.length === 0) return creator === "" ? undefined : [authors.get(creator) || creator];
  return several.map(({ name, label }) => {
    const accounts = [name.replace(/^cap-/, ""), name, label];
    const known = accounts.map((account) => guests.get(account) || authors.get(account)).find(Boolean);
    return known ?? lineFrom(label);
  });
}

/**
 * Returns when a post was or will be published, by its first readable date. A draft's other dates say when it was
 * begun, so only the one in UTC counts.
 */
function timeOf(item: Item, { offsets }: Survey, remarks: Remarks): string {
  const { publishDate, pubDate, localDate } = item;
  if (["draft", "pending"].includes(item.status)) return publishDate;
  const readable = [publishDate, pubDate].find((text) => parseDate(text) !== undefined);
  if (readable !== undefined) return readable;
  const local = parseDate(localDate);
  if (local === undefined) return [publishDate, pubDate, localDate].find((text) => text !== "") ?? "";
  const others = [...new Set(offsets.values())];
  const minutes = offsets.get(monthOf(localDate)) ?? others[0];
  if (minutes === undefined) remarks.add("dates whose time zone is not known, taken as UTC");
  else if (!offsets.has(monthOf(localDate)) && others.length > 1)
    remarks.add("dates that may be an hour off, because of daylight saving time");
  return new Date(local - (minutes ?? 0) * 60_000).toISOString();
}

const FOR_MEMBERS =
  /<!-- wp:(?:jetpack\/paywall|[\w-]*premium-content|pmpro\/)|"blockVisibility"|\[(?:arm_restrict|content_protector|groups_|hide|ihc-|member|mepr|passster|paywall|pmpro|ppwp|private|rcp|restrict|s2if|swpm|um_|wcm_|wlm_|wpmem)[\w-]*[ !\]]/i;

const saidOf = ({ status, password, meta, content }: Item): Said => ({
  fields: Object.entries({ status, password }),
  doubts: [
    ...ACCESS_FIELDS.map((name) => [name, meta.get(name) ?? ""] as const)
      .filter(([, value]) => !/^(?:everybody|none|all|0)?$/i.test(value))
      .map(([name, value]) => `it says "${name}: ${value.slice(0, 60)}"`),
    ...(FOR_MEMBERS.test(content) ? ["parts of it are for members only"] : []),
  ],
  mayLackDate: false,
});

function localeOf(item: Item, wishes: Wishes): string {
  const locale = languageOf(item, wishes);
  if (locale === null) throw new Unusable(`its language "${saidLanguage(item)}" is not a BCP 47 language tag`);
  return locale;
}
