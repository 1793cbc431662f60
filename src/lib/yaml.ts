/** What is written as YAML, for every reader of it. */

/** Double-quoted scalars with escapes for what some readers refuse or misread, and JSON.stringify leaves as it is. */
export const withEscapes = (quoted: string): string =>
  quoted.replaceAll(UNSEEN, (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`);

/**
 * What is not printable (YAML 1.2.2, 5.1), what some readers take for a line break or a mark of the file, and what
 * turns text around.
 */
const UNSEEN = /[\u007f-\u009f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069\ufeff\ufffe\uffff]/g;
