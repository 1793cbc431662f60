/** What keys do, and what is made of typed Markdown. */
import { baseKeymap, chainCommands, exitCode, newlineInCode } from "prosemirror-commands";
import { InputRule, inputRules, textblockTypeInputRule, wrappingInputRule } from "prosemirror-inputrules";
import { keymap } from "prosemirror-keymap";
import type { Attrs, MarkType, ResolvedPos } from "prosemirror-model";
import { liftListItem, sinkListItem, splitListItemKeepMarks } from "prosemirror-schema-list";
import { type Command, NodeSelection, type Plugin, Selection } from "prosemirror-state";
import { isInTable } from "prosemirror-tables";
import type { Action } from "./actions.ts";
import { endCode, indentCode, outdentCode, toCode } from "./code.ts";
import { insertBreak, addFootnote } from "./commands.ts";
import { toSafeAddress } from "./marks.ts";
import { schema } from "./schema.ts";
import { nextCell, nextRow, previousCell } from "./tables.ts";

const { nodes, marks } = schema;

/** Splits a list item. A new task is not done yet. */
const splitItem: Command = (state, dispatch) => {
  const item = state.selection.$from.node(-1);
  const checked = item?.attrs["checked"] === null ? null : false;
  return splitListItemKeepMarks(nodes.list_item, { checked, tight: item?.attrs["tight"] })(state, dispatch);
};

