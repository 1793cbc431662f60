/** Operations on the site of a blog: URLs, feeds and appearance (contract 20.1). */
import * as z from "zod";
import { LIMITS } from "../domain/limits.ts";
import {
  DEFAULT_ARTICLE_PATH,
  FEED_CONTENTS,
  isArticlePath,
  SITE_FONTS,
  SITE_LIMITS,
  parseSiteUrl,
} from "../domain/site.ts";
import { toShortHash } from "../lib/hash.ts";
import { isStorableWebUrl } from "../lib/web-url.ts";
import { defineOperation } from "./define.ts";
import { blogId, coverUrl, dateTime, line, output, readOnly, text } from "./fields.ts";
import { requireSentBack } from "./unchanged.ts";

const enabledMeta = {
  description: "Whether the service shows the blog under its `vanityId`.",
  example: true,
};
const descriptionMeta = {
  description: "What the site and the feeds say of the blog.",
  example: "Walks, maps and mornings.",
};
const siteUrlMeta = {
  description:
    "Where the blog's readers are, if you have a site of your own: http or https, without query and fragment. Empty: the service's own site.",
  example: "https://fieldnotes.example.com",
};
const articlePathMeta = {
  description:
    "Where an article is on that site: a path with `{slug}`, and `{locale}`. Without `{locale}`, it is that of the blog's first locale; in others, it has the locale before it.",
  example: DEFAULT_ARTICLE_PATH,
};
const feedContentMeta = {
  description: "What feeds have of an article: all of it, or its beginning.",
  example: "full",
};
const accentColorMeta = {
  description: "The colour of links on the site, as #rrggbb. Empty: the theme's own.",
  example: "#0f766e",
};
const fontMeta = { description: "What the site's texts are set in.", example: "serif" };
const logoUrlMeta = { description: "A picture in place of the blog's name; empty for none.", example: "" };
const menuMeta = {
  description: "Links at the head of the site: absolute URLs, or paths of the site.",
  example: [{ label: "About", url: "/en/about" }],
};

const newsletterMeta = {
  description:
    "What subscribers get by email, in one line. Readers see it next to the Subscribe field of the site, and in the email to confirm. If it is empty, the site has no Subscribe field. The service sends only the emails to confirm: you send the newsletter.",
  example: "A letter on the first of each month.",
};

const menuEntry = z.object({ label: z.string(), url: z.string() }).meta({ id: "MenuEntry" });

const site = z
  .object({
    blogId: output.blogId,
    url: z.string().meta({
      description:
        "Where the blog's front page is: `siteUrl`, or the service's own site; if that is off, its `llms.txt`.",
      example: "https://fieldnotes.example.com",
    }),
    enabled: z.boolean().meta(enabledMeta),
    description: z.string().meta(descriptionMeta),
    siteUrl: z.string().meta(siteUrlMeta),
    articlePath: z.string().meta(articlePathMeta),
    feedContent: z.enum(FEED_CONTENTS).meta(feedContentMeta),
    accentColor: z.string().meta(accentColorMeta),
    font: z.enum(SITE_FONTS).meta(fontMeta),
    logoUrl: z.string().meta(logoUrlMeta),
    menu: z.array(menuEntry).meta(menuMeta),
    newsletter: z.string().meta(newsletterMeta),
    lastEditTime: z.string().nullable().meta({
      description: "When these settings were changed last; null if they never were.",
      format: "date-time",
    }),
  })
  .meta({ id: "Site" });

const siteUrl = z
  .string()
  .max(SITE_LIMITS.siteUrl)
  .transform((given, context) => {
    const url = given === "" ? "" : parseSiteUrl(given);
    if (url !== null) return url;
    const message = 'must be an http or https URL without query, fragment and password, or ""';
    context.issues.push({ code: "custom", message, input: given });
    return z.NEVER;
  })
  .meta(siteUrlMeta);

/** Returns whether a text is an absolute URL or a path. `//host` would be another host. */
const isMenuUrl = (url: string): boolean =>
  url.startsWith("/") ? !/^\/[/\\]/.test(url) && isStorableWebUrl(`http://site.example${url}`) : isStorableWebUrl(url);

const menu = z
  .array(
    z.strictObject({
      label: line(SITE_LIMITS.menuLabel).min(1, "must not be empty"),
      url: z
        .string()
        .max(LIMITS.url)
        .refine(isMenuUrl, "must be an absolute http or https URL, or a path such as /en/about"),
    }),
  )
  .max(SITE_LIMITS.menuEntries)
  .meta(menuMeta);

export const getSite = defineOperation({
  name: "blogs.site",
  summary: "Get how readers find a blog",
  description: "Its address, what its feeds have, and how its site looks; with its ETag, for updates with If-Match.",
  scope: "blogs:read",
  effect: "read",
  input: z.strictObject({ blogId }),
  output: site,
  refuses: ["blog_forbidden", "not_ready"],
  hasEtag: true,
  sample: { command: "blogs site {blogId}" },
  async run({ store, service }, { blogId: id }) {
    const found = await store.findSite(id, service.baseUrl());
    // The URL follows the blog's vanityId without a new version of these settings.
    return { ...found, state: await toShortHash(found.value.url) };
  },
});

export const updateSite = defineOperation({
  name: "blogs.updateSite",
  summary: "Change how readers find a blog",
  description: "Only the fields that are sent change; `menu` is replaced as a whole. The blog itself does not change.",
  scope: "blogs:write",
  effect: "write",
  versioned: true,
  input: z
    .strictObject({
      blogId,
      enabled: z.boolean().optional().meta(enabledMeta),
      description: text(LIMITS.description).optional().meta(descriptionMeta),
      siteUrl: siteUrl.optional(),
      articlePath: line(SITE_LIMITS.articlePath)
        .refine(isArticlePath, "must be a path that contains {slug}, such as /{locale}/{slug}")
        .optional()
        .meta(articlePathMeta),
      feedContent: z.enum(FEED_CONTENTS).optional().meta(feedContentMeta),
      accentColor: z
        .string()
        .toLowerCase()
        .regex(/^(?:#[0-9a-f]{6})?$/, 'must be a colour such as #0f766e, or ""')
        .optional()
        .meta(accentColorMeta),
      font: z.enum(SITE_FONTS).optional().meta(fontMeta),
      logoUrl: coverUrl.optional().meta(logoUrlMeta),
      menu: menu.optional(),
      newsletter: line(SITE_LIMITS.newsletter).trim().optional().meta(newsletterMeta),
      url: line(LIMITS.url).optional().meta(readOnly),
      lastEditTime: dateTime.nullable().optional().meta(readOnly),
    })
    .meta({ id: "SiteChange" }),
  output: site,
  refuses: ["immutable_field", "blog_forbidden", "event_limit", "not_ready"],
  hasEtag: true,
  audit: "updated the site of the blog *",
  sample: {
    body: { description: "Walks, maps and mornings.", accentColor: "#0f766e", feedContent: "full" },
    command:
      'blogs site {blogId} --description "Walks, maps and mornings." --accent-color "#0f766e" --feed-content full',
  },
  async run({ store, ifMatch, service }, { blogId: id, url, lastEditTime, ...fields }) {
    await requireSentBack({ url, lastEditTime }, ifMatch, () => store.findSite(id, service.baseUrl()));
    return store.updateSite({ blogId: id, fields, ifMatch, baseUrl: service.baseUrl() });
  },
});
