/**
 * The texts of an article. Rows, requests, revisions, working copies, the editor's form, tools, commands and files
 * follow from this table. Each has a column of the same name in `articles` (schema/articles.ts).
 */
import { pick } from "../lib/pick.ts";
import { LIMITS } from "./limits.ts";
import type { Seo } from "./seo.ts";

type Text = {
  /** Decides on validation and on the form field. */
  readonly kind: "line" | "text" | "markdown" | "slug" | "locale" | "url";
  readonly most: number;
  /** Label and hint in the editor. */
  readonly label: string;
  readonly hint?: string;
  /** Texts for the API reference and for the command line. */
  readonly about?: string;
  readonly help: string;
  readonly example: string;
  /** Whether responses have it only if `fields` names it (contract 18.1). New texts must be like that. */
  readonly named: boolean;
};

export const ARTICLE_TEXTS = {
  title: {
    kind: "line",
    most: LIMITS.title,
    label: "Title",
    help: "the title",
    example: "Slow mornings in Porto",
    named: false,
  },
  description: {
    kind: "text",
    most: LIMITS.description,
    label: "Description",
    hint: "Shown in lists and search engines.",
    about: "Summary used in listings and meta tags.",
    help: "the summary for listings and search engines",
    example: "Six walks that begin before the city does.",
    named: false,
  },
  content: {
    kind: "markdown",
    most: LIMITS.contentBytes,
    label: "Content",
    about: "Markup body, at most 1 MiB of UTF-8.",
    help: "a file with the content, used unchanged; - for standard input",
    example: "# Slow mornings\n\nBegin at the river.",
    named: false,
  },
  slug: {
    kind: "slug",
    most: LIMITS.slug,
    label: "Slug",
    about: "Identifies the article in its blog, in place of the id; translations share it.",
    help: "its slug",
    example: "slow-mornings-in-porto",
    named: false,
  },
  locale: {
    kind: "locale",
    most: LIMITS.locale,
    label: "Language",
    about: "A BCP 47 language tag.",
    help: "its locale",
    example: "en",
    named: false,
  },
  coverUrl: {
    kind: "url",
    most: LIMITS.url,
    label: "Cover image",
    about: "An absolute http or https URL, or empty.",
    help: "the URL of its cover image",
    example: "https://images.example.com/porto.jpg",
    named: false,
  },
} as const satisfies Readonly<Record<string, Text>>;

export type TextName = keyof typeof ARTICLE_TEXTS;
export type NamedText = {
  [Name in TextName]: (typeof ARTICLE_TEXTS)[Name]["named"] extends true ? Name : never;
}[TextName];
export type ListedText = Exclude<TextName, NamedText>;

export const TEXTS = Object.keys(ARTICLE_TEXTS) as TextName[];
export const NAMED_TEXTS = TEXTS.filter((name): name is NamedText => ARTICLE_TEXTS[name].named);
export const LISTED_TEXTS = TEXTS.filter((name): name is ListedText => !ARTICLE_TEXTS[name].named);

/** Returns all texts of an article. Missing ones are empty. */
export const fillTexts = (given: { readonly [Name in TextName]?: string | undefined }): Record<TextName, string> =>
  Object.fromEntries(TEXTS.map((name) => [name, given[name] ?? ""])) as Record<TextName, string>;

/** What a revision stores and restores: the texts and the metadata. */
export type Written = { [Name in TextName]: string } & { seo: Seo };

export const WRITTEN = [...TEXTS, "seo"] as const satisfies (keyof Written)[];

/** What counts towards the storage quota. Slugs and locales are short. */
export const COUNTED = WRITTEN.filter((name) => name !== "slug" && name !== "locale");

export const pickWritten = (article: Written): Written => pick(article, WRITTEN);

/** Returns whether a text may have several lines. Such texts are stored exactly as they were written. */
export const isMultiline = (name: TextName): boolean => ["text", "markdown"].includes(ARTICLE_TEXTS[name].kind);
