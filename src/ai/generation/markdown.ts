import { BARE_URLS } from "../../lib/addresses.ts";
import { wordCount } from "../../domain/length.ts";
import { parse as parseMarkdown } from "../../../packages/markdown/parse.ts";
import { childrenOf, nodesOf, walk, type Content, type ContentOf, type Root } from "../../../packages/markdown/tree.ts";

export { print } from "../../../packages/markdown/print.ts";
export { nodesOf };
export type { Content, ContentOf, Root };

export const parse = (markdown: string): Root => parseMarkdown(markdown.toWellFormed());

/** Returns the text of a node on one line, without HTML. */
export const lineOf = (node: Content): string => wordsOf(node).replaceAll(/\s+/gu, " ").trim();

function wordsOf(node: Content): string {
  if (node.type === "text" || node.type === "inlineCode" || node.type === "code") return node.value;
  return node.type === "break" ? " " : childrenOf(node).map(wordsOf).join("");
}

/** Returns the text that people read, one line for each block, without code, HTML and URLs. */
export const plainText = (markdown: string): string => plainTextOf(parse(markdown).children);

export function plainTextOf(blocks: readonly Content[]): string {
  const lines: string[] = [];
  walk({ type: "root", children: blocks as Root["children"] }, (node) => {
    if (node.type === "paragraph" || node.type === "heading" || node.type === "tableCell") lines.push(proseOf(node));
  });
  return lines
    .map((line) => line.replaceAll(/\s+/gu, " ").replaceAll(BARE_URLS, "").trim())
    .filter((line) => line !== "")
    .join("\n");
}

function proseOf(node: Content): string {
  if (node.type === "inlineCode") return "";
  if (node.type === "text") return node.value;
  return node.type === "break" ? " " : childrenOf(node).map(proseOf).join("");
}

export const countWords = (markdown: string, locale: string): number => wordCount(plainText(markdown), locale);

export const headingsOf = (blocks: readonly Content[]): ContentOf<"heading">[] => nodesOf(blocks, "heading");

/** Turns references into inline links and images. Returns the blocks without the definitions. */
export function withoutReferences(tree: Root): Content[] {
  for (const node of [...nodesOf(tree.children, "link"), ...nodesOf(tree.children, "image")]) node.written = "inline";
  return tree.children.filter(({ type }) => type !== "definition");
}

/** Splits blocks before each heading of level 1 or 2. */
export function partsOf(blocks: readonly Content[]): Content[][] {
  const parts: Content[][] = [];
  for (const block of blocks) {
    const last = parts.at(-1);
    if (last === undefined || (block.type === "heading" && block.depth <= 2)) parts.push([block]);
    else last.push(block);
  }
  return parts;
}
