/** Finds the quotations of a text, and whether another text has them. */

export type Quotation = { readonly from: number; readonly to: number; readonly text: string };

/** Quotation marks of all common kinds. Straight ones are also inches: text stands directly within those of a quotation. */
const QUOTED =
  /„([^„“”"]+)[“”"]|“([^“”]+)”|”([^”“„]+)”|"(?=\S)([^"]*[^"\s])"|«([^«»]+)»|»([^«»]+)«|‹([^‹›]+)›|「([^「」]+)」|『([^『』]+)』|〝([^〝〞〟]+)[〞〟]|(?<![\p{L}\p{N}])‚([^‚‘’]+(?:’\p{L}[^‚‘’]*)*)[‘’](?!\p{L})|(?<![\p{L}\p{N}])‘([^‘’]+(?:’\p{L}[^‘’]*)*)’(?!\p{L})/gu;

/** Returns the quotations of a line that are long enough to be the words of somebody. */
export function listQuotations(line: string): Quotation[] {
  return [...line.matchAll(QUOTED)].flatMap((found) => {
    const text = (found.slice(1).find((group) => group !== undefined) ?? "").trim();
    return isLongEnough(text) ? [{ from: found.index, to: found.index + found[0].length, text }] : [];
  });
}

export const isLongEnough = (text: string): boolean => measure(fold(text)) >= LONG;

/** Characters of scripts without spaces count as half a word. */
const measure = (words: readonly string[]): number =>
  words.reduce((sum, word) => sum + (UNSPACED.test(word) ? 1 : 2), 0);

/** Three words, and the two that a piece of a quotation has at least. */
const LONG = 6;
const PIECE = 4;

const UNSPACED =
  /^[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}ー]/u;
const WORDS =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}ー]|(?:(?![\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}ー])[\p{L}\p{M}\p{N}])+/gu;

/** Returns the words of a text without case, punctuation and accents of European letters. */
const fold = (text: string): string[] =>
  text
    .normalize("NFKD")
    .replaceAll(/[\u0300-\u036f]/g, "")
    .normalize("NFC")
    .toLowerCase()
    .replaceAll("ß", "ss")
    .match(WORDS) ?? [];

const join = (words: readonly string[]): string => ` ${words.join(" ")} `;

/** Returns a text in the form in which {@link hasQuotation} looks for quotations. */
export const toSearched = (text: string): string => join(fold(text));

/** Words in brackets were put in, and an ellipsis stands for words that were left out. */
const GAPS = /\[[^[\]]*\]|\((?:…|\.{3})\)|…|\.{3}/;

/** A letter whose case was changed: `[W]e`. */
const CHANGED_LETTER = /\[(\p{L})\](?=\p{L})/gu;

/** The most words between two pieces, the most pieces, and the most places of the first one that are looked at. */
const LEFT_OUT = 40;
const MOST_PIECES = 20;
const MOST_PLACES = 50;

/** Each piece of the quotation must be there, long enough to be no accident, and near the one before it. */
export function hasQuotation(searched: string, quotation: string): boolean {
  const pieces = quotation
    .replaceAll(CHANGED_LETTER, "$1")
    .split(GAPS)
    .map(fold)
    .filter((words) => words.length > 0);
  const [first, ...rest] = pieces.map(join);
  if (first === undefined || pieces.length > MOST_PIECES || measure(pieces.flat()) < LONG) return false;
  if (rest.length > 0 && pieces.some((words) => measure(words) < PIECE)) return false;
  let at = searched.indexOf(first);
  for (let place = 0; at >= 0 && place < MOST_PLACES; place++) {
    if (goesOn(searched, at + first.length - 1, rest)) return true;
    at = searched.indexOf(first, at + 1);
  }
  return false;
}

/** The longest words that are left out have this many characters, with the space after them. */
const LONG_WORD = 20;

function goesOn(searched: string, start: number, pieces: readonly string[]): boolean {
  let at = start;
  return pieces.every((piece) => {
    const near = searched.slice(at, at + LEFT_OUT * LONG_WORD + piece.length);
    const found = near.indexOf(piece);
    if (found < 0 || near.slice(0, found).split(" ").length - 1 > LEFT_OUT) return false;
    // The space at its end may be the one before the next piece.
    at += found + piece.length - 1;
    return true;
  });
}
