import { TOLD } from "./told.ts";
import * as z from "zod";
import { ARTICLE_TEXTS, LISTED_TEXTS, NAMED_TEXTS, TEXTS, type TextName } from "../domain/article-fields.ts";
import { LIMITS } from "../domain/limits.ts";
import { EXCERPT } from "../domain/rendering.ts";
import { serializeSeo } from "../domain/seo.ts";
import { resolveTerms, type FindTerms, type TermKind } from "../domain/terms.ts";
import { invalidField } from "../domain/errors.ts";
import { articleLocale, content, coverUrl, identifier, instant, line, output, slug, text } from "./fields.ts";
import { plan } from "./schedule-plan.ts";

const makeOutputTexts = <Name extends TextName>(names: readonly Name[]) =>
  Object.fromEntries(names.map((name) => [name, z.string().meta(toMeta(name))])) as { [N in Name]: z.ZodString };

function toMeta(name: TextName) {
  const { example, ...text } = ARTICLE_TEXTS[name];
  return { ...("about" in text && { description: text.about }), example };
}

export const article = z
  .object({
    _id: output.id,
    blogId: output.blogId,
    ...makeOutputTexts(LISTED_TEXTS),
    published: z.boolean().meta({ description: "false = draft, true = published.", example: true }),
    creationTime: output.dateTime,
    lastEditTime: output.dateTime,
  })
  .meta({ id: "Article" });

const shownTerm = z
  .object({
    _id: output.id,
    slug: z.string().meta({ example: "slow-travel" }),
    name: z.string().meta({ example: "Slow travel" }),
  })
  .meta({ id: "ShownTerm" });

export const shownSeo = z
  .object({
    title: z.string().meta({ example: "Slow mornings in Porto: six walks" }),
    description: z.string(),
    canonicalUrl: z.string(),
    noindex: z.boolean().meta({ example: false }),
    image: z.string(),
  })
  .meta({
    id: "Seo",
    description: "Metadata for search engines and social networks. Where a text is empty, the article's own is used.",
  });

export const shownWriting = { ...makeOutputTexts(TEXTS), seo: shownSeo };

/** As in the audit log. */
const by = z
  .object({
    kind: z.string().meta({ description: "key, operator, user, app or schedule.", example: "user" }),
    id: output.id,
  })
  .nullable();

/** With the members that only `fields` returns (contract 18.1). */
export const wholeArticle = article.extend({
  ...makeOutputTexts(NAMED_TEXTS),
  publishTime: z
    .string()
    .nullable()
    .meta({ description: "When it was first published; null if it never was.", format: "date-time" }),
  schedule: plan.nullable().meta({
    description:
      "When it will be published or unpublished; null if it is not scheduled. Only for callers with credentials.",
  }),
  workingCopy: z.object({ creationTime: output.dateTime, lastEditTime: output.dateTime }).nullable().meta({
    id: "WorkingCopyTimes",
    description:
      "When its working copy was started and last saved; null if it has none. Only for callers with credentials.",
  }),
  origin: z
    .object({
      kind: z.enum(["human", "generated", "edited"]).meta({
        description: "`human`: people wrote it; `generated`: as models wrote it; `edited`: both have written in it.",
        example: "edited",
      }),
      model: z
        .string()
        .nullable()
        .meta({ description: "null if an application wrote it, which does not name its model.", example: "llama3.2" }),
      generationId: z
        .string()
        .nullable()
        .meta({ description: "Its identifier in `GET /api/generations`.", example: null }),
      application: z
        .string()
        .nullable()
        .meta({ description: "The application connected over MCP that was the last to write in it.", example: null }),
      reviewed: z.boolean().meta({
        description: "Whether a person answers for the text: people wrote it, or a member has reviewed it.",
        example: false,
      }),
      reviewedBy: z
        .string()
        .nullable()
        .meta({ description: "Who published it in the console, as the `userId` of a member.", example: null }),
      reviewTime: z.string().nullable().meta({ format: "date-time", example: null }),
    })
    .meta({
      id: "Origin",
      description:
        "Whether a person or a model wrote it. Anonymous callers get null for `generationId`, `application` and `reviewedBy`.",
    }),
  seo: shownSeo,
  tags: z
    .array(shownTerm)
    .meta({ description: "Its tags, which all translations share, with their names in its language." }),
  authors: z
    .array(shownTerm)
    .meta({ description: "Its authors, in order, which all translations share. Their bios: `GET /api/authors`." }),
  createdBy: by.meta({
    description:
      "Who created it, as in the audit log; null if this is no longer known. Only for callers with credentials.",
  }),
  lastEditedBy: by.meta({
    description:
      "Who changed it last, as in the audit log; null once the log no longer has the change. Only for callers with credentials.",
  }),
  html: z.string().meta({
    description: "The content as sanitized HTML, with ids on its headings.",
    example: '<h2 id="h-slow-mornings">Slow mornings</h2>\n<p>Begin at the river.</p>',
  }),
  text: z.string().meta({ description: "The content as plain text.", example: "Begin at the river." }),
  excerpt: z.string().meta({
    description: `The beginning of its text, as one line of about ${EXCERPT} characters.`,
    example: "Begin at the river.",
  }),
  readingMinutes: z.int().meta({ description: "The reading time in minutes; at least 1.", example: 4 }),
  headings: z
    .array(
      z
        .object({
          level: z.int().meta({ description: "The level of its element in `html`: 2 to 6.", example: 2 }),
          id: z.string().meta({ example: "h-slow-mornings" }),
          text: z.string().meta({ example: "Slow mornings" }),
        })
        .meta({ id: "Heading" }),
    )
    .meta({ description: "Its headings, in order." }),
  rendering: z.literal("done").meta({
    description: "Always `done`: every content is rendered. For clients of earlier versions, which had other states.",
    example: "done",
  }),
  url: z.string().meta({
    description:
      "Its public URL: by the blog's `siteUrl` and `articlePath`, else on the service's own site; if that is turned off, its Markdown.",
    example: "https://fieldnotes.example.com/en/slow-mornings-in-porto",
  }),
});

