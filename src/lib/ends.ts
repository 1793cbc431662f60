/** What two texts, or two lists, have in common at their ends. */

/** Returns how many characters or items both begin with, and how many of the others both end with. */
export function commonEnds<T>(
  one: ArrayLike<T>,
  other: ArrayLike<T>,
): { readonly before: number; readonly after: number } {
  const most = Math.min(one.length, other.length);
  let before = 0;
  while (before < most && one[before] === other[before]) before++;
  let after = 0;
  while (after < most - before && one[one.length - 1 - after] === other[other.length - 1 - after]) after++;
  return { before, after };
}
