/** Describes the structure of a Markdown text, to compare translations. Loaded on first use. */
import { parseMarkdown } from "./parser.ts";
import { STRUCTURE_PARTS, type StructurePart } from "../structure-elements.ts";

/** The number of each part as text. For headings: their levels in order, separated by spaces. */
export type Structure = Readonly<Record<StructurePart, string>>;

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

/**
 * Returns the structure of a text and the parser's steps. The structure is null if the text needs more than `most`
 * steps or is otherwise too complex; `steps` may then be slightly above `most`.
 */
export function structureOf(markdown: string, most: number): { structure: Structure | null; steps: number } {
  const { tree, steps } = parseMarkdown(markdown, most);
  return { structure: tree && structureOfTree(tree), steps };
}

function structureOfTree(tree: Node): Structure {
  const counts = Object.fromEntries(STRUCTURE_PARTS.map((part) => [part, 0])) as Record<StructurePart, number>;
  const levels: number[] = [];
  const nodes: Node[] = [tree];
  // Does not recurse, because the tree may be deep.
  for (let next = 0; next < nodes.length; next++) {
    const { type, depth, children = [] } = nodes[next] as Node;
    if (type === "heading") levels.push(depth ?? 0);
    const part = PART_OF[type];
    if (part !== undefined) counts[part]++;
    for (const child of children) nodes.push(child);
  }
  return { ...mapped(counts), headings: levels.join(" ") };
}

const mapped = (counts: Readonly<Record<StructurePart, number>>): Record<StructurePart, string> =>
  Object.fromEntries(Object.entries(counts).map(([part, count]) => [part, String(count)])) as Record<
    StructurePart,
    string
  >;
