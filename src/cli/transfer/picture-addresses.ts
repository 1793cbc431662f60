/** Finds the addresses of pictures and links in Markdown, and replaces them without touching anything else. */
import { decodeHTMLAttribute, decodeHTMLStrict } from "entities/decode";
import type { Link, Nodes, Parents } from "mdast";
import { visit } from "unist-util-visit";
import { parseMarkdown, type Root } from "../../domain/markdown/parser.ts";

/** An address as it is written in a text: from where to where, what is said about the picture, and whether it is one. */
export type Place = {
  readonly from: number;
  readonly to: number;
  readonly address: string;
  readonly alt: string;
  readonly isPicture: boolean;
};

/** Returns where a text names pictures, in the order of the text; none if it is too complex to be parsed. */
export const placesIn = (markdown: string): Place[] =>
  /!\[|<img/i.test(markdown) ? (addressesIn(markdown) ?? []).filter(({ isPicture }) => isPicture) : [];

/** Returns where a text names pictures and links to anything, in its order; null if it is too complex to be parsed. */
export function addressesIn(markdown: string): Place[] | null {
  if (!/\]\(|\]:|<[a-z]/i.test(markdown)) return [];
  // The parser skips a byte order mark without counting it.
  const skipped = markdown.startsWith("\uFEFF") ? 1 : 0;
  const text = markdown.slice(skipped);
  const { tree } = parseMarkdown(text);
  if (tree === null) return null;
  const alts = referredTo(tree);
  const places: Place[] = [];
  visit(tree, (node: Nodes) => {
    const from = node.position?.start.offset ?? 0;
    const source = text.slice(from, node.position?.end.offset ?? 0);
    for (const [start, end, address, alt, isPicture = true] of rangesOf(node, source, alts)) {
      places.push({ from: skipped + from + start, to: skipped + from + end, address, alt, isPicture });
    }
  });
  return places.toSorted((a, b) => a.from - b.from);
}

/** Returns a text with other addresses at these places. */
export function replaced(markdown: string, places: readonly Place[], addressOf: (place: Place) => string): string {
  let [text, at] = ["", 0];
  for (const place of places) {
    text += markdown.slice(at, place.from) + addressOf(place);
    at = place.to;
  }
  return text + markdown.slice(at);
}

/** Returns the names of the definitions that pictures refer to, with their alternative texts. */
function referredTo(tree: Root): Map<string, string> {
  const alts = new Map<string, string>();
  visit(tree, "imageReference", ({ identifier, alt }) => {
    if (!alts.has(identifier)) alts.set(identifier, alt ?? "");
  });
  return alts;
}

type Range = readonly [from: number, to: number, address: string, alt: string, isPicture?: boolean];

function rangesOf(node: Nodes, source: string, alts: ReadonlyMap<string, string>): Range[] {
  return [...("children" in node ? rangesInText(node, source) : []), ...rangesOfNode(node, source, alts)];
}

function rangesOfNode(node: Nodes, source: string, alts: ReadonlyMap<string, string>): Range[] {
  if (node.type === "html") {
    const others = [...source.matchAll(LINKING)].flatMap((tag) => linkOf(rangeInTag(tag)));
    return [...[...source.matchAll(TAG)].flatMap(rangeInTag), ...others];
  }
  if (node.type === "image") return rangeAfter(source, "](", node.url, node.alt ?? "");
  if (node.type === "link") {
    const range = rangeAfter(source, "](", node.url, "");
    return isLinkedPicture(node) ? range : linkOf(range);
  }
  if (node.type !== "definition") return [];
  const alt = alts.get(node.identifier);
  const range = rangeAfter(source, "]:", node.url, alt ?? "");
  return alt === undefined ? linkOf(range) : range;
}

const linkOf = (ranges: readonly Range[]): Range[] =>
  ranges.map(([from, to, address, alt]) => [from, to, address, alt, false]);

/** Whether a link is a picture that leads to the same in a larger size, as blogs have them. */
const isLinkedPicture = ({ url, children }: Link): boolean =>
  /^https?:[^?#]+\.(?:png|jpe?g|gif|webp|avif)$/i.test(url) &&
  children.length > 0 &&
  children.every(({ type }) => type === "image");

/**
 * Matches the address in a picture of HTML, in quotes of either kind or without. Looks for it up to the next picture only:
 * a text of many that nothing closes would take time in the square of its length.
 */
const TAG = /(<img\b(?:(?!<img\b)(?:"[^"]*"|'[^']*'|[^>"']))*?\ssrc\s*=\s*)(?:(["'])((?:(?!\2)[^>])*)|([^\s"'<>`]+))/gi;

/** Matches the address in other elements of HTML. Not further than 2,000 characters, for the same reason. */
const LINKING =
  /(<(?:a|audio|embed|iframe|object|source|video)\b[^<>]{0,2000}?\s(?:href|src|data)\s*=\s*)(?:(["'])((?:(?!\2)[^>]){0,2000})|([^\s"'<>`]+))/gi;

/**
 * Returns the addresses in tags that the parser takes for text, because values without quotes have slashes. CommonMark, 6.6
 * allows them, and other programs show them.
 */
function rangesInText({ children, position }: Parents, source: string): Range[] {
  const start = position?.start.offset ?? 0;
  const pattern = new RegExp(`${TAG.source}(?=[^<>]*>)`, "iy");
  return children.flatMap((text: Nodes) => {
    if (text.type !== "text" || text.position === undefined) return [];
    const from = (text.position.start.offset ?? 0) - start;
    const written = source.slice(from, (text.position.end.offset ?? 0) - start);
    return [...written.matchAll(/(?<!\\)<img\b/gi)].flatMap(({ index }) => {
      pattern.lastIndex = from + index;
      const tag = pattern.exec(source);
      return tag?.[4] === undefined ? [] : rangeInTag(tag);
    });
  });
}

function rangeInTag({ index, 1: before = "", 2: quote = "", 3: quoted, 4: bare }: RegExpMatchArray): Range[] {
  const from = (index ?? 0) + before.length + quote.length;
  const written = quoted ?? bare ?? "";
  return written === "" ? [] : [[from, from + written.length, decodeHTMLAttribute(written), ""]];
}

/** Returns the range of an address in the source of its node: the last place where it follows this mark. */
function rangeAfter(source: string, mark: string, address: string, alt: string): Range[] {
  if (address === "") return [];
  for (let at = source.lastIndexOf(mark); at !== -1; at = at === 0 ? -1 : source.lastIndexOf(mark, at - 1)) {
    const from = at + mark.length + (/^\s*<?/.exec(source.slice(at + mark.length))?.[0].length ?? 0);
    const length = writtenLength(source, from, address);
    if (length !== null) return [[from, from + length, address, alt]];
  }
  return [];
}

/**
 * Returns how many characters of the source are this address, with escapes and references as Markdown has them; null if it
 * is another.
 */
function writtenLength(source: string, from: number, address: string): number | null {
  let at = from;
  for (let read = 0; read < address.length;) {
    const [reference = ""] = source.charAt(at) === "&" ? (/^&#?\w{1,32};/.exec(source.slice(at, at + 35)) ?? []) : [];
    const referred = reference === "" ? "" : decodeHTMLStrict(reference);
    if (referred !== reference && address.startsWith(referred, read)) {
      at += reference.length;
      read += referred.length;
      continue;
    }
    const character = address.charAt(read);
    if (source.charAt(at) === "\\" && source.charAt(at + 1) === character) at++;
    if (source.charAt(at) !== character) return null;
    at++;
    read++;
  }
  return at - from;
}
