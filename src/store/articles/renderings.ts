/**
 * What readers see of an article's content (contract 20.3). A write that changes a content renders it first, and stores the
 * rendering in its own transaction, before the article. If a content changes without a rendering of it, a trigger marks the
 * article as one that waits for the sweep.
 */
import { sql, type SQL } from "drizzle-orm";
import { LIMITS } from "../../domain/limits.ts";
import { RENDERER, type ArticleRendering } from "../../domain/rendering.ts";
import type { Licence, Writer } from "../core/commit.ts";
import { bare, insertInto } from "../core/sql.ts";
import { articleRenderings as renderings } from "./schema.ts";

/** Renders a content for a write. One that takes too long for that is left to the sweep: it is `pending`. */
export async function renderContent(content: string): Promise<ArticleRendering> {
  if (content === "") return EMPTY;
  // Loaded on first use, because readers do not need it.
  const { renderArticle } = await import("../../domain/markdown/article.ts");
  const { rendering, steps } = renderArticle(content, LIMITS.writtenMarkdownSteps);
  return steps < LIMITS.writtenMarkdownSteps ? rendering : PENDING;
}

const EMPTY: ArticleRendering = { state: "done", readingMinutes: 1, excerpt: "", headings: [], text: "", html: "" };
const PENDING: ArticleRendering = {
  state: "pending",
  readingMinutes: null,
  excerpt: null,
  headings: null,
  text: null,
  html: null,
};

const INTO_RENDERINGS = insertInto(renderings, [
  "articleId",
  "organizationId",
  "renderer",
  "version",
  "state",
  "readingMinutes",
  "excerpt",
  "headings",
  "text",
  "html",
]);

/** The rendering of a version of an article. */
export type Rendered = {
  readonly articleId: string;
  readonly organizationId: string;
  readonly version: string;
  readonly rendering: ArticleRendering;
};

/** Returns the statement that stores a rendering in place of the one before, if `condition` holds. */
export function putRendering({ articleId, organizationId, version, rendering }: Rendered, condition: SQL): SQL {
  const { state, readingMinutes, excerpt, headings, text, html } = rendering;
  const renderer = state === "pending" ? 0 : RENDERER;
  return sql`${INTO_RENDERINGS} select ${articleId}, ${organizationId}, ${renderer}, ${version}, ${state},
      ${readingMinutes}, ${excerpt}, ${headings && JSON.stringify(headings)}, ${text}, ${html} where ${condition}
    on conflict (${bare(renderings.articleId)}) do update set
      ${bare(renderings.renderer)} = excluded.renderer, ${bare(renderings.version)} = excluded.version,
      ${bare(renderings.state)} = excluded.state, ${bare(renderings.readingMinutes)} = excluded.reading_minutes,
      ${bare(renderings.excerpt)} = excluded.excerpt, ${bare(renderings.headings)} = excluded.headings,
      ${bare(renderings.text)} = excluded.text, ${bare(renderings.html)} = excluded.html`;
}

/** Returns the statement by which a write stores the rendering of the content that it gives an article. */
export const storeRendering = (
  { organizationId }: Writer,
  articleId: string,
  rendering: ArticleRendering,
  { id: version, held }: Licence,
): SQL => putRendering({ articleId, organizationId, version, rendering }, held);
