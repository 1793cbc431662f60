/** The dialog for links: an address, or an article of the blog that is searched for. */
import type { Node } from "prosemirror-model";
import { type Command, TextSelection } from "prosemirror-state";
import type { EditorView } from "prosemirror-view";
import { dialog, dialogForm, labelled, quietButton } from "./dialog.ts";
import { element } from "./dom.ts";
import { schema } from "./schema.ts";

/** As `GET /console/articles/links` answers. */
type FoundArticle = { readonly title: string; readonly address: string; readonly published: boolean };

const { marks } = schema;

/** How long after the last key the search begins, in milliseconds. */
const PAUSE_MS = 200;

/** Returns the command that opens the dialog. `blogOf` is the blog whose articles are searched. */
export function linkDialog(blogOf: () => string): Command {
  const parts = fields();
  const { shown, text, address, remove } = parts;
  let finish: ((href: string | null) => void) | null = null;
  parts.onDone((href) => finish?.(href));
  completing(address, parts.list, parts.told, blogOf);
  return (_, dispatch, view) => {
    if (!dispatch || !view) return true;
    const [from, to, href] = around(view);
    const selected = view.state.doc.textBetween(from, to, " ", " ");
    text.value = selected;
    address.value = href;
    text.parentElement?.toggleAttribute("hidden", from !== to);
    remove.hidden = href === "";
    finish = (given) => apply(view, from, to, given, text.value);
    parts.list.replaceChildren();
    shown.showModal();
    address.focus();
    address.select();
    return true;
  };
}

function fields() {
  const text = element("input", { id: "link-text", type: "text", autocomplete: "off" });
  const list = element("ul", { id: "link-found", role: "listbox", "aria-label": "Articles", class: "found" });
  const address = element("input", {
    id: "link-address",
    type: "text",
    role: "combobox",
    autocomplete: "off",
    required: true,
    inputmode: "url",
    "aria-controls": list.id,
    "aria-expanded": "false",
    "aria-autocomplete": "list",
  });
  const told = element("p", { role: "status", class: "hint" });
  let done: (href: string | null) => void = () => undefined;
  const remove = quietButton("Remove the link", () => {
    done(null);
    shown.close();
  });
  const form = dialogForm(
    () => done(address.value.trim()),
    labelled("Text", text),
    labelled("Address or search", address, "An address, or words of an article of this blog."),
    list,
    told,
    element(
      "div",
      { class: "actions" },
      element("button", { type: "submit" }, "Link"),
      remove,
      quietButton("Cancel", () => shown.close()),
    ),
  );
  const shown = dialog("Link", form);
  return { shown, text, address, list, told, remove, onDone: (next: typeof done) => (done = next) };
}

/** Returns the link around the cursor, or the selection, with its address. */
function around({ state }: EditorView): [number, number, string] {
  const { $from, from, to, empty } = state.selection;
  const link = marks.link.isInSet($from.marks()) ?? marks.link.isInSet($from.nodeAfter?.marks ?? []);
  const href = (link?.attrs["href"] as string | undefined) ?? "";
  if (!empty || !link) return [from, to, href];
  let [start, end] = [$from.start(), $from.start()];
  for (const child of $from.parent.children) {
    if (link.isInSet(child.marks)) end += child.nodeSize;
    else if (end < from) start = end += child.nodeSize;
    else break;
  }
  return [start, end, href];
}

function apply({ state, dispatch }: EditorView, from: number, to: number, href: string | null, text: string): void {
  const { tr } = state;
  if (href === null) {
    dispatch(tr.removeMark(from, to, marks.link));
    return;
  }
  if (href === "" || /^(javascript|data|vbscript):/i.test(href)) return;
  const link = marks.link.create({ href: withScheme(href) });
  if (from !== to) tr.removeMark(from, to, marks.link).addMark(from, to, link);
  else {
    const node: Node = schema.text(text.trim() || href, link.addToSet(state.selection.$from.marks()));
    tr.insert(from, node).setSelection(TextSelection.create(tr.doc, from + node.nodeSize));
  }
  dispatch(tr.scrollIntoView());
}

/** `example.com/a` is meant as a site. */
const withScheme = (href: string): string =>
  /^[a-z\d-]+(\.[a-z\d-]+)*\.[a-z]{2,}(\/|$)/i.test(href) ? `https://${href}` : href;

/** Shows articles below the field; the arrow keys choose one, Enter takes it (ARIA Authoring Practices, "Combobox"). */
function completing(input: HTMLInputElement, list: HTMLElement, told: HTMLElement, blogOf: () => string): void {
  let [found, chosen, timer]: [FoundArticle[], number, ReturnType<typeof setTimeout> | undefined] = [[], -1, undefined];
  const show = () => {
    input.setAttribute("aria-expanded", String(found.length > 0));
    const options = found.map(({ title, address, published }, index) => {
      const state = published ? address : `${address}, a draft`;
      const option = element(
        "li",
        { role: "option", id: `link-found-${index}`, "aria-selected": String(index === chosen) },
        title,
        " ",
        element("small", {}, state),
      );
      option.addEventListener("mousedown", (event) => {
        event.preventDefault();
        take(index);
      });
      return option;
    });
    list.replaceChildren(...options);
    if (chosen === -1) input.removeAttribute("aria-activedescendant");
    else input.setAttribute("aria-activedescendant", `link-found-${chosen}`);
  };
  const take = (index: number) => {
    input.value = found[index]?.address ?? input.value;
    [found, chosen] = [[], -1];
    show();
  };
  const ask = async () => {
    const asked = input.value.trim();
    const isAddress = /^(\/|#|\w+:)/.test(asked);
    found = asked.length < 2 || isAddress ? [] : await search(asked, blogOf());
    if (input.value.trim() !== asked) return;
    chosen = -1;
    told.textContent =
      asked.length < 2 || isAddress ? "" : `${found.length || "No"} article${found.length === 1 ? "" : "s"} found.`;
    show();
  };
  input.addEventListener("input", () => {
    clearTimeout(timer);
    timer = setTimeout(() => void ask(), PAUSE_MS);
  });
  input.addEventListener("keydown", (event) => {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (found.length === 0) return;
    if (step !== undefined) {
      chosen = (chosen + step + found.length) % found.length;
      show();
    } else if (event.key === "Enter" && chosen !== -1) take(chosen);
    else return;
    event.preventDefault();
  });
}

/** Returns articles of a blog by words. Nothing if the search fails: an address can still be entered. */
async function search(words: string, blog: string): Promise<FoundArticle[]> {
  try {
    const response = await fetch(`/console/articles/links?${new URLSearchParams({ blog, q: words })}`);
    return response.ok ? ((await response.json()) as FoundArticle[]) : [];
  } catch {
    return [];
  }
}
