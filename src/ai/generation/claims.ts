/** Traces the figures and quotations of an article to its sources. Numbers that are written as words are not looked at. */
import { plainLine } from "../../lib/plain-line.ts";
import { shorten } from "../../lib/text.ts";
import type { Source } from "./brief.ts";
import { agree, listFigures, type Figure } from "./figures.ts";
import { blocksToPlainText, listNodes, parse, type Content } from "./markdown.ts";
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

/** The most claims of an article that are listed, those that nothing backs first. */
const MOST = 100;
const MOST_CHARACTERS = 300;
const AROUND = 60;

/**
 * Returns the figures and quotations of an article in their order, each once. `ownWords` are those of the request. Code and
 * the numbers before headings and items of lists claim nothing.
 */
export function traceClaims(article: Text, sources: readonly Source[], ownWords: string): Claim[] {
  const index = sources.map(({ url, title, text }) => ({ url, ...look(`${title}\n${text}`) }));
  const own = look(ownWords);
  const seen = new Set<string>();
  const claims = listFound(article).flatMap((found): Claim[] => {
    const key = JSON.stringify([found.kind, found.text.toLowerCase()]);
    if (seen.has(key)) return [];
    seen.add(key);
    const source = index.find((each) => has(each, found))?.url ?? null;
    const backedBy = source !== null ? "source" : has(own, found) ? "request" : "nothing";
    const { kind, context } = found;
    return [{ kind, text: shorten(found.text, MOST_CHARACTERS), context, backedBy, source }];
  });
  if (claims.length <= MOST) return claims;
  const open = claims.filter(({ backedBy }) => backedBy === "nothing");
  return [...open, ...claims.filter((claim) => !open.includes(claim))].slice(0, MOST);
}

type Found = {
  readonly kind: Claim["kind"];
  readonly text: string;
  readonly context: string;
  readonly figure?: Figure;
};

function listFound({ title, description, content, locale }: Text): Found[] {
  const tree = parse(content);
  const quotes = listNodes(tree.children, "blockquote").filter(({ alert }) => !alert);
  const within = new Set(quotes.flatMap((quote) => listNodes([quote], "paragraph")));
  const found = [title, description].flatMap((line) => listOfLine(plainLine(line), locale, true));
  walk(tree, (node) => {
    if (node.type === "blockquote" && quotes.includes(node)) found.push(...listOfQuote(node.children));
    const isLine = node.type === "paragraph" || node.type === "heading" || node.type === "tableCell";
    if (isLine) found.push(...listOfLine(toText(node), locale, !within.has(node as never)));
  });
  return found;
}

/** The number before a heading, such as `3.` or `Step 3:`, is none of its figures. */
const NUMBERED = /^(?:\p{L}+ )?\d{1,3}[.):](?=\s)/u;

const toText = (node: Content): string => {
  const text = blocksToPlainText([node]).replaceAll("\n", " ");
  return node.type === "heading" ? text.replace(NUMBERED, "") : text;
};

function listOfQuote(blocks: readonly Content[]): Found[] {
  const lines = blocks.map(toText).filter((line) => !/^[—–-]/.test(line));
  const text = lines.join(" ").trim();
  return isLongEnough(text) ? [{ kind: "quotation", text, context: shorten(text, MOST_CHARACTERS) }] : [];
}

function listOfLine(line: string, locale: string, hasQuotations: boolean): Found[] {
  const figures = listFigures(line, locale).map((figure) => ({
    kind: "figure" as const,
    figure,
    from: figure.from,
    text: line.slice(figure.from, figure.to).trim(),
    context: cutAround(line, figure),
  }));
  const quotations = (hasQuotations ? listQuotations(line) : []).map((each) => ({
    kind: "quotation" as const,
    from: each.from,
    text: each.text,
    context: cutAround(line, each),
  }));
  return [...figures, ...quotations].toSorted((a, b) => a.from - b.from);
}

/** Returns some words before and after a place, and the place itself as far as there is room. */
function cutAround(line: string, { from, to }: { readonly from: number; readonly to: number }): string {
  const start = from <= AROUND ? 0 : line.indexOf(" ", from - AROUND) + 1;
  const begin = start === 0 || start > from ? Math.max(0, from - AROUND) : start;
  const last = line.lastIndexOf(" ", to + AROUND);
  const end = to + AROUND >= line.length ? line.length : last > to ? last : to + AROUND;
  const text = line.slice(begin, end).toWellFormed();
  return shorten(`${begin > 0 ? "…" : ""}${text}${end < line.length ? "…" : ""}`, MOST_CHARACTERS);
}

type Looked = { readonly searched: string; readonly units: ReadonlyMap<string, ReadonlySet<string>> };

function look(text: string): Looked {
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
