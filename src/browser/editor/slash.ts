/** The menu that a slash at the start of an empty block opens. */
import { Plugin, PluginKey } from "prosemirror-state";
import type { EditorView } from "prosemirror-view";
import type { Action } from "./actions.ts";
import { element } from "./dom.ts";

/** The menu's words, and which of the actions it shows is chosen. Null while it is closed. */
type Menu = { readonly query: string; readonly chosen: number; readonly from: number } | null;

const KEY = new PluginKey<Menu>("slash");

const ID = "slash-menu";

export function slashMenu(all: readonly Action[]): Plugin<Menu> {
  const actions = all.filter(({ slash }) => slash !== undefined);
  const found = (menu: Menu) => actions.filter((action) => matches(action, menu?.query ?? ""));
  const run = (view: EditorView, action: Action | undefined) => {
    const menu = KEY.getState(view.state);
    if (!menu || !action) return;
    view.dispatch(view.state.tr.delete(menu.from, view.state.selection.from));
    action.run(view.state, view.dispatch, view);
    view.focus();
  };
  return new Plugin<Menu>({
    key: KEY,
    state: {
      init: () => null,
      apply(tr, menu, _, state) {
        const told = tr.getMeta(KEY) as { chosen: number } | "close" | undefined;
        if (told === "close") return null;
        const { $from, empty } = state.selection;
        const text = $from.parent.textBetween(0, $from.parentOffset);
        const isTyped = empty && $from.parent.type.name === "paragraph" && /^\/[^/\n]{0,24}$/.test(text);
        // It opens when it is typed, and not when the cursor comes back to a slash.
        if (!isTyped || (menu === null && !(tr.docChanged && text === "/"))) return null;
        const query = text.slice(1);
        const next = { query, from: $from.start(), chosen: query === menu?.query ? menu.chosen : 0 };
        const menuNow = { ...next, chosen: told?.chosen ?? next.chosen };
        return found(menuNow).length === 0 ? null : menuNow;
      },
    },
    props: {
      handleKeyDown(view, event) {
        const menu = KEY.getState(view.state);
        if (!menu) return false;
        const shown = found(menu);
        const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
        if (step !== undefined) {
          view.dispatch(view.state.tr.setMeta(KEY, { chosen: (menu.chosen + step + shown.length) % shown.length }));
          return true;
        }
        if (event.key === "Enter" || event.key === "Tab") run(view, shown[menu.chosen]);
        else if (event.key === "Escape") view.dispatch(view.state.tr.setMeta(KEY, "close"));
        else return false;
        return true;
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
    view: (view) => popup(view, found, run),
  });
}

const matches = ({ name, slash = "" }: Action, query: string): boolean =>
  `${name} ${slash}`.toLowerCase().includes(query.toLowerCase().trim());

function popup(
  view: EditorView,
  found: (menu: Menu) => Action[],
  run: (view: EditorView, action: Action | undefined) => void,
) {
  const list = element("ul", { id: ID, class: "slash", role: "listbox", "aria-label": "Insert", hidden: true });
  view.dom.parentElement?.append(list);
  const show = (menu: NonNullable<Menu>) => {
    const options = found(menu).map((action, index) => {
      const option = element(
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
    list.style.top = `${at.bottom - around.top + 4}px`;
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
