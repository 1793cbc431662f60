/** A search box over all operations, objects, events, errors and guides, instead of the link to their list. */
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
    role: "combobox",
    "aria-label": "Search the reference",
    "aria-keyshortcuts": "/",
    "aria-expanded": "false",
    "aria-autocomplete": "list",
    "aria-controls": "found",
  });
  const list = makeElement("ul", { id: "found", role: "listbox", "aria-label": "Results", hidden: true });
  const box = makeElement("div", { class: "search", role: "search" }, input, list);
  link.replaceWith(box);
  listen(box, input, list);
  addShortcut(input);
}

function listen(box: HTMLElement, input: HTMLInputElement, list: HTMLElement): void {
  let at = -1;
  const show = async () => {
    const results = input.value.trim() === "" ? [] : search(await load(), input.value);
    list.replaceChildren(...results.map(option), ...(results.length === 0 ? [nothing()] : []));
    at = results.length > 0 ? 0 : -1;
    mark();
    open(input.value.trim() !== "");
  };
  const open = (isOpen: boolean) => {
    list.hidden = !isOpen;
    input.ariaExpanded = String(isOpen);
    if (!isOpen) input.removeAttribute("aria-activedescendant");
  };
  const mark = () => {
    for (const [index, each] of options().entries()) {
      each.ariaSelected = String(index === at);
      if (index === at) {
        input.setAttribute("aria-activedescendant", each.id);
        each.scrollIntoView({ block: "nearest" });
      }
    }
  };
  const options = () => [...list.querySelectorAll<HTMLElement>("[data-address]")];
  const go = (each: HTMLElement | undefined) => {
    if (each === undefined) return;
    open(false);
    input.blur();
    location.assign(each.dataset["address"] ?? "/docs");
  };

  input.addEventListener("focus", () => void load());
  input.addEventListener("input", () => void show());
  input.addEventListener("keydown", (event) => {
    // A key of an input method, such as Enter to accept a word, is not for the list.
    if (event.isComposing) return;
    const count = options().length;
    if (event.key === "Escape") open(false);
    if (event.key === "Enter") go(options()[at]);
    if (count === 0 || !["ArrowDown", "ArrowUp"].includes(event.key)) return;
    event.preventDefault();
    open(true);
    at = (at + (event.key === "ArrowDown" ? 1 : count - 1)) % count;
    mark();
  });
  list.addEventListener("mousedown", (event) => {
    event.preventDefault();
    go((event.target as HTMLElement).closest<HTMLElement>("[data-address]") ?? undefined);
  });
  box.addEventListener("focusout", () => open(false));
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

const option = ([title, beside, address]: Found, index: number): HTMLLIElement =>
  makeElement(
    "li",
    { id: `found-${index}`, role: "option", "data-address": address },
    title,
    makeElement("span", {}, beside),
  );

const nothing = (): HTMLLIElement =>
  makeElement("li", { class: "nothing", role: "option", "aria-disabled": "true" }, "No results.");
