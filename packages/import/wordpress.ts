import { parseDate } from "../../src/lib/dates.ts";
import { Unusable, type Article } from "./article.ts";
import type { Post } from "./duplicates.ts";
import { htmlToDescription, htmlToLine, htmlToMarkdown } from "./html.ts";
import { decidePublication, type Visibility } from "./publication.ts";
import type { Remarks } from "./remarks.ts";
import {
  toCoverUrl,
  toNaturalKey,
  makeEntry,
  PAGE,
  makeKeys,
  type Bytes,
  type Entry,
  type Source,
  type Wishes,
} from "./source.ts";
import { expandBlocks, renderFootnotes, numberNotes } from "./wordpress-blocks.ts";
import { renderLink, type Attachment } from "./wordpress-gallery.ts";
import { addParagraphs, isBlockContent, linkAddresses } from "./wordpress-html.ts";
import { getSeo } from "./wordpress-seo.ts";
import { expandShortcodes } from "./wordpress-shortcodes.ts";
import {
  isWanted,
  findLanguage,
  getMonth,
  describeItem,
  getDeclaredLanguage,
  surveyWordPress,
  type Survey,
} from "./wordpress-survey.ts";
import { ACCESS_FIELDS, readItems, type Item } from "./wxr.ts";

/** Opens an export. Reads the whole file, so that a malformed one is found before anything is sent. Throws `Unusable`. */
export async function openWordPress(file: Bytes, wishes: Wishes, remarks: Remarks): Promise<Source> {
  const survey = await surveyWordPress(file, wishes, remarks);
  return {
    format: "wordpress",
    keys: survey.keys,
    async *entries(): AsyncGenerator<Entry> {
      const { makeKey } = makeKeys();
      for await (const item of readItems(file)) {
        if (!isWanted(item, wishes)) continue;
        const key = makeKey(toNaturalKey(item.type, item));
        const post = survey.posts.get(key);
        if (post === undefined) continue;
        yield makeEntry(key, describeItem(item), remarks, (ofPost) => toArticle(item, post, survey, ofPost));
      }
    },
  };
}

function toArticle(item: Item, post: Post, survey: Survey, remarks: Remarks): Article {
  const title = htmlToLine(item.title);
  const excerpt = htmlToLine(item.excerpt);
  const seo = getSeo(item.meta, { title, site: survey.channel.title, excerpt }, remarks);
  const said = {
    time: findTime(item, survey, remarks),
    tags: listTags(item),
    authors: listAuthors(item, survey),
    seo: {
      ...seo,
      canonicalUrl: survey.site.toCanonical(seo.canonicalUrl ?? "", post.slug),
      image: survey.site.toAbsolute(seo.image ?? ""),
    },
  };
  const cover = survey.attachments.get(item.meta.get("_thumbnail_id") ?? "");
  remarkLosses(item, cover, remarks);
  return {
    title,
    description: htmlToDescription(item.excerpt, remarks),
    content: toMarkdown(item, survey, remarks),
    slug: post.slug,
    locale: requireLocale(item, survey.wishes),
    coverUrl: toCoverUrl(survey.site.toAbsolute(cover?.url ?? ""), remarks, "not web addresses"),
    ...decidePublication(getVisibility(item), said, survey.wishes, remarks),
    ...(post.redirects.length > 0 && { redirects: post.redirects }),
  };
}

function toMarkdown(item: Item, survey: Survey, remarks: Remarks): string {
  const whole = expandBlocks(item.content, survey.blocks, remarks);
  const html = expandShortcodes(whole, { ...survey, postId: item.id }, remarks);
  // The file of a podcast's episode. WordPress also keeps files here that the text shows.
  const [enclosure = ""] = (item.meta.get("enclosure") ?? "").split(/\s/);
  const file = whole.includes(enclosure) ? "" : renderLink({ url: enclosure, title: "" });
  const withLines = isBlockContent(whole) ? linkAddresses : addParagraphs;
  return htmlToMarkdown(html + file + renderFootnotes(item.meta.get("footnotes") ?? ""), remarks, (tree) => {
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

function listTags({ categories }: Item): string[] | undefined {
  const found = categories.filter(
    ({ domain, name }) =>
      domain === "post_tag" || domain === "tag" || (domain === "category" && name !== "uncategorized"),
  );
  return found.length === 0 ? undefined : found.map(({ name, label }) => htmlToLine(label) || name);
}

/** Returns the names of a post's authors, from Co-Authors Plus if it has them. */
function listAuthors({ categories, creator }: Item, { channel: { authors }, guests }: Survey): string[] | undefined {
  const several = categories.filter(({ domain }) => domain === "author");
  if (several.length === 0) return creator === "" ? undefined : [authors.get(creator) || creator];
  return several.map(({ name, label }) => {
    const accounts = [name.replace(/^cap-/, ""), name, label];
    const known = accounts.map((account) => guests.get(account) || authors.get(account)).find(Boolean);
    return known ?? htmlToLine(label);
  });
}

/**
 * Returns when a post was or will be published, by its first readable date. A draft's other dates say when it was
 * begun, so only the one in UTC counts.
 */
function findTime(item: Item, { offsets }: Survey, remarks: Remarks): string {
  const { publishDate, pubDate, localDate } = item;
  if (["draft", "pending"].includes(item.status)) return publishDate;
  const readable = [publishDate, pubDate].find((text) => parseDate(text) !== undefined);
  if (readable !== undefined) return readable;
  const local = parseDate(localDate);
  if (local === undefined) return [publishDate, pubDate, localDate].find((text) => text !== "") ?? "";
  const others = [...new Set(offsets.values())];
  const minutes = offsets.get(getMonth(localDate)) ?? others[0];
  if (minutes === undefined) remarks.add("dates whose time zone is not known, taken as UTC");
  else if (!offsets.has(getMonth(localDate)) && others.length > 1)
    remarks.add("dates that may be an hour off, because of daylight saving time");
  return new Date(local - (minutes ?? 0) * 60_000).toISOString();
}

const FOR_MEMBERS =
  /<!-- wp:(?:jetpack\/paywall|[\w-]*premium-content|pmpro\/)|"blockVisibility"|\[(?:arm_restrict|content_protector|groups_|hide|ihc-|member|mepr|passster|paywall|pmpro|ppwp|private|rcp|restrict|s2if|swpm|um_|wcm_|wlm_|wpmem)[\w-]*[ !\]]/i;

const getVisibility = ({ status, password, meta, content }: Item): Visibility => ({
  fields: Object.entries({ status, password }),
  doubts: [
    ...ACCESS_FIELDS.map((name) => [name, meta.get(name) ?? ""] as const)
      .filter(([, value]) => !/^(?:everybody|none|all|0)?$/i.test(value))
      .map(([name, value]) => `it says "${name}: ${value.slice(0, 60)}"`),
    ...(FOR_MEMBERS.test(content) ? ["parts of it are for members only"] : []),
  ],
  mayLackDate: false,
});

function requireLocale(item: Item, wishes: Wishes): string {
  const locale = findLanguage(item, wishes);
  if (locale === null) throw new Unusable(`its language "${getDeclaredLanguage(item)}" is not a BCP 47 language tag`);
  return locale;
}
