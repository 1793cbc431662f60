/** What the fields of an article are called in the editor, and where two states of an article are compared. */

/** The fields that the editor always shows, in the order in which a conflict shows them. */
export const FIELDS = {
  title: "Title",
  content: "Content",
  description: "Description",
  slug: "Slug",
  locale: "Locale",
  coverUrl: "Cover URL",
} as const;

/** What search engines and previews of links are told. */
export const SEO = {
  seoTitle: "Title in search engines",
  seoDescription: "Description in search engines",
  canonicalUrl: "Canonical URL",
  seoImage: "Picture of links",
  noindex: "Hidden from search engines",
} as const;

export const LABELS: Readonly<Record<string, string>> = { ...FIELDS, tags: "Tags", authors: "Authors", ...SEO };
