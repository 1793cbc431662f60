/**
 * Reads articles from an export of Ghost: JSON with the rows of its tables (https://ghost.org/docs/migration/custom/,
 * "JSON file structure").
 */
import { toLine } from "../../src/lib/text.ts";
import { Unusable, type Article } from "./article.ts";
import { UNCHOSEN } from "./choices.ts";
import { toMarkdown, SITE } from "./ghost-content.ts";
import { makeIdentifier, isPage, findLocale, surveyGhost, toTableName } from "./ghost-survey.ts";
import type { Identified, Meta, Place, Placed, Post, Survey } from "./ghost-survey.ts";
import { htmlToDescription } from "./html.ts";
import { escapeHtml } from "./html-nodes.ts";
import { readElements } from "./json-stream.ts";
import { decidePublication, type Visibility } from "./publication.ts";
import { joinNames, type Remarks } from "./remarks.ts";
import { toCoverUrl, makeEntry, PAGE, type Bytes, type Entry, type Source, type Wishes } from "./source.ts";

/** Opens an export. Reads the whole file, so that a malformed one is found before anything is sent. Throws `Unusable`. */
export async function openGhost(file: Bytes, wishes: Wishes, remarks: Remarks): Promise<Source> {
  const survey = await surveyGhost(file, wishes, remarks);
  return {
    format: "ghost",
    keys: new Set(survey.posts.keys()),
    async *entries(): AsyncGenerator<Entry> {
      const identify = makeIdentifier(wishes);
      for await (const { value } of readElements(file, (way) => toTableName(way) === "posts")) {
        const identified = identify(value);
        if (identified.isLeft !== true) yield toEntry(identified, survey, remarks);
      }
    },
  };
}

const toEntry = ({ key, name, row }: Identified, survey: Survey, remarks: Remarks) =>
  makeEntry(key, name, remarks, (ofPost) => {
    if (row === undefined)
      throw new Unusable("is not a Ghost post: it has no id, slug or title, or its fields are not texts");
    return toArticle(row, survey.posts.get(key), survey, ofPost);
  });

function listNames(placed: readonly Placed[] | undefined, names: ReadonlyMap<string, string>): string[] | undefined {
  if (placed === undefined) return undefined;
  const inOrder = placed.toSorted((a, b) => a.place - b.place);
  return inOrder.flatMap((each) => names.get(each.id) ?? []);
}

function toArticle(row: Post, place: Place | null | undefined, survey: Survey, remarks: Remarks): Article {
  const { tables, site, wishes } = survey;
  const locale = findLocale(row, wishes);
  if (locale === null) throw new Unusable("locale: must be a BCP 47 language tag");
  const meta = tables.meta.get(row.id) ?? row;
  const onSite = (address: string) => address.replaceAll(SITE, wishes.siteUrl);
  const tags = listNames(tables.tagsByPost.get(row.id), tables.tags);
  const author = row.author_id ? [{ id: row.author_id, place: 0 }] : undefined;
  const extras = {
    time: row.published_at,
    tags: tags?.filter((name) => !isInternal(name)),
    authors: listNames(tables.authorsByPost.get(row.id) ?? author, tables.users),
    seo: {
      title: meta.meta_title,
      description: row.custom_excerpt === "" ? "" : meta.meta_description,
      canonicalUrl: site.toCanonical(onSite(row.canonical_url), place?.slug ?? ""),
      image: onSite(meta.og_image || meta.twitter_image),
    },
  };
  const internal = tags?.filter(isInternal) ?? [];
  if (internal.length > 0)
    remarks.note("articles with internal tags, left out", `internal tags left out: ${joinNames(internal)}`);
  if (isPage(row)) remarks.add(PAGE);
  remarkLosses(row, meta, remarks);
  const { slug = "", redirects = [] } = place ?? {};
  return {
    title: toLine(row.title),
    // Excerpts are plain text in Ghost, not HTML.
    description: htmlToDescription(escapeHtml(row.custom_excerpt || meta.meta_description), remarks),
    content: toMarkdown(row, site, wishes, remarks),
    slug,
    locale,
    coverUrl: getCover(row, wishes, remarks),
    ...decidePublication(getVisibility(row, meta, survey), extras, wishes, remarks),
    ...(redirects.length > 0 && { redirects }),
  };
}

function remarkLosses(row: Post, meta: Meta, remarks: Remarks): void {
  const { og_title, og_description, twitter_title, twitter_description } = meta;
  if ([og_title, og_description, twitter_title, twitter_description].some((each) => each !== ""))
    remarks.add("texts for social networks left out");
  if (meta.feature_image_caption !== "") remarks.add("captions of covers left out");
  if (meta.feature_image_alt !== "") remarks.add("alternative texts of covers left out");
  if (row.codeinjection_head + row.codeinjection_foot !== "") remarks.add("injected code left out");
  if (row.featured) remarks.add("posts that are no longer featured");
}

/** Tags for Ghost's themes, which readers do not see. */
const isInternal = (name: string): boolean => name.startsWith("#");

/** Returns who may see a post. Files of other programs may have no `visibility`. */
const getVisibility = (
  { status, visibility, ...row }: Post,
  { email_only }: Meta,
  { settings }: Survey,
): Visibility => {
  const doubts = {
    "the old site was private": settings.isPrivate,
    "it is for e-mail only": email_only,
    "parts of it are for members only": /nonMember"?:\s*false/.test(row.html + row.lexical),
    "it has a paywall, and what follows is for members":
      /<!--\s*members-only\s*-->/i.test(row.html) || /"paywall"/.test(row.lexical + row.mobiledoc),
  };
  return {
    fields: [
      ["status", status],
      ["visibility", visibility || "public"],
    ],
    doubts: Object.entries(doubts).flatMap(([doubt, holds]) => (holds ? doubt : [])),
    mayLackDate: false,
  };
};

const getCover = ({ feature_image: image, image: former }: Post, { siteUrl }: Wishes, remarks: Remarks): string =>
  toCoverUrl(
    (image || former).replaceAll(SITE, siteUrl),
    remarks,
    siteUrl === "" ? `relative, because ${UNCHOSEN.siteUrl}` : "not web addresses",
  );
