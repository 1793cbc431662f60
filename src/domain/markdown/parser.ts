/** Parses Markdown (CommonMark and GitHub's extensions) within a limit of steps. Loaded on first use. */
import remarkGfm from "remark-gfm";
import remarkParse from "remark-parse";
import { type Processor, unified } from "unified";
import { LIMITS } from "../limits.ts";
import { counter, OutOfSteps, type Steps } from "./steps.ts";

const processor = unified().use(remarkParse).use(remarkGfm).freeze();

export type Root = ReturnType<typeof processor.parse>;

export type Parsed = {
  /** Null if the text needs too many steps, is nested too deeply, or would produce too large a document. */
  readonly tree: Root | null;
  /** The number of steps that parsing took. */
  readonly steps: number;
  /** The number of characters that the parser had read when it ran out of steps; otherwise the length of the text. */
  readonly reached: number;
};

/**
 * Matches a line that opens or continues more than 24 nested quotes, lists and footnotes. Turning the tokens of lists
 * into a tree takes time in proportion to the square of their depth, and steps.ts does not count that.
 */
const NESTED = /^(?:[ \t]*(?:>|(?:[*+-]|\d{1,9}[.)]|\[\^[^\s[\]]{1,100}\]:)(?=[ \t]))){25}/m;

/** Parses a text in at most `most` steps (steps.ts). Does not throw for a text that exceeds a limit: `tree` is null. */
export function parseMarkdown(text: string, most: number = LIMITS.markdownSteps): Parsed {
  if (NESTED.test(text)) return { tree: null, steps: 0, reached: text.length };
  const steps = { left: most };
  let tree: Root | null = null;
  let reached = text.length;
  try {
    const parsed = processor().use(countSteps, steps).parse(text);
    if (isBearable(parsed)) tree = parsed;
  } catch (error) {
    // A RangeError means that the stack is exhausted: the parser recurses into nested constructs.
    if (!(error instanceof OutOfSteps || error instanceof RangeError)) throw error;
    if (error instanceof OutOfSteps) reached = error.reached;
  }
  return { tree, steps: most - steps.left, reached };
}

/** A unified plugin that limits the parsing of one text to the given steps. */
function countSteps(this: Processor, steps: Steps): void {
  const data = this.data();
  data.micromarkExtensions = [...(data.micromarkExtensions ?? []), counter(steps)];
}

/** The largest number of characters that repeated link definitions may have in HTML: a short text can multiply them. */
const MOST_REPEATED = 1_000_000;

type Node = {
  readonly type: string;
  readonly children?: readonly Node[] | undefined;
  readonly identifier?: string | undefined;
  readonly url?: string | undefined;
  readonly title?: string | null | undefined;
  readonly align?: readonly unknown[] | null | undefined;
};

/**
 * Returns whether the document that is rendered from a tree has a bounded size. A short text can produce a large one:
 * each reference repeats its definition, and each row of a table has as many cells as the header.
 */
function isBearable(tree: Node): boolean {
  const definitions = new Map<string, number>();
  const nodes = allOf(tree);
  for (const { type, identifier = "", url = "", title } of nodes) {
    if (type !== "definition") continue;
    // If several definitions have the same name (case does not matter), the renderer uses the first one. The longest
    // one counts here, which is never too low.
    const name = identifier.toUpperCase();
    definitions.set(name, Math.max(definitions.get(name) ?? 0, escapedLength(url) + escapedLength(title ?? "")));
  }
  let [repeated, cells] = [0, 0];
  for (const { type, identifier = "", align, children } of nodes) {
    if (type === "linkReference" || type === "imageReference")
      repeated += definitions.get(identifier.toUpperCase()) ?? 0;
    if (type === "table") cells += (align?.length ?? 0) * (children?.length ?? 0);
  }
  return repeated <= MOST_REPEATED && cells <= LIMITS.tableCells;
}

/** Returns the maximum characters of a text as an HTML attribute: in a URL, one character can become nine. */
const escapedLength = (text: string): number => text.length + 8 * (text.match(GROWING)?.length ?? 0);

const GROWING = /[^\w.~:/?#@!$()*+,;=%-]/g;

/** Returns all nodes of a tree. Does not recurse, because the tree may be deep. */
function allOf(tree: Node): Node[] {
  const nodes = [tree];
  for (let next = 0; next < nodes.length; next++) for (const child of nodes[next]?.children ?? []) nodes.push(child);
  return nodes;
}
