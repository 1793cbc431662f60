/** The editor's form as the aids read and change it. The text area of the content is the truth in both modes of it. */
import type { Advised, Place } from "../../../src/ai/generation/advice.ts";
import { enterText } from "../../editor/dom.ts";
import type { EditorHandle } from "../../editor/handle.ts";
import { insertText } from "../../editor/source.ts";

type Field = HTMLInputElement | HTMLTextAreaElement | HTMLSelectElement;

/** The text area of the content. Null on a page without the editor. */
export const area = document.querySelector<HTMLTextAreaElement>("textarea#content");

/** The place for the aids in the column beside the text, with what the server knows (src/surfaces/console/articles/aids.tsx). */
export const aids = document.querySelector<HTMLElement>("[data-aids]");

/** Returns the rich editor, if the page has one. It is made by another script, perhaps later. */
export const editor = (): EditorHandle | undefined => document.querySelector<HTMLElement>(".rich")?.editor;

const fieldOf = (name: string): Field | null => {
  const field = area?.form?.elements.namedItem(name);
  const isField =
    field instanceof HTMLInputElement || field instanceof HTMLTextAreaElement || field instanceof HTMLSelectElement;
  return isField ? field : null;
};

/** Returns what a field of the form holds; "" if there is none. */
export const valueOf = (name: string): string => fieldOf(name)?.value ?? "";

/** Writes into a field of the form, if there is one of this name. */
export function enter(name: string, value: string): void {
  const field = fieldOf(name);
  if (field !== null) enterText(field, value);
}

export const blogId = (): string => aids?.dataset["blog"] || valueOf("blogId");

/** Returns the locale of the text. Of a new article, it may be left to the blog. */
export const locale = (): string => valueOf("locale").trim() || localesOf()[0] || "en";

/** Returns the locales of the blog. */
export const localesOf = (): string[] => [
  ...new Set((aids?.dataset["locales"] ?? "").split(" ").filter((tag) => tag !== "")),
];

/** Returns the article as it is in the form. */
export const articleNow = (): Advised => ({
  title: valueOf("title"),
  description: valueOf("description"),
  content: area?.value ?? "",
  locale: locale(),
  coverUrl: valueOf("coverUrl").trim(),
  seoTitle: valueOf("seoTitle"),
  seoDescription: valueOf("seoDescription"),
  seoImage: valueOf("seoImage").trim(),
});

/** Moves the cursor to a place of the article. */
export function jump({ field: name, from, to }: Place): void {
  if (name === "content" && area !== null) return from === undefined ? focusText() : jumpInText(from, to ?? from);
  const field = fieldOf(name);
  const folded = field?.closest("details");
  if (folded) folded.open = true;
  field?.focus();
}

/** Gives the focus back to the text. */
export function focusText(): void {
  const rich = editor();
  if (rich) rich.focus();
  else area?.focus();
}

function jumpInText(from: number, to: number): void {
  if (area === null) return;
  const rich = editor();
  if (rich) rich.jumpTo(area.value.slice(0, from).split("\n").length);
  else area.focus();
  if (rich?.mode !== "rich") area.setSelectionRange(from, to);
}

/** Returns the Markdown that is selected; "" if nothing is. */
export function selection(): string {
  const rich = editor();
  if (rich) return rich.getSelection();
  return area === null ? "" : area.value.slice(area.selectionStart, area.selectionEnd);
}

/**
 * Returns a function that puts Markdown in the place of what is selected now. A text area forgets its selection when
 * somebody selects something else, such as in a dialog.
 */
export function replacer(): (text: string) => void {
  const [from, to] = [area?.selectionStart ?? 0, area?.selectionEnd ?? 0];
  return (text) => {
    const rich = editor();
    if (rich?.mode === "rich") return rich.replaceSelection(text);
    if (area === null) return;
    area.focus();
    area.setSelectionRange(from, to);
    insertText(area, text);
  };
}

/** Inserts Markdown at the cursor. */
export function insert(text: string): void {
  const rich = editor();
  if (rich) return rich.insertMarkdown(text);
  if (area === null) return;
  area.setSelectionRange(area.selectionEnd, area.selectionEnd);
  insertText(area, text);
}

/** Calls `work` when the form has changed, once somebody pauses for so many milliseconds. */
export function onPause(work: () => void, pause: () => number): void {
  let timer = 0;
  area?.form?.addEventListener("input", () => {
    clearTimeout(timer);
    timer = setTimeout(work, pause());
  });
}
