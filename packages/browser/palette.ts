/**
 * The palette: a dialog with a combobox (ARIA Authoring Practices) that leads to any article, blog, page or action.
 * browser/console.ts loads it on first use. Without scripts, /console/search does the same.
 */
import type { SearchResult } from "../../src/surfaces/console/search/result.ts";

/** How long after the last key the search begins, in milliseconds. */
const PAUSE_MS = 200;

const dialog = document.createElement("dialog");
dialog.className = "palette";
dialog.setAttribute("aria-label", "Go to an article, blog, page or action");

const input = document.createElement("input");
input.type = "text";
input.placeholder = "Go to…";
input.autocomplete = "off";
input.spellcheck = false;
for (const [name, value] of Object.entries({
  role: "combobox",
  "aria-label": "Go to an article, blog, page or action",
  "aria-autocomplete": "list",
  "aria-expanded": "true",
  "aria-controls": "palette-list",
})) {
  input.setAttribute(name, value);
}

const list = document.createElement("ul");
list.id = "palette-list";
list.setAttribute("role", "listbox");
list.setAttribute("aria-label", "Results");

const status = document.createElement("p");
status.className = "hint";
status.setAttribute("role", "status");

dialog.append(input, list, status);
document.body.append(dialog);

let paths: readonly string[] = [];
let active = 0;
let timer: ReturnType<typeof setTimeout> | undefined;
/** Counts requests, so that a late answer to an earlier one is ignored. */
let asked = 0;
/** The text whose results are shown; null while a request is pending. */
let shownFor: string | null = null;
/** Whether to open the first result as soon as it arrives, because Enter was pressed before. */
let isEager = false;

/** Opens the palette, or closes it if it is open. */
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
  list.replaceChildren(...results.map(optionOf));
  activate(0);
  const count = results.length === 1 ? "1 result" : `${results.length} results`;
  status.textContent = note === "" ? (results.length === 0 ? "No results." : count) : note;
  if (isEager) go(0);
  isEager = false;
}

function optionOf({ kind, label, hint }: SearchResult, index: number): HTMLLIElement {
  const option = document.createElement("li");
  option.id = `palette-${index}`;
  option.setAttribute("role", "option");
  const [name, about] = [document.createElement("span"), document.createElement("small")];
  name.textContent = label;
  about.textContent = hint === "" ? kind : `${kind} · ${hint}`;
  option.append(name, " ", about);
  option.addEventListener("click", () => go(index));
  option.addEventListener("pointermove", () => activate(index));
  return option;
}

function activate(index: number): void {
  active = index;
  const options = [...list.children];
  for (const [at, option] of options.entries()) option.setAttribute("aria-selected", String(at === index));
  const chosen = options[index];
  if (chosen === undefined) input.removeAttribute("aria-activedescendant");
  else input.setAttribute("aria-activedescendant", chosen.id);
  chosen?.scrollIntoView({ block: "nearest" });
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

input.addEventListener("keydown", (event) => {
  const { length } = paths;
  const moves: Readonly<Record<string, number>> = {
    ArrowDown: (active + 1) % Math.max(length, 1),
    ArrowUp: (active - 1 + length) % Math.max(length, 1),
  };
  const to = moves[event.key];
  if (to !== undefined) {
    event.preventDefault();
    activate(to);
  } else if (event.key === "Enter" && !event.isComposing) {
    event.preventDefault();
    if (shownFor === input.value) go(active);
    else {
      isEager = true;
      void ask();
    }
  }
});

// A click on the backdrop closes the dialog. It targets the dialog itself.
dialog.addEventListener("click", (event) => {
  if (event.target === dialog) dialog.close();
});
