/** The actions of the editor, for the toolbar, the slash menu, the keys and the help. */
import {
  Asterisk,
  Bold,
  Code,
  Heading2,
  Heading3,
  Image,
  Italic,
  Link,
  List,
  ListChecks,
  ListOrdered,
  Minus,
  Quote,
  Redo2,
  SquareCode,
  Strikethrough,
  Subscript,
  Superscript,
  Table,
  Undo2,
} from "lucide-static";
import { setBlockType, toggleMark } from "prosemirror-commands";
import { redo, undo } from "prosemirror-history";
import type { Command, EditorState } from "prosemirror-state";
import {
  hasMark,
  insertFootnote,
  insertRule,
  isIn,
  toggleCode,
  toggleHeading,
  toggleList,
  toggleQuote,
} from "./commands.ts";
import { schema } from "./schema.ts";
import { insertTable } from "./tables.ts";

export type Action = {
  readonly name: string;
  readonly run: Command;
  /** As in prosemirror-keymap. */
  readonly keys?: string;
  /** Without one, the action is not in the toolbar. */
  readonly icon?: string;
  /** Whether the button is pressed. Undefined for an action without a state. */
  readonly isActive?: (state: EditorState) => boolean;
  /** More words to find it in the slash menu. Undefined: it is not in the menu. */
  readonly slash?: string;
  /** Whether the toolbar has a gap before it. */
  readonly begins?: true;
  /** Whether the toolbar shows it only behind "More tools". */
  readonly isMore?: true;
};

/** Commands that open a dialog. They depend on the page. */
export type Dialogs = { readonly link: Command; readonly image: Command };

const { nodes, marks } = schema;

export const makeActions = ({ link, image }: Dialogs): Action[] => [
  ...MARKS,
  { name: "Link", run: link, keys: "Mod-k", icon: Link, isActive: (state) => hasMark(state, marks.link), begins: true },
  { name: "Image", run: image, icon: Image, slash: "picture photo" },
  ...BLOCKS,
  { name: "Undo", run: undo, keys: "Mod-z", icon: Undo2, begins: true },
  { name: "Redo", run: redo, keys: "Mod-Shift-z", icon: Redo2 },
];

const markAction = (
  name: string,
  mark: "strong" | "em" | "strike" | "code" | "sub" | "sup",
  icon: string,
  keys: string,
): Action => ({
  name,
  run: toggleMark(marks[mark]),
  keys,
  icon,
  isActive: (state) => hasMark(state, marks[mark]),
});

const MARKS: readonly Action[] = [
  markAction("Bold", "strong", Bold, "Mod-b"),
  markAction("Italic", "em", Italic, "Mod-i"),
  { ...markAction("Strikethrough", "strike", Strikethrough, "Mod-Shift-x"), isMore: true },
  { ...markAction("Superscript", "sup", Superscript, "Mod-."), isMore: true },
  { ...markAction("Subscript", "sub", Subscript, "Mod-,"), isMore: true },
  { ...markAction("Code", "code", Code, "Mod-e"), isMore: true },
];

const heading = (level: number, icon?: string): Action => ({
  name: `Heading ${level}`,
  run: toggleHeading(level),
  keys: `Mod-Alt-${level}`,
  isActive: (state) => isIn(state, nodes.heading, { level }),
  slash: `title h${level} ${"#".repeat(level)}`,
  ...(icon !== undefined && { icon }),
});

const inList = (type: typeof nodes.bullet_list, isTask: boolean) => (state: EditorState) =>
  isIn(state, type) && isIn(state, nodes.list_item, { checked: null }) !== isTask;

const BLOCKS: readonly Action[] = [
  { name: "Text", run: setBlockType(nodes.paragraph), keys: "Mod-Alt-0", slash: "paragraph plain" },
  heading(1),
  { ...heading(2, Heading2), begins: true },
  heading(3, Heading3),
  heading(4),
  {
    name: "Bulleted list",
    run: toggleList(nodes.bullet_list),
    keys: "Mod-Shift-8",
    icon: List,
    isActive: inList(nodes.bullet_list, false),
    slash: "unordered points -",
    begins: true,
  },
  {
    name: "Numbered list",
    run: toggleList(nodes.ordered_list),
    keys: "Mod-Shift-7",
    icon: ListOrdered,
    isActive: inList(nodes.ordered_list, false),
    slash: "ordered 1.",
  },
  {
    name: "Task list",
    run: toggleList(nodes.bullet_list, true),
    keys: "Mod-Shift-9",
    icon: ListChecks,
    isActive: inList(nodes.bullet_list, true),
    slash: "todo checkbox [ ]",
    isMore: true,
  },
  {
    name: "Quote",
    run: toggleQuote,
    keys: "Mod-Shift-b",
    icon: Quote,
    isActive: (state) => isIn(state, nodes.blockquote),
    slash: "blockquote >",
  },
  {
    name: "Code block",
    run: toggleCode,
    keys: "Mod-Alt-c",
    icon: SquareCode,
    isActive: (state) => isIn(state, nodes.code_block),
    slash: "source program ```",
    isMore: true,
  },
  { name: "Table", run: insertTable, icon: Table, slash: "grid rows columns" },
  {
    name: "Footnote",
    run: insertFootnote,
    keys: "Mod-Alt-f",
    icon: Asterisk,
    slash: "note reference",
    isMore: true,
  },
  { name: "Divider", run: insertRule, icon: Minus, slash: "line rule separator ---", isMore: true },
];
