/** Long texts in parts. Places are counted in UTF-16 units, as in `contentLength`. */
import { splitsCharacter } from "../lib/text.ts";

export type Part = {
  readonly text: string;
  /** Where the part begins: as asked for, or one before, where that would split a character. */
  readonly offset: number;
  /** Where the next part begins; null at the end. */
  readonly nextOffset: number | null;
};

/** A part of a text, of about so many characters: it never splits one, and ends with a line where it can. */
export function partOf(text: string, from: number, most: number): Part {
  const offset = Math.min(splitsCharacter(text, from) ? from - 1 : from, text.length);
  if (offset + most >= text.length) return { text: text.slice(offset), offset, nextOffset: null };
  const line = text.lastIndexOf("\n", offset + most - 1) + 1;
  // A line that fills most of the part is split: a part has to bring the reader on.
  const wanted = line > offset + most / 2 ? line : offset + most;
  const end = splitsCharacter(text, wanted) ? wanted + 1 : wanted;
  return { text: text.slice(offset, end), offset, nextOffset: end < text.length ? end : null };
}
