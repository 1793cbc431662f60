/** What prompts say of the sources of an article, and what its result says of them. */
import { delimit } from "../delimit.ts";
import type { Brief, Check, GeneratedArticle, Source } from "./brief.ts";
import { isOffered } from "./links.ts";
import { traceClaims, type Claim } from "./claims.ts";

/** Returns the sources as data, with the rule for what they are for; "" if there are none. */
export function describeSources({ sources = [] }: Brief): string {
  if (sources.length === 0) return "";
  const rule =
    "The article is written from the sources below. State figures, dates and quotations only as a source or the request has " +
    "them, with their units, and quote only word for word. What sources say differently, say as theirs. Do not name their numbers.";
  return [rule, ...sources.map(({ title, text }, index) => delimit(`source ${index + 1}`, `${title}\n\n${text}`))].join(
    "\n\n",
  );
}

/** Lines for the addresses that the text may link to. */
export const listSourceLinks = ({ sources = [] }: Brief): string[] =>
  sources.flatMap(({ url, title }, index) =>
    isOffered(url) ? [`${url} (source ${index + 1}${title === "" ? "" : `: ${title}`})`] : [],
  );

type Backing = { readonly locale: string; readonly sources: readonly Source[]; readonly ownWords: string };

/**
 * Traces the claims of an article to its sources. Undefined if it has none, or if that fails: the article is paid for by
 * then, so it is kept, and `degrade` is told.
 */
export function traceArticle(
  { title, description, content }: Pick<GeneratedArticle, "title" | "description" | "content">,
  { locale, sources, ownWords }: Backing,
  degrade: (sentence: string) => void,
): readonly Claim[] | undefined {
  if (sources.length === 0) return undefined;
  try {
    return traceClaims({ title, description, content, locale }, sources, ownWords);
  } catch {
    degrade("What backs the figures and quotations could not be looked up.");
    return undefined;
  }
}

/** How many claims the check names. */
const NAMED = 5;

/** Returns the check `sources`; none for an article without sources. */
export function checkSources(claims: readonly Claim[] | undefined): Check[] {
  if (claims === undefined) return [];
  const open = claims.filter(({ backedBy }) => backedBy === "nothing").map(({ text }) => `“${text}”`);
  const more = open.length > NAMED ? ` and ${open.length - NAMED} more` : "";
  const detail = open.length === 0 ? "" : `No source has ${open.slice(0, NAMED).join(", ")}${more}.`;
  return [{ name: "sources", passed: open.length === 0, detail }];
}

/** Returns a sentence for each source that was read in part. */
export const describeCutSources = ({ sources = [] }: Brief): string[] =>
  sources.flatMap(({ isCut }, index) => (isCut ? [`Source ${index + 1} is long: only its beginning was read.`] : []));
