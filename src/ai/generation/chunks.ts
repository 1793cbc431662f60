/** Splits an article into chunks that a model can translate, and joins the translations. */
import { blocksToPlainText, print, type Content, type ContentByType } from "./markdown.ts";

/** `continues`: the first block is a further piece of the previous chunk's last block. */
export type Chunk = { readonly blocks: Content[]; readonly continues: boolean };

/**
 * In characters. A chunk of at least `ENOUGH` ends before the next section. A chunk has at most `MOST`, unless it is one
 * long paragraph, item, row or code block. Models translate longer texts incompletely.
 */
const ENOUGH = 1500;
const MOST = 6000;

/** The most characters of a chunk with words: its translation may be longer, and an answer has a limit (answers.ts). */
export const MOST_OF_CHUNK = 12_000;

/** Splits a list, quote or table that is longer than a chunk between its items or rows. */
export function splitIntoChunks(blocks: readonly Content[]): Chunk[] {
  const chunks: Chunk[] = [];
  let size = 0;
  for (const block of blocks) {
    const isSection = block.type === "heading" && block.depth === 2;
    for (const [index, piece] of splitBlock(block).entries()) {
      const length = print([piece]).length;
      const last = chunks.at(-1);
      if (last === undefined || index > 0 || (isSection && size >= ENOUGH) || size + length > MOST) {
        chunks.push({ blocks: [piece], continues: index > 0 });
        size = length;
      } else {
        last.blocks.push(piece);
        size += length;
      }
    }
  }
  return chunks;
}

export const hasWords = ({ blocks }: Chunk): boolean => /\p{L}/u.test(blocksToPlainText(blocks));

function splitBlock(block: Content): Content[] {
  if (print([block]).length <= MOST) return [block];
  if (block.type === "list") return splitList(block);
  if (block.type === "blockquote") {
    const part = (children: (typeof block)["children"]): typeof block => ({ ...block, children });
    return groupBySize(block.children, (child) => print([part([child])]).length).map(part);
  }
  if (block.type === "table") {
    const [header, ...rows] = block.children;
    if (header === undefined || rows.length === 0) return [block];
    const part = (children: typeof rows): typeof block => ({ ...block, children: [header, ...children] });
    return groupBySize(rows, (row) => print([part([row])]).length).map(part);
  }
  return [block];
}

/** Each piece of a numbered list begins with the number of its first item. */
function splitList(list: ContentByType<"list">): Content[] {
  const part = (children: ContentByType<"list">["children"]): ContentByType<"list"> => ({ ...list, children });
  let next = list.start;
  return groupBySize(list.children, (item) => print([part([item])]).length).map((children) => {
    const piece = part(children);
    if (typeof next === "number") {
      piece.start = next;
      next += children.length;
    }
    return piece;
  });
}

/** Groups children in order, so that a group has at most `MOST` characters, or one child. */
function groupBySize<T>(children: readonly T[], lengthOf: (child: T) => number): T[][] {
  const groups: T[][] = [];
  let size = 0;
  for (const child of children) {
    const length = lengthOf(child);
    const last = groups.at(-1);
    if (last === undefined || size + length > MOST) {
      groups.push([child]);
      size = length;
    } else {
      last.push(child);
      size += length;
    }
  }
  return groups;
}

/** Returns the blocks of all chunks. The pieces of a block become one block again. */
export function joinChunks(
  parts: readonly { readonly blocks: readonly Content[]; readonly chunk: Chunk }[],
): Content[] {
  const all: Content[] = [];
  for (const { blocks, chunk } of parts) {
    const [first, ...others] = blocks;
    const last = all.at(-1);
    const [source] = chunk.blocks;
    if (chunk.continues && first !== undefined && last !== undefined && mergeBlocks(last, first, source))
      all.push(...others);
    else all.push(...blocks);
  }
  return all;
}

/** Adds the children of `first` to `last` if both have the type of the source. Returns whether they had. */
function mergeBlocks(last: Content, first: Content, source: Content | undefined): boolean {
  if (source?.type === "list" && isList(last, source) && isList(first, source)) {
    last.children.push(...first.children);
    last.spread = source.spread ?? false;
    return true;
  }
  if (source?.type === "blockquote" && last.type === "blockquote" && first.type === "blockquote") {
    last.children.push(...first.children);
    return true;
  }
  if (source?.type === "table" && last.type === "table" && first.type === "table") {
    last.children.push(...first.children.slice(1));
    return true;
  }
  return false;
}

const isList = (block: Content, source: ContentByType<"list">): block is ContentByType<"list"> =>
  block.type === "list" && (block.ordered ?? false) === (source.ordered ?? false);
