/** Finding in the text, and replacing what was found. */
import { ChevronDown, ChevronUp, X } from "lucide-static";
import {
  findNext,
  findPrev,
  getMatchHighlights,
  replaceAll,
  replaceNext,
  SearchQuery,
  setSearchState,
} from "prosemirror-search";
import { type Command, Selection } from "prosemirror-state";
import type { EditorView } from "prosemirror-view";
import { element, icon, keepFromForm } from "./dom.ts";

export type Find = { readonly root: HTMLElement; readonly open: () => void; readonly update: () => void };

const button = (name: string, content: string | Element, run: () => void) => {
  const made = element(
    "button",
    { type: "button", class: "quiet", ...(typeof content === "string" ? {} : { "aria-label": name, title: name }) },
    content,
  );
  made.addEventListener("click", run);
  return made;
};

/** The bar of the search, hidden until it is opened. */
export function findBar(view: () => EditorView | null): Find {
  const wanted = element("input", { type: "search", "aria-label": "Find", placeholder: "Find" });
  const other = element("input", { type: "text", "aria-label": "Replace by", placeholder: "Replace by" });
  const found = element("span", { role: "status", class: "hint" });
  const run = (command: Command) => {
    const rich = view();
    if (rich) command(rich.state, rich.dispatch, rich);
    update();
  };
  const close = () => {
    root.hidden = true;
    const rich = view();
    rich?.dispatch(setSearchState(rich.state.tr, new SearchQuery({ search: "" })));
    rich?.focus();
  };
  const root = element(
    "div",
    { class: "find", role: "search", "aria-label": "Find in the text", hidden: true },
    wanted,
    button("Previous", icon(ChevronUp), () => run(findPrev)),
    button("Next", icon(ChevronDown), () => run(findNext)),
    found,
    other,
    button("Replace", "Replace", () => run(replaceNext)),
    button("Replace all", "Replace all", () => run(replaceAll)),
    button("Close", icon(X), close),
  );
  const update = () => {
    const rich = view();
    if (root.hidden || !rich) return;
    const matches = getMatchHighlights(rich.state).find();
    const { from, to } = rich.state.selection;
    const at = matches.findIndex((match) => match.from === from && match.to === to);
    const text =
      matches.length === 0 ? "Nothing found" : at === -1 ? `${matches.length} found` : `${at + 1} of ${matches.length}`;
    const shown = wanted.value === "" ? "" : text;
    if (found.textContent !== shown) found.textContent = shown;
  };
  const search = () => {
    const rich = view();
    rich?.dispatch(
      setSearchState(rich.state.tr, new SearchQuery({ search: wanted.value, replace: other.value, literal: true })),
    );
    update();
  };
  for (const field of [wanted, other]) field.addEventListener("input", search);
  keepFromForm(root);
  root.addEventListener("keydown", (event) => {
    if (event.key === "Escape") close();
    else if (event.key === "Enter" && event.target === wanted) run(event.shiftKey ? findPrev : findNext);
    else if (event.key === "Enter" && event.target === other) run(replaceNext);
    else return;
    event.preventDefault();
  });
  const open = () => {
    const rich = view();
    if (!rich) return;
    root.hidden = false;
    const { from, to } = rich.state.selection;
    const selected = rich.state.doc.textBetween(from, to, "\n");
    if (selected !== "" && !selected.includes("\n") && selected.length < 100) wanted.value = selected;
    // From here on, the next match is the first one after the cursor.
    else rich.dispatch(rich.state.tr.setSelection(Selection.near(rich.state.selection.$from)));
    search();
    wanted.focus();
    wanted.select();
  };
  return { root, open, update };
}
