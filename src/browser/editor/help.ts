/** The dialog that lists the keys. */
import type { Action } from "./actions.ts";
import { dialog, quietButton } from "./dialog.ts";
import { element, keysOf } from "./dom.ts";

const MORE: readonly (readonly [string, string])[] = [
  ["Save now", "Mod-s"],
  ["Find", "Mod-f"],
  ["Focus mode", "Mod-Shift-f"],
  ["Between rich text and Markdown", "Mod-Alt-m"],
  ["Into the toolbar", "Alt-F10"],
  ["These keys", "Mod-/"],
  ["Line break within a paragraph", "Shift-Enter"],
  ["Leave a block of code", "Mod-Enter"],
  ["Indent an item, or next cell", "Tab"],
  ["Outdent an item, or previous cell", "Shift-Tab"],
];

/** Markdown that becomes what it means while it is typed. */
const TYPED: readonly (readonly [string, string])[] = [
  ["Insert anything", "/"],
  ["Heading", "## "],
  ["List", "- or 1. "],
  ["Task", "- [ ] "],
  ["Quote", "> "],
  ["Code block", "```js "],
  ["Line across", "---"],
  ["Bold, italic, code", "**bold** *italic* `code`"],
  ["Link", "[text](address)"],
];

/** Returns what opens the dialog. */
export function help(actions: readonly Action[]): () => void {
  const withKeys = actions.flatMap(({ name, keys }) => (keys === undefined ? [] : [[name, keys] as const]));
  const shown = dialog(
    "Keys of the editor",
    rows([...withKeys, ...MORE], keysOf),
    element("h3", {}, "At the start of a line, or in it"),
    rows(TYPED, (keys) => keys),
    quietButton("Close", () => shown.close()),
  );
  return () => {
    shown.showModal();
    // The focus is on the button, which is the end of a list that may be longer than the screen.
    shown.scrollTop = 0;
  };
}

const rows = (all: readonly (readonly [string, string])[], show: (keys: string) => string): HTMLElement =>
  element(
    "dl",
    { class: "rich-keys" },
    ...all.map(([name, keys]) =>
      element("div", {}, element("dt", {}, name), element("dd", {}, element("kbd", {}, show(keys)))),
    ),
  );
