/** Writes YAML that every parser reads in the same way. */

/**
 * Takes a double-quoted scalar from JSON.stringify. Returns it with escapes for the characters that JSON.stringify does
 * not escape, but that some YAML parsers refuse or misread.
 */
export const withEscapes = (quoted: string): string =>
  quoted.replaceAll(UNSEEN, (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`);

/**
 * Matches characters that are not printable (YAML 1.2.2, 5.1), that some parsers take for a line break or a byte order
 * mark, or that change the direction of text.
 */
const UNSEEN = /[\u007f-\u009f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069\ufeff\ufffe\uffff]/g;
