/** Markdown (CommonMark and GitHub's additions) as a tree, as tidy text, and as what its readers read. */
import { toString } from "mdast-util-to-string";
import remarkGfm from "remark-gfm";
import remarkStringify from "remark-stringify";
import { unified } from "unified";
import { visit } from "unist-util-visit";
import { BARE_URLS } from "../lib/addresses.ts";
import { LIMITS } from "../domain/limits.ts";
import { parseMarkdown, type Root } from "../domain/markdown/parser.ts";

export type { Root };

const printer = unified()
  .use(remarkGfm, { tablePipeAlign: false })
  .use(remarkStringify, { bullet: "-", rule: "-" })
  .freeze();

/** Any node below the root, blocks and inline ones alike. */
export type Content = Root["children"][number];
export type ContentOf<T extends Content["type"]> = Extract<Content, { type: T }>;

/** Containers within containers; nobody writes more, and what works on trees recurses. */
const MOST_DEPTH = 40;

/** Parses any text. One that is nested beyond all use, or made to be slow, becomes a paragraph that shows it as it is. */
export function parse(markdown: string): Root {
  const value = markdown.toWellFormed();
  return parseWhole(value) ?? { type: "root", children: [{ type: "paragraph", children: [{ type: "text", value }] }] };
}

/** Parses a well-formed text; null for one that is too complex to be parsed as what it is. */
export function parseWhole(text: string): Root | null {
  const { tree } = parseMarkdown(text, LIMITS.sourceMarkdownSteps);
  return tree !== null && depthOf(tree) <= MOST_DEPTH ? tree : null;
}

function depthOf(tree: Root): number {
  let depth = 0;
  // Level by level, for the same reason.
  for (let level: (Root | Content)[] = [tree]; level.length > 0; depth++) {
    level = level.flatMap((node): Content[] => ("children" in node ? node.children : []));
  }
  return depth;
}

/** Blocks as Markdown, without a line end at the end. */
export const print = (blocks: readonly Content[]): string =>
  printer.stringify({ type: "root", children: [...blocks] }).trimEnd();

/** The text of a node on one line. */
export const lineOf = (node: Content): string =>
  toString(node, { includeImageAlt: false, includeHtml: false }).replaceAll(/\s+/gu, " ").trim();

/** What people read, a block a line: no code, no HTML, no addresses. */
export function plainText(markdown: string): string {
  const lines: string[] = [];
  const tree = parse(markdown);
  visit(tree, "inlineCode", (node) => void (node.value = ""));
  visit(tree, (node) => {
    if (node.type === "paragraph" || node.type === "heading" || node.type === "tableCell") lines.push(lineOf(node));
  });
  return lines
    .map((line) => line.replaceAll(BARE_URLS, "").trim())
    .filter((line) => line !== "")
    .join("\n");
}

/** The words of a Markdown text, in scripts without spaces too, as Unicode's segmentation of the locale has them. */
export function countWords(markdown: string, locale: string): number {
  let words = 0;
  for (const { isWordLike } of new Intl.Segmenter(locale, { granularity: "word" }).segment(plainText(markdown))) {
    if (isWordLike === true) words++;
  }
  return words;
}

/** The nodes of a type, wherever they occur in blocks, in document order. */
export function nodesOf<T extends Content["type"]>(blocks: readonly Content[], type: T): ContentOf<T>[] {
  const nodes: ContentOf<T>[] = [];
  visit({ type: "root", children: [...blocks] } satisfies Root, (node) => {
    if (node.type === type) nodes.push(node as ContentOf<T>);
  });
  return nodes;
}

export const headingsOf = (blocks: readonly Content[]): ContentOf<"heading">[] => nodesOf(blocks, "heading");

/** What references lead to, by their identifiers; the first definition of one counts (CommonMark, 4.7). */
export function definitionsOf(tree: Root): ReadonlyMap<string, string> {
  const definitions = new Map<string, string>();
  visit(tree, "definition", ({ identifier, url }) => {
    if (!definitions.has(identifier)) definitions.set(identifier, url);
  });
  return definitions;
}

/** Blocks cut before each heading of the second level (or above). Blocks before the first are a part of their own. */
export function partsOf(blocks: readonly Content[]): Content[][] {
  const parts: Content[][] = [];
  for (const block of blocks) {
    const last = parts.at(-1);
    if (last === undefined || (block.type === "heading" && block.depth <= 2)) parts.push([block]);
    else last.push(block);
  }
  return parts;
}
