/** Single lines without markup: titles, headings, descriptions, keywords, texts of images. */
import { settled, withoutAddresses } from "./addresses.ts";
import { withoutInvisible } from "./invisible.ts";

/** Characters of a line that are looked at: more than any line may have. */
const MOST_CHARACTERS = 4000;

/**
 * What a model's line says: no tags of HTML, no links or addresses (also of mail), no marks of Markdown at its
 * ends, no line breaks, nothing invisible. "" for one that is made to hide them in each other without end.
 */
export const plainLine = (text: string): string => settled(text.slice(0, MOST_CHARACTERS).toWellFormed(), cleaned);

/** Addresses last: what separated their pieces may be gone by now. */
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

/** The innermost tags go: around them, others may close. */
const withoutTags = (text: string): string => text.replaceAll(/<[^<>]*>/g, (tag) => (isTag(tag) ? "" : tag));

const ANY_ADDRESS = { mayStay: () => false, onRemoved: () => {} };

/** What may be a tag that the line does not close: what stands after it could. Its bracket goes. */
const OPEN_TAG = /<[^<>]*(?=<|$)/g;

/** CommonMark, 6.5: in brackets, more is an address of mail than elsewhere. */
const AUTOLINKED_MAIL = /<[^\s<>]+@[^\s<>]+>/g;

/** `[text](address)` and `![text](address)`. */
const MARKDOWN_LINK = /!?\[([^[\]]*)\]\((?:[^()]|\([^()]*\))*\)/g;

/** Addresses that act, or lead somewhere, without `//`, and those that have nothing before it. */
const ACTIVE =
  /(?<![\w-])(?:(?:javascript|vbscript|mailto|xmpp):|data:(?=[\w+-]+\/|[,;])|tel:(?=[\d+]))\S+|(?<![\w:/])\/\/[\p{L}\p{N}-]+\.\S*/giu;

/**
 * Whether a piece in angle brackets is HTML. `Map<Key>` and a forgotten `<your name>` are not: people may read
 * them, as text.
 */
export function isTag(piece: string): boolean {
  const words = /^<([a-z][\w-]*)(?: [\w-]+)*>$/i.exec(piece);
  const isMarkup = words === null && /^<(?:[/!?]|[a-z][\w-]*[\s/])/i.test(piece);
  return isMarkup || ELEMENTS.has(words?.[1]?.toLowerCase() ?? "");
}

/** The elements of the HTML Standard, the obsolete ones that still do something, and the roots of SVG and MathML. */
const ELEMENTS = new Set(
  `a abbr acronym address applet area article aside audio b base bdi bdo big blink blockquote body br button canvas
  caption center cite code col colgroup data datalist dd del details dfn dialog dir div dl dt em embed fieldset
  figcaption figure font footer form frame frameset h1 h2 h3 h4 h5 h6 head header hgroup hr html i iframe img input
  ins kbd label legend li link main map mark marquee math menu meta meter nav nobr noscript object ol optgroup option
  output p param picture plaintext pre progress q rp rt ruby s samp script search section select slot small source
  span strike strong style sub summary sup svg table tbody td template textarea tfoot th thead time title tr track tt
  u ul var video wbr xmp`.split(/\s+/),
);
