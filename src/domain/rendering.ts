/** What readers see of an article's content (contract 20.3). markdown/article.ts makes it; this module is small. */

/** A heading of an article. `level` is that of its element in the HTML: 2 to 6. */
export type Heading = { readonly level: number; readonly id: string; readonly text: string };

/** What is made of a content. */
export type ArticleRendering = {
  readonly readingMinutes: number;
  readonly excerpt: string;
  readonly headings: readonly Heading[];
  readonly text: string;
  readonly html: string;
};

/**
 * The number of the renderer. Whoever changes what it makes of a text counts it up: then everything is rendered again, in
 * the background (store/articles/system-renderings.ts). `npm run generate` then makes the migration of its index.
 */
export const RENDERER = 6;

/** Maximum UTF-8 bytes that are stored of what an article is rendered to: a row of D1 has 2 MB. The rest is made anew for each reader. */
export const RENDERED_BYTES = 1_800_000;

/** Maximum characters of an excerpt, without the sign that it goes on. */
export const EXCERPT = 280;
