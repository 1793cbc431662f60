/** What a Markdown text is built of, to tell how translations differ. Loaded on first use. */
import remarkGfm from "remark-gfm";
import remarkParse from "remark-parse";
import { unified } from "unified";
import { isBearable, isReparsable } from "./markdown-bounds.ts";
import { STRUCTURE_PARTS, type StructurePart } from "./structure-parts.ts";

/** How many there are of each part; of headings, their levels in order. */
export type Structure = Readonly<Record<StructurePart, string>>;

const processor = unified().use(remarkParse).use(remarkGfm).freeze();

type Node = { readonly type: string; readonly depth?: number; readonly children?: readonly Node[] };

const PART_OF: Readonly<Record<string, StructurePart>> = {
  list: "lists",
  listItem: "listItems",
  code: "codeBlocks",
  image: "images",
  imageReference: "images",
  link: "links",
  linkReference: "links",
  table: "tables",
  blockquote: "quotes",
};

/** The structure of a text; null for one that cannot be parsed in a bounded time. */
export function structureOf(markdown: string): Structure | null {
  const tree = parsed(markdown);
  if (tree === null) return null;
  const counts = Object.fromEntries(STRUCTURE_PARTS.map((part) => [part, 0])) as Record<StructurePart, number>;
  const levels: number[] = [];
  const nodes = [tree];
  // Without recursion: a tree may be deep.
  for (let next = 0; next < nodes.length; next++) {
    const { type, depth, children = [] } = nodes[next] as Node;
    if (type === "heading") levels.push(depth ?? 0);
    const part = PART_OF[type];
    if (part !== undefined) counts[part]++;
    for (const child of children) nodes.push(child);
  }
  return { ...mapped(counts), headings: levels.join(" ") };
}

function parsed(markdown: string): Node | null {
  try {
    const tree: Node | null = isReparsable(markdown) ? processor.parse(markdown) : null;
    return tree !== null && isBearable(tree) ? tree : null;
  } catch (error) {
    // The parser recurses: nesting can exhaust the stack.
    if (!(error instanceof RangeError)) throw error;
    return null;
  }
}

const mapped = (counts: Readonly<Record<StructurePart, number>>): Record<StructurePart, string> =>
  Object.fromEntries(Object.entries(counts).map(([part, count]) => [part, String(count)])) as Record<
    StructurePart,
    string
  >;
