/**
 * Converts Mobiledoc, the document format of Ghost's editors before version 5, into pieces of HTML and Markdown
 * (https://github.com/bustle/mobiledoc-kit/blob/master/MOBILEDOC.md, 0.3).
 */
import { isObject, convertCard, type Members, type Piece } from "./ghost-cards.ts";
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
  readonly countText: (text: string) => string;
};

const KINDS = { markup: 1, image: 2, list: 3, card: 10 } as const;

/** Returns the pieces of a document without malformed ones. Throws `Unusable` if they are larger than any article. */
export function convertMobiledoc(document: unknown, remarks: Remarks): Piece[] {
  const members = isObject(document) ? document : {};
  let length = 0;
  const tables: Tables = {
    atoms: toList(members["atoms"]),
    cards: toList(members["cards"]),
    markups: toList(members["markups"]),
    countText(text) {
      requireSizeOfArticle((length += text.length));
      return text;
    },
  };
  return toList(members["sections"]).map((section) => convertSection(toList(section), tables, remarks));
}

/** Returns the Markdown of a document with a single card and the editor's empty paragraph; null for any other. */
export function findSoleMarkdown(document: unknown): string | null {
  const members = isObject(document) ? document : {};
  const [first, ...rest] = toList(members["sections"]).map(toList);
  if (first?.[0] !== KINDS.card || !rest.every(isBlank)) return null;
  const [name, payload] = toList(toList(members["cards"])[Number(first[1])]);
  const piece = convertCard(String(name), isObject(payload) ? payload : {}, new Remarks());
  return piece !== null && "markdown" in piece ? piece.markdown : null;
}

const isBlank = ([kind, , markers]: unknown[]): boolean =>
  kind === KINDS.markup && toList(markers).every((marker) => isBlankText(toList(marker)));
const isBlankText = ([kind, , , text]: unknown[]): boolean => kind === 0 && toText(text).trim() === "";

function convertSection(section: unknown[], tables: Tables, remarks: Remarks): Piece {
  const [kind, first, second] = section;
  switch (kind) {
    case KINDS.markup:
      return { html: wrapHtml(toTag(first), renderMarkers(toList(second), tables)) };
    case KINDS.image:
      return { html: `<p><img src="${escapeHtml(String(first))}" alt=""></p>` };
    case KINDS.list: {
      const items = toList(second).map((markers) => wrapHtml("li", renderMarkers(toList(markers), tables)));
      return { html: wrapHtml(first === "ol" ? "ol" : "ul", items.join("")) };
    }
    case KINDS.card:
      return convertCardSection(toList(tables.cards[Number(first)]), tables, remarks);
    default:
      return { html: "" };
  }
}

function convertCardSection([name, payload]: unknown[], { countText }: Tables, remarks: Remarks): Piece {
  const card: Members = isObject(payload) ? payload : {};
  const piece = convertCard(String(name), card, remarks);
  if (piece === null) {
    remarks.add(`Ghost cards "${String(name).slice(0, 40)}" left out`);
    return { html: "" };
  }
  countText("html" in piece ? piece.html : piece.markdown);
  return piece;
}

/** Returns the HTML of runs of text. Each run opens some markups, then closes some, the innermost first. */
function renderMarkers(markers: unknown[], tables: Tables): string {
  const open: string[] = [];
  return markers
    .map((marker) => {
      const [kind, opened, closed, value] = toList(marker);
      const start = toList(opened).map((index) =>
        tables.countText(openMarkup(toList(tables.markups[Number(index)]), open)),
      );
      const text = kind === 1 ? renderAtom(toList(tables.atoms[Number(value)])) : escapeHtml(toText(value));
      const closing = Math.min(Number(closed) || 0, open.length);
      const ends = open.splice(open.length - closing, closing).toReversed();
      return start.join("") + tables.countText(text) + ends.map((tag) => `</${tag}>`).join("");
    })
    .join("");
}

function openMarkup([tag, attributes]: unknown[], open: string[]): string {
  const name = MARKUPS.has(String(tag)) ? String(tag) : "span";
  open.push(name);
  const pairs = toList(attributes);
  const href = pairs.indexOf("href");
  return name === "a" && href >= 0 ? `<a href="${escapeHtml(String(pairs[href + 1]))}">` : `<${name}>`;
}

/** Returns the HTML of an atom. Ghost only uses a line break; other atoms keep their text. */
const renderAtom = ([name, text]: unknown[]): string => (name === "soft-return" ? "<br>" : escapeHtml(toText(text)));

const MARKUPS = new Set("a b code del em i kbd mark s strong sub sup u".split(" "));
const SECTIONS = new Set("p h1 h2 h3 h4 h5 h6 blockquote aside".split(" "));

const toTag = (tag: unknown): string => {
  const name = String(tag).toLowerCase();
  return SECTIONS.has(name) ? name.replace("aside", "blockquote") : "p";
};

const toText = (value: unknown): string => (typeof value === "string" ? value : "");
const toList = (value: unknown): unknown[] => (Array.isArray(value) ? value : []);
