/**
 * The palette: a dialog with a combobox that leads to any article, blog, page or action.
 * browser/console.ts loads it on first use. Without scripts, /console/search does the same.
 */
import type { SearchResult } from "../../src/surfaces/console/search/result.ts";
import { Combobox } from "../editor/combobox.ts";
import { makeElement } from "../editor/dom.ts";

/** How long after the last key the search begins, in milliseconds. */
const PAUSE_MS = 200;

const NAME = "Go to an article, blog, page or action";
const input = makeElement("input", {
  type: "text",
  placeholder: "Go to…",
  autocomplete: "off",
  spellcheck: "false",
  "aria-label": NAME,
});
const list = makeElement("ul", { id: "palette-list", "aria-label": "Results" });
const status = makeElement("p", { class: "hint", role: "status" });
const dialog = makeElement("dialog", { class: "palette", "aria-label": NAME }, input, list, status);
document.body.append(dialog);

let paths: readonly string[] = [];
let timer: ReturnType<typeof setTimeout> | undefined;
/** Counts requests, so that a late answer to an earlier one is ignored. */
let asked = 0;
/** The text whose results are shown; null while a request is pending. */
let shownFor: string | null = null;
/** Whether to open the first result as soon as it arrives, because Enter was pressed before. */
let isEager = false;

export function togglePalette(): void {
  isEager = false;
  if (dialog.open) return dialog.close();
  dialog.showModal();
  input.select();
  void ask();
}

async function ask(): Promise<void> {
  clearTimeout(timer);
  const number = ++asked;
  const text = input.value;
  shownFor = null;
  try {
    const response = await fetch(`/console/search/results?q=${encodeURIComponent(text)}`, {
      headers: { Accept: "application/json" },
      redirect: "error",
    });
    if (!response.ok) throw new Error(String(response.status));
    const { results, note } = (await response.json()) as { results: SearchResult[]; note: string };
    if (number === asked) show(text, results, note);
  } catch {
    if (number === asked) show(text, [], "Search is not available. Check your connection, or sign in again.");
  }
}

function show(text: string, results: readonly SearchResult[], note: string): void {
  shownFor = text;
  paths = results.map(({ path }) => path);
  combobox.show(results.map(makeOption), 0);
  const count = results.length === 1 ? "1 result" : `${results.length} results`;
  status.textContent = note === "" ? (results.length === 0 ? "No results." : count) : note;
  if (isEager) go(0);
  isEager = false;
}

function makeOption({ kind, label, hint }: SearchResult, index: number): HTMLLIElement {
  const about = makeElement("small", {}, hint === "" ? kind : `${kind} · ${hint}`);
  const option = makeElement("li", {}, makeElement("span", {}, label), " ", about);
  option.addEventListener("pointermove", () => combobox.choose(index));
  return option;
}

function go(index: number): void {
  const path = paths[index];
  if (path !== undefined) location.assign(path);
}

input.addEventListener("input", () => {
  clearTimeout(timer);
  isEager = false;
  timer = setTimeout(() => void ask(), PAUSE_MS);
});

// Enter before the answer means what was typed, so the combobox does not get it.
input.addEventListener("keydown", (event) => {
  if (event.key !== "Enter" || event.isComposing || shownFor === input.value) return;
  event.stopImmediatePropagation();
  isEager = true;
  void ask();
});

const combobox = new Combobox(input, list, { take: go, isLasting: true });

// A click on the backdrop closes the dialog. It targets the dialog itself.
dialog.addEventListener("click", (event) => {
  if (event.target === dialog) dialog.close();
});
