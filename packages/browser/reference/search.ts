/** A search box over all operations, objects, events, errors and guides, instead of the link to their list. */
import { Combobox } from "../../editor/combobox.ts";
import { makeElement } from "../../editor/dom.ts";

/** An entry of /docs/search.json. `beside` is shown next to the title. */
type Found = readonly [title: string, beside: string, address: string];

const MOST = 12;

export function addSearch(): void {
  const link = document.querySelector("header .find");
  if (link === null) return;
  const input = makeElement("input", {
    type: "search",
    placeholder: "Search /",
    autocomplete: "off",
    spellcheck: "false",
    "aria-label": "Search the reference",
    "aria-keyshortcuts": "/",
  });
  const list = makeElement("ul", { id: "found", "aria-label": "Results" });
  const box = makeElement("div", { class: "search", role: "search" }, input, list);
  link.replaceWith(box);
  listen(box, input, list);
  addShortcut(input);
}

function listen(box: HTMLElement, input: HTMLInputElement, list: HTMLElement): void {
  let results: readonly Found[] = [];
  const combobox = new Combobox(input, list, {
    take(index) {
      combobox.toggle(false);
      input.blur();
      location.assign(results[index]?.[2] ?? "/docs");
    },
  });
  input.addEventListener("focus", () => void load());
  input.addEventListener("input", async () => {
    const index = await load();
    const asked = input.value.trim();
    results = asked === "" ? [] : search(index, asked);
    combobox.show(results.map(makeOption), 0);
    if (asked === "" || results.length > 0) return;
    list.append(makeElement("li", { class: "nothing", role: "option", "aria-disabled": "true" }, "No results."));
    combobox.toggle(true);
  });
  box.addEventListener("focusout", () => combobox.toggle(false));
}

/** Makes "/" move the focus to the search box, except while typing. */
function addShortcut(input: HTMLInputElement): void {
  document.addEventListener("keydown", (event) => {
    const isTyping =
      event.target instanceof Element && event.target.matches("input:not([type=radio]), textarea, select");
    if (event.key !== "/" || isTyping || event.ctrlKey || event.metaKey || event.altKey) return;
    event.preventDefault();
    input.focus();
    input.select();
  });
}

let loading: Promise<readonly Found[]> | undefined;

/** Loads the index once; again after a failure. */
function load(): Promise<readonly Found[]> {
  loading ??= fetch("/docs/search.json")
    .then((response) => response.json() as Promise<readonly Found[]>)
    .catch(() => {
      loading = undefined;
      return [];
    });
  return loading;
}

/** Returns the entries that have all the words, best first: a title that begins with a word ranks highest. */
function search(index: readonly Found[], asked: string): Found[] {
  const words = asked.toLowerCase().split(/\s+/).filter(Boolean);
  const scored = index.flatMap((found) => {
    const title = found[0].toLowerCase();
    const all = `${title} ${found[1]} ${found[2]}`.toLowerCase();
    if (!words.every((word) => all.includes(word))) return [];
    const score = words.reduce((sum, word) => sum + scoreWord(word, title), 0);
    return [{ found, score }];
  });
  return scored
    .toSorted((a, b) => b.score - a.score)
    .slice(0, MOST)
    .map(({ found }) => found);
}

function scoreWord(word: string, title: string): number {
  if (title === word) return 4;
  if (title.startsWith(word)) return 3;
  return title.includes(` ${word}`) ? 2 : Number(title.includes(word));
}

const makeOption = ([title, beside]: Found): HTMLLIElement =>
  makeElement("li", {}, title, makeElement("span", {}, beside));
