/** What an article tells search engines and social networks (contract 18.25). */
export type Seo = {
  /** In place of the article's title and description; empty for these. */
  readonly title: string;
  readonly description: string;
  /** The address under which the text is to be found first; empty for the article's own. */
  readonly canonicalUrl: string;
  /** Whether search engines are asked not to list it. */
  readonly noindex: boolean;
  /** The picture for links to it; empty for its cover. */
  readonly image: string;
};

/** Of an article whose writers said nothing. */
export const NO_SEO: Seo = { title: "", description: "", canonicalUrl: "", noindex: false, image: "" };

/** Returns how it is stored: as JSON text with its members in one order, or null if it says nothing. */
export function storedSeo({ title, description, canonicalUrl, noindex, image }: Seo): string | null {
  const says = [title, description, canonicalUrl, image].some((text) => text !== "") || noindex;
  return says ? JSON.stringify({ title, description, canonicalUrl, noindex, image }) : null;
}
