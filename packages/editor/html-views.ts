/** HTML as readers see it, with a button for its source. HTML without visible content is shown as source. */
import { NodeSelection, Plugin } from "prosemirror-state";
import type { EditorView, NodeView, NodeViewConstructor } from "prosemirror-view";
import { makeElement, makeButton } from "./dom.ts";
import type { EditorOptions, Renderer } from "./handle.ts";
import { schema } from "./schema.ts";

/** Renders HTML. It is loaded with the first HTML. Until then, and if that fails, the source is shown. */
let reading: Renderer | null = null;
let loadRenderer: EditorOptions["loadRenderer"] | undefined;

export const setRenderer = (load: EditorOptions["loadRenderer"]): void => void (loadRenderer = load);

async function load(view: EditorView, show: () => void): Promise<void> {
  if (reading !== null) return;
  reading = (await loadRenderer?.().catch(() => null)) ?? null;
  if (reading === null || view.isDestroyed) return;
  show();
  // Moving the content has removed the cursor.
  if (view.hasFocus()) view.focus();
}

/** Returns HTML as readers see it; null if nothing is visible. Its links are disabled. */
function renderHtml(html: string, { dom }: EditorView): Element | null {
  const read = reading?.renderMarkdown(html, dom.lang) ?? null;
  read?.addEventListener("click", (event) => {
    if (event.target instanceof Element && event.target.closest("a")) event.preventDefault();
  });
  return read?.hasChildNodes() === true ? read : null;
}

type Parts = {
  readonly view: EditorView;
  readonly getPos: () => number | undefined;
  readonly kind: string;
  readonly show: () => void;
};

/** Returns the line above: what it is, and the button that opens and closes the source. */
function head({ view, getPos, kind, show }: Parts) {
  const name = makeElement("span", { class: "kind" }, kind);
  const button = makeButton("", () => open(!state.isOpen));
  const root = makeElement("div", { class: "source-head", contenteditable: "false" }, name, button);
  const fields: HTMLTextAreaElement[] = [];
  const open = (isOpen: boolean) => {
    state.isOpen = isOpen;
    show();
    if (isOpen) return fields[0]?.focus();
    const at = getPos();
    if (at !== undefined) view.dispatch(view.state.tr.setSelection(NodeSelection.create(view.state.doc, at)));
    view.focus();
  };
  const state = {
    root,
    isOpen: false,
    /** Updates the line. `isSource` says whether the source is shown. */
    say: (isSource: boolean) => {
      name.hidden = !isSource;
      button.hidden = isSource && !state.isOpen;
      button.textContent = isSource ? "Done" : `Edit ${kind}`;
    },
    field: (label: string, changed: (text: string) => void) => {
      const field = makeElement("textarea", {
        "aria-label": label,
        spellcheck: "false",
        autocapitalize: "off",
        dir: "ltr",
      });
      field.addEventListener("input", () => changed(field.value));
      // Typing visible HTML does not close the source.
      field.addEventListener("focus", () => (state.isOpen = kind === "HTML"));
      field.addEventListener("keydown", (event) => {
        if (event.key === "Escape" && !event.isComposing) open(false);
      });
      fields.push(field);
      return field;
    },
  };
  return state;
}

function fill(field: HTMLTextAreaElement, text: string): void {
  if (field.value !== text) field.value = text;
  field.rows = text.split("\n").length;
}

