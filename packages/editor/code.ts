/** Blocks of code: what the keys do in them, and making code of a text. */
import { setBlockType } from "prosemirror-commands";
import type { Attrs } from "prosemirror-model";
import type { Command, Transaction } from "prosemirror-state";
import { schema } from "./schema.ts";

const { nodes } = schema;

/** Makes code of the blocks between two places. Where a line ends in them, one does in the code. */
export function toCode(tr: Transaction, from: number, to: number, attrs?: Attrs): Transaction {
  tr.doc.nodesBetween(from, to, (block, at) => {
    if (!block.isTextblock) return true;
    block.forEach(({ type }, offset) => {
      // The kind of break that ProseMirror knows (schema.ts).
      if (type === nodes.soft_break) tr.setNodeMarkup(at + 1 + offset, nodes.hard_break);
    });
    return false;
  });
  return tr.setBlockType(from, to, nodes.code_block, attrs);
}

/** Indents the selected lines of code, or the cursor's place in a line, as the code is indented elsewhere. */
export const indentCode: Command = (state, dispatch) => {
  const lines = selectedLines(state);
  if (lines === null) return false;
  const unit = /^\t/m.test(state.selection.$from.parent.textContent) ? "\t" : "  ";
  const { tr } = state;
  if (state.selection.empty) tr.insertText(unit);
  else for (const { at } of lines) tr.insertText(unit, at);
  dispatch?.(tr.scrollIntoView());
  return true;
};

export const outdentCode: Command = (state, dispatch) => {
  const lines = selectedLines(state);
  if (lines === null) return false;
  const { tr } = state;
  for (const { at, text } of lines) tr.delete(at, at + (/^(?:\t| {1,2})/.exec(text)?.[0].length ?? 0));
  dispatch?.(tr.scrollIntoView());
  return true;
};

type Line = { readonly at: number; readonly text: string };

/** The lines of code that the selection is in: the last one first, so that a change moves none that follows. Null outside of code. */
function selectedLines({ selection: { $from, $to } }: Parameters<Command>[0]): Line[] | null {
  if (!$from.parent.type.spec.code || !$from.sameParent($to)) return null;
  let offset = 0;
  const lines = $from.parent.textContent.split("\n").map((text) => {
    const line = { at: $from.start() + offset, text };
    offset += text.length + 1;
    return line;
  });
  const isSelected = ({ at, text }: Line) => at + text.length >= $from.pos && (at <= $from.pos || at < $to.pos);
  return lines.filter(isSelected).toReversed();
}

/** Makes a paragraph of code by the Backspace key at its start; its lines stay. */
export const endCode: Command = (state, dispatch) => {
  const { $from, empty } = state.selection;
  const isAtStart = empty && $from.parentOffset === 0 && $from.parent.type === nodes.code_block;
  return isAtStart && setBlockType(nodes.paragraph)(state, dispatch);
};
