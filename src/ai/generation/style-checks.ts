/** Finds what a blog's style guide avoids. Also runs in the browser. */
import { BARE_URLS } from "../../lib/addresses.ts";
import type { AvoidedTerm } from "../../domain/style-guide.ts";
import { collectProse, getChildren, parse, type Content, type Root } from "./markdown.ts";

/** `from` and `to` are the first place in the Markdown, in UTF-16 units. */
export type FoundTerm = AvoidedTerm & { readonly from: number; readonly to: number };

/**
 * Returns the terms that a Markdown text has outside code, URLs and block quotes. Ignores case, and how white space and
 * apostrophes are written. A word is found only as a whole, except in scripts that do not part their words.
 */
export function findAvoided(markdown: string, avoid: readonly AvoidedTerm[]): FoundTerm[] {
  if (avoid.length === 0) return [];
  const blocks = listProse(parse(markdown), {}).map(({ node, place }) => ({ place, text: fold(collectProse(node)) }));
  return avoid.flatMap((entry): FoundTerm[] => {
    const term = fold(entry.term);
    const block = blocks.find(({ text }) => findWhole(text, term) >= 0);
    if (block === undefined) return [];
    const { from = 0, to = 0 } = block.place;
    const written = markdown.slice(from, to).toLowerCase().replaceAll("’", "'").replaceAll(/\s/gu, " ");
    const at = written.length === to - from ? findWhole(written, term) : -1;
    // Marks can stand within a phrase. Then the whole block is the place.
    return [at < 0 ? { ...entry, from, to } : { ...entry, from: from + at, to: from + at + term.length }];
  });
}

/** The same for a text without Markdown. */
export function findAvoidedInLine(line: string, avoid: readonly AvoidedTerm[]): AvoidedTerm[] {
  const text = fold(line);
  return avoid.filter(({ term }) => findWhole(text, fold(term)) >= 0);
}

export const describeAvoided = ({ term, use }: AvoidedTerm, where = ""): string =>
  use === ""
    ? `The style guide avoids “${term}”${where}.`
    : `The style guide says “${use}” instead of “${term}”${where}.`;

type Texts = { readonly title: string; readonly description: string; readonly content: string };

const MOST = 5;

/** Returns one sentence for each term that an article has; "" if it has none. */
export function findStyleProblem({ title, description, content }: Texts, avoid: readonly AvoidedTerm[]): string {
  const places = [
    { name: "title", found: findAvoidedInLine(title, avoid) },
    { name: "description", found: findAvoidedInLine(description, avoid) },
    { name: "text", found: findAvoided(content, avoid) },
  ];
  const sentences = avoid.flatMap((entry) => {
    const names = places.filter(({ found }) => found.some(({ term }) => term === entry.term)).map(({ name }) => name);
    return names.length === 0 ? [] : [describeAvoided(entry, ` (${names.join(", ")})`)];
  });
  const more = sentences.length - MOST;
  return [...sentences.slice(0, MOST), ...(more > 0 ? [`So it is with ${more} more.`] : [])].join(" ");
}

type Place = Pick<Content, "from" | "to">;

/**
 * Returns the paragraphs and the like that the author wrote, not what is quoted. Callouts are the author's. The place of
 * what has none of its own, such as a cell of a table, is that of what is around it.
 */
function listProse(parent: Root | Content, around: Place): { readonly node: Content; readonly place: Place }[] {
  return getChildren(parent).flatMap((child) => {
    if (child.type === "blockquote" && !child.alert) return [];
    if (child.type === "element" && child.name === "blockquote") return [];
    const isLine = child.type === "paragraph" || child.type === "heading" || child.type === "tableCell";
    const place = child.from === undefined ? around : child;
    return isLine ? [{ node: child, place }] : listProse(child, place);
  });
}

const fold = (text: string): string =>
  text.replaceAll(BARE_URLS, " ").normalize("NFC").toLowerCase().replaceAll("’", "'").replaceAll(/\s+/gu, " ").trim();

/** Scripts without spaces between words. In Korean, particles are written together with words. */
const UNPARTED = "Han Hiragana Katakana Thai Lao Khmer Myanmar Hangul"
  .split(" ")
  .map((script) => String.raw`\p{Script=${script}}`)
  .join("");
const LETTER = `(?![${UNPARTED}])[\\p{L}\\p{N}\\p{M}]`;
const STARTS_WITH_LETTER = new RegExp(`^${LETTER}`, "u");
const ENDS_WITH_LETTER = new RegExp(`${LETTER}$`, "u");

/** Returns where `text` first has `term` not as a part of a longer word; -1 if nowhere. */
function findWhole(text: string, term: string): number {
  // A term that is an address: addresses are not looked at.
  if (term === "") return -1;
  for (let at = text.indexOf(term); at >= 0; at = text.indexOf(term, at + 1)) {
    const [before, after] = [text.slice(Math.max(0, at - 2), at), text.slice(at + term.length, at + term.length + 2)];
    const continues = ENDS_WITH_LETTER.test(before) && STARTS_WITH_LETTER.test(term);
    const isContinued = ENDS_WITH_LETTER.test(term) && STARTS_WITH_LETTER.test(after);
    if (!continues && !isContinued) return at;
  }
  return -1;
}
