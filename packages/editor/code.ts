/** Code blocks: what keys do in them, and turning text into code. */
import { setBlockType } from "prosemirror-commands";
import type { Attrs } from "prosemirror-model";
import type { Command, EditorState, Transaction } from "prosemirror-state";
import { schema } from "./schema.ts";

const { nodes } = schema;

/** Turns the blocks between two positions into code. Their line ends stay. */
export function toCode(tr: Transaction, from: number, to: number, attrs?: Attrs): Transaction {
  tr.doc.nodesBetween(from, to, (block, at) => {
    if (!block.isTextblock) return true;
    block.forEach(({ type }, offset) => {
      // The only break that ProseMirror converts (schema.ts).
      if (type === nodes.soft_break) tr.setNodeMarkup(at + 1 + offset, nodes.hard_break);
    });
    return false;
  });
  return tr.setBlockType(from, to, nodes.code_block, attrs);
}

/** Indents the selected lines, or inserts an indent at the cursor, as the code is indented elsewhere. */
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

/** Returns the selected lines of code, last one first: a change then does not move the others. Null outside of code. */
function selectedLines({ selection: { $from, $to } }: EditorState): Line[] | null {
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

/** Turns a code block into a paragraph when Backspace is pressed at its start. Its lines stay. */
export const endCode: Command = (state, dispatch) => {
  const { $from, empty } = state.selection;
  const isAtStart = empty && $from.parentOffset === 0 && $from.parent.type === nodes.code_block;
  return isAtStart && setBlockType(nodes.paragraph)(state, dispatch);
};
