/** The HTML that authors may write in Markdown (contract 20.3). */
import { decodeHTML, decodeHTMLAttribute } from "entities";
import type { Attributes } from "./tree.ts";

const splitNames = (list: string): readonly string[] => list.split(" ");

/** html.ts adds a prefix to `id`. */
const EVERYWHERE = splitNames("id lang dir title");

const ATTRIBUTES: Readonly<Record<string, readonly string[]>> = {
  a: splitNames("href name"),
  audio: splitNames("src"),
  details: splitNames("open"),
  // Not allowed, but read for what they show (embeds.ts).
  iframe: splitNames("src"),
  img: splitNames("src alt width height"),
  li: splitNames("value"),
  ol: splitNames("start reversed type"),
  script: splitNames("src"),
  source: splitNames("src srcset media type"),
  td: splitNames("align colspan rowspan"),
  th: splitNames("align colspan rowspan scope"),
  time: splitNames("datetime"),
  video: splitNames("src width height poster"),
  ...Object.fromEntries(splitNames("div h1 h2 h3 h4 h5 h6 p").map((name) => [name, splitNames("align")])),
};

const INLINE = new Set(
  splitNames(
    "a abbr b bdi bdo br cite code data del dfn em i img ins kbd mark q rp rt ruby s samp small span strike strong sub sup time tt u var wbr",
  ),
);
const BLOCKS = new Set(
  splitNames(
    "audio blockquote caption center dd details div dl dt figcaption figure h1 h2 h3 h4 h5 h6 hr li ol p picture pre source summary table tbody td tfoot th thead tr ul video",
  ),
);

const VOID = new Set(splitNames("br hr img source wbr"));

export const isAllowed = (name: string): boolean => INLINE.has(name) || BLOCKS.has(name);
/** Returns whether an element stands beside paragraphs rather than in one. */
export const isBlockElement = (name: string): boolean => BLOCKS.has(name);
export const isVoid = (name: string): boolean => VOID.has(name);

/** A piece of HTML. `other` are comments, declarations and instructions. */
export type Piece =
  | { readonly kind: "text"; readonly value: string }
  | { readonly kind: "open"; readonly value: string; readonly name: string; readonly attributes: Attributes }
  | { readonly kind: "close"; readonly value: string; readonly name: string }
  | { readonly kind: "other"; readonly value: string };

/** CommonMark, 6.6: raw HTML. */
const ATTRIBUTE = /\s+([a-zA-Z_:][\w:.-]*)(?:\s*=\s*([^\s"'=<>`]+|'[^']*'|"[^"]*"))?/y;
const TAG = new RegExp(
  `<!--(?:>|->|[\\s\\S]*?-->)|<\\?[\\s\\S]*?\\?>|<![A-Za-z][^>]*>|<!\\[CDATA\\[[\\s\\S]*?\\]\\]>|<(/?)([A-Za-z][A-Za-z0-9-]*)((?:${ATTRIBUTE.source})*)\\s*/?>`,
  "g",
);

/** Splits HTML into pieces. What is no tag is text. */
export function splitHtml(html: string): Piece[] {
  const pieces: Piece[] = [];
  const source = removeOpenComments(html);
  let at = 0;
  const textUpTo = (end: number): void => {
    if (end > at) pieces.push({ kind: "text", value: decodeHTML(html.slice(at, end)) });
  };
  for (const match of source.matchAll(TAG)) {
    textUpTo(match.index);
    at = match.index + match[0].length;
    pieces.push(toPiece(match));
  }
  textUpTo(html.length);
  return pieces;
}

/** Replaces the starts of unclosed comments and the like, each of which would be searched to the end of the text. */
function removeOpenComments(html: string): string {
  let source = html;
  for (const [start, end] of [
    ["<!--", "-->"],
    ["<?", "?>"],
    ["<![CDATA[", "]]>"],
    ["<!", ">"],
  ] as const) {
    const last = source.lastIndexOf(end);
    const from = last === -1 ? 0 : last + end.length;
    if (source.indexOf(start, from) !== -1)
      source = source.slice(0, from) + source.slice(from).replaceAll(start, " ".repeat(start.length));
  }
  return source;
}

function toPiece([value, slash, tag, written = ""]: RegExpExecArray): Piece {
  if (tag === undefined) return { kind: "other", value };
  const name = tag.toLowerCase();
  if (slash === "/") return { kind: "close", value, name };
  const known = new Set([...EVERYWHERE, ...(ATTRIBUTES[name] ?? [])]);
  const attributes: Record<string, string> = {};
  for (const [, attribute = "", quoted = ""] of written.matchAll(new RegExp(ATTRIBUTE, "g"))) {
    const key = attribute.toLowerCase();
    if (known.has(key) && !Object.hasOwn(attributes, key))
      attributes[key] = decodeHTMLAttribute(quoted.replace(/^(["'])([\s\S]*)\1$/, "$2"));
  }
  return { kind: "open", value, name, attributes };
}
