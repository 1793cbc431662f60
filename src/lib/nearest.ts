import { closest, distance } from "fastest-levenshtein";

/** The longest name that is compared: the time grows with the product of both lengths. */
const LONGEST = 60;

/** Returns which of these names was probably meant: one of at most two other letters in five, or in another case; else undefined. */
export function findNearest(name: string, known: readonly string[]): string | undefined {
  if (known.length === 0 || name.length > LONGEST) return undefined;
  const lower = known.map((each) => each.toLowerCase());
  const found = closest(name.toLowerCase(), lower);
  const isNear = distance(name.toLowerCase(), found) <= (2 / 5) * Math.max(name.length, found.length);
  return isNear ? known[lower.indexOf(found)] : undefined;
}
