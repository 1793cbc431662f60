/** Shows paragraphs as figures where readers see one: cards, players, captions and galleries (contract 20.3). */
import type { Node } from "prosemirror-model";
import { type EditorState, Plugin } from "prosemirror-state";
import { Decoration, DecorationSet, type EditorView } from "prosemirror-view";
import { findAudioLink } from "../markdown/audio.ts";
import { findCard, getProviderName } from "../markdown/embeds.ts";
import { listPictures } from "../markdown/figures.ts";
import type { Inline } from "../markdown/tree.ts";
import { makeElement, makeButton } from "./dom.ts";
import type { EditorOptions } from "./handle.ts";
import { writeInlines } from "./inline.ts";
import { schema } from "./schema.ts";

const { nodes, marks } = schema;

type Played = {
  readonly kind: string;
  readonly title: string;
  readonly url: string;
  /** Whether it has neither title nor image, and its provider can tell them. */
  readonly isBare?: boolean;
};
/** `name` is its CSS class. */
type Figure = { readonly name: string; readonly played?: Played };

const known = new WeakMap<Node, Figure | null>();

/** Returns the figure that readers see; null if they see a paragraph. */
function findFigure(paragraph: Node): Figure | null {
  const [first] = paragraph.children;
  if (first?.type !== nodes.image && !marks.link.isInSet(first?.marks ?? []) && !isAddress(paragraph)) return null;
  if (!known.has(paragraph)) known.set(paragraph, read(paragraph));
  return known.get(paragraph) ?? null;
}

/** Whether a paragraph is only a typed address. It becomes a link when the text is read again. */
const isAddress = ({ childCount, firstChild, textContent }: Node): boolean =>
  childCount === 1 && firstChild?.marks.length === 0 && /^\s*https?:\/\/\S+\s*$/.test(textContent);

function read(paragraph: Node): Figure | null {
  const url = paragraph.textContent.trim();
  const children: Inline[] = isAddress(paragraph)
    ? [{ type: "link", url, children: [{ type: "text", value: url }] }]
    : writeInlines(paragraph);
  const card = findCard(children);
  if (card) {
    const { provider, title, link, oembed } = card;
    const isBare = oembed !== null && link.children[0]?.type === "text";
    return { name: "embed", played: { kind: getProviderName(provider), title, url: link.url, isBare } };
  }
  const pictures = listPictures({ type: "paragraph", children });
  if (pictures.length > 1) return { name: "gallery" };
  if (pictures[0]?.caption) return { name: "figure" };
  const audio = findAudioLink(children);
  return audio && { name: "embed", played: { kind: "Audio", title: "", url: audio.url } };
}

/** The paragraphs of lists and tables are never figures. */
const holders = new Set([nodes.list_item, nodes.table_cell, nodes.table_header]);

function makeDecorations({ doc }: EditorState, options: EditorOptions): DecorationSet {
  const found: Decoration[] = [];
  doc.descendants((node, at, parent) => {
    if (!node.isTextblock) return true;
    const figure = node.type === nodes.paragraph && !(parent && holders.has(parent.type)) ? findFigure(node) : null;
    if (figure === null) return false;
    const end = at + node.nodeSize;
    found.push(Decoration.node(at, end, { class: figure.name }));
    if (figure.played) found.push(barBelow(end, figure.played, options));
    return false;
  });
  return DecorationSet.create(doc, found);
}

/** Returns the bar below a card: what it is, and its buttons. */
const barBelow = (end: number, played: Played, { fetchEmbed }: EditorOptions): Decoration =>
  Decoration.widget(
    end,
    (view, getPlace) => bar(played, played.isBare ? adding({ view, getPlace, played, fetchEmbed }) : []),
    { side: -1, key: JSON.stringify(played), stopEvent: () => true },
  );

function bar({ kind, title, url }: Played, more: readonly HTMLElement[]): HTMLElement {
  const sign = makeElement("span", { "aria-hidden": "true" }, "▶\uFE0E ");
  return makeElement(
    "div",
    { class: "embed-bar", contenteditable: "false", role: "group", "aria-label": kind },
    makeElement("span", {}, sign, title === "" ? kind : title),
    ...(title === "" ? [] : [makeElement("span", { class: "hint" }, kind)]),
    ...more,
    makeButton("Open", () => void open(url, "_blank", "noopener")),
  );
}

type Adding = Pick<EditorOptions, "fetchEmbed"> & {
  readonly view: EditorView;
  /** Returns the position after the card; undefined once it is gone. */
  readonly getPlace: () => number | undefined;
  readonly played: Played;
};

/** Returns the button that adds a title and an image to a card, and its status. */
function adding({ view, getPlace, played: { url }, fetchEmbed }: Adding): HTMLElement[] {
  const told = makeElement("span", { class: "hint", role: "status" });
  const add = async (): Promise<void> => {
    button.disabled = true;
    told.textContent = "Asking…";
    try {
      const { title, picture } = await fetchEmbed(url);
      const place = getPlace();
      const card = place === undefined || view.isDestroyed ? null : view.state.doc.resolve(place).nodeBefore;
      if (place === undefined || !card) return;
      const image = nodes.image.create({ src: picture, alt: title }, null, [marks.link.create({ href: url })]);
      view.dispatch(view.state.tr.replaceWith(place - card.nodeSize + 1, place - 1, image));
      view.focus();
    } catch (error) {
      button.disabled = false;
      told.textContent = error instanceof Error ? error.message : "It failed. Try again.";
    }
  };
  const button = makeButton("Add title and image", () => void add());
  return [told, button];
}

export const figures = (options: EditorOptions): Plugin<DecorationSet> =>
  new Plugin<DecorationSet>({
    state: {
      init: (_, state) => makeDecorations(state, options),
      apply: (tr, before, _, state) => (tr.docChanged ? makeDecorations(state, options) : before),
    },
    props: {
      decorations(state) {
        return this.getState(state);
      },
    },
  });
