/** What readers see of an article's content (contract 20.3). markdown/article.ts makes it; this module is small. */

/**
 * `done`; `too_complex`: the content is longer or more intricate than is rendered; `pending`: it waits for the minute's
 * sweep, as articles from before this part of the service do.
 */
export const RENDERING_STATES = ["done", "too_complex", "pending"] as const;
export type RenderingState = (typeof RENDERING_STATES)[number];

/** A heading of an article. `level` is that of its element in the HTML: 2 to 6. */
export type Heading = { readonly level: number; readonly id: string; readonly text: string };

/** What is stored of a content. All but the state and the minutes are null unless the state is `done`. */
export type ArticleRendering = {
  readonly state: RenderingState;
  readonly readingMinutes: number | null;
  readonly excerpt: string | null;
  readonly headings: readonly Heading[] | null;
  readonly text: string | null;
  readonly html: string | null;
};

/**
 * The number of the renderer. Whoever changes what it makes of a text counts it up: then everything is rendered again, in
 * the background (store/articles/system-renderings.ts). `npm run generate` then makes the migration of its index.
 */
export const RENDERER = 3;

/** Maximum UTF-8 bytes of what an article is rendered to, all in all: a row of D1 has 2 MB. */
export const RENDERED_BYTES = 1_500_000;

/** Maximum characters of an excerpt, without the sign that it goes on. */
export const EXCERPT = 280;
