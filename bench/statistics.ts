/** The middle value; of an even number, the upper one. */
export const median = (values: readonly number[]): number => quantile(values, 0.5);

/** The value below which a part of all values lies. */
export function quantile(values: readonly number[], part: number): number {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * part))] ?? Number.NaN;
}
