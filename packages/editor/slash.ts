/** The menu that a slash opens at the start of an empty block. */
import { type EditorState, Plugin, PluginKey, type Transaction } from "prosemirror-state";
import type { EditorView } from "prosemirror-view";
import type { Action } from "./actions.ts";
import { makeElement } from "./dom.ts";

/** The typed words, and the index of the chosen action. Null while it is closed. */
type Menu = { readonly query: string; readonly chosen: number; readonly from: number } | null;

const KEY = new PluginKey<Menu>("slash");

const ID = "slash-menu";

export function slashMenu(all: readonly Action[]): Plugin<Menu> {
  const actions = all.filter(({ slash }) => slash !== undefined);
  const found: Found = (menu) => actions.filter((action) => matches(action, menu.query));
  return new Plugin<Menu>({
    key: KEY,
    state: {
      init: () => null,
      apply(tr, menu, before, state) {
        const next = menuAfter(tr, menu, before, state);
        return next && found(next).length > 0 ? next : null;
      },
    },
    props: {
      handleKeyDown(view, event) {
        const menu = KEY.getState(view.state);
        return menu ? onKey(view, event.key, menu, found(menu)) : false;
      },
      handleDOMEvents: {
        blur(view) {
          if (KEY.getState(view.state)) view.dispatch(view.state.tr.setMeta(KEY, "close"));
          return false;
        },
      },
      attributes: (state): Record<string, string> => {
        const menu = KEY.getState(state);
        return menu ? { "aria-controls": ID, "aria-activedescendant": `${ID}-${menu.chosen}` } : {};
      },
    },
    view: (view) => popup(view, found),
  });
}

type Found = (menu: NonNullable<Menu>) => Action[];

function menuAfter(tr: Transaction, menu: Menu, before: EditorState, { selection }: EditorState): Menu {
  const told = tr.getMeta(KEY) as { readonly chosen: number } | "close" | undefined;
  if (told === "close") return null;
  const text = textBefore(selection);
  const isTyped = selection.empty && selection.$from.parent.type.name === "paragraph" && /^\/[^/\n]{0,24}$/.test(text);
  // It opens when a slash is typed, not when the cursor returns to one. On a slow machine, a change may have more than
  // the slash.
  const isNew = tr.docChanged && tr.getMeta("paste") === undefined && textBefore(before.selection) === "";
  if (!isTyped || (menu === null && !isNew)) return null;
  const query = text.slice(1);
  const chosen = told?.chosen ?? (query === menu?.query ? menu.chosen : 0);
  return { query, from: selection.$from.start(), chosen };
}

const textBefore = ({ $from }: EditorState["selection"]): string =>
  $from.parent.isTextblock ? $from.parent.textBetween(0, $from.parentOffset) : "";

function onKey(view: EditorView, key: string, { chosen }: NonNullable<Menu>, shown: readonly Action[]): boolean {
  const step = { ArrowDown: 1, ArrowUp: -1 }[key];
  if (step !== undefined)
    view.dispatch(view.state.tr.setMeta(KEY, { chosen: (chosen + step + shown.length) % shown.length }));
  else if (key === "Enter" || key === "Tab") run(view, shown[chosen]);
  else if (key === "Escape") view.dispatch(view.state.tr.setMeta(KEY, "close"));
  else return false;
  return true;
}

function run(view: EditorView, action: Action | undefined): void {
  const menu = KEY.getState(view.state);
  if (!menu || !action) return;
  view.dispatch(view.state.tr.delete(menu.from, view.state.selection.from));
  action.run(view.state, view.dispatch, view);
  view.focus();
}

const matches = ({ name, slash = "" }: Action, query: string): boolean =>
  `${name} ${slash}`.toLowerCase().includes(query.toLowerCase().trim());

/** Returns where the visible part of the window ends, in pixels: above the form's buttons. */
function getVisibleBottom(view: EditorView): number {
  const bar = view.dom.closest("form")?.querySelector(".actions.bottom")?.getBoundingClientRect().top ?? innerHeight;
  return Math.min(bar, innerHeight);
}

function popup(view: EditorView, found: Found) {
  const list = makeElement("ul", {
    id: ID,
    class: "rich-slash",
    role: "listbox",
    "aria-label": "Insert",
    hidden: true,
  });
  view.dom.parentElement?.append(list);
  const show = (menu: NonNullable<Menu>) => {
    const options = found(menu).map((action, index) => {
      const option = makeElement(
        "li",
        { id: `${ID}-${index}`, role: "option", "aria-selected": String(index === menu.chosen) },
        action.name,
      );
      option.addEventListener("mousedown", (event) => {
        event.preventDefault();
        run(view, action);
      });
      return option;
    });
    list.replaceChildren(...options);
    options[menu.chosen]?.scrollIntoView({ block: "nearest" });
    const at = view.coordsAtPos(menu.from);
    const around = (list.offsetParent ?? document.body).getBoundingClientRect();
    // Above the line if there is no room below it.
    const isBelow = at.bottom + list.offsetHeight < getVisibleBottom(view) || at.top < list.offsetHeight;
    list.style.top = `${(isBelow ? at.bottom + 4 : at.top - list.offsetHeight - 4) - around.top}px`;
    list.style.left = `${Math.max(0, Math.min(at.left - around.left, around.width - list.offsetWidth))}px`;
  };
  return {
    update() {
      const menu = KEY.getState(view.state) ?? null;
      list.hidden = menu === null;
      if (menu) show(menu);
    },
    destroy: () => list.remove(),
  };
}
