/** Traces the figures and quotations of an article to its sources, in time proportional to the length of both. */
import { removeInvisible } from "../../lib/invisible.ts";
import { plainLine } from "../../lib/plain-line.ts";
import { shorten } from "../../lib/text.ts";
import type { Source } from "./brief.ts";
import { agree } from "./figure-words.ts";
import { listFigures, type Figure } from "./figures.ts";
import { blocksToPlainText, collectProse, getChildren, parse, type Content } from "./markdown.ts";
import { walk } from "../../../packages/markdown/tree.ts";
import { hasQuotation, isLongEnough, listQuotations, toSearched } from "./quotations.ts";

export type Claim = {
  readonly kind: "figure" | "quotation";
  /** As the article has it. */
  readonly text: string;
  readonly context: string;
  /** The first source that has it; else the request, if the article was to say so; else nothing. */
  readonly backedBy: "source" | "request" | "nothing";
  /** The address of that source. */
  readonly source: string | null;
};

type Text = { readonly title: string; readonly description: string; readonly content: string; readonly locale: string };

/** The characters of an article's content, and of the request, that are looked at. */
const LOOKED_AT = 100_000;
/** The most claims of an article that are traced, and that are listed, those that nothing backs first. */
const MOST_TRACED = 1000;
const MOST = 100;
const MOST_CHARACTERS = 300;
const AROUND = 60;

/**
 * Returns the figures and quotations of an article in their order, each once. `ownWords` are those of the request. Code and
 * the numbers before headings and items of lists claim nothing.
 */
export function traceClaims(article: Text, sources: readonly Source[], ownWords: string): Claim[] {
  const index = sources.map(({ url, title, text }) => ({ url, ...look(`${title}\n${text}`) }));
  const own = look(ownWords.slice(0, LOOKED_AT));
  const seen = new Set<string>();
  const isNew = (key: string): boolean => seen.size < seen.add(key).size;
  const different = listFound(article).filter((found) => isNew(toKey(found)));
  const claims = different.slice(0, MOST_TRACED).map((found): Claim => {
    const source = index.find((each) => has(each, found))?.url ?? null;
    const backedBy = source !== null ? "source" : has(own, found) ? "request" : "nothing";
    const { kind, line, place } = found;
    const context = place === null ? shorten(line, MOST_CHARACTERS) : cutAround(line, place);
    return { kind, text: shorten(found.text, MOST_CHARACTERS), context, backedBy, source };
  });
  if (claims.length <= MOST) return claims;
  const open = claims.filter(({ backedBy }) => backedBy === "nothing");
  return [...open, ...claims.filter(({ backedBy }) => backedBy !== "nothing")].slice(0, MOST);
}

type Place = { readonly from: number; readonly to: number };

type Found = {
  readonly kind: Claim["kind"];
  readonly text: string;
  readonly line: string;
  /** Null if it is all of the line. */
  readonly place: Place | null;
  readonly figure?: Figure;
};

/** The same for claims of which one is enough. */
const toKey = ({ kind, text, figure }: Found): string =>
  JSON.stringify([kind, ...(figure === undefined ? [text.toLowerCase()] : [figure.unit, ...figure.values])]);

function listFound({ title, description, content, locale }: Text): Found[] {
  const tree = parse(beginningOf(content));
  const within = new Set<Content>();
  const found = [title, description].flatMap((line) => listOfLine(plainLine(line), locale, true));
  walk(tree, (node) => {
    const isQuoted = within.has(node);
    const isQuote = node.type === "blockquote" && !node.alert && !isQuoted;
    if (isQuote) found.push(...listOfQuote(node.children));
    if (isQuote || isQuoted) for (const child of getChildren(node)) within.add(child);
    const isLine = node.type === "paragraph" || node.type === "heading" || node.type === "tableCell";
    if (isLine) found.push(...listOfLine(toText(node), locale, !isQuoted));
  });
  return found;
}

/** Ends with a whole line. */
const beginningOf = (content: string): string =>
  content.length <= LOOKED_AT ? content : content.slice(0, content.lastIndexOf("\n", LOOKED_AT) + 1 || LOOKED_AT);

/** The number before a heading, such as `3.` or `Step 3:`, is none of its figures. */
const NUMBERED = /^(?:\p{L}+ )?\d{1,3}[.):](?=\s)/u;

const toText = (node: Content): string => {
  const text = removeInvisible(blocksToPlainText([node]).replaceAll("\n", " "));
  return node.type === "heading" ? text.replace(NUMBERED, "") : text;
};

function listOfQuote(blocks: readonly Content[]): Found[] {
  const lines = blocks.map((block) => toText(withoutSpeaker(block))).filter((line) => !SPEAKER.test(line));
  const line = lines.join(" ").trim();
  return isLongEnough(line) ? [{ kind: "quotation", text: line, line, place: null }] : [];
}

const SPEAKER = /^[—–-]/;

/** Leaves out a last line that says who said it. */
function withoutSpeaker(block: Content): Content {
  if (block.type !== "paragraph") return block;
  const text = block.children.map((node) => (node.type === "break" ? "\n" : collectProse(node))).join("");
  const end = text.trimEnd().lastIndexOf("\n");
  const isSpoken = end > 0 && SPEAKER.test(text.slice(end).trimStart());
  return isSpoken ? { type: "paragraph", children: [{ type: "text", value: text.slice(0, end) }] } : block;
}

function listOfLine(line: string, locale: string, hasQuotations: boolean): Found[] {
  const figures = listFigures(line, locale).map((figure) => ({
    kind: "figure" as const,
    text: line.slice(figure.from, figure.to).trim(),
    line,
    place: figure,
    figure,
  }));
  const quotations = (hasQuotations ? listQuotations(line) : []).map((place) => ({
    kind: "quotation" as const,
    text: place.text,
    line,
    place,
  }));
  return [...figures, ...quotations].toSorted((a, b) => a.place.from - b.place.from);
}

/** Returns some words before and after a place, and the place itself as far as there is room. */
function cutAround(line: string, { from, to }: Place): string {
  const first = Math.max(0, from - AROUND);
  const begin = first === 0 ? 0 : first + line.slice(first, from).indexOf(" ") + 1;
  const last = line.slice(to, to + AROUND + 1).lastIndexOf(" ");
  const end = to + AROUND >= line.length ? line.length : to + (last > 0 ? last : AROUND);
  const text = line.slice(begin, end).toWellFormed();
  return shorten(`${begin > 0 ? "…" : ""}${text}${end < line.length ? "…" : ""}`, MOST_CHARACTERS);
}

type Looked = { readonly searched: string; readonly units: ReadonlyMap<string, ReadonlySet<string>> };

function look(given: string): Looked {
  const text = removeInvisible(given);
  const units = new Map<string, Set<string>>();
  for (const { values, parts, unit } of text.split("\n").flatMap((line) => listFigures(line))) {
    for (const value of [...values, ...parts]) units.set(value, (units.get(value) ?? new Set()).add(unit));
  }
  return { searched: toSearched(text), units };
}

const has = ({ searched, units }: Looked, { figure, text }: Found): boolean =>
  figure === undefined
    ? hasQuotation(searched, text)
    : figure.values.some((value) => [...(units.get(value) ?? [])].some((unit) => agree(figure.unit, unit)));
