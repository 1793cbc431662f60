/** Checks and measures texts. */

/** Returns whether D1 would return the text unchanged: it has no lone surrogates and no NUL. */
export const isStorable = (text: string): boolean => text.isWellFormed() && !text.includes("\0");

/** Returns whether a text has no control characters and no line breaks, which are such, or Unicode's two separators. */
export const isSingleLine = (text: string): boolean => !/[\p{Cc}\u2028\u2029]/u.test(text);

/**
 * Returns the text with a space in the place of each line break and the white space around it. Whoever sends the text
 * chooses how long that is: a pattern that looks for a line break behind white space would take its square.
 */
export const inOneLine = (text: string): string =>
  text.replaceAll(/\s+/g, (space) => (/[\r\n\u2028\u2029]/.test(space) ? " " : space));

/** Returns the text on one line, without white space around it and without control characters. */
export const asLine = (text: string): string => text.replaceAll(/[\s\p{Cc}]+/gu, " ").trim();

/** Returns whether a text has at most so many characters, which are code points, as in the limits of zod's texts. */
export const hasAtMost = (text: string, most: number): boolean =>
  text.length <= most || Array.from(text).length <= most;

const encoder = new TextEncoder();

/** Returns the length of a well-formed text in UTF-8 bytes. To encode short texts, such as words, would take far longer. */
export function utf8Length(text: string): number {
  let bytes = text.length;
  for (let n = 0; n < text.length; n++) {
    const code = text.charCodeAt(n);
    // The two halves of a pair have four bytes together.
    if (code > 0x7f) bytes += code > 0x7ff && (code & 0xf800) !== 0xd800 ? 2 : 1;
  }
  return bytes;
}

/** Encodes a text as UTF-8. */
export const utf8 = (text: string): Uint8Array<ArrayBuffer> => encoder.encode(text) as Uint8Array<ArrayBuffer>;

/** Returns whether an index would split a character, because the second half of a surrogate pair is there. */
export function splitsCharacter(text: string, place: number): boolean {
  const code = text.charCodeAt(place);
  return code >= 0xdc_00 && code <= 0xdf_ff && place > 0;
}

/** Returns a text of at most `most` characters, well-formed: a longer one ends with an ellipsis. */
export function shortened(text: string, most: number): string {
  if (text.length <= most) return text.toWellFormed();
  const end = splitsCharacter(text, most - 1) ? most - 2 : most - 1;
  return `${text.slice(0, end).toWellFormed()}…`;
}

/** A comma, also as Arabic, Chinese and Japanese keyboards have it. */
const COMMA = /[,،、，]/;

export const hasComma = (text: string): boolean => COMMA.test(text);

/** Returns the parts of a list with commas, without white space around them and without empty ones. */
export const commaSeparated = (text: string): string[] =>
  text
    .split(COMMA)
    .map((part) => part.trim())
    .filter((part) => part !== "");
