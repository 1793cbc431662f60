/** Returns how many items two texts or lists share at the start, and how many of the rest at the end. */
export function countCommonEnds<T>(
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
