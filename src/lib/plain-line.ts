/** Reduces the output of models to single lines without markup: titles, headings, descriptions, keywords, alt texts. */
import { settled, withoutAddresses } from "./addresses.ts";
import { withoutInvisible } from "./invisible.ts";

/** Characters of the input that are used. No line may have that many. */
const MOST_CHARACTERS = 4000;

/**
 * Returns a model's line as plain text: without HTML tags, links, URLs, e-mail addresses, Markdown for emphasis, code
 * or headings, line breaks and invisible characters. Returns "" for a text that nests them too deeply to be cleaned.
 */
export const plainLine = (text: string): string => settled(text.slice(0, MOST_CHARACTERS).toWellFormed(), cleaned);

/** One round of the cleaning. Addresses are removed last, because removing markup can join the pieces of an address. */
const cleaned = (text: string): string =>
  withoutAddresses(
    settled(withoutInvisible(text.replaceAll(/\p{Cc}+/gu, " ")), withoutTags)
      .replaceAll(AUTOLINKED_MAIL, "")
      .replaceAll(OPEN_TAG, (tag) => (isTag(`${tag.trimEnd()}>`) ? tag.slice(1) : tag))
      .replaceAll(MARKDOWN_LINK, "$1")
      .replaceAll(/`|\*\*/g, "")
      .replace(/^[\s#>]+(?=\s)/, "")
      .replaceAll(ACTIVE, ""),
    ANY_ADDRESS,
  )
    .replaceAll(/\s+/g, " ")
    .trim();

/** Removes the innermost tags. The caller repeats this, because the text around them may then form a tag. */
const withoutTags = (text: string): string => text.replaceAll(/<[^<>]*>/g, (tag) => (isTag(tag) ? "" : tag));

const ANY_ADDRESS = { mayStay: () => false, onRemoved: () => {} };

/** Matches a possible tag without its `>`, which text after the line could supply. Only the bracket is removed. */
const OPEN_TAG = /<[^<>]*(?=<|$)/g;

/** Matches e-mail addresses in angle brackets, where CommonMark (6.5) accepts more than elsewhere. */
const AUTOLINKED_MAIL = /<[^\s<>]+@[^\s<>]+>/g;

/** Matches `[text](address)` and `![text](address)`. */
const MARKDOWN_LINK = /!?\[([^[\]]*)\]\((?:[^()]|\([^()]*\))*\)/g;

/** Matches URLs without `//` that run code or open something (`javascript:`, `tel:`), and URLs that start with `//`. */
const ACTIVE =
  /(?<![\w-])(?:(?:javascript|vbscript|mailto|xmpp):|data:(?=[\w+-]+\/|[,;])|tel:(?=[\d+]))\S+|(?<![\w:/])\/\/[\p{L}\p{N}-]+\.\S*/giu;

/**
 * Returns whether a piece in angle brackets is HTML. `<Key>` in `Map<Key>` and a forgotten `<your name>` are not; they
 * stay as text.
 */
export function isTag(piece: string): boolean {
  const words = /^<([a-z][\w-]*)(?: [\w-]+)*>$/i.exec(piece);
  const isMarkup = words === null && /^<(?:[/!?]|[a-z][\w-]*[\s/])/i.test(piece);
  return isMarkup || ELEMENTS.has(words?.[1]?.toLowerCase() ?? "");
}

/**
 * The elements of the HTML Standard, obsolete elements that browsers still support, and the roots of SVG and MathML.
 */
const ELEMENTS = new Set(
  `a abbr acronym address applet area article aside audio b base bdi bdo big blink blockquote body br button canvas
  caption center cite code col colgroup data datalist dd del details dfn dialog dir div dl dt em embed fieldset
  figcaption figure font footer form frame frameset h1 h2 h3 h4 h5 h6 head header hgroup hr html i iframe img input
  ins kbd label legend li link main map mark marquee math menu meta meter nav nobr noscript object ol optgroup option
  output p param picture plaintext pre progress q rp rt ruby s samp script search section select slot small source
  span strike strong style sub summary sup svg table tbody td template textarea tfoot th thead time title tr track tt
  u ul var video wbr xmp`.split(/\s+/),
);
