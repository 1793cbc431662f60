/**
 * The texts that writers write in an article, a member for each: rows, requests, revisions, working copies, the editor's form,
 * tools, commands and files follow from this table. The column of a text is in `articles` (schema/articles.ts), by its name.
 */
import { pick } from "../lib/pick.ts";
import { LIMITS } from "./limits.ts";
import type { Seo } from "./seo.ts";

type Text = {
  /** What it may be, and so how a form asks for it: a line, several lines, or what has rules of its own. */
  readonly kind: "line" | "text" | "markdown" | "slug" | "locale" | "url";
  /** Maximum characters. */
  readonly most: number;
  /** What the editor calls it, and what it says below that. */
  readonly label: string;
  readonly hint?: string;
  /** What the reference says of it, and what the commands do. */
  readonly about?: string;
  readonly help: string;
  readonly example: string;
  /** Whether an article shows it only if `fields` names it (contract 18.1). Texts that are added have to be like that. */
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
/** The texts that are returned only if `fields` names them. */
export type NamedText = {
  [Name in TextName]: (typeof ARTICLE_TEXTS)[Name]["named"] extends true ? Name : never;
}[TextName];
/** The texts that each article shows. */
export type ListedText = Exclude<TextName, NamedText>;

export const TEXTS = Object.keys(ARTICLE_TEXTS) as TextName[];
export const NAMED_TEXTS = TEXTS.filter((name): name is NamedText => ARTICLE_TEXTS[name].named);
export const LISTED_TEXTS = TEXTS.filter((name): name is ListedText => !ARTICLE_TEXTS[name].named);

/** Returns all texts of an article. Those that are not given are empty. */
export const textsOf = (given: { readonly [Name in TextName]?: string | undefined }): Record<TextName, string> =>
  Object.fromEntries(TEXTS.map((name) => [name, given[name] ?? ""])) as Record<TextName, string>;

/** What a state of an article consists of, and so what revisions keep and bring back: its texts, and its metadata. */
export type Written = { [Name in TextName]: string } & { seo: Seo };

export const WRITTEN = [...TEXTS, "seo"] as const satisfies (keyof Written)[];

/** What counts as storage. Slugs and locales are short, so the limit on articles bounds them. */
export const COUNTED = WRITTEN.filter((name) => name !== "slug" && name !== "locale");

/** Returns what is written in an article, or in a state or working copy of one. */
export const writtenIn = (article: Written): Written => pick(article, WRITTEN);

/** Whether a text has several lines. It is stored exactly as it was written. */
export const isLong = (name: TextName): boolean => ["text", "markdown"].includes(ARTICLE_TEXTS[name].kind);
