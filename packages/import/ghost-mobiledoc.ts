/**
 * Converts Mobiledoc, the document format of Ghost's editors before version 5, into pieces of HTML and Markdown
 * (https://github.com/bustle/mobiledoc-kit/blob/master/MOBILEDOC.md, 0.3).
 */
import { isMembers, pieceOfCard, type Members, type Piece } from "./ghost-cards.ts";
import { requireSizeOfArticle } from "./html-tree.ts";
import { escapeHtml, wrapHtml } from "./html-nodes.ts";
import { Remarks } from "./remarks.ts";

type Tables = {
  readonly atoms: unknown[];
  readonly cards: unknown[];
  readonly markups: unknown[];
  /**
   * Counts the length of a text and returns the text. Throws `Unusable` if the total is too large: a document can use
   * each entry any number of times.
   */
  readonly counted: (text: string) => string;
};

const KINDS = { markup: 1, image: 2, list: 3, card: 10 } as const;

/** Returns the pieces of a document without malformed ones. Throws `Unusable` if they are larger than any article. */
export function piecesOfMobiledoc(document: unknown, remarks: Remarks): Piece[] {
  const members = isMembers(document) ? document : {};
  let length = 0;
  const tables: Tables = {
    atoms: list(members["atoms"]),
    cards: list(members["cards"]),
    markups: list(members["markups"]),
    counted(text) {
      requireSizeOfArticle((length += text.length));
      return text;
    },
  };
  return list(members["sections"]).map((section) => pieceOf(list(section), tables, remarks));
}

/** Returns the Markdown of a document with a single card and the editor's empty paragraph; null for any other. */
export function soleMarkdownOf(document: unknown): string | null {
  const members = isMembers(document) ? document : {};
  const [first, ...rest] = list(members["sections"]).map(list);
  if (first?.[0] !== KINDS.card || !rest.every(isBlank)) return null;
  const [name, payload] = list(list(members["cards"])[Number(first[1])]);
  const piece = pieceOfCard(String(name), isMembers(payload) ? payload : {}, new Remarks());
  return piece !== null && "markdown" in piece ? piece.markdown : null;
}

const isBlank = ([kind, , markers]: unknown[]): boolean =>
  kind === KINDS.markup && list(markers).every((marker) => isBlankText(list(marker)));
const isBlankText = ([kind, , , text]: unknown[]): boolean => kind === 0 && textIn(text).trim() === "";

function pieceOf(section: unknown[], tables: Tables, remarks: Remarks): Piece {
  const [kind, first, second] = section;
  switch (kind) {
    case KINDS.markup:
      return { html: wrapHtml(tagOf(first), markersOf(list(second), tables)) };
    case KINDS.image:
      return { html: `<p><img src="${escapeHtml(String(first))}" alt=""></p>` };
    case KINDS.list: {
      const items = list(second).map((markers) => wrapHtml("li", markersOf(list(markers), tables)));
      return { html: wrapHtml(first === "ol" ? "ol" : "ul", items.join("")) };
    }
    case KINDS.card:
      return cardOf(list(tables.cards[Number(first)]), tables, remarks);
    default:
      return { html: "" };
  }
}

function cardOf([name, payload]: unknown[], { counted }: Tables, remarks: Remarks): Piece {
  const card: Members = isMembers(payload) ? payload : {};
  const piece = pieceOfCard(String(name), card, remarks);
  if (piece === null) {
    remarks.add(`Ghost cards "${String(name).slice(0, 40)}" left out`);
    return { html: "" };
  }
  counted("html" in piece ? piece.html : piece.markdown);
  return piece;
}

/** Returns the HTML of runs of text. Each run opens some markups, then closes some, the innermost first. */
function markersOf(markers: unknown[], tables: Tables): string {
  const open: string[] = [];
  return markers
    .map((marker) => {
      const [kind, opened, closed, value] = list(marker);
      const start = list(opened).map((index) => tables.counted(startOf(list(tables.markups[Number(index)]), open)));
      const text = kind === 1 ? atomOf(list(tables.atoms[Number(value)])) : escapeHtml(textIn(value));
      const closing = Math.min(Number(closed) || 0, open.length);
      const ends = open.splice(open.length - closing, closing).toReversed();
      return start.join("") + tables.counted(text) + ends.map((tag) => `</${tag}>`).join("");
    })
    .join("");
}

function startOf([tag, attributes]: unknown[], open: string[]): string {
  const name = MARKUPS.has(String(tag)) ? String(tag) : "span";
  open.push(name);
  const pairs = list(attributes);
  const href = pairs.indexOf("href");
  return name === "a" && href >= 0 ? `<a href="${escapeHtml(String(pairs[href + 1]))}">` : `<${name}>`;
}

/** Returns the HTML of an atom. Ghost only uses a line break; other atoms keep their text. */
const atomOf = ([name, text]: unknown[]): string => (name === "soft-return" ? "<br>" : escapeHtml(textIn(text)));

const MARKUPS = new Set("a b code del em i kbd mark s strong sub sup u".split(" "));
const SECTIONS = new Set("p h1 h2 h3 h4 h5 h6 blockquote aside".split(" "));

const tagOf = (tag: unknown): string => {
  const name = String(tag).toLowerCase();
  return SECTIONS.has(name) ? name.replace("aside", "blockquote") : "p";
};

const textIn = (value: unknown): string => (typeof value === "string" ? value : "");
const list = (value: unknown): unknown[] => (Array.isArray(value) ? value : []);
