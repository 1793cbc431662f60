/** Node views with controls: the language of code, the checkboxes of tasks. */
import type { Node } from "prosemirror-model";
import type { EditorView, NodeView, NodeViewConstructor } from "prosemirror-view";
import { makeElement, keepFromForm } from "./dom.ts";
import { htmlBox, sourceBlock } from "./html-views.ts";

function set(view: EditorView, at: number | undefined, attrs: object): void {
  const node = at === undefined ? null : view.state.doc.nodeAt(at);
  if (node && at !== undefined) view.dispatch(view.state.tr.setNodeMarkup(at, null, { ...node.attrs, ...attrs }));
}

const codeBlock: NodeViewConstructor = (node, view, getPos): NodeView => {
  const language = makeElement("input", {
    type: "text",
    "aria-label": "Code language",
    placeholder: "Language",
    autocapitalize: "off",
    autocomplete: "off",
    spellcheck: "false",
    maxlength: 40,
    size: 12,
  });
  const head = makeElement("div", { class: "language", contenteditable: "false" }, language);
  const code = makeElement("code", { spellcheck: "false" });
  const dom = makeElement("div", { class: "code", dir: "ltr" }, head, makeElement("pre", {}, code));
  keepFromForm(head);
  const show = (shown: Node) => (language.value = shown.attrs["language"] as string);
  language.addEventListener("change", () =>
    set(view, getPos(), { language: language.value.trim().replaceAll(/[\s`]+/g, "-") }),
  );
  language.addEventListener("keydown", (event) => {
    if (!event.isComposing && ["Enter", "Escape"].includes(event.key)) view.focus();
  });
  show(node);
  return {
    dom,
    contentDOM: code,
    update(next) {
      if (next.type !== node.type) return false;
      if (document.activeElement !== language) show(next);
      return true;
    },
    stopEvent: (event) => head.contains(event.target as Element),
    ignoreMutation: (change) => change.type !== "selection" && head.contains(change.target),
  };
};

const listItem: NodeViewConstructor = (node, view, getPos): NodeView => {
  const box = makeElement("input", { type: "checkbox", contenteditable: "false", "aria-label": "Done" });
  const content = makeElement("div", { class: "content" });
  const dom = makeElement("li", {}, content);
  const show = ({ attrs: { checked } }: Node) => {
    dom.classList.toggle("task", checked !== null);
    box.checked = checked === true;
    if (checked === null) box.remove();
    else if (!box.isConnected) content.before(box);
  };
  box.addEventListener("change", () => set(view, getPos(), { checked: box.checked }));
  keepFromForm(box);
  show(node);
  return {
    dom,
    contentDOM: content,
    update(next) {
      if (next.type !== node.type) return false;
      show(next);
      return true;
    },
    stopEvent: (event) => event.target === box,
    ignoreMutation: (change) => change.type !== "selection" && !content.contains(change.target),
  };
};

export const nodeViews: Record<string, NodeViewConstructor> = {
  code_block: codeBlock,
  list_item: listItem,
  source_block: sourceBlock,
  html_box: htmlBox,
};
