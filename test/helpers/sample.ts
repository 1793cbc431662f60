/** A few of many cases in the everyday run, and all of them with `npm run test:exhaustive`. */
import { inject } from "vitest";

/**
 * Returns `few` of the cases, different ones for each `turn` (the number of an operation). With enough operations, each case is
 * tried with one of them; the seed shifts with which.
 */
export function sample<T>(cases: readonly T[], turn: number, few = 2): readonly T[] {
  if (inject("exhaustive") || cases.length <= few) return cases;
  const start = (turn + Math.abs(inject("seed"))) * few;
  return Array.from({ length: few }, (_, n) => cases[(start + n) % cases.length] as T);
}

/** Returns `few` of the routes that pass the same code, spread over all of them and in their order. The seed shifts which. */
export function spread<T>(routes: readonly T[], few = 2): readonly T[] {
  if (inject("exhaustive") || routes.length <= few) return routes;
  const step = routes.length / few;
  const start = Math.abs(inject("seed")) % Math.floor(step);
  return Array.from({ length: few }, (_, n) => routes[start + Math.floor(n * step)] as T);
}
