/** Metadata for search engines and social networks (contract 18.25). */
export type Seo = {
  /** Empty: the article's own title and description. */
  readonly title: string;
  readonly description: string;
  /** Empty: the article's own URL. */
  readonly canonicalUrl: string;
  readonly noindex: boolean;
  /** The social image. Empty: the article's cover. */
  readonly image: string;
};

export const NO_SEO: Seo = { title: "", description: "", canonicalUrl: "", noindex: false, image: "" };

/** Returns the stored JSON, with its members in a fixed order; null if everything is empty. */
export function serializeSeo({ title, description, canonicalUrl, noindex, image }: Seo): string | null {
  const says = [title, description, canonicalUrl, image].some((text) => text !== "") || noindex;
  return says ? JSON.stringify({ title, description, canonicalUrl, noindex, image }) : null;
}