/** A block of source: HTML, link definitions or front matter. */
export const sourceBlock: NodeViewConstructor = (first, view, getPos): NodeView => {
  let node = first;
  const kind = String(node.attrs["kind"]);
  const top = head({ view, getPos, kind, show: () => show() });
  const field = top.field(kind, (text) => {
    const at = getPos();
    if (at === undefined) return;
    const content = text === "" ? [] : schema.text(text);
    view.dispatch(view.state.tr.replaceWith(at + 1, at + 1 + node.content.size, content));
  });
  const dom = makeElement("div", { class: "source", role: "group", "aria-label": kind, contenteditable: "false" });
  const place = makeElement("div");
  dom.append(top.root, place, field);
  const show = () => {
    fill(field, node.textContent);
    const read = top.isOpen || kind !== "HTML" ? null : renderHtml(node.textContent, view);
    place.replaceChildren(...(read ? [read] : []));
    dom.classList.toggle("read", read !== null);
    field.hidden = read !== null;
    top.say(read === null);
  };
  show();
  if (kind === "HTML") void load(view, show);
  return {
    dom,
    update(next) {
      if (next.type !== node.type || next.attrs["kind"] !== kind) return false;
      const isSame = next.textContent === node.textContent;
      node = next;
      if (!isSame) show();
      return true;
    },
    stopEvent: ({ target }) =>
      target instanceof Element && target.closest("button, textarea, summary, audio, video") !== null,
    ignoreMutation: () => true,
  };
};

/** HTML around blocks that can be edited. */
export const htmlBox: NodeViewConstructor = (first, view, getPos): NodeView => {
  let { attrs } = first;
  const content = makeElement("div", { class: "box-content" });
  const top = head({ view, getPos, kind: "HTML", show: () => show() });
  const set = (name: string) => (text: string) => {
    const at = getPos();
    if (at !== undefined) view.dispatch(view.state.tr.setNodeMarkup(at, null, { ...attrs, [name]: text }));
  };
  const before = top.field("HTML before", set("open"));
  const after = top.field("HTML after", set("close"));
  const dom = makeElement("div", { class: "source", role: "group", "aria-label": "HTML" });
  const resize = () => {
    fill(before, String(attrs["open"]));
    fill(after, String(attrs["close"]));
  };
  const show = () => {
    resize();
    const read = top.isOpen ? null : around(content, before.value, after.value, view);
    dom.replaceChildren(top.root, ...(read ? [read] : [before, content, after]));
    dom.classList.toggle("read", read !== null);
    top.say(read === null);
  };
  show();
  void load(view, show);
  return {
    dom,
    contentDOM: content,
    update(next) {
      if (next.type !== first.type) return false;
      const isSame = next.attrs["open"] === attrs["open"] && next.attrs["close"] === attrs["close"];
      ({ attrs } = next);
      if (!isSame && top.isOpen) resize();
      else if (!isSame) show();
      return true;
    },
    stopEvent: ({ target }) => !content.contains(target as Node),
    ignoreMutation: ({ type, target }) => type !== "selection" && !content.contains(target),
  };
};

const boxAround = (place: Node): Element | null =>
  (place instanceof Element ? place : place.parentElement)?.closest(".source") ?? null;

/** Handles deletions that browsers do by themselves, as on phones: they would merge what follows HTML into it. */
export const boxEdges = (): Plugin =>
  new Plugin({
    props: {
      handleDOMEvents: {
        beforeinput(view, event) {
          const [range] = event.getTargetRanges();
          if (!range || !event.inputType.startsWith("delete")) return;
          if (boxAround(range.startContainer) === boxAround(range.endContainer)) return;
          event.preventDefault();
          const key = event.inputType.endsWith("Forward") ? "Delete" : "Backspace";
          view.someProp("handleKeyDown", (handle) => handle(view, new KeyboardEvent("keydown", { key })));
        },
      },
    },
  });

/** Marks the place of the content while the HTML around it is rendered: a private-use character. */
const PLACE = "\uE000";

/** Returns rendered HTML around the content; null if it has no place for it. */
function around(content: HTMLElement, open: string, close: string, view: EditorView): Element | null {
  const read = renderHtml(`${open}\n\n${PLACE}\n\n${close}`, view);
  const place = [...(read?.querySelectorAll("p") ?? [])].find(({ textContent }) => textContent === PLACE);
  if (!read || !place) return null;
  place.replaceWith(content);
  for (let inner: Element = content; inner !== read; inner = inner.parentElement ?? read) {
    for (const beside of inner.parentElement?.children ?? [])
      if (beside !== inner) beside.setAttribute("contenteditable", "false");
    if (inner instanceof HTMLDetailsElement) inner.open = true;
  }
  return read;
}
