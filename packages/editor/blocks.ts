/** Splits a Markdown text into its blocks. */
import { parse } from "../markdown/parse.ts";
import { print } from "../markdown/print.ts";
import { listNodes, type Block } from "../markdown/tree.ts";
import { type Source, makeSource } from "./from-markdown.ts";

/** A block and its place in the text. `block` is null for what is shown as source. */
export type Part = {
  readonly from: number;
  readonly to: number;
  readonly block: Block | null;
  readonly kind?: string | undefined;
};

/** The parts of a text, each of whole lines, and the definitions of its links. */
export type Parts = {
  readonly parts: readonly Part[];
  readonly source: Source;
  readonly definitions: readonly string[];
};

/** Returns the blocks of a text in order. Only white space is between them. */
export function parseParts(text: string): Parts {
  // The parser skips a byte order mark without counting it.
  const start = text.startsWith("\uFEFF") ? 1 : 0;
  const front = FRONT_MATTER.exec(text.slice(start))?.[0].length ?? 0;
  const offset = start + front;
  const body = text.slice(offset);
  const tree = parse(body);
  const found = tree.children.map((block): Part => {
    const [from, to] = [(block.from ?? 0) + offset, (block.to ?? 0) + offset];
    return { from, to: Math.min(to, text.length), block };
  });
  const parts =
    front === 0
      ? found
      : [
          { from: start, to: start + text.slice(start, offset).trimEnd().length, block: null, kind: "Front matter" },
          ...found,
        ];
  const definitions = listNodes(tree.children, "definition").map((definition) => `${print([definition])}\n`);
  return { parts: joined(parts, text), source: makeSource(body, tree), definitions };
}

/** Only at the very start: without the flag `m`. */
const FRONT_MATTER = /^---[ \t]*\r?\n(?=[\w-]+:)(?:(?!---[ \t]*(?:\r?\n|$)).*\r?\n)*?---[ \t]*(?:\r?\n|$)/;

export const isSource = ({ block }: Pick<Part, "block">): boolean =>
  block === null || block.type === "html" || block.type === "element" || block.type === "definition";

/**
 * Joins neighboring parts that are shown as one source: sources without an empty line between them, such as
 * definitions; and parts that touch, or have text between them, so that no text is lost.
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
      result[result.length - 1] = { from: last.from, to: Math.max(last.to, part.to), block: null, kind: getKind(last) };
    else result.push(part);
  }
  return result;
}

export function getKind({ block, kind }: Pick<Part, "block" | "kind">): string {
  if (kind !== undefined) return kind;
  if (block?.type === "definition") return "Link definitions";
  return block?.type === "html" || block?.type === "element" ? "HTML" : "Markdown";
}
