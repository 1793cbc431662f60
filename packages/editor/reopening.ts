/**
 * Shows somebody else's version of the text. Changes only what differs, so that the cursor stays, and what was written
 * before can still be undone. Undo does not revert what others did.
 */
import { diffArrays } from "diff";
import { Fragment, type Node } from "prosemirror-model";
import type { EditorState, Transaction } from "prosemirror-state";
import { countCommonEnds } from "../../src/lib/ends.ts";
import { isEmpty } from "./to-markdown.ts";
import { type Opened, writeMarkdown, writeBlocks } from "./opening.ts";
import { toRuns } from "./runs.ts";

export type Reopened = { readonly tr: Transaction; readonly opened: Opened };

/** Returns the change that leads to the opened text, and what is opened from then on. */
export function reopen(state: EditorState, former: Opened, opened: Opened): Reopened {
  const tr = state.tr.setMeta("addToHistory", false);
  const olds = writeBlocks(state.doc, former).map(({ node, at, text }) => ({ node, at, key: text }));
  const news = opened.originals.map(({ node, source }) => ({ node, key: source }));
  changeRuns(tr, olds, news, 0);
  const blocks: Node[] = [];
  tr.doc.forEach((block, at) => {
    if (isEmpty(block)) return;
    if (block.attrs["origin"] !== blocks.length) tr.setNodeAttribute(at, "origin", blocks.length);
    blocks.push(tr.doc.nodeAt(at) ?? block);
  });
  // A block that was edited only here stays as it is, even if its Markdown would be read as another.
  const originals = opened.originals.map((original, index) => ({ ...original, node: blocks[index] ?? original.node }));
  const known = { ...opened, originals };
  const text = writeMarkdown(opened.doc, opened);
  if (writeMarkdown(tr.doc, known) === text) return { tr, opened: known };
  // Not known to happen. What is shown has to be the text.
  const whole = state.tr.replaceWith(0, state.doc.content.size, opened.doc.content);
  return { tr: whole.setMeta("addToHistory", false), opened };
}

type New = { readonly node: Node; readonly key: string };
type Old = New & { readonly at: number };

/** Changes a sequence of nodes into another. The last ones come first, so that the positions of the others stay. */
function changeRuns(tr: Transaction, olds: readonly Old[], news: readonly New[], start: number): void {
  const [one = [], other = []] = [olds, news].map((all) => all.map(({ key }) => key));
  for (const { old, next } of toRuns(diffArrays(one, other)).toReversed()) {
    const gone = olds.slice(...old);
    const come = news.slice(...next).map(({ node }) => node);
    const before = olds[old[0] - 1];
    const from = gone[0]?.at ?? (before ? getEnd(before) : start);
    if (come[0]?.isInline || gone[0]?.node.isInline) changeText(tr, from, gone, come);
    else changeBlocks(tr, from, gone, come);
  }
}

/** Changes each block into the one that it became, from both ends. Replaces what is left between them. */
function changeBlocks(tr: Transaction, from: number, gone: readonly Old[], come: readonly Node[]): void {
  const [first, next, last, end] = [gone[0], come[0], gone.at(-1), come.at(-1)];
  if (first && next && (gone.length === come.length || isAlike(first.node, next))) {
    changeBlocks(tr, getEnd(first), gone.slice(1), come.slice(1));
    changeNode(tr, first, next);
  } else if (last && end && isAlike(last.node, end)) {
    changeNode(tr, last, end);
    changeBlocks(tr, from, gone.slice(0, -1), come.slice(0, -1));
  } else tr.replaceWith(from, last ? getEnd(last) : from, come);
}

/** Whether a block may have become another: half of its text is the same at its ends. */
function isAlike(one: Node, other: Node): boolean {
  if (one.type !== other.type) return false;
  const [a, b] = [one.textContent, other.textContent];
  const { before, after } = countCommonEnds(a, b);
  return (before + after) * 2 >= Math.min(a.length, b.length);
}

const getEnd = ({ node, at }: Old): number => at + node.nodeSize;

function changeNode(tr: Transaction, { node: old, at }: Old, next: Node): void {
  if (old.type !== next.type || old.isLeaf) {
    tr.replaceWith(at, at + old.nodeSize, next);
    return;
  }
  const news = next.children.map((node) => ({ node, key: JSON.stringify(node) }));
  const olds: Old[] = [];
  old.forEach((node, offset) => olds.push({ node, at: at + 1 + offset, key: JSON.stringify(node) }));
  changeRuns(tr, olds, news, at + 1);
  for (const [name, value] of Object.entries(next.attrs))
    if (old.attrs[name] !== value) tr.setNodeAttribute(at, name, value);
}

/** Changes a part of a line: from the first character that differs to the last. */
function changeText(tr: Transaction, from: number, gone: readonly Old[], come: readonly Node[]): void {
  const [old, next] = [Fragment.from(gone.map(({ node }) => node)), Fragment.from(come)];
  const start = old.findDiffStart(next);
  const ends = old.findDiffEnd(next);
  if (start === null || ends === null) return;
  const overlap = Math.max(0, start - Math.min(ends.a, ends.b));
  tr.replaceWith(from + start, from + ends.a + overlap, next.cut(start, ends.b + overlap));
}
