/** Finds the quotations of a text, and whether another text has them. */

export type Quotation = { readonly from: number; readonly to: number; readonly text: string };

/** Quotation marks of all common kinds. Straight ones are also inches: text stands directly within those of a quotation. */
const QUOTED =
  /„([^„“”]+)[“”]|“([^“”]+)”|”([^”“„]+)”|"(?=\S)([^"]*[^"\s])"|«([^«»]+)»|»([^«»]+)«|‹([^‹›]+)›|「([^「」]+)」|『([^『』]+)』|(?<![\p{L}\p{N}])‘([^‘’]+(?:’\p{L}[^‘’]*)*)’(?!\p{L})/gu;

/** Returns the quotations of a line that are long enough to be the words of somebody. */
export function listQuotations(line: string): Quotation[] {
  return [...line.matchAll(QUOTED)].flatMap((found) => {
    const text = (found.slice(1).find((group) => group !== undefined) ?? "").trim();
    return isLongEnough(text) ? [{ from: found.index, to: found.index + found[0].length, text }] : [];
  });
}

/** Characters of scripts without spaces each count as a word of half a length. */
export function isLongEnough(text: string): boolean {
  const words = fold(text);
  const unspaced = words.filter((word) => UNSPACED.test(word)).length;
  return words.length - unspaced >= 3 || unspaced >= 6;
}

const UNSPACED =
  /^[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}ー]/u;
const WORDS =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}ー]|(?:(?![\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}ー])[\p{L}\p{M}\p{N}])+/gu;

/** Returns the words of a text without case and punctuation. */
const fold = (text: string): string[] => text.normalize("NFKC").toLowerCase().match(WORDS) ?? [];

const join = (words: readonly string[]): string => ` ${words.join(" ")} `;

/** Returns a text in the form in which {@link hasQuotation} looks for quotations. */
export const toSearched = (text: string): string => join(fold(text));

/** Words in brackets were put in, and an ellipsis stands for words that were left out. */
const GAPS = /\[[^\]]*\]|\((?:…|\.{3})\)|…|\.{3}/;

export function hasQuotation(searched: string, quotation: string): boolean {
  const pieces = quotation
    .split(GAPS)
    .map(fold)
    .filter((words) => words.length > 0);
  let at = 0;
  return pieces.every((words) => {
    const piece = join(words);
    const found = searched.indexOf(piece, at);
    // The space at its end may be the one before the next piece.
    at = found + piece.length - 1;
    return found >= 0;
  });
}
