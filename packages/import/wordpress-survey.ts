/** The first pass through an export of WordPress. The second one reads the posts. */
import { LIMITS } from "../../src/domain/limits.ts";
import { parseDate } from "../../src/lib/dates.ts";
import { toValidSlug, Unusable } from "./article.ts";
import { UNCHOSEN } from "./choices.ts";
import { renameDuplicates, type Post } from "./duplicates.ts";
import { htmlToLine } from "./html.ts";
import { parseLanguageTag } from "./markdown-page.ts";
import { OldSite, parseUrl, type OldPage } from "./old-site.ts";
import type { Remarks } from "./remarks.ts";
import { toNaturalKey, makeKeys, type Bytes, type Wishes } from "./source.ts";
import type { Attachment, Library } from "./wordpress-gallery.ts";
import { readItems, makeChannel, type Channel, type Item } from "./wxr.ts";

export type Survey = Library & {
  readonly wishes: Wishes;
  readonly keys: ReadonlySet<string>;
  readonly channel: Channel;
  readonly site: OldSite;
  readonly posts: Map<string, Post>;
  /** By account. */
  readonly guests: Map<string, string>;
  /** By id. */
  readonly blocks: Map<string, string>;
  /** How many minutes the site's clock is ahead of UTC, by month, because of daylight saving time. */
  readonly offsets: Map<string, number>;
};

type Seen = {
  readonly addresses: readonly string[];
  readonly link: string;
  /** The address with its number, which works on every site of WordPress. */
  readonly numbered: string;
  readonly own: string;
  readonly oldSlugs: readonly string[];
  readonly group: string | undefined;
  readonly isPublic: boolean;
  readonly post: Post;
};

export const describeItem = (item: Item): string =>
  `${item.type} ${(item.id || item.slug).slice(0, 60)} (${toTitle(item).slice(0, 60)})`;

/** Returns the text of a title; "" if it cannot be read, which reading the post will report. */
function toTitle({ title }: Item): string {
  try {
    return htmlToLine(title.slice(0, LIMITS.title * 3));
  } catch (error) {
    if (error instanceof Unusable) return "";
    throw error;
  }
}

const isPost = ({ type }: Item): boolean => type === "post";
const isGone = ({ status }: Item): boolean => ["trash", "auto-draft"].includes(status);
export const isWanted = (item: Item, { pages }: Wishes): boolean =>
  (isPost(item) || (pages && item.type === "page")) && !isGone(item);

export async function surveyWordPress(file: Bytes, wishes: Wishes, remarks: Remarks): Promise<Survey> {
  const { keys, makeKey } = makeKeys();
  const survey: Survey = {
    wishes,
    keys,
    channel: makeChannel(),
    site: new OldSite(),
    posts: new Map(),
    guests: new Map(),
    blocks: new Map(),
    offsets: new Map(),
    attachments: new Map(),
    children: new Map(),
  };
  const seen: Seen[] = [];
  const others: (readonly [addresses: string[], OldPage])[] = [];
  for await (const item of readItems(file, survey.channel)) {
    surveyClock(item, survey);
    if (item.type === "attachment") {
      surveyAttachment(item, survey);
      others.push([listAddresses(item), { file: item.attachmentUrl }]);
    } else if (isWanted(item, wishes)) {
      const post = {
        name: describeItem(item),
        slug: toPostSlug(item),
        locale: findLanguage(item, wishes) ?? "",
        redirects: [],
      };
      survey.posts.set(makeKey(toNaturalKey(item.type, item)), post);
      seen.push(toSeen(item, post));
    } else {
      surveyOther(item, survey, remarks);
      others.push([
        listAddresses(item),
        { left: isGone(item) ? "posts in the trash" : `entries of type "${item.type}"` },
      ]);
    }
  }
  settle(survey, seen, remarks);
  for (const [addresses, place] of others) for (const address of addresses) survey.site.addPlace(address, place);
  remarks.count("descriptions of categories and tags left out", survey.channel.descriptions);
  if (wishes.media !== true) remarks.count(`attachments, ${UNCHOSEN.pictures}`, survey.attachments.size);
  return survey;
}

const listAddresses = ({ link, guid, id }: Item): string[] =>
  [link, guid, id === "" ? "" : `/?p=${id}`].filter((address) => address !== "");

const toSeen = (item: Item, post: Post): Seen => ({
  addresses: listAddresses(item),
  link: item.link,
  numbered: /^\d+$/.test(item.id)
    ? `/?${item.type === "page" ? "page_id" : "p"}=${item.id}`
    : /[?&](?:p|page_id)=\d+/.test(item.guid)
      ? item.guid
      : "",
  own: item.slug,
  oldSlugs: item.oldSlugs,
  group: findGroup(item),
  isPublic: item.status === "publish" && item.password === "",
  post,
});

