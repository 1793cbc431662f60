/** The dialog that lists the shortcuts. */
import type { Action } from "./actions.ts";
import { addDialog } from "./dialog.ts";
import { makeElement, formatKeys, makeButton } from "./dom.ts";

const MORE: readonly (readonly [string, string])[] = [
  ["Save now", "Mod-s"],
  ["Find and replace", "Mod-f"],
  ["Focus mode", "Mod-Shift-f"],
  ["Rich text or Markdown", "Mod-Alt-m"],
  ["Go to the toolbar", "Alt-F10"],
  ["Keyboard shortcuts", "Mod-/"],
  ["Line break within a paragraph", "Shift-Enter"],
  ["Leave a code block", "Mod-Enter"],
  ["Indent a list item, or next cell", "Tab"],
  ["Outdent a list item, or previous cell", "Shift-Tab"],
];

const TYPED: readonly (readonly [string, string])[] = [
  ["Insert a block", "/"],
  ["Heading", "## "],
  ["List", "- or 1. "],
  ["Task", "- [ ] "],
  ["Quote", "> "],
  ["Code block", "```js "],
  ["Divider", "---"],
  ["Bold, italic, code", "**bold** *italic* `code`"],
  ["Link", "[text](url)"],
];

/** Adds the dialog. Returns the function that opens it. */
export function addHelp(actions: readonly Action[]): () => void {
  const withKeys = actions.flatMap(({ name, keys }) => (keys === undefined ? [] : [[name, keys] as const]));
  const shown = addDialog(
    "Keyboard shortcuts",
    rows([...withKeys, ...MORE], formatKeys),
    makeElement("h3", {}, "Markdown shortcuts"),
    rows(TYPED, (keys) => keys),
    makeButton("Close", () => shown.close()),
  );
  return () => {
    shown.showModal();
    // The focus is on the button at the end, so a long list opens scrolled down.
    shown.scrollTop = 0;
  };
}

const rows = (all: readonly (readonly [string, string])[], show: (keys: string) => string): HTMLElement =>
  makeElement(
    "dl",
    { class: "rich-keys" },
    ...all.map(([name, keys]) =>
      makeElement("div", {}, makeElement("dt", {}, name), makeElement("dd", {}, makeElement("kbd", {}, show(keys)))),
    ),
  );
