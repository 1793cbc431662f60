/** Plain text of what sources mark up. All of it is linear in what it is given, and that is bounded. */
import { Parser } from "htmlparser2";

/** Text, or HTML that stands for it. */
export type Markup = { readonly kind: "text" | "html"; readonly value: string };

/** Characters of a text that are looked at. Far more than is kept, since markup may be most of it. */
export const MARKUP_LIMIT = 20_000;

/** A title in one line. HTML here is an element of HTML only: `Vec<T>` is a title, `<b>Vec</b>` is marked up. */
export function titleOf({ kind, value }: Markup): string {
  const text = value.slice(0, MARKUP_LIMIT);
  if (kind === "text") return oneLine(decodedAgain(text));
  const bare = text.replace(TITLE_TAG, (_, name: string) => (INLINE.has(name.toLowerCase()) ? "" : " "));
  return oneLine(decodedAgain(textOfHtml(escapeTags(bare))));
}

/** A longer text in one line; what a browser does not show, such as scripts, is left out. */
export function paragraphOf({ kind, value }: Markup): string {
  const text = value.slice(0, MARKUP_LIMIT);
  return oneLine(decodedAgain(kind === "text" ? text : textOfHtml(text)));
}

/** At most so many UTF-16 code units, cut between characters as people see them, with an ellipsis. */
export function cut(text: string, most: number): string {
  if (text.length <= most) return text;
  const room = most - 1;
  let end = 0;
  for (const { index, segment } of GRAPHEMES.segment(text.slice(0, most + 1))) {
    if (index + segment.length > room) break;
    end = index + segment.length;
  }
  // One character that is longer than that, such as a stack of accents, is cut anywhere.
  const kept = text.slice(0, end || room).replace(/\p{Cs}$/u, "");
  const space = kept.lastIndexOf(" ");
  const words = space > Math.max(0, kept.length - LONGEST_WORD) ? kept.slice(0, space) : kept;
  return `${words.replace(/[\s,;:.–—-]{1,9}$/u, "")}…`;
}

/** Storable, without line breaks and control characters, and without what is invisible or turns text around. */
export function oneLine(text: string): string {
  return text
    .toWellFormed()
    .replace(INVISIBLE, "")
    .replace(/[\s\p{Cc}]+/gu, " ")
    .trim();
}

function textOfHtml(html: string): string {
  let text = "";
  let depth = 0;
  /** How deep the outermost element is that is not shown; 0 where all are. */
  let hidden = 0;
  const parser = new Parser({
    onopentagname(name) {
      depth++;
      // The parser's cost grows with the square of the depth.
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

/** Many generators encode twice: what still reads `&#8217;` or `&amp;` was meant to be decoded. */
const decodedAgain = (text: string): string => (ENCODED.test(text) ? textOfHtml(escapeTags(text)) : text);

const escapeTags = (text: string): string => text.replaceAll("<", "&lt;");

const MAX_DEPTH = 200;

/** Characters after which a word is no longer waited for. */
const LONGEST_WORD = 30;

const GRAPHEMES = new Intl.Segmenter("en", { granularity: "grapheme" });

const ENCODED = /&(?:amp|quot|apos|#\d{2,6}|#x[\da-f]{2,5});/i;

/** Soft hyphen, zero width space, byte order mark; marks that change the direction of what follows. */
const INVISIBLE = /[\u00ad\u200b\ufeff\u202a-\u202e\u2066-\u2069]/g;

/** Elements within a line (HTML, 3.2.5.2.5): around all others, words are apart. */
const INLINE: ReadonlySet<string> = new Set(
  (
    "a abbr acronym b bdi bdo big cite code data del dfn em font i ins kbd mark nobr q s samp small span strike " +
    "strong sub sup time tt u var wbr"
  ).split(" "),
);

const HIDDEN: ReadonlySet<string> = new Set(
  "audio canvas embed form head iframe math noscript object script style svg template textarea title video".split(" "),
);

const TITLE_TAG = new RegExp(`</?(${[...INLINE].join("|")}|br|div|h[1-6]|img|p)(?:\\s[^<>]*)?/?>`, "gi");
