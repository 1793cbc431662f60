/** Find and replace. */
import { ChevronDown, ChevronUp, X } from "lucide-static";
import {
  findNext,
  findPrev,
  getMatchHighlights,
  replaceAll,
  replaceNext,
  SearchQuery,
  type SearchResult,
  setSearchState,
} from "prosemirror-search";
import { Fragment, Slice } from "prosemirror-model";
import { type Command, type EditorState, Selection } from "prosemirror-state";
import type { EditorView } from "prosemirror-view";
import { makeElement, makeIcon, keepFromForm, makeButton } from "./dom.ts";

/** The longest selection that becomes the search text, in characters. */
const LONGEST = 100;

/** Replaces by the text as it is. The package's own class takes "$10" for a group of the match, even if it has none. */
class LiteralQuery extends SearchQuery {
  override getReplacements({ doc, schema }: EditorState, { from, to }: SearchResult) {
    const marks = doc.resolve(from).marksAcross(doc.resolve(to));
    const text = this.replace === "" ? Fragment.empty : Fragment.from(schema.text(this.replace, marks));
    return [{ from, to, insert: new Slice(text, 0, 0) }];
  }
}

export class FindBar {
  readonly root: HTMLElement;
  readonly #view: () => EditorView | null;
  readonly #wanted = makeElement("input", { type: "search", "aria-label": "Find", placeholder: "Find" });
  readonly #other = makeElement("input", { type: "text", "aria-label": "Replace with", placeholder: "Replace with" });
  readonly #found = makeElement("span", { role: "status", class: "hint" });

  /** `view` returns null in the source mode. */
  constructor(view: () => EditorView | null) {
    this.#view = view;
    this.root = makeElement(
      "div",
      { class: "rich-find", role: "search", "aria-label": "Find and replace", hidden: true },
      this.#wanted,
      iconButton("Previous", ChevronUp, () => this.#run(findPrev)),
      iconButton("Next", ChevronDown, () => this.#run(findNext)),
      this.#found,
      this.#other,
      makeButton("Replace", () => this.#run(replaceNext)),
      makeButton("Replace all", () => this.#run(replaceAll)),
      iconButton("Close", X, () => this.#close()),
    );
    for (const field of [this.#wanted, this.#other]) field.addEventListener("input", () => this.#search());
    keepFromForm(this.root);
    this.root.addEventListener("keydown", (event) => this.#onKey(event));
  }

  open(): void {
    const view = this.#view();
    if (!view) return;
    this.root.hidden = false;
    const { from, to, $from } = view.state.selection;
    const selected = view.state.doc.textBetween(from, to, "\n");
    if (selected !== "" && !selected.includes("\n") && selected.length < LONGEST) this.#wanted.value = selected;
    // The next match is then the first one after the cursor.
    else view.dispatch(view.state.tr.setSelection(Selection.near($from)));
    this.#search();
    this.#wanted.focus();
    this.#wanted.select();
  }

  /** Shows which match is selected, and how many there are. */
  update(): void {
    const view = this.#view();
    if (this.root.hidden || !view) return;
    const matches = getMatchHighlights(view.state).find();
    const { from, to } = view.state.selection;
    const at = matches.findIndex((match) => match.from === from && match.to === to);
    const count = at === -1 ? `${matches.length} found` : `${at + 1} of ${matches.length}`;
    const told = matches.length === 0 ? "No results" : count;
    const shown = this.#wanted.value === "" ? "" : told;
    if (this.#found.textContent !== shown) this.#found.textContent = shown;
  }

  #search(): void {
    const view = this.#view();
    const query = new LiteralQuery({ search: this.#wanted.value, replace: this.#other.value, literal: true });
    view?.dispatch(setSearchState(view.state.tr, query));
    this.update();
  }

  #run(command: Command): void {
    const view = this.#view();
    if (view) command(view.state, view.dispatch, view);
    this.update();
  }

  #close(): void {
    this.root.hidden = true;
    const view = this.#view();
    view?.dispatch(setSearchState(view.state.tr, new SearchQuery({ search: "" })));
    view?.focus();
  }

  #onKey(event: KeyboardEvent): void {
    // A key of an input method, such as Enter to accept a word, is not for the bar.
    if (event.isComposing) return;
    if (event.key === "Escape") this.#close();
    else if (event.key === "Enter" && event.target === this.#wanted) this.#run(event.shiftKey ? findPrev : findNext);
    else if (event.key === "Enter" && event.target === this.#other) this.#run(replaceNext);
    else return;
    event.preventDefault();
  }
}

const iconButton = (name: string, source: string, run: () => void): HTMLButtonElement =>
  Object.assign(makeButton(makeIcon(source), run), { ariaLabel: name, title: name });
