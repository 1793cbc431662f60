/** What the fields of an article are called in the editor, and where two states of an article are compared. */

/** The fields that the editor always shows, in the order in which a conflict shows them. */
export const FIELDS = {
  title: "Title",
  content: "Content",
  description: "Description",
  slug: "Slug",
  locale: "Language",
  coverUrl: "Cover image",
} as const;

/** What search engines and previews of links are told: what each field is called, and its member of the API's `seo`. */
export const SEO = {
  seoTitle: { label: "Meta title", member: "title" },
  seoDescription: { label: "Meta description", member: "description" },
  canonicalUrl: { label: "Canonical URL", member: "canonicalUrl" },
  seoImage: { label: "Social image", member: "image" },
  noindex: { label: "Hidden from search engines", member: "noindex" },
} as const;

const seoLabels = Object.entries(SEO).map(([name, { label }]) => [name, label]);

export const LABELS: Readonly<Record<string, string>> = {
  ...FIELDS,
  tags: "Tags",
  authors: "Authors",
  ...Object.fromEntries(seoLabels),
};
