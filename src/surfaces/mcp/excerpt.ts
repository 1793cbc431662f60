/** Parts of long texts. Offsets count UTF-16 code units, as `contentLength` does. */
import { splitsCharacter } from "../../lib/text.ts";

export type Part = {
  readonly text: string;
  /** The beginning of the part: one less than requested if it would split a character. */
  readonly offset: number;
  /** The beginning of the next part, or null if this is the last one. */
  readonly nextOffset: number | null;
};

/**
 * Returns the part of a text that begins at `from` and has about `most` UTF-16 code units. Never splits a character. Ends at
 * a line break if there is one in the second half.
 */
export function slicePart(text: string, from: number, most: number): Part {
  const offset = Math.min(splitsCharacter(text, from) ? from - 1 : from, text.length);
  if (offset + most >= text.length) return { text: text.slice(offset), offset, nextOffset: null };
  const line = text.lastIndexOf("\n", offset + most - 1) + 1;
  const wanted = line > offset + most / 2 ? line : offset + most;
  const end = splitsCharacter(text, wanted) ? wanted + 1 : wanted;
  return { text: text.slice(offset, end), offset, nextOffset: end < text.length ? end : null };
}
