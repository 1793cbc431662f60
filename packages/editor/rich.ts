/** The rich text: a ProseMirror view of an opened document. */
import { dropCursor } from "prosemirror-dropcursor";
import { gapCursor } from "prosemirror-gapcursor";
import { history } from "prosemirror-history";
import type { Node } from "prosemirror-model";
import { search } from "prosemirror-search";
import { type Command, EditorState, Plugin } from "prosemirror-state";
import { tableEditing } from "prosemirror-tables";
import { EditorView } from "prosemirror-view";
import type { Action } from "./actions.ts";
import { figures } from "./figures.ts";
import { boxEdges } from "./html-views.ts";
import { fileDrops, type ImageOptions } from "./images.ts";
import type { Opened } from "./opening.ts";
import { pasting } from "./paste.ts";
import { schema } from "./schema.ts";
import { slashMenu } from "./slash.ts";
import { typing } from "./typing.ts";
import { nodeViews } from "./views.ts";

export type RichOptions = ImageOptions & {
  readonly actions: readonly Action[];
  readonly keys: Record<string, Command>;
  readonly attributes: () => Record<string, string>;
  /** Called after each change. `isChanged` is false if only the selection changed. */
  readonly onUpdate: (view: EditorView, isChanged: boolean) => void;
};

export function showRich(place: HTMLElement, opened: Opened, options: RichOptions): EditorView {
  const view: EditorView = new EditorView(
    { mount: place },
    {
      state: EditorState.create({ doc: addRoom(opened.doc), plugins: makePlugins(options) }),
      nodeViews,
      attributes: options.attributes,
      scrollMargin: { top: 80, bottom: 120, left: 0, right: 0 },
      scrollThreshold: { top: 80, bottom: 120, left: 0, right: 0 },
      dispatchTransaction(tr) {
        view.updateState(view.state.apply(tr));
        options.onUpdate(view, tr.docChanged);
      },
    },
  );
  // Escape leads from a button or a field within the text back to the text.
  view.dom.addEventListener("keydown", ({ key, target }) => {
    if (key === "Escape" && target !== view.dom) view.focus();
  });
  return view;
}

const makePlugins = (options: RichOptions): Plugin[] => [
  ...fileDrops(options),
  pasting(),
  figures(options),
  boxEdges(),
  slashMenu(options.actions),
  ...typing(options.actions, options.keys),
  history(),
  tableEditing(),
  dropCursor({ color: false, class: "drop" }),
  gapCursor(),
  search(),
  roomAtTheEnd,
];

/** Keeps an empty paragraph at the end, to write below a table or a code block. It is not written as Markdown. */
const roomAtTheEnd = new Plugin({
  appendTransaction: (transactions, _, { doc, tr }) =>
    transactions.some(({ docChanged }) => docChanged) && !hasRoom(doc)
      ? tr.insert(doc.content.size, schema.nodes.paragraph.create())
      : null,
});

/** Returns the document with an empty paragraph at its end, unless there is a text block to write in. */
export const addRoom = (doc: Node): Node =>
  hasRoom(doc) ? doc : doc.copy(doc.content.addToEnd(schema.nodes.paragraph.create()));

const hasRoom = ({ lastChild }: Node): boolean =>
  lastChild?.type === schema.nodes.paragraph || lastChild?.type === schema.nodes.heading;
