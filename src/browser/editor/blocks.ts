/** Splits a Markdown text into its blocks. */
import type { Definition, Root, RootContent } from "mdast";
import { parseMarkdown } from "../../domain/markdown/parser.ts";
import type { Source } from "./from-markdown.ts";

/** A block of the text by its place, with its tree. Null for what is shown as its source. */
export type Part = {
  readonly from: number;
  readonly to: number;
  readonly block: RootContent | null;
  readonly kind?: string | undefined;
};

/** The parts of a text, which have whole lines, and what its links refer to. */
export type Parts = { readonly parts: readonly Part[]; readonly source: Source };

/** Returns the blocks of a text in their order; between them is nothing but white space. */
export function partsOf(text: string): Parts | null {
  // The parser skips a byte order mark without counting it.
  const start = text.startsWith("\uFEFF") ? 1 : 0;
  const front = FRONT_MATTER.exec(text.slice(start))?.[0].length ?? 0;
  const offset = start + front;
  const body = text.slice(offset);
  const tree = parseMarkdown(body).tree;
  if (tree === null) return null;
  const source = { text: body, definitions: definitionsOf(tree) };
  const found = tree.children.map((block) => partOf(block, text, offset));
  const parts =
    front === 0
      ? found
      : [
          { from: start, to: start + trimmedEnd(text.slice(start, offset)), block: null, kind: "Front matter" },
          ...found,
        ];
  return { parts: joined(parts, text), source };
}

/** Only at the very start: without the flag m. */
const FRONT_MATTER = /^---[ \t]*\r?\n(?=[\w-]+:)(?:(?!---[ \t]*(?:\r?\n|$)).*\r?\n)*?---[ \t]*(?:\r?\n|$)/;

const trimmedEnd = (text: string): number => text.trimEnd().length;

/** A block with the whole of its lines: with its indentation, and with spaces after it. */
function partOf(block: RootContent, text: string, offset: number): Part {
  let from = (block.position?.start.offset ?? 0) + offset;
  let to = (block.position?.end.offset ?? 0) + offset;
  while (from > offset && /[ \t]/.test(text.charAt(from - 1))) from--;
  while (to < text.length && !/[\r\n]/.test(text.charAt(to))) to++;
  return { from, to, block };
}

export const isSource = ({ block }: Pick<Part, "block">): boolean =>
  block === null || block.type === "html" || block.type === "definition";

/**
 * Joins neighbouring parts into one that is shown as its source: parts that are shown so already, without an empty
 * line between them, such as definitions; and parts that touch, or have text between them, so that no text is ever
 * lost.
 */
function joined(parts: readonly Part[], text: string): Part[] {
  const result: Part[] = [];
  for (const part of parts) {
    const last = result.at(-1);
    const gap = last && text.slice(last.to, part.from);
    const isOne =
      gap !== undefined &&
      ((isSource(part) && last && isSource(last) && !/\n[ \t]*\r?\n/.test(gap)) || gap === "" || /\S/.test(gap));
    if (isOne && last)
      result[result.length - 1] = { from: last.from, to: Math.max(last.to, part.to), block: null, kind: kindOf(last) };
    else result.push(part);
  }
  return result;
}

export function kindOf({ block, kind }: Pick<Part, "block" | "kind">): string {
  if (kind !== undefined) return kind;
  if (block?.type === "definition") return "Link definitions";
  return block?.type === "html" ? "HTML" : "Markdown";
}

export function definitionsOf(tree: Root): ReadonlyMap<string, Definition> {
  const found = new Map<string, Definition>();
  for (const nodes: (Root | RootContent)[] = [tree]; nodes.length > 0;) {
    const node = nodes.pop();
    if (node?.type === "definition" && !found.has(node.identifier.toUpperCase()))
      found.set(node.identifier.toUpperCase(), node);
    if (node && "children" in node) nodes.push(...(node.children as RootContent[]).toReversed());
  }
  return found;
}
