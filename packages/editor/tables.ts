/** Commands for tables as in GitHub's Markdown, with a header row and aligned columns. */
import type { Slice } from "prosemirror-model";
import { type Command, TextSelection, type Transaction } from "prosemirror-state";
import {
  addColumnAfter,
  addColumnBefore,
  addRowAfter,
  addRowBefore,
  deleteColumn,
  deleteRow,
  deleteTable,
  goToNextCell,
  handlePaste,
  isInTable,
  selectedRect,
} from "prosemirror-tables";
import type { EditorView } from "prosemirror-view";
import { schema } from "./schema.ts";

const { nodes } = schema;

/** Inserts a table with a header, one row and two columns. */
export const insertTable: Command = (state, dispatch) => {
  if (isInTable(state)) return false;
  const row = (type: typeof nodes.table_cell) =>
    nodes.table_row.create(
      null,
      [0, 1].map(() => type.create(null, nodes.paragraph.create())),
    );
  const table = nodes.table.create(null, [row(nodes.table_header), row(nodes.table_cell)]);
  if (dispatch) {
    const tr = state.tr.replaceSelectionWith(table);
    const at = tr.mapping.map(state.selection.from, -1);
    tr.setSelection(TextSelection.near(tr.doc.resolve(Math.max(0, at - 1)), 1));
    tr.doc.nodesBetween(Math.max(0, at - 2), Math.min(tr.doc.content.size, at + 3), (node, position) => {
      if (node.type === nodes.table) tr.setSelection(TextSelection.near(tr.doc.resolve(position + 1), 1));
      return node.type !== nodes.table;
    });
    dispatch(tr.scrollIntoView());
  }
  return true;
};

const belowHead =
  (command: Command): Command =>
  (state, dispatch, view) =>
    isInTable(state) && selectedRect(state).top > 0 && command(state, dispatch, view);

const align =
  (side: "left" | "center" | "right"): Command =>
  (state, dispatch) => {
    if (!isInTable(state)) return false;
    const { map, left, right, tableStart, table } = selectedRect(state);
    if (!dispatch) return true;
    const { tr } = state;
    for (const cell of map.cellsInRect({ left, right, top: 0, bottom: map.height }))
      tr.setNodeMarkup(tableStart + cell, null, { ...table.nodeAt(cell)?.attrs, align: side });
    dispatch(tr);
    return true;
  };

/** Makes a command that adds a row align its cells. */
const addRow =
  (command: Command): Command =>
  (state, dispatch, view) =>
    isInTable(state) && command(state, dispatch && ((tr) => dispatch(aligned(tr))), view);

/** Gives all cells the alignment of their column and the type of their row. `former` is the alignment before. */
function aligned(tr: Transaction, former: readonly unknown[] = []): Transaction {
  const { $from } = tr.selection;
  for (let { depth } = $from; depth > 0; depth--) {
    const table = $from.node(depth);
    if (table.type !== nodes.table) continue;
    const head = table.firstChild;
    table.descendants((cell, at, row, index) => {
      const align = former[index] ?? head?.maybeChild(index)?.attrs["align"];
      const type = row === head ? nodes.table_header : nodes.table_cell;
      if (row?.type === nodes.table_row) tr.setNodeMarkup($from.start(depth) + at, type, { ...cell.attrs, align });
      return row === table || cell.type === nodes.table_row;
    });
  }
  return tr;
}

/** Pastes cells into the table, from the cursor on. Returns whether it did. */
export function fillCells(view: EditorView, slice: Slice): boolean {
  const { state } = view;
  if (!isInTable(state)) return false;
  const former = selectedRect(state).table.firstChild?.children.map(({ attrs }) => attrs["align"] as unknown);
  const dispatch = (tr: Transaction) => view.dispatch(aligned(tr, former).scrollIntoView());
  return handlePaste({ state, dispatch } as EditorView, new ClipboardEvent("paste"), slice);
}

/** Moves to the cell below; from the last row, below the table. */
export const nextRow: Command = (state, dispatch) => {
  if (!isInTable(state)) return false;
  const { map, bottom, left, tableStart, table } = selectedRect(state);
  if (!dispatch) return true;
  if (bottom < map.height) {
    const cell = map.map[bottom * map.width + left] ?? 0;
    dispatch(state.tr.setSelection(TextSelection.near(state.doc.resolve(tableStart + cell + 1))).scrollIntoView());
    return true;
  }
  const end = tableStart + table.content.size + 1;
  const { tr } = state;
  if (state.doc.resolve(end).nodeAfter?.type !== nodes.paragraph) tr.insert(end, nodes.paragraph.create());
  dispatch(tr.setSelection(TextSelection.near(tr.doc.resolve(end + 1))).scrollIntoView());
  return true;
};

/** Moves to the next cell; from the last one, into a new row. */
export const nextCell: Command = (state, dispatch, view) => {
  if (goToNextCell(1)(state, dispatch)) return true;
  if (!isInTable(state) || !addRow(addRowAfter)(state, dispatch)) return false;
  return view ? goToNextCell(1)(view.state, dispatch) : true;
};

export const previousCell: Command = goToNextCell(-1);

export const TABLE_COMMANDS = {
  "Insert row above": belowHead(addRow(addRowBefore)),
  "Insert row below": addRow(addRowAfter),
  "Delete row": belowHead(deleteRow),
  "Insert column before": addColumnBefore,
  "Insert column after": addColumnAfter,
  "Delete column": deleteColumn,
  "Align left": align("left"),
  "Align center": align("center"),
  "Align right": align("right"),
  "Delete table": deleteTable,
} satisfies Record<string, Command>;