const seo = z
  .strictObject({
    title: line(LIMITS.title).default(""),
    description: text(LIMITS.description).default(""),
    canonicalUrl: coverUrl.default(""),
    noindex: z.boolean().default(false),
    image: coverUrl.default(""),
  })
  .meta({
    id: "SeoInput",
    description:
      "Metadata for search engines and social networks. It replaces all of the previous metadata: what you leave out becomes empty.",
  })
  .register(TOLD, {
    type: "object",
    description:
      "For search engines and social networks: title, description, canonicalUrl, image, noindex. It replaces all of it: what you leave out becomes empty.",
  });

const termName = line(LIMITS.termName).min(1, "must not be empty");

export const termNames = z.array(termName).max(LIMITS.termsOfArticle);

/** A tag or author as responses have it (contract 2.4). The slug identifies it. */
const sentTerm = z
  .strictObject({ _id: identifier("it").optional(), slug: slug.max(LIMITS.termSlug), name: termName })
  .meta({ id: "SentTerm", description: "As the article returns it; `slug` identifies it." });

const makeTermsField = (kind: TermKind) =>
  z
    .array(z.union([termName, sentTerm], { error: "must be a slug or a name, or an object with both" }))
    .max(LIMITS.termsOfArticle)
    .meta({
      description: `Its ${kind}s, in order, which all translations share: slugs, names, or objects as the article returns them. New ones are created.`,
      example: kind === "tag" ? ["slow-travel", "Porto"] : ["Ada Lovelace"],
    })
    .register(TOLD, {
      type: "array",
      items: { type: "string" },
      description: `Slugs or names of its ${kind}s, in order; all translations share them.`,
    });

function toSchema(name: TextName): z.ZodType<string, string> {
  const { kind, most } = ARTICLE_TEXTS[name];
  return { line: line(most), text: text(most), markdown: content, slug, locale: articleLocale, url: coverUrl }[kind];
}

export const written = {
  ...(Object.fromEntries(TEXTS.map((name) => [name, toSchema(name).optional().meta(toMeta(name))])) as {
    [Name in TextName]: z.ZodOptional<z.ZodType<string, string>>;
  }),
  seo: seo.optional(),
  tags: makeTermsField("tag").optional(),
  authors: makeTermsField("author").optional(),
};

export const writable = {
  ...written,
  published: z.boolean().optional().meta({ description: "false = draft, true = published.", example: true }),
  publishTime: instant.optional().meta({
    description:
      "When it was first published, not in the future. If you do not send it, the first publication sets it.",
    example: "2026-11-20T09:52:59.123Z",
  }),
};

type Writable = { [Name in keyof typeof writable]?: z.infer<(typeof writable)[Name]> };

/**
 * Returns the members of a request as the store takes them. `find` looks up the blog's tags and authors. Throws an
 * error on `publishTime` if it is in the future, and on a tag or author without letters.
 */
export async function toStorable<Given extends Writable>(
  { seo: said, tags, authors, ...members }: Given,
  now: Date,
  find: FindTerms,
) {
  requireNotInFuture(members.publishTime, now);
  return {
    ...members,
    ...(said !== undefined && { seo: serializeSeo(said) }),
    terms: {
      tags: tags && (await resolveTerms(tags, "tag", find)),
      authors: authors && (await resolveTerms(authors, "author", find)),
    },
  };
}

/** Throws an error on `publishTime` if it is in the future. */
export function requireNotInFuture(publishTime: string | undefined, now: Date): void {
  if (publishTime !== undefined && publishTime > now.toISOString()) {
    throw invalidField("publishTime", "must not be in the future");
  }
}

export type ArticlePart = z.infer<typeof partialArticle>;

export type ArticleMember = keyof z.infer<typeof wholeArticle>;

export const partialArticle = wholeArticle
  .partial()
  .meta({ id: "ArticleFields", description: "An article: all of its fields, or those listed in `fields`." });
