import { BARE_URLS } from "../../lib/addresses.ts";
import { countWordsInText } from "../../domain/length.ts";
import { parse as parseMarkdown } from "../../../packages/markdown/parse.ts";
import {
  getChildren,
  listNodes,
  walk,
  type Content,
  type ContentByType,
  type Root,
} from "../../../packages/markdown/tree.ts";

export { print } from "../../../packages/markdown/print.ts";
export { getChildren, listNodes };
export type { Content, ContentByType, Root };

export const parse = (markdown: string): Root => parseMarkdown(markdown.toWellFormed());

/** Returns the text of a node on one line, without HTML. */
export const toLine = (node: Content): string => collectText(node).replaceAll(/\s+/gu, " ").trim();

function collectText(node: Content): string {
  if (node.type === "text" || node.type === "inlineCode" || node.type === "code") return node.value;
  return node.type === "break" ? " " : getChildren(node).map(collectText).join("");
}

/** Returns the text that people read, one line for each block, without code, HTML and URLs. */
export const markdownToPlainText = (markdown: string): string => blocksToPlainText(parse(markdown).children);

export function blocksToPlainText(blocks: readonly Content[]): string {
  const lines: string[] = [];
  walk({ type: "root", children: blocks as Root["children"] }, (node) => {
    if (node.type === "paragraph" || node.type === "heading" || node.type === "tableCell")
      lines.push(collectProse(node));
  });
  return lines
    .map((line) => line.replaceAll(/\s+/gu, " ").replaceAll(BARE_URLS, "").trim())
    .filter((line) => line !== "")
    .join("\n");
}

/** Returns the text of a node without code. */
export function collectProse(node: Content): string {
  if (node.type === "inlineCode") return "";
  if (node.type === "text") return node.value;
  return node.type === "break" ? " " : getChildren(node).map(collectProse).join("");
}

export const countWords = (markdown: string, locale: string): number =>
  countWordsInText(markdownToPlainText(markdown), locale);

export const listHeadings = (blocks: readonly Content[]): ContentByType<"heading">[] => listNodes(blocks, "heading");

/** Turns references into inline links and images. Returns the blocks without the definitions. */
export function inlineReferences(tree: Root): Content[] {
  for (const node of [...listNodes(tree.children, "link"), ...listNodes(tree.children, "image")])
    node.written = "inline";
  return tree.children.filter(({ type }) => type !== "definition");
}

/** Splits blocks before each heading of level 1 or 2. */
export function splitAtHeadings(blocks: readonly Content[]): Content[][] {
  const parts: Content[][] = [];
  for (const block of blocks) {
    const last = parts.at(-1);
    if (last === undefined || (block.type === "heading" && block.depth <= 2)) parts.push([block]);
    else last.push(block);
  }
  return parts;
}
