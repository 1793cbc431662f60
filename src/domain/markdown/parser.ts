/** Parses Markdown (CommonMark and GitHub's additions), for no longer than is harmless. Loaded on first use. */
import remarkGfm from "remark-gfm";
import remarkParse from "remark-parse";
import { type Processor, unified } from "unified";
import { LIMITS } from "../limits.ts";
import { counter, OutOfSteps, type Steps } from "./steps.ts";

const processor = unified().use(remarkParse).use(remarkGfm).freeze();

export type Root = ReturnType<typeof processor.parse>;

export type Parsed = {
  /** Null if the text takes more steps than it may, is nested too deeply, or would be too large as elements. */
  readonly tree: Root | null;
  /** Steps that were taken. */
  readonly steps: number;
  /** Characters that were reached when the steps were used up, otherwise all. */
  readonly reached: number;
};

/**
 * A line that opens (or continues) more than 24 quotes, lists and footnotes, one in another. What the tokens of lists
 * become takes the square of how deep they are, which is not counted.
 */
const NESTED = /^(?:[ \t]*(?:>|(?:[*+-]|\d{1,9}[.)]|\[\^[^\s[\]]{1,100}\]:)(?=[ \t]))){25}/m;

/** Parses a text in as many steps as it may take (steps.ts). */
export function parseMarkdown(text: string, most: number = LIMITS.markdownSteps): Parsed {
  if (NESTED.test(text)) return { tree: null, steps: 0, reached: text.length };
  const steps = { left: most };
  let tree: Root | null = null;
  let reached = text.length;
  try {
    const parsed = processor().use(countSteps, steps).parse(text);
    if (isBearable(parsed)) tree = parsed;
  } catch (error) {
    // The parser recurses: nesting can exhaust the stack.
    if (!(error instanceof OutOfSteps || error instanceof RangeError)) throw error;
    if (error instanceof OutOfSteps) reached = error.reached;
  }
  return { tree, steps: most - steps.left, reached };
}

/** A plugin: lets one text be parsed in so many steps. */
function countSteps(this: Processor, steps: Steps): void {
  const data = this.data();
  data.micromarkExtensions = [...(data.micromarkExtensions ?? []), counter(steps)];
}

/** What a short text can make much of: characters of repeated definitions as HTML, and cells of tables. */
const MOST_REPEATED = 1_000_000;
const MOST_CELLS = 10_000;

type Node = {
  readonly type: string;
  readonly children?: readonly Node[] | undefined;
  readonly identifier?: string | undefined;
  readonly url?: string | undefined;
  readonly title?: string | null | undefined;
  readonly align?: readonly unknown[] | null | undefined;
};

/**
 * Whether a parsed text stays within a bounded size as elements: each reference repeats its definition, and
 * each row of a table has as many cells as the longest.
 */
function isBearable(tree: Node): boolean {
  const definitions = new Map<string, number>();
  const nodes = allOf(tree);
  for (const { type, identifier = "", url = "", title } of nodes) {
    if (type !== "definition") continue;
    // Of several definitions with one name the first one counts, in capitals; here the longest, whatever counts.
    const name = identifier.toUpperCase();
    definitions.set(name, Math.max(definitions.get(name) ?? 0, escapedLength(url) + escapedLength(title ?? "")));
  }
  let [repeated, cells] = [0, 0];
  for (const { type, identifier = "", align, children } of nodes) {
    if (type === "linkReference" || type === "imageReference")
      repeated += definitions.get(identifier.toUpperCase()) ?? 0;
    if (type === "table") cells += (align?.length ?? 0) * (children?.length ?? 0);
  }
  return repeated <= MOST_REPEATED && cells <= MOST_CELLS;
}

/** Characters of a text as an attribute of HTML, at most: in an address, one character can become nine. */
const escapedLength = (text: string): number => text.length + 8 * (text.match(GROWING)?.length ?? 0);

const GROWING = /[^\w.~:/?#@!$()*+,;=%-]/g;

/** All nodes of a tree, without recursion: it may be deep. */
function allOf(tree: Node): Node[] {
  const nodes = [tree];
  for (let next = 0; next < nodes.length; next++) for (const child of nodes[next]?.children ?? []) nodes.push(child);
  return nodes;
}
