/** The rendering of an article (contract 20.3). markdown/article.ts makes it; this module is small. */

/** `level` is that of the HTML element: 2 to 6. */
export type Heading = { readonly level: number; readonly id: string; readonly text: string };

export type ArticleRendering = {
  readonly readingMinutes: number;
  readonly excerpt: string;
  readonly headings: readonly Heading[];
  readonly text: string;
  readonly html: string;
};

/**
 * The version of the renderer. Increase it when the output changes: the background then renders all articles again
 * (store/articles/system-renderings.ts). Then run `npm run generate` for the migration of its index.
 */
export const RENDERER = 7;

/** Maximum UTF-8 bytes of a stored rendering: a row of D1 has 2 MB. Larger ones are rendered for each reader. */
export const RENDERED_BYTES = 1_800_000;

/** Maximum characters of an excerpt, without the ellipsis. */
export const EXCERPT = 280;
