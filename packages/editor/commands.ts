/** Commands for the toolbar, the slash menu and the keys. */
import { lift, setBlockType, wrapIn } from "prosemirror-commands";
import { Fragment, type MarkType, type Node, type NodeType, type ResolvedPos, Slice } from "prosemirror-model";
import { liftListItem, wrapInList } from "prosemirror-schema-list";
import { type Command, type EditorState, TextSelection, type Transaction } from "prosemirror-state";
import { fitSlice, isWithinTable } from "./cells.ts";
import { toCode } from "./code.ts";
import { toOneLine } from "./one-line.ts";
import { schema } from "./schema.ts";

const { nodes } = schema;

export const hasMark = ({ selection, storedMarks, doc }: EditorState, mark: MarkType): boolean =>
  selection.empty
    ? mark.isInSet(storedMarks ?? selection.$from.marks()) !== undefined
    : doc.rangeHasMark(selection.from, selection.to, mark);

export const isIn = ({ selection: { $from } }: EditorState, type: NodeType, attrs: object = {}): boolean =>
  findDepth($from, type, attrs) !== null;

function findDepth($from: ResolvedPos, type: NodeType, attrs: object = {}): number | null {
  for (let { depth } = $from; depth > 0; depth--) {
    const node = $from.node(depth);
    if (node.type === type && Object.entries(attrs).every(([name, value]) => node.attrs[name] === value)) return depth;
  }
  return null;
}

export const toggleHeading =
  (level: number): Command =>
  (state, dispatch) =>
    isIn(state, nodes.heading, { level })
      ? setBlockType(nodes.paragraph)(state, dispatch)
      : setBlockType(nodes.heading, { level })(state, dispatch);

export const toggleCode: Command = (state, dispatch) => {
  if (isIn(state, nodes.code_block)) return setBlockType(nodes.paragraph)(state, dispatch);
  if (!setBlockType(nodes.code_block)(state)) return false;
  dispatch?.(toCode(state.tr, state.selection.from, state.selection.to).scrollIntoView());
  return true;
};

export const toggleQuote: Command = (state, dispatch) =>
  isIn(state, nodes.blockquote) ? lift(state, dispatch) : wrapIn(nodes.blockquote)(state, dispatch);

/** Makes a list of the blocks, changes the kind of the list around them, or ends it. */
export const toggleList =
  (type: NodeType, isTask = false): Command =>
  (state, dispatch) => {
    const { $from } = state.selection;
    const item = findDepth($from, nodes.list_item);
    if (item === null) return wrapInList(type)(state, dispatch && ((tr) => dispatch(isTask ? asTasks(tr) : tr)));
    const list = $from.node(item - 1);
    if (list.type === type && isTask === (list.firstChild?.attrs["checked"] !== null))
      return liftListItem(nodes.list_item)(state, dispatch);
    const items = list.children.map((each) =>
      each.type.create({ ...each.attrs, checked: isTask ? (each.attrs["checked"] ?? false) : null }, each.content),
    );
    const changed = type.create({ origin: list.attrs["origin"], tight: list.attrs["tight"] }, items);
    if (!dispatch) return true;
    const { tr, selection } = state;
    tr.replaceWith($from.before(item - 1), $from.after(item - 1), changed);
    dispatch(tr.setSelection(TextSelection.create(tr.doc, selection.anchor, selection.head)));
    return true;
  };

function asTasks(tr: Transaction): Transaction {
  const depth = findDepth(tr.selection.$from, nodes.list_item);
  if (depth === null) return tr;
  const start = tr.selection.$from.start(depth - 1);
  tr.selection.$from.node(depth - 1).forEach((item, offset) => {
    tr.setNodeMarkup(start + offset, null, { ...item.attrs, checked: false });
  });
  return tr;
}

