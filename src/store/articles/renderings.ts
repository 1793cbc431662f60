/**
 * What readers see of an article's content (contract 20.3). A write that changes the content also stores the rendering,
 * in its own transaction: what lists show in a row of `article_renderings`, and the rest, compressed, in the article's.
 * If it is long, all of it is in the former, where earlier versions of the service stored it. A part that is not stored is
 * made when it is read. That happens for the few articles whose HTML exceeds a row, and for those that wait for the sweep.
 */
import { sql, type SQL, type SQLWrapper } from "drizzle-orm";
import { RENDERED_BYTES, RENDERER, type ArticleRendering } from "../../domain/rendering.ts";
import { utf8Length } from "../../lib/text.ts";
import type { License } from "../core/commit.ts";
import type { Writer } from "../core/writer.ts";
import { compileFragment, insertWhere } from "../core/sql.ts";
import { articleRenderings as renderings, articles } from "../../schema/articles.ts";
import { pack, unpack } from "./packing.ts";

export async function renderContent(content: string): Promise<ArticleRendering> {
  if (content === "") return { readingMinutes: 1, excerpt: "", headings: [], text: "", html: "" };
  // Loaded on first use, because readers do not need it.
  const { renderArticle } = await import("../../../packages/markdown/article.ts");
  return renderArticle(content);
}

/** A rendering to be stored. `packed` goes into the article's row; null if the parts go into a row of their own. */
export type MadeRendering = ArticleRendering & { readonly packed: Buffer | null };

/** Returns the rendering of a content that is to be stored. The same write must set the article's `packed`. */
export async function makeRendering(content: string): Promise<MadeRendering> {
  const rendering = await renderContent(content);
  const bytes = utf8Length(content) + utf8Length(rendering.html) + utf8Length(rendering.text);
  const isPacked = content !== "" && bytes <= PACKED_BYTES;
  return { ...rendering, packed: isPacked ? pack(rendering, content) : null };
}

/**
 * The most bytes of a content, its HTML and its text if they are packed: who reads one of them reads all. That is a
 * content of about 100 KB.
 */
const PACKED_BYTES = 300_000;

/** Begins what is read in place of a part that is not stored as such. No content has this character. */
const UNMADE = "\0";

/** SQL, on a row of an article, for what {@link readSource} reads. */
export const SOURCE = compileFragment(sql`char(0) || hex(${articles.packed}) || char(0) || ${articles.content}`);

/**
 * Returns SQL, on the row of an article and that of its rendering, for a part of it, or for what {@link readSource} makes
 * it from; NULL if it is not stored.
 */
export const selectStored = (part: SQLWrapper): SQL =>
  sql`coalesce(${part}, iif(${articles.packed} is null, null, ${SOURCE}))`;

export const isUnmade = (member: unknown): member is string => typeof member === "string" && member.startsWith(UNMADE);

/** Returns a content, and its rendering; null if that is not stored, or of another content. */
export function readSource(source: string): { readonly content: string; readonly rendering: ArticleRendering | null } {
  const end = source.indexOf(UNMADE, 1);
  const [packed, content] = [source.slice(1, end), source.slice(end + 1)];
  return { content, rendering: packed === "" ? null : unpack(Buffer.from(packed, "hex"), content) };
}

/** Returns a part that was read by {@link selectStored}; null if it is not stored. */
export const readStored = (name: "html" | "text", stored: string | null): string | null =>
  isUnmade(stored) ? (readSource(stored).rendering?.[name] ?? null) : stored;

type Part = keyof ArticleRendering;

/** Returns whether a part of the rendering is among these members. By default, an article has none. */
export const hasRenderedPart = (members: readonly string[] = []): boolean =>
  members.some((name) => Object.hasOwn(RENDERED, name));

/** Returns whether it is a part that may be packed. Lists read the others from a small row. */
export const isLargePart = (name: string): name is "html" | "text" | "headings" =>
  name === "html" || name === "text" || name === "headings";

type Reading = {
  /** The first large part that the same query reads. The others do not repeat its source. */
  readonly first?: Part | undefined;
  readonly id?: SQLWrapper;
  readonly source?: SQL;
};

/** Returns SQL, on a row of an article, for a part of its rendering, or for what {@link completeRendering} makes it from. */
export function selectRendered(name: Part, { first, id = articles.id, source = SOURCE }: Reading = {}): SQL {
  const part =
    first === undefined || first === name
      ? renderings[name]
      : sql`coalesce(${renderings[name]}, iif(${renderings[first]} is null, char(0), null))`;
  return sql`coalesce((select ${part} from ${renderings} where ${renderings.articleId} = ${id}), ${source})`;
}

/** What {@link selectRendered} returns for a part alone. */
export const RENDERED = {
  html: compileFragment(selectRendered("html")),
  text: compileFragment(selectRendered("text")),
  excerpt: compileFragment(selectRendered("excerpt")),
  readingMinutes: compileFragment(selectRendered("readingMinutes")),
  headings: compileFragment(selectRendered("headings")),
};

/** Makes the missing parts of a rendering that was read by {@link selectRendered}. Changes the value. */
export async function completeRendering(value: object): Promise<void> {
  const members = value as Record<string, unknown>;
  const source = Object.values(members).find((member): member is string => isUnmade(member) && member !== UNMADE);
  if (source === undefined) return;
  const { content, rendering } = readSource(source);
  const made = rendering ?? (await renderContent(content));
  for (const name of Object.keys(members)) if (isUnmade(members[name])) members[name] = made[name as Part];
}

export type Rendered = {
  readonly articleId: string;
  readonly organizationId: string;
  readonly version: string;
  readonly rendering: MadeRendering;
};

/** Returns the statement that stores a rendering in place of the one before, if `condition` holds. */
export function putRendering({ articleId, organizationId, version, rendering }: Rendered, condition: SQL) {
  const { readingMinutes, excerpt, html, packed } = rendering;
  const parts = packed === null ? takeStorable(rendering) : { html: null, headings: null, text: null };
  const htmlBytes = packed && utf8Length(html);
  const shown = { readingMinutes, excerpt, htmlBytes, audio: findAudio(html) };
  const made = { renderer: RENDERER, version, state: "done", ...shown, ...parts };
  const row = { articleId, organizationId, ...made };
  return insertWhere(renderings, row, sql`where ${condition}`).onConflictDoUpdate({
    target: renderings.articleId,
    set: made,
  });
}

/** The most characters that feeds read of an article's first audio element: its URL, or its sources. */
export const AUDIO = 3000;

function findAudio(html: string): string | null {
  const start = html.indexOf("<audio ");
  return start === -1 ? null : html.slice(start, start + AUDIO);
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
  rendering: MadeRendering,
  { id: version, held }: License,
) => putRendering({ articleId, organizationId, version, rendering }, held);
