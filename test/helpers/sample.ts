/** A few of many cases in the everyday run, and all of them with `EXHAUSTIVE=1 npm test`. */
import { inject } from "vitest";

/**
 * Returns `few` of the cases, different ones for each `turn` (the number of an operation). With enough operations, each case is
 * tried with one of them; the seed shifts with which.
 */
export function sample<T>(cases: readonly T[], turn: number, few = 3): readonly T[] {
  if (inject("exhaustive") || cases.length <= few) return cases;
  const start = (turn + Math.abs(inject("seed"))) * few;
  return Array.from({ length: few }, (_, n) => cases[(start + n) % cases.length] as T);
}