/** Gives translations the slug of their original, renames duplicates, then records where each post was. */
function settle({ channel, site, wishes }: Survey, seen: readonly Seen[], remarks: Remarks): void {
  const slugs = new Map<string, string>();
  for (const { group, post } of seen) {
    if (group !== undefined && (post.locale === wishes.locale || !slugs.has(group))) slugs.set(group, post.slug);
  }
  for (const { group, post } of seen) {
    const shared = group === undefined ? undefined : slugs.get(group);
    if (shared === undefined || shared === post.slug) continue;
    post.slug = shared;
    remarks.forArticle(post.name).add("translations that now have the slug of their original");
  }
  if (wishes.renameDuplicates === true)
    renameDuplicates(
      seen.map(({ post }) => post),
      remarks,
    );
  for (const address of [wishes.siteUrl, ...channel.addresses]) site.addAddress(address);
  for (const { link } of seen) site.addAddress(parseUrl(link)?.origin ?? "");
  const taken = new Set(seen.map(({ post }) => post.slug));
  for (const { post, addresses, link, numbered, own, oldSlugs, isPublic } of seen) {
    const former = oldSlugs.map((slug) => makeFormerAddress(site.toAbsolute(link), own, slug));
    const all = [...addresses, ...former];
    for (const address of all) site.addPlace(address, { slug: post.slug, isPublic });
    // The API finds articles by their slug alone, so former slugs also redirect, unless another post has them.
    const names = oldSlugs.filter((slug) => !taken.has(slug)).map((slug) => `/${slug}/`);
    const redirects = [link, numbered, ...former, ...names].flatMap((address) =>
      site.listRedirects(address, post.slug),
    );
    post.redirects = [...new Set(redirects)];
  }
}

function makeFormerAddress(link: string, own: string, slug: string): string {
  const url = parseUrl(link);
  const at = own === "" ? -1 : (url?.pathname.toLowerCase().lastIndexOf(own.toLowerCase()) ?? -1);
  if (url === null) return "";
  url.pathname = at === -1 ? `/${slug}/` : url.pathname.slice(0, at) + slug + url.pathname.slice(at + own.length);
  url.search = "";
  return url.href;
}

function surveyAttachment(item: Item, { attachments, children }: Survey): void {
  const attachment: Attachment = {
    url: item.attachmentUrl,
    title: item.title,
    caption: item.excerpt,
    alt: item.meta.get("_wp_attachment_image_alt") ?? "",
    parent: item.parent,
    order: Number(item.order) || 0,
  };
  attachments.set(item.id, attachment);
  if (/^0?$/.test(item.parent)) return;
  const siblings = children.get(item.parent) ?? [];
  children.set(item.parent, siblings);
  siblings.push(item.id);
}

const INTERNAL = /^(?:wp_\w+|nav_menu_item|revision|custom_css|customize_changeset|oembed_cache|user_request|acf-.*)$/;

function surveyOther(item: Item, { guests, blocks }: Survey, remarks: Remarks): void {
  const what = item.type.slice(0, 60);
  const ofItem = INTERNAL.test(what) ? remarks : remarks.forArticle(describeItem(item));
  if (what === "wp_block") blocks.set(item.id, item.content);
  else if (what === "guest-author") {
    for (const account of [item.meta.get("cap-user_login") ?? "", item.slug.replace(/^cap-/, "")])
      if (account !== "") guests.set(account, htmlToLine(item.title));
  } else if (isGone(item)) remarks.count("posts in the trash, and revisions, left out");
  else if (what === "page") ofItem.add(UNCHOSEN.pages);
  else ofItem.add(`entries of type "${what}" left out`);
}

function surveyClock({ localDate, publishDate }: Item, { offsets }: Survey): void {
  const minutes = ((parseDate(localDate) ?? NaN) - (parseDate(publishDate) ?? NaN)) / 60_000;
  if (Math.abs(minutes) <= 14 * 60) offsets.set(getMonth(localDate), minutes);
}

export const getMonth = (date: string): string => date.slice(5, 7);

/** Returns the term by which Polylang groups the translations of a post. They get the same slug here. */
const findGroup = ({ categories }: Item): string | undefined =>
  categories.find(({ domain }) => domain === "post_translations")?.name;

/** Returns the slug of a post. WordPress percent-encodes other scripts in `post_name`, which drafts lack. */
function toPostSlug(item: Item): string {
  const own = item.slug === "" ? toTitle(item) : decodeSlug(item.slug);
  return toValidSlug(own || `post-${item.id}`);
}

function decodeSlug(slug: string): string {
  try {
    return decodeURIComponent(slug);
  } catch {
    // WordPress may cut a slug within an encoded character.
    return slug.replaceAll(/%[0-9a-f]{0,2}/gi, "-");
  }
}

/** Returns the locale of a post, or the default; null if what it names is not a language. */
export function findLanguage(item: Item, wishes: Wishes): string | null {
  const said = getDeclaredLanguage(item);
  return said === "" ? wishes.locale : parseLanguageTag(said);
}

/** Returns the language that a post names: in a custom field (WPML) or a category (Polylang). */
export const getDeclaredLanguage = ({ meta, categories }: Item): string =>
  meta.get("_wpml_import_language_code") ?? categories.find(({ domain }) => domain === "language")?.name ?? "";
