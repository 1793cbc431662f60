import { LIMITS } from "./limits.ts";

export type TextDiff = {
  /** The unified format without a header, with three lines of context; "" if nothing changed. */
  readonly unified: string;
  readonly addedLines: number;
  readonly removedLines: number;
};

/** Compares two texts line by line. Returns null if they differ in more lines than `LIMITS` allows. */
export async function diffTexts(before: string, after: string): Promise<TextDiff | null> {
  if (before === after) return { unified: "", addedLines: 0, removedLines: 0 };
  const [old, current] = [countLines(before), countLines(after)];
  const lines = old + current;
  const maxEditLength = Math.min(LIMITS.differentLines, Math.floor(LIMITS.comparedLineSteps / lines));
  // Before splitting: two texts of 1 MiB can have two million lines.
  if (lines > LIMITS.comparedLines || Math.abs(old - current) > maxEditLength) return null;
  const { formatPatch, OMIT_HEADERS, structuredPatch } = await import("diff");
  const patch = structuredPatch("", "", before, after, "", "", { context: 3, maxEditLength });
  if (patch === undefined) return null;
  const changed = patch.hunks.flatMap((hunk) => hunk.lines);
  return {
    unified: formatPatch(patch, OMIT_HEADERS),
    addedLines: changed.filter((line) => line.startsWith("+")).length,
    removedLines: changed.filter((line) => line.startsWith("-")).length,
  };
}

function countLines(text: string): number {
  let lines = 1;
  for (let at = text.indexOf("\n"); at !== -1; at = text.indexOf("\n", at + 1)) lines++;
  return lines;
}
