/** Describes the structure of a Markdown text, to compare translations. Loaded on first use. */
import { STRUCTURE_PARTS, type StructurePart } from "../../src/domain/structure-elements.ts";
import { parse } from "./parse.ts";
import { walk, type Content } from "./tree.ts";

/** The number of each part as text. For headings: their levels in order, separated by spaces. */
export type Structure = Readonly<Record<StructurePart, string>>;

const PART_BY_TYPE: { readonly [Type in Content["type"]]?: StructurePart } = {
  list: "lists",
  listItem: "listItems",
  code: "codeBlocks",
  image: "images",
  link: "links",
  table: "tables",
  blockquote: "quotes",
};

export function getStructure(markdown: string): Structure {
  const counts = new Map(STRUCTURE_PARTS.map((part) => [part, 0]));
  const levels: number[] = [];
  walk(parse(markdown), (node) => {
    if (node.type === "heading") levels.push(node.depth);
    const part = PART_BY_TYPE[node.type];
    if (part !== undefined) counts.set(part, (counts.get(part) ?? 0) + 1);
  });
  const texts = Array.from(counts, ([part, count]) => [part, String(count)]);
  return { ...(Object.fromEntries(texts) as Record<StructurePart, string>), headings: levels.join(" ") };
}
