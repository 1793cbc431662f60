/**
 * Returns a result of JSON.stringify as a YAML scalar that every parser reads alike: it escapes characters that
 * JSON.stringify leaves as they are, but that some YAML parsers refuse or misread.
 */
export const escapeQuoted = (quoted: string): string =>
  quoted.replaceAll(UNSEEN, (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`);

/**
 * Characters that are not printable (YAML 1.2.2, 5.1), that some parsers take for a line break or a byte order mark, or
 * that change the direction of text.
 */
const UNSEEN = /[\u007f-\u009f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069\ufeff\ufffe\uffff]/g;
