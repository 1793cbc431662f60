/** Returns whether D1 returns the text unchanged: it has no lone surrogates and no NUL. */
export const isStorable = (text: string): boolean => text.isWellFormed() && !text.includes("\0");

/** Returns whether a text has no control characters, such as line breaks, and no Unicode line separators. */
export const isSingleLine = (text: string): boolean => !/[\p{Cc}\u2028\u2029]/u.test(text);

/**
 * Replaces each line break and the white space around it by a space. One pattern for all white space, because a pattern
 * that looks for a line break after white space takes quadratic time.
 */
export const joinLines = (text: string): string =>
  text.replaceAll(/\s+/g, (space) => (/[\r\n\u2028\u2029]/.test(space) ? " " : space));

/** Returns a text on one line, trimmed and without control characters. */
export const toLine = (text: string): string => text.replaceAll(/[\s\p{Cc}]+/gu, " ").trim();

/** Returns whether a text has at most `most` code points, as zod counts them. */
export const hasAtMost = (text: string, most: number): boolean =>
  text.length <= most || Array.from(text).length <= most;

const encoder = new TextEncoder();

/** Returns the UTF-8 bytes of a well-formed text. For short texts, this is far faster than encoding. */
export function utf8Length(text: string): number {
  let bytes = text.length;
  for (let n = 0; n < text.length; n++) {
    const code = text.charCodeAt(n);
    // Two surrogates have four bytes together.
    if (code > 0x7f) bytes += code > 0x7ff && (code & 0xf800) !== 0xd800 ? 2 : 1;
  }
  return bytes;
}

export const utf8 = (text: string): Uint8Array<ArrayBuffer> => encoder.encode(text) as Uint8Array<ArrayBuffer>;

/** Returns whether an index is in the middle of a surrogate pair. */
export function splitsCharacter(text: string, place: number): boolean {
  const code = text.charCodeAt(place);
  return code >= 0xdc_00 && code <= 0xdf_ff && place > 0;
}

/** Cuts a text to `most` characters, with an ellipsis at the end. The result is well-formed. */
export function shorten(text: string, most: number): string {
  if (text.length <= most) return text.toWellFormed();
  const end = splitsCharacter(text, most - 1) ? most - 2 : most - 1;
  return `${text.slice(0, end).toWellFormed()}…`;
}

const VISIBLE = /[^\s\p{Default_Ignorable_Code_Point}]/u;

/** Returns the first text that has a visible character; "" if none has one. */
export const pickVisible = (...texts: readonly (string | undefined)[]): string =>
  texts.find((text = "") => VISIBLE.test(text)) ?? "";

/** Commas, also Arabic, Chinese and Japanese ones. */
const COMMA = /[,،、，]/;

export const hasComma = (text: string): boolean => COMMA.test(text);

/** Splits a text at commas. Trims the parts and leaves out empty ones. */
export const splitAtCommas = (text: string): string[] =>
  text
    .split(COMMA)
    .map((part) => part.trim())
    .filter((part) => part !== "");

/** Returns the text with LF line breaks. */
export const normalizeLineBreaks = (text: string): string => text.replaceAll(/\r\n?/g, "\n");

export const capitalize = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);

/** Returns how often a pattern, which has the flag `g`, matches. */
export const countMatches = (text: string, pattern: RegExp): number => text.match(pattern)?.length ?? 0;
