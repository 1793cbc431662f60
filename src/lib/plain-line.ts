import { repeatUntilStable, removeAddresses } from "./addresses.ts";
import { removeInvisible } from "./invisible.ts";

const MOST_CHARACTERS = 4000;

/**
 * Returns a model's title, description, keyword or alt text as one plain line: without HTML tags, links, URLs, email
 * addresses, Markdown, line breaks and invisible characters. Returns "" if these are nested too deeply.
 */
export const plainLine = (text: string): string =>
  repeatUntilStable(text.slice(0, MOST_CHARACTERS).toWellFormed(), cleanOnce);

/** Addresses are removed last, because removing markup can join the pieces of an address. */
const cleanOnce = (text: string): string =>
  removeAddresses(
    repeatUntilStable(removeInvisible(text.replaceAll(/\p{Cc}+/gu, " ")), removeTags)
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

/** Removes the innermost tags. Call it again, because the text around them may then form a tag. */
const removeTags = (text: string): string => text.replaceAll(/<[^<>]*>/g, (tag) => (isTag(tag) ? "" : tag));

const ANY_ADDRESS = { mayStay: () => false, onRemoved: () => {} };

/** A possible tag without its `>`, which the text after the line could supply. Only the bracket is removed. */
const OPEN_TAG = /<[^<>]*(?=<|$)/g;

/** Email addresses in angle brackets, where CommonMark (6.5) accepts more than elsewhere. */
const AUTOLINKED_MAIL = /<[^\s<>]+@[^\s<>]+>/g;

const MARKDOWN_LINK = /!?\[([^[\]]*)\]\((?:[^()]|\([^()]*\))*\)/g;

/** URLs without `//` that run code or open something (`javascript:`, `tel:`), and URLs that start with `//`. */
const ACTIVE =
  /(?<![\w-])(?:(?:javascript|vbscript|mailto|xmpp):|data:(?=[\w+-]+\/|[,;])|tel:(?=[\d+]))\S+|(?<![\w:/])\/\/[\p{L}\p{N}-]+\.\S*/giu;

/** Returns whether a piece in angle brackets is HTML. `<Key>` in `Map<Key>` and a forgotten `<your name>` are not. */
export function isTag(piece: string): boolean {
  const words = /^<([a-z][\w-]*)(?: [\w-]+)*>$/i.exec(piece);
  const isMarkup = words === null && /^<(?:[/!?]|[a-z][\w-]*[\s/])/i.test(piece);
  return isMarkup || ELEMENTS.has(words?.[1]?.toLowerCase() ?? "");
}

/** The elements of the HTML Standard, obsolete ones that browsers still support, and the roots of SVG and MathML. */
const ELEMENTS = new Set(
  `a abbr acronym address applet area article aside audio b base bdi bdo big blink blockquote body br button canvas
  caption center cite code col colgroup data datalist dd del details dfn dialog dir div dl dt em embed fieldset
  figcaption figure font footer form frame frameset h1 h2 h3 h4 h5 h6 head header hgroup hr html i iframe img input
  ins kbd label legend li link main map mark marquee math menu meta meter nav nobr noscript object ol optgroup option
  output p param picture plaintext pre progress q rp rt ruby s samp script search section select slot small source
  span strike strong style sub summary sup svg table tbody td template textarea tfoot th thead time title tr track tt
  u ul var video wbr xmp`.split(/\s+/),
);
