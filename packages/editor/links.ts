/** The link dialog: a URL, or a search for an article of the blog. */
import type { Node } from "prosemirror-model";
import { type Command, TextSelection } from "prosemirror-state";
import type { EditorView } from "prosemirror-view";
import { completeArticles } from "./articles.ts";
import { addDialog, makeDialogForm, makeField } from "./dialog.ts";
import { makeElement, makeButton } from "./dom.ts";
import { schema } from "./schema.ts";

const { marks } = schema;

type Target = { readonly view: EditorView; readonly from: number; readonly to: number };

export function makeLinkDialog(getBlogId: () => string): Command {
  const text = makeElement("input", { id: "link-text", type: "text", autocomplete: "off" });
  const address = makeElement("input", {
    id: "link-address",
    type: "text",
    autocomplete: "off",
    required: true,
    inputmode: "url",
  });
  let target: Target | null = null;
  const done = (href: string | null) => target && apply(target, href, text.value);
  const remove = makeButton("Remove link", () => {
    done(null);
    shown.close();
  });
  const form = makeDialogForm(
    makeField("Text", text),
    makeField("URL or search", address, "A URL, or words to find an article in this blog."),
    makeElement(
      "div",
      { class: "actions" },
      makeElement("button", { type: "submit" }, "Link"),
      remove,
      makeButton("Cancel", () => shown.close()),
    ),
  );
  form.lastElementChild?.before(...completeArticles(address, getBlogId));
  const judge = () => address.setCustomValidity(isScript(address.value.trim()) ? "A link cannot run a script." : "");
  address.addEventListener("input", judge);
  form.addEventListener("submit", () => done(address.value.trim()));
  const shown = addDialog("Link", form);
  return (_, dispatch, view) => {
    if (!dispatch || !view) return true;
    const { from, to, href } = around(view);
    target = { view, from, to };
    form.reset();
    text.value = view.state.doc.textBetween(from, to, " ", " ");
    address.value = href;
    judge();
    text.parentElement?.toggleAttribute("hidden", from !== to);
    remove.hidden = href === "";
    shown.showModal();
    address.focus();
    address.select();
    return true;
  };
}

/** Returns the range and the address of the link at the cursor, or the selection. */
function around({ state }: EditorView): { from: number; to: number; href: string } {
  const { $from, from, to, empty } = state.selection;
  const link = marks.link.isInSet($from.marks()) ?? marks.link.isInSet($from.nodeAfter?.marks ?? []);
  const href = (link?.attrs["href"] as string | undefined) ?? "";
  if (!empty || !link) return { from, to, href };
  let [start, end] = [$from.start(), $from.start()];
  for (const child of $from.parent.children) {
    if (!link.isInSet(child.marks)) {
      if (end > from) break;
      start = end + child.nodeSize;
    }
    end += child.nodeSize;
  }
  return { from: start, to: end, href };
}

const isScript = (href: string): boolean => /^(javascript|data|vbscript):/i.test(href);

/** Sets the link, or removes it if `href` is null. A reference that gets a URL is none any more. */
function apply({ view, from, to }: Target, href: string | null, text: string): void {
  const { tr, selection } = view.state;
  if (href === null) {
    view.dispatch(tr.removeMark(from, to, marks.link));
    return;
  }
  if (href === "" || isScript(href)) return;
  const link = marks.link.create({ href: withScheme(href) });
  if (from === to) {
    const node: Node = schema.text(text.trim() || href, link.addToSet(selection.$from.marks()));
    tr.insert(from, node).setSelection(TextSelection.create(tr.doc, from + node.nodeSize));
  } else tr.removeMark(from, to, marks.link).addMark(from, to, link);
  view.dispatch(tr.scrollIntoView());
}

/** Takes `example.com/a` for a site, and `me@example.com` for an email address. */
function withScheme(href: string): string {
  if (/^[^\s@/:?#]+@[a-z\d-]+(\.[a-z\d-]+)+$/i.test(href)) return `mailto:${href}`;
  return /^[a-z\d-]+(\.[a-z\d-]+)*\.[a-z]{2,}(:\d+)?([/?#]|$)/i.test(href) ? `https://${href}` : href;
}
