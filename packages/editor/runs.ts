/** Finds where two texts, or two lists, differ. */

type Range = readonly [from: number, to: number];

/** A part of the old one, and what replaces it. One of both may be empty. */
export type Run = { readonly old: Range; readonly next: Range };

type Change = { readonly added: boolean; readonly removed: boolean; readonly value: { readonly length: number } };

/** Returns the changes that `diff` has found. What is removed and added in one place is one change. */
export function toRuns(changes: readonly Change[]): Run[] {
  const runs: Run[] = [];
  let [old, next, isOpen] = [0, 0, false];
  for (const { added, removed, value } of changes) {
    const isRun = added || removed;
    const before = isRun && isOpen ? runs.pop() : undefined;
    const [from, start] = before ? [before.old[0], before.next[0]] : [old, next];
    if (!added) old += value.length;
    if (!removed) next += value.length;
    if (isRun) runs.push({ old: [from, old], next: [start, next] });
    isOpen = isRun;
  }
  return runs;
}
