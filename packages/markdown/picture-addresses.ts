/** Finds the addresses of pictures and links in Markdown, and replaces nothing else. */
import { decodeHTMLAttribute, decodeHTMLStrict } from "entities";
import { parse } from "./parse.ts";
import { normalizeReference } from "./parser.ts";
import { listNodes, walk, type Content, type ContentByType } from "./tree.ts";

/** An address in a text. `alt` describes a picture. */
export type AddressRange = {
  readonly from: number;
  readonly to: number;
  readonly address: string;
  readonly alt: string;
  readonly isPicture: boolean;
};

/** Returns the addresses of pictures, in the order of the text. */
export const findPictures = (markdown: string): AddressRange[] =>
  /!\[|<img/i.test(markdown) ? findAddresses(markdown).filter(({ isPicture }) => isPicture) : [];

/** Returns the addresses of pictures and links, in the order of the text. */
export function findAddresses(markdown: string): AddressRange[] {
  if (!/\]\(|\]:|<[a-z]/i.test(markdown)) return [];
  const tree = parse(markdown);
  const alts = new Map<string, string>();
  for (const { written, label, alt } of listNodes(tree.children, "image")) {
    if (written === "reference" && label !== undefined) alts.set(normalizeReference(label), alt);
  }
  const places: AddressRange[] = [];
  const add = (at: number, ranges: readonly Range[]): void => {
    for (const [from, to, address, alt, isPicture = true] of ranges)
      places.push({ from: at + from, to: at + to, address, alt, isPicture });
  };
  walk(tree, (node) => {
    if (node.from !== undefined) add(node.from, findRanges(node, markdown.slice(node.from, node.to), alts));
  });
  for (const { from = 0, to } of tree.html ?? []) add(from, findHtmlRanges(markdown.slice(from, to)));
  return places.toSorted((a, b) => a.from - b.from);
}

export function replaceAddresses(
  markdown: string,
  places: readonly AddressRange[],
  replacement: (place: AddressRange) => string,
): string {
  let [text, at] = ["", 0];
  for (const place of places) {
    text += markdown.slice(at, place.from) + replacement(place);
    at = place.to;
  }
  return text + markdown.slice(at);
}

type Range = readonly [from: number, to: number, address: string, alt: string, isPicture?: boolean];

function findRanges(node: Content, source: string, alts: ReadonlyMap<string, string>): Range[] {
  if (node.type === "image" && node.written === "inline") return findRangeAfter(source, "](", node.url, node.alt);
  if (node.type === "link" && node.written === "inline") {
    const range = findRangeAfter(source, "](", node.url, "");
    return isLinkedPicture(node) ? range : toLinkRanges(range);
  }
  if (node.type !== "definition") return [];
  const alt = alts.get(node.identifier);
  const range = findRangeAfter(source, "]:", node.url, alt ?? "");
  return alt === undefined ? toLinkRanges(range) : range;
}

const findHtmlRanges = (source: string): Range[] => [
  ...[...source.matchAll(TAG)].flatMap(findTagRange),
  ...[...source.matchAll(LINKING)].flatMap((tag) => toLinkRanges(findTagRange(tag))),
];

const toLinkRanges = (ranges: readonly Range[]): Range[] =>
  ranges.map(([from, to, address, alt]) => [from, to, address, alt, false]);

/** Returns whether a link leads from a picture to a larger one, as in many blogs. */
const isLinkedPicture = ({ url, children }: ContentByType<"link">): boolean =>
  /^https?:[^?#]+\.(?:png|jpe?g|gif|webp|avif)$/i.test(url) &&
  children.length > 0 &&
  children.every(({ type }) => type === "image");

/** Matches the address of a picture in HTML. It ends at the next picture, or unclosed ones would take quadratic time. */
const TAG = /(<img\b(?:(?!<img\b)(?:"[^"]*"|'[^']*'|[^>"']))*?\ssrc\s*=\s*)(?:(["'])((?:(?!\2)[^>])*)|([^\s"'<>`]+))/gi;

/** Matches the address in other HTML elements, up to 2,000 characters for the same reason. */
const LINKING =
  /(<(?:a|audio|embed|iframe|object|source|video)\b[^<>]{0,2000}?\s(?:href|src|data)\s*=\s*)(?:(["'])((?:(?!\2)[^>]){0,2000})|([^\s"'<>`]+))/gi;

function findTagRange({ index, 1: before = "", 2: quote = "", 3: quoted, 4: bare }: RegExpMatchArray): Range[] {
  const from = (index ?? 0) + before.length + quote.length;
  const written = quoted ?? bare ?? "";
  return written === "" ? [] : [[from, from + written.length, decodeHTMLAttribute(written), ""]];
}

/** Returns the range of an address in the source of a node: the last place where it follows this mark. */
function findRangeAfter(source: string, mark: string, address: string, alt: string): Range[] {
  if (address === "") return [];
  for (let at = source.lastIndexOf(mark); at !== -1; at = at === 0 ? -1 : source.lastIndexOf(mark, at - 1)) {
    const from = at + mark.length + (/^\s*<?/.exec(source.slice(at + mark.length))?.[0].length ?? 0);
    const length = measureAddress(source, from, address);
    if (length !== null) return [[from, from + length, address, alt]];
  }
  return [];
}

/** Returns how many characters of the source are this address, escapes included; null if it is another one. */
function measureAddress(source: string, from: number, address: string): number | null {
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
