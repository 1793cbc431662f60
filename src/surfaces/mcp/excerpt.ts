/** Splits long texts into parts. Offsets count UTF-16 code units, as `contentLength` does. */
import { splitsCharacter } from "../../lib/text.ts";

/** A part of a text. */
export type Part = {
  readonly text: string;
  /** Where the part begins. It is one less than requested if that place would split a character. */
  readonly offset: number;
  /** Where the next part begins; null if this is the last one. */
  readonly nextOffset: number | null;
};

/**
 * Returns the part of a text that begins at `from` and has about `most` UTF-16 code units. It never splits a character.
 * It ends at a line break if there is one in its second half.
 */
export function partOf(text: string, from: number, most: number): Part {
  const offset = Math.min(splitsCharacter(text, from) ? from - 1 : from, text.length);
  if (offset + most >= text.length) return { text: text.slice(offset), offset, nextOffset: null };
  const line = text.lastIndexOf("\n", offset + most - 1) + 1;
  // If the last line break is in the first half, split the line, because the part would otherwise be too short.
  const wanted = line > offset + most / 2 ? line : offset + most;
  const end = splitsCharacter(text, wanted) ? wanted + 1 : wanted;
  return { text: text.slice(offset, end), offset, nextOffset: end < text.length ? end : null };
}