/** Inserts a divider and puts the cursor below it. */
export const insertRule: Command = (state, dispatch) => {
  if (!state.selection.$from.parent.inlineContent || isIn(state, nodes.table)) return false;
  if (dispatch) {
    const tr = state.tr.replaceSelectionWith(nodes.horizontal_rule.create());
    const end = tr.selection.to;
    if (tr.doc.resolve(end).nodeAfter === null && !tr.selection.$from.parent.isTextblock)
      tr.insert(end, nodes.paragraph.create());
    dispatch(tr.scrollIntoView());
  }
  return true;
};

/** Inserts a reference to a new footnote, and the footnote at the end of the text, where the cursor goes. */
export const insertFootnote: Command = (state, dispatch) => {
  const { selection, doc } = state;
  // Undefined references count, too: they would refer to it.
  const taken = new Set(
    Array.from(doc.textContent.matchAll(/\[\^([^\]\s]+)\]/g), ([, label = ""]) => label.toLowerCase()),
  );
  doc.descendants(({ attrs: { label } }) => void (typeof label === "string" && taken.add(label.toLowerCase())));
  let number = 1;
  while (taken.has(String(number))) number++;
  const tr = addFootnote(state, String(number), selection.to, selection.to);
  if (tr) dispatch?.(tr);
  return tr !== null;
};

/** Returns the change that adds a new footnote, with the cursor in it; null where none is allowed. */
export function addFootnote(state: EditorState, label: string, from: number, to: number): Transaction | null {
  const $from = state.doc.resolve(from);
  const isPlace = $from.parent.type === nodes.paragraph || $from.parent.type === nodes.heading;
  if (!isPlace || isIn(state, nodes.footnote_definition)) return null;
  const tr = state.tr.replaceRangeWith(from, to, nodes.footnote_reference.create({ label }));
  const end = tr.doc.content.size - (isBlankEnd(tr.doc) ? (tr.doc.lastChild?.nodeSize ?? 0) : 0);
  tr.insert(end, nodes.footnote_definition.create({ label }, nodes.paragraph.create()));
  return tr.setSelection(TextSelection.near(tr.doc.resolve(end + 2))).scrollIntoView();
}

const isBlankEnd = ({ lastChild, childCount }: Node): boolean =>
  childCount > 1 && lastChild?.type === nodes.paragraph && lastChild.content.size === 0;

export const insertBreak: Command = (state, dispatch) => {
  const { parent } = state.selection.$from;
  if (parent.type !== nodes.paragraph || isIn(state, nodes.table)) return false;
  dispatch?.(state.tr.replaceSelectionWith(nodes.hard_break.create()).scrollIntoView());
  return true;
};

/**
 * Replaces the selection by blocks, or by the content of a single paragraph. `source` is their Markdown: the spaces at
 * its ends are no part of a paragraph, but part of a line.
 */
export function insertNodes(state: EditorState, blocks: readonly Node[], source: string): Transaction {
  const [first] = blocks;
  const { tr } = state;
  const { $from } = tr.selection;
  if (blocks.length === 1 && first?.type === nodes.paragraph) {
    const [before, after] = [/^ +/, / +$/].map((spaces) => spaces.exec(source)?.[0] ?? "");
    const ends = [before, after].map((spaces) => (spaces ? Fragment.from(schema.text(spaces)) : Fragment.empty));
    const content = ends[0]?.append(first.content).append(ends[1] ?? Fragment.empty) ?? first.content;
    return tr.replaceSelection(fitSlice(new Slice(content, 0, 0), $from));
  }
  if (isWithinTable($from)) return tr.replaceSelection(new Slice(toOneLine(Fragment.from(blocks), schema), 0, 0));
  const isBlank = $from.parent.isTextblock && $from.parent.content.size === 0 && $from.depth > 0;
  if (isBlank) return tr.replaceWith($from.before(), $from.after(), Fragment.from(blocks));
  return tr.replaceRange(tr.selection.from, tr.selection.to, nodes.doc.create(null, blocks).slice(0));
}
