/** A few of many cases in the everyday run, and all of them with `EXHAUSTIVE=1 npm test`. */
import { inject } from "vitest";

/**
 * Returns `few` of the cases, others for each `turn`: where there are enough turns (operations), each case is tried by
 * one of them. The seed shifts which one it is.
 */
export function sample<T>(cases: readonly T[], turn: number, few = 3): readonly T[] {
  if (inject("exhaustive") || cases.length <= few) return cases;
  const start = (turn + Math.abs(inject("seed"))) * few;
  return Array.from({ length: few }, (_, n) => cases[(start + n) % cases.length] as T);
}
