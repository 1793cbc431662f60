/**
 * What readers see of an article's content (contract 20.3). A write that changes the content also stores the rendering,
 * in its own transaction, before the article. A part that is not stored is made when it is read. That happens for the
 * few articles whose HTML exceeds a row, and for those that wait for the sweep.
 */
import { sql, type SQL, type SQLWrapper } from "drizzle-orm";
import type { SQLiteColumn } from "drizzle-orm/sqlite-core";
import { RENDERED_BYTES, RENDERER, type ArticleRendering } from "../../domain/rendering.ts";
import { utf8Length } from "../../lib/text.ts";
import type { License } from "../core/commit.ts";
import type { Writer } from "../core/writer.ts";
import { insertWhere } from "../core/sql.ts";
import { articleRenderings as renderings, articles } from "../../schema/articles.ts";

export async function renderContent(content: string): Promise<ArticleRendering> {
  if (content === "") return { readingMinutes: 1, excerpt: "", headings: [], text: "", html: "" };
  // Loaded on first use, because readers do not need it.
  const { renderArticle } = await import("../../../packages/markdown/article.ts");
  return renderArticle(content);
}

/** Prefix of a content that is read in place of a part of its rendering. No content has this character. */
const UNMADE = "\0";

/** Returns SQL, on a row of an article, for a part of its rendering, or for the content to make it from. */
export const selectRendered = (
  column: SQLiteColumn,
  { id, content }: Record<"id" | "content", SQLWrapper> = articles,
): SQL =>
  sql`coalesce((select ${column} from ${renderings} where ${renderings.articleId} = ${id}), char(0) || ${content})`;

export const isUnmade = (member: unknown): member is string => typeof member === "string" && member.startsWith(UNMADE);

const PARTS: ReadonlySet<string> = new Set<keyof ArticleRendering>([
  "readingMinutes",
  "excerpt",
  "headings",
  "text",
  "html",
]);

/** Returns whether a part of the rendering is among these members. By default, an article has none. */
export const hasRenderedPart = (members: readonly string[] = []): boolean => members.some((name) => PARTS.has(name));

/** Makes the missing parts of a rendering that was read by {@link selectRendered}. Changes the value. */
export async function completeRendering(value: object): Promise<void> {
  const members = value as Record<string, unknown>;
  const content = Object.values(members).find(isUnmade);
  if (content === undefined) return;
  const made = await renderContent(content.slice(UNMADE.length));
  for (const name of Object.keys(members))
    if (isUnmade(members[name])) members[name] = made[name as keyof ArticleRendering];
}

export type Rendered = {
  readonly articleId: string;
  readonly organizationId: string;
  readonly version: string;
  readonly rendering: ArticleRendering;
};

/** Returns the statement that stores a rendering in place of the one before, if `condition` holds. */
export function putRendering({ articleId, organizationId, version, rendering }: Rendered, condition: SQL) {
  const { readingMinutes, excerpt } = rendering;
  const made = { renderer: RENDERER, version, state: "done", readingMinutes, excerpt, ...takeStorable(rendering) };
  const row = { articleId, organizationId, ...made };
  return insertWhere(renderings, row, sql`where ${condition}`).onConflictDoUpdate({
    target: renderings.articleId,
    set: made,
  });
}

/** Returns the parts that fit into a row, HTML first: fewer people read the headings and the text. */
function takeStorable({ html, headings, text }: ArticleRendering): Record<"html" | "headings" | "text", string | null> {
  let left = RENDERED_BYTES;
  const fitting = (part: string): string | null => {
    const bytes = utf8Length(part);
    if (bytes > left) return null;
    left -= bytes;
    return part;
  };
  return { html: fitting(html), headings: fitting(JSON.stringify(headings)), text: fitting(text) };
}

/** Returns the statement by which a write stores the rendering of the article's new content. */
export const storeRendering = (
  { organizationId }: Writer,
  articleId: string,
  rendering: ArticleRendering,
  { id: version, held }: License,
) => putRendering({ articleId, organizationId, version, rendering }, held);
