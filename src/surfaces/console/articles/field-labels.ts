/** The labels of an article's fields, in the editor and where two versions are compared. */

import { ARTICLE_TEXTS, TEXTS, type TextName } from "../../../domain/article-fields.ts";

/** The fields of SEO: their labels, and their members of the API's `seo`. */
export const SEO = {
  seoTitle: { label: "Meta title", member: "title" },
  seoDescription: { label: "Meta description", member: "description" },
  canonicalUrl: { label: "Canonical URL", member: "canonicalUrl" },
  seoImage: { label: "Social image", member: "image" },
  noindex: { label: "Hidden from search engines", member: "noindex" },
} as const;

/** The labels of the texts, in the order in which a conflict shows them. */
export const TEXT_LABELS = Object.fromEntries(TEXTS.map((name) => [name, ARTICLE_TEXTS[name].label])) as Record<
  TextName,
  string
>;

const seoLabels = Object.entries(SEO).map(([name, { label }]) => [name, label]);

export const LABELS: Readonly<Record<string, string>> = {
  ...TEXT_LABELS,
  tags: "Tags",
  authors: "Authors",
  ...Object.fromEntries(seoLabels),
};
