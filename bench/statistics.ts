/** Returns the middle value; the upper one if their number is even. */
export const median = (values: readonly number[]): number => quantile(values, 0.5);

/** Returns the value below which `part` (0 to 1) of all values lie; NaN without values. */
export function quantile(values: readonly number[], part: number): number {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * part))] ?? Number.NaN;
}
