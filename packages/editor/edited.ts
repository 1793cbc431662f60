/** Keeps what was not edited in a block as its author wrote it: the editor would write some of it in another way. */
import { diffWordsWithSpace } from "diff";
import { runsOf } from "./runs.ts";

/** A part of a text, and what stands there in another one. */
export type Hunk = { readonly from: number; readonly to: number; readonly text: string };

/** The most words and signs that may differ. To find more of them would take a browser too long. */
const MOST = 1000;

/**
 * Returns the source of a block with what was edited in it; null if too much of it is. `before` and `after` are the block
 * as the editor writes it, before and after it was edited; `ways` is where the source differs from `before`.
 */
export function edited(before: string, after: string, ways: readonly Hunk[]): string | null {
  const edits = hunksOf(before, after);
  if (edits === null) return null;
  // Where both are, the edit counts.
  const kept = ways.filter((way) => edits.every((edit) => way.to <= edit.from || edit.to <= way.from));
  let [text, at] = ["", 0];
  for (const hunk of [...edits, ...kept].sort((one, other) => one.from - other.from || one.to - other.to)) {
    text += before.slice(at, hunk.from) + hunk.text;
    at = hunk.to;
  }
  return text + before.slice(at);
}

/** Returns where a text differs from another; null if it does in too many places. */
export function hunksOf(one: string, other: string): Hunk[] | null {
  const changes = diffWordsWithSpace(one, other, { maxEditLength: MOST });
  return changes
    ? runsOf(changes).map(({ old: [from, to], next }) => ({ from, to, text: other.slice(...next) }))
    : null;
}
