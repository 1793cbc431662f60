/** Reads and changes the editor's form. The text area has the content in both modes of the editor. */
import type { Advised, Place } from "../../../src/ai/generation/advice.ts";
import { enterText } from "../../editor/dom.ts";
import type { EditorHandle } from "../../editor/handle.ts";
import { insertText } from "../../editor/source.ts";
import { findField, type TextField } from "../autosave/fields.ts";

export const area = document.querySelector<HTMLTextAreaElement>("textarea#content");

/** The place for the aids in the side column, with data from the server (src/surfaces/console/articles/aids.tsx). */
export const aids = document.querySelector<HTMLElement>("[data-aids]");

/** Returns the rich editor, if another script has mounted it by now. */
export const findEditor = (): EditorHandle | undefined => document.querySelector<HTMLElement>(".rich")?.editor;

const findFormField = (name: string): TextField | null => (area?.form ? findField(area.form, name) : null);

export const getValue = (name: string): string => findFormField(name)?.value ?? "";

export function enterValue(name: string, value: string): void {
  const field = findFormField(name);
  if (field !== null) enterText(field, value);
}

export const getBlogId = (): string => aids?.dataset["blog"] || getValue("blogId");

/** Returns the locale of the text. A new article may leave it to the blog. */
export const getLocale = (): string => getValue("locale").trim() || listLocales()[0] || "en";

export const listLocales = (): string[] => [
  ...new Set((aids?.dataset["locales"] ?? "").split(" ").filter((tag) => tag !== "")),
];

export const readArticle = (): Advised => ({
  title: getValue("title"),
  description: getValue("description"),
  content: area?.value ?? "",
  locale: getLocale(),
  coverUrl: getValue("coverUrl").trim(),
  seoTitle: getValue("seoTitle"),
  seoDescription: getValue("seoDescription"),
  seoImage: getValue("seoImage").trim(),
  avoid: listAvoided(),
});

/** Returns what the style guide of the article's blog avoids. */
function listAvoided(): Advised["avoid"] {
  const byBlog = JSON.parse(aids?.dataset["avoid"] ?? "{}") as Record<string, Advised["avoid"]>;
  return byBlog[getBlogId()] ?? [];
}

export function jump({ field: name, from, to }: Place): void {
  if (name === "content" && area !== null) return from === undefined ? focusText() : jumpInText(from, to ?? from);
  const field = findFormField(name);
  const folded = field?.closest("details");
  if (folded) folded.open = true;
  field?.focus();
}

export function focusText(): void {
  const rich = findEditor();
  if (rich) rich.focus();
  else area?.focus();
}

function jumpInText(from: number, to: number): void {
  if (area === null) return;
  const rich = findEditor();
  if (rich) rich.jumpTo(area.value.slice(0, from).split("\n").length);
  else area.focus();
  if (rich?.mode !== "rich") area.setSelectionRange(from, to);
}

export function getSelectedMarkdown(): string {
  const rich = findEditor();
  if (rich) return rich.getSelection();
  return area === null ? "" : area.value.slice(area.selectionStart, area.selectionEnd);
}

/** Returns a function that replaces the current selection. A text area loses it when a dialog opens. */
export function makeReplacer(): (text: string) => void {
  const [from, to] = [area?.selectionStart ?? 0, area?.selectionEnd ?? 0];
  return (text) => {
    const rich = findEditor();
    if (rich?.mode === "rich") return rich.replaceSelection(text);
    if (area === null) return;
    area.focus();
    area.setSelectionRange(from, to);
    insertText(area, text);
  };
}

export function insertAtCursor(text: string): void {
  const rich = findEditor();
  if (rich) return rich.insertMarkdown(text);
  if (area === null) return;
  area.setSelectionRange(area.selectionEnd, area.selectionEnd);
  insertText(area, text);
}

/** Calls `work` after each change of the form, once the user pauses for `pause()` milliseconds. */
export function onPause(work: () => unknown, pause: () => number): void {
  let timer = 0;
  area?.form?.addEventListener("input", () => {
    clearTimeout(timer);
    timer = setTimeout(work, pause());
  });
}
