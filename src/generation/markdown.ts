/** Parses Markdown (CommonMark with GitHub's extensions) into a tree, prints it, and extracts its plain text. */
import { toString } from "mdast-util-to-string";
import remarkGfm from "remark-gfm";
import remarkStringify from "remark-stringify";
import { unified } from "unified";
import { visit } from "unist-util-visit";
import { BARE_URLS } from "../lib/addresses.ts";
import { wordCount } from "../domain/length.ts";
import { LIMITS } from "../domain/limits.ts";
import { parseMarkdown, type Root } from "../domain/markdown/parser.ts";

export type { Root };

const newPrinter = () =>
  unified().use(remarkGfm, { tablePipeAlign: false }).use(remarkStringify, { bullet: "-", rule: "-" }).freeze();

/** Made on first use, so that what never prints (the browser's advice) does not contain it. */
let printer: ReturnType<typeof newPrinter> | undefined;

/** Any node below the root: a block or an inline node. */
export type Content = Root["children"][number];
export type ContentOf<T extends Content["type"]> = Extract<Content, { type: T }>;

/** The deepest nesting of nodes. Nobody writes more, and functions on trees are recursive. */
const MOST_DEPTH = 40;

/** Parses any text. If it is nested too deeply or too slow to parse, returns one paragraph with the text as it is. */
export function parse(markdown: string): Root {
  const value = markdown.toWellFormed();
  return parseWhole(value) ?? { type: "root", children: [{ type: "paragraph", children: [{ type: "text", value }] }] };
}

/** Parses a well-formed text. Returns null if it is nested too deeply or too slow to parse. */
export function parseWhole(text: string): Root | null {
  const { tree } = parseMarkdown(text, LIMITS.sourceMarkdownSteps);
  return tree !== null && depthOf(tree) <= MOST_DEPTH ? tree : null;
}

function depthOf(tree: Root): number {
  let depth = 0;
  // Goes level by level: recursion could overflow the stack.
  for (let level: (Root | Content)[] = [tree]; level.length > 0; depth++) {
    level = level.flatMap((node): Content[] => ("children" in node ? node.children : []));
  }
  return depth;
}

/** Prints blocks as Markdown, without a line break at the end. */
export function print(blocks: readonly Content[]): string {
  printer ??= newPrinter();
  return printer.stringify({ type: "root", children: [...blocks] }).trimEnd();
}

/** Returns the text of a node on one line. */
export const lineOf = (node: Content): string =>
  toString(node, { includeImageAlt: false, includeHtml: false }).replaceAll(/\s+/gu, " ").trim();

/** Returns the text that people read, one line for each block, without code, HTML and URLs. */
export const plainText = (markdown: string): string => plainTextOf(parse(markdown).children);

/** The same for blocks. */
export function plainTextOf(blocks: readonly Content[]): string {
  const lines: string[] = [];
  const tree: Root = { type: "root", children: structuredClone([...blocks]) };
  visit(tree, "inlineCode", (node) => void (node.value = ""));
  visit(tree, (node) => {
    if (node.type === "paragraph" || node.type === "heading" || node.type === "tableCell") lines.push(lineOf(node));
  });
  return lines
    .map((line) => line.replaceAll(BARE_URLS, "").trim())
    .filter((line) => line !== "")
    .join("\n");
}

/** Counts the words of a Markdown text. */
export const countWords = (markdown: string, locale: string): number => wordCount(plainText(markdown), locale);

/** Returns all nodes of a type in the blocks and below them, in document order. */
export function nodesOf<T extends Content["type"]>(blocks: readonly Content[], type: T): ContentOf<T>[] {
  const nodes: ContentOf<T>[] = [];
  visit({ type: "root", children: [...blocks] } satisfies Root, (node) => {
    if (node.type === type) nodes.push(node as ContentOf<T>);
  });
  return nodes;
}

export const headingsOf = (blocks: readonly Content[]): ContentOf<"heading">[] => nodesOf(blocks, "heading");

export type Definitions = ReadonlyMap<string, { readonly url: string; readonly title?: string | null | undefined }>;

/** Maps identifiers of references to their definitions. The first definition of an identifier wins (CommonMark, 4.7). */
export function definitionsOf(tree: Root): Definitions {
  const definitions = new Map<string, ContentOf<"definition">>();
  visit(tree, "definition", (node) => {
    if (!definitions.has(node.identifier)) definitions.set(node.identifier, node);
  });
  return definitions;
}

/** Returns the blocks of a tree, in which references become links and images of their own, without their definitions. */
export function withoutReferences(tree: Root): Content[] {
  const definitions = definitionsOf(tree);
  visit(tree, (node, index, parent) => {
    if ((node.type !== "linkReference" && node.type !== "imageReference") || !parent || index === undefined) return;
    const { url = "", title = null } = definitions.get(node.identifier) ?? {};
    const inlined: Content =
      node.type === "linkReference"
        ? { type: "link", url, title, children: node.children }
        : { type: "image", url, title, alt: node.alt ?? "" };
    // A link or an image may stand wherever a reference to one does.
    (parent.children as Content[])[index] = inlined;
  });
  return tree.children.filter(({ type }) => type !== "definition");
}

/** Splits blocks before each heading of level 1 or 2. The blocks before the first heading are a part of their own. */
export function partsOf(blocks: readonly Content[]): Content[][] {
  const parts: Content[][] = [];
  for (const block of blocks) {
    const last = parts.at(-1);
    if (last === undefined || (block.type === "heading" && block.depth <= 2)) parts.push([block]);
    else last.push(block);
  }
  return parts;
}
