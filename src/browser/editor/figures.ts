/** Shows paragraphs as figures where readers see one: cards, players, captions and galleries (contract 20.3). */
import type { Node } from "prosemirror-model";
import { type EditorState, Plugin } from "prosemirror-state";
import { Decoration, DecorationSet } from "prosemirror-view";
import { audioLink } from "../../domain/markdown/audio.ts";
import { cardOf, providerName } from "../../domain/markdown/embeds.ts";
import { picturesIn } from "../../domain/markdown/figures.ts";
import { quietButton } from "./dialog.ts";
import { element } from "./dom.ts";
import { writeInlines } from "./inline.ts";
import { schema } from "./schema.ts";

const { nodes, marks } = schema;

/** What plays on the page: a video, a post or a sound. */
type Played = { readonly kind: string; readonly title: string; readonly url: string };
/** `name` is its class. */
type Figure = { readonly name: string; readonly played?: Played };

const known = new WeakMap<Node, Figure | null>();

/** Returns what readers see a paragraph as; null if they see a paragraph. */
function figureOf(paragraph: Node): Figure | null {
  const [first] = paragraph.children;
  if (first?.type !== nodes.image && !marks.link.isInSet(first?.marks ?? [])) return null;
  if (!known.has(paragraph)) known.set(paragraph, read(paragraph));
  return known.get(paragraph) ?? null;
}

function read(paragraph: Node): Figure | null {
  const children = writeInlines(paragraph);
  const card = cardOf(children);
  if (card) return { name: "embed", played: { kind: providerName(card.provider), title: card.title, url: card.url } };
  const pictures = picturesIn({ type: "paragraph", children });
  if (pictures.length > 1) return { name: "gallery" };
  if (pictures[0]?.caption) return { name: "figure" };
  const audio = audioLink(children);
  return audio && { name: "embed", played: { kind: "Audio", title: "", url: audio.url } };
}

/** The paragraphs of lists and tables are never figures. */
const holders = new Set([nodes.list_item, nodes.table_cell, nodes.table_header]);

function decorationsOf({ doc }: EditorState): DecorationSet {
  const found: Decoration[] = [];
  doc.descendants((node, at, parent) => {
    if (!node.isTextblock) return true;
    const figure = node.type === nodes.paragraph && !(parent && holders.has(parent.type)) ? figureOf(node) : null;
    if (figure === null) return false;
    const end = at + node.nodeSize;
    found.push(Decoration.node(at, end, { class: figure.name }));
    if (figure.played) found.push(barBelow(end, figure.played));
    return false;
  });
  return DecorationSet.create(doc, found);
}

/** The line below a card: what it is, and what can be done with it. */
const barBelow = (end: number, played: Played): Decoration =>
  Decoration.widget(end, () => bar(played), {
    side: -1,
    key: `${played.kind} ${played.title} ${played.url}`,
    stopEvent: () => true,
  });

function bar({ kind, title, url }: Played): HTMLElement {
  const sign = element("span", { "aria-hidden": "true" }, "▶\uFE0E ");
  return element(
    "div",
    { class: "embed-bar", contenteditable: "false", role: "group", "aria-label": kind },
    element("span", {}, sign, title === "" ? kind : title),
    ...(title === "" ? [] : [element("span", { class: "hint" }, kind)]),
    quietButton("Open", () => void open(url, "_blank", "noopener")),
  );
}

export const figures = (): Plugin<DecorationSet> =>
  new Plugin<DecorationSet>({
    state: {
      init: (_, state) => decorationsOf(state),
      apply: (tr, before, _, state) => (tr.docChanged ? decorationsOf(state) : before),
    },
    props: {
      decorations(state) {
        return this.getState(state);
      },
    },
  });