/** Begins a code block when Enter is pressed after a fence, with or without a language. */
const openCode: Command = (state, dispatch) => {
  const { $from, empty } = state.selection;
  const [, language] = /^(?:```|~~~)([\w+#.-]*)$/.exec($from.parent.textContent) ?? [];
  const isBehind = empty && $from.parent.type === nodes.paragraph && $from.parentOffset === $from.parent.content.size;
  if (language === undefined || !isBehind || isInTable(state)) return false;
  const tr = state.tr.delete($from.start(), $from.end());
  dispatch?.(tr.setBlockType($from.start(), $from.start(), nodes.code_block, { language }).scrollIntoView());
  return true;
};

/** Leaves a code block when ArrowDown is pressed in its last line and nothing follows. */
const leaveCode: Command = (state, dispatch, view) => {
  const { $head, empty } = state.selection;
  if (!empty || !$head.parent.type.spec.code || !view?.endOfTextblock("down")) return false;
  return $head.after() === state.doc.content.size && exitCode(state, dispatch);
};

/** Opens the source of HTML that is selected, or in which something was found. */
const openSource: Command = ({ selection: { $from, from }, selection }, _, view) => {
  if ($from.parent.type === nodes.source_block) return toControls(view?.nodeDOM($from.before()), true);
  const isHtml = selection instanceof NodeSelection && /^(?:source_block|html_box)$/.test(selection.node.type.name);
  return isHtml && toControls(view?.nodeDOM(from), true);
};

/** Moves the focus from a card, or from HTML, to its buttons. */
const nextControl: Command = ({ selection: { $from, from } }, _, view) => {
  const places = Array.from({ length: $from.depth }, (_, index) => $from.before($from.depth - index));
  return [from, ...places].some((at) => toControls(view?.nodeDOM(at)));
};

function toControls(node: globalThis.Node | null | undefined, isPressed = false): boolean {
  if (!(node instanceof HTMLElement)) return false;
  const bar = node.classList.contains("embed") ? node.nextElementSibling : node.querySelector(":scope > .source-head");
  const control =
    bar?.querySelector<HTMLElement>("button:not([hidden])") ??
    node.querySelector<HTMLElement>(":scope > textarea:not([hidden])");
  control?.focus();
  if (isPressed && control instanceof HTMLButtonElement) control.click();
  return control != null;
}

/**
 * Tab indents list items and code, and moves through tables and to the buttons of cards. Elsewhere, it moves to the
 * next field.
 */
const keys: Record<string, Command> = {
  Enter: chainCommands(openSource, nextRow, openCode, newlineInCode, splitItem),
  "Shift-Enter": chainCommands(newlineInCode, insertBreak),
  Backspace: endCode,
  "Mod-Enter": exitCode,
  ArrowDown: leaveCode,
  Tab: chainCommands(nextCell, indentCode, sinkListItem(nodes.list_item), nextControl),
  "Shift-Tab": chainCommands(previousCell, outdentCode, liftListItem(nodes.list_item)),
  "Mod-]": sinkListItem(nodes.list_item),
  "Mod-[": liftListItem(nodes.list_item),
};

export function typing(actions: readonly Action[], more: Record<string, Command>): Plugin[] {
  const shortcuts = actions.flatMap(({ keys, run }) => (keys === undefined ? [] : [[keys, run] as const]));
  return [
    inputRules({ rules: RULES }),
    keymap({
      ...keys,
      ...Object.fromEntries(shortcuts),
      "Mod-y": actions.find(({ name }) => name === "Redo")?.run ?? (() => false),
      ...more,
    }),
    keymap(baseKeymap),
  ];
}

/** Whether a position follows a backtick that may begin code. */
const isInCode = ({ parent, parentOffset }: ResolvedPos): boolean =>
  parent.textBetween(0, parentOffset).split("`").length % 2 === 0;

/**
 * Returns a rule for marks that are typed as Markdown, such as `*text*`. Group 1 of the pattern is what precedes the
 * mark, and group 2 the text, which keeps its images and marks. `opening` is the number of characters between them.
 */
function markRule(
  pattern: RegExp,
  types: readonly MarkType[],
  opening: number,
  getAttrs: (match: RegExpMatchArray) => Attrs | null = () => null,
): InputRule {
  return new InputRule(pattern, (state, match, start, end) => {
    const [, before = "", text = ""] = match;
    const { parent } = state.doc.resolve(start);
    if (text === "" || !types.every((type) => parent.type.allowsMarkType(type))) return null;
    const from = start + before.length;
    if (!types.includes(marks.code) && isInCode(state.doc.resolve(from))) return null;
    const to = from + opening + text.length;
    const tr = state.tr.delete(to, end).delete(from, from + opening);
    for (const type of types) tr.addMark(from, from + text.length, type.create(getAttrs(match)));
    for (const type of types) tr.removeStoredMark(type);
    return tr;
  });
}

/** A typed URL becomes a link once a space follows. */
const address = new InputRule(/(^|\s)(https?:\/\/[^\s<>"']*[^\s<>"'.,;:!?)\]])(\s)$/, (state, match, start, end) => {
  const [, before = "", href = "", space = ""] = match;
  const from = start + before.length;
  if (state.doc.rangeHasMark(from, end, marks.link) || state.doc.rangeHasMark(from, end, marks.code)) return null;
  return state.tr
    .addMark(from, from + href.length, marks.link.create({ href, bare: true }))
    .insertText(space, end)
    .removeStoredMark(marks.link);
});

/** An image. If the browser should not load its URL, it stays text. */
const picture = new InputRule(
  /!\[([^\]\uFFFC]*)\]\(([^\s()\uFFFC]+)\)$/,
  (state, [, alt = "", src = ""], start, end) => {
    const $start = state.doc.resolve(start);
    if (isInCode($start) || toSafeAddress(src, /^https?:/) === null) return null;
    return state.tr.replaceWith(start, end, nodes.image.create({ src, alt }, null, $start.marks()));
  },
  { inCodeMark: false },
);

/** A reference to a footnote, or the number of a new one, as the toolbar makes it. */
const footnote = new InputRule(
  /\[\^([\w-]+)\]$/,
  (state, [, label = ""], start, end) => {
    if (isInCode(state.doc.resolve(start))) return null;
    let isThere = false;
    state.doc.descendants(({ type, attrs }) => {
      isThere ||= type === nodes.footnote_definition && sameLabel(attrs["label"] as string, label);
    });
    if (isThere) return state.tr.replaceWith(start, end, nodes.footnote_reference.create({ label }));
    return /^\d+$/.test(label) ? addFootnote(state, label, start, end) : null;
  },
  { inCodeMark: false },
);

const sameLabel = (one: string, other: string): boolean => one.toLowerCase() === other.toLowerCase();

const listRule = (
  pattern: RegExp,
  type: typeof nodes.bullet_list,
  toAttrs: (match: RegExpMatchArray) => Attrs | null,
) =>
  wrappingInputRule(
    pattern,
    type,
    toAttrs,
    (match, list) =>
      type === nodes.bullet_list || list.childCount + (list.attrs["start"] as number) === Number(match[1]),
  );

/** A fence, with or without a language, and a space. */
const fence = new InputRule(/^```([\w+#.-]*)\s$/, (state, [, language], start, end) => {
  const $start = state.doc.resolve(start);
  if (!$start.node(-1).canReplaceWith($start.index(-1), $start.indexAfter(-1), nodes.code_block)) return null;
  return toCode(state.tr.delete(start, end), start, start, { language });
});

const isStartOfItem = ($start: ResolvedPos): boolean =>
  $start.depth >= 2 && $start.node(-1).type === nodes.list_item && $start.index(-1) === 0;

/**
 * At the start of an item, list markers stay text, because Tab makes lists in lists. In a task, so do others that would
 * remove its checkbox.
 */
const marker = new InputRule(
  /^(?:[-*+]|\d{1,9}[.)]|(#{1,6}|>|```[\w+#.-]*))\s$/,
  (state, [text, ofBlock], start, end) => {
    const $start = state.doc.resolve(start);
    const isText = isStartOfItem($start) && (ofBlock === undefined || $start.node(-1).attrs["checked"] !== null);
    return isText ? state.tr.insertText(text.slice(-1), end) : null;
  },
);

/** `[ ] ` at the start of an item makes it a task. */
const task = new InputRule(/^\[([ xX])\]\s$/, (state, match, start, end) => {
  const $start = state.doc.resolve(start);
  if (!isStartOfItem($start)) return null;
  const item = $start.node(-1);
  return state.tr
    .delete(start, end)
    .setNodeMarkup($start.before(-1), null, { ...item.attrs, checked: match[1] !== " " });
});

/** Three dashes alone in their line. After asterisks, a space: they also begin bold text. */
const rule = new InputRule(/^(?:---|(?:\*\*\*|___)\s)$/, (state, _, start) => {
  const $start = state.doc.resolve(start);
  if ($start.parent.type !== nodes.paragraph || isInTable(state)) return null;
  const line = nodes.horizontal_rule.create();
  const tr = state.tr.replaceWith($start.before(), $start.after(), [line, nodes.paragraph.create()]);
  return tr.setSelection(Selection.near(tr.doc.resolve($start.before() + line.nodeSize + 1)));
});

const RULES: readonly InputRule[] = [
  marker,
  textblockTypeInputRule(/^(#{1,6})\s$/, nodes.heading, (match) => ({ level: match[1]?.length })),
  fence,
  wrappingInputRule(/^>\s$/, nodes.blockquote),
  listRule(/^([-*+])\s$/, nodes.bullet_list, () => null),
  listRule(/^(\d{1,9})[.)]\s$/, nodes.ordered_list, (match) => ({ start: Number(match[1]) })),
  task,
  rule,
  address,
  picture,
  footnote,
  markRule(/(^|[^*])\*{3}([^*\s](?:[^*]*[^*\s])?)\*{3}$/, [marks.strong, marks.em], 3),
  markRule(/(^|[^\w_])_{3}([^_\s](?:[^_]*[^_\s])?)_{3}$/, [marks.strong, marks.em], 3),
  markRule(/(^|[^*])\*\*([^*\s](?:[^*]*[^*\s])?)\*\*$/, [marks.strong], 2),
  markRule(/(^|[^\w_])__([^_\s](?:[^_]*[^_\s])?)__$/, [marks.strong], 2),
  markRule(/(^|[^*])\*([^*\s](?:[^*]*[^*\s])?)\*$/, [marks.em], 1),
  markRule(/(^|[^\w_])_([^_\s](?:[^_]*[^_\s])?)_$/, [marks.em], 1),
  markRule(/(^|[^~])~~([^~\s](?:[^~]*[^~\s])?)~~$/, [marks.strike], 2),
  markRule(/(^|[^`])`([^`]+)`$/, [marks.code], 1),
  markRule(/(^|[^!])\[([^\]]+)\]\(([^\s)]+)\)$/, [marks.link], 1, (match) => ({ href: match[3] })),
];
