/** Extracts plain text from the markup of sources. All functions take linear time, and their input is limited. */
import { Parser } from "htmlparser2";

export type Markup = { readonly kind: "text" | "html"; readonly value: string };

/** Characters of a text that are read: far more than are kept, because most of a text can be markup. */
export const MARKUP_LIMIT = 20_000;

/** Returns a title on one line. Only elements of HTML count as tags: `Vec<T>` is text, `<b>Vec</b>` is markup. */
export function toTitle({ kind, value }: Markup): string {
  const text = value.slice(0, MARKUP_LIMIT);
  if (kind === "text") return toOneLine(decodeAgain(text));
  const bare = text.replace(TITLE_TAG, (_, name: string) => (INLINE.has(name.toLowerCase()) ? "" : " "));
  return toOneLine(decodeAgain(htmlToText(escapeTags(bare))));
}

/** Returns a longer text on one line, without what a browser does not show, such as scripts. */
export function toParagraph({ kind, value }: Markup): string {
  const text = value.slice(0, MARKUP_LIMIT);
  return toOneLine(decodeAgain(kind === "text" ? text : htmlToText(text)));
}

/**
 * Returns at most `most` UTF-16 code units of a text. A text that is cut ends with an ellipsis, after a whole character
 * as people see it, and after a whole word if a space is near.
 */
export function truncate(text: string, most: number): string {
  if (text.length <= most) return text;
  const room = most - 1;
  let end = 0;
  for (const { index, segment } of GRAPHEMES.segment(text.slice(0, most + 1))) {
    if (index + segment.length > room) break;
    end = index + segment.length;
  }
  // If the first character alone is too long, such as a letter with many accents, it is cut anywhere.
  const kept = text.slice(0, end || room).replace(/\p{Cs}$/u, "");
  const space = kept.lastIndexOf(" ");
  const words = space > Math.max(0, kept.length - LONGEST_WORD) ? kept.slice(0, space) : kept;
  return `${words.replace(/[\s,;:.–—-]{1,9}$/u, "")}…`;
}

/**
 * Returns a text that can be stored and shown: well-formed, without line breaks, control characters, invisible
 * characters and marks that change the direction of text.
 */
export function toOneLine(text: string): string {
  return text
    .toWellFormed()
    .replace(INVISIBLE, "")
    .replace(/[\s\p{Cc}]+/gu, " ")
    .trim();
}

function htmlToText(html: string): string {
  let text = "";
  let depth = 0;
  /** The depth of the outermost element that a browser does not show; 0 outside of such elements. */
  let hidden = 0;
  const parser = new Parser({
    onopentagname(name) {
      depth++;
      // The parser's time grows with the square of the depth.
      if (depth > MAX_DEPTH) parser.pause();
      if (hidden === 0 && HIDDEN.has(name)) hidden = depth;
      if (!INLINE.has(name)) text += " ";
    },
    onclosetag(name) {
      if (hidden === depth) hidden = 0;
      depth--;
      if (!INLINE.has(name)) text += " ";
    },
    ontext(data) {
      if (hidden === 0) text += data;
    },
  });
  parser.end(html);
  return text;
}

/** Decodes entities such as `&#8217;` or `&amp;` that remain after decoding. Many generators encode them twice. */
const decodeAgain = (text: string): string => (ENCODED.test(text) ? htmlToText(escapeTags(text)) : text);

const escapeTags = (text: string): string => text.replaceAll("<", "&lt;");

export const MAX_DEPTH = 200;

/** How many characters before the cut a space is searched. */
const LONGEST_WORD = 30;

const GRAPHEMES = new Intl.Segmenter("en", { granularity: "grapheme" });

const ENCODED = /&(?:amp|quot|apos|#\d{2,6}|#x[\da-f]{2,5});/i;

/** Soft hyphen, zero width space, byte order mark, and marks that change the direction of text. */
const INVISIBLE = /[\u00ad\u200b\ufeff\u202a-\u202e\u2066-\u2069]/g;

/** Elements within a line (HTML, 3.2.5.2.5). All other elements separate words. */
export const INLINE: ReadonlySet<string> = new Set(
  (
    "a abbr acronym b bdi bdo big cite code data del dfn em font i ins kbd mark nobr q s samp small span strike " +
    "strong sub sup time tt u var wbr"
  ).split(" "),
);

const HIDDEN: ReadonlySet<string> = new Set(
  "audio canvas embed form head iframe math noscript object script style svg template textarea title video".split(" "),
);

const TITLE_TAG = new RegExp(`</?(${[...INLINE].join("|")}|br|div|h[1-6]|img|p)(?:\\s[^<>]*)?/?>`, "gi");
