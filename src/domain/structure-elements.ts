/** The elements by which the structures of translations are compared. */
export const STRUCTURE_PARTS = [
  "headings",
  "lists",
  "listItems",
  "codeBlocks",
  "images",
  "links",
  "tables",
  "quotes",
] as const;

export type StructurePart = (typeof STRUCTURE_PARTS)[number];
