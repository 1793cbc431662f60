const HOUR_MS = 3_600_000;

/** The beginning of the hour (UTC) that holds a time, as RFC 3339 with milliseconds. */
export const hourOf = (time: Date): string => new Date(Math.floor(time.getTime() / HOUR_MS) * HOUR_MS).toISOString();

/** The beginnings of so many hours up to the one that holds a time, oldest first. */
export const hoursUntil = (time: Date, count: number): string[] =>
  Array.from({ length: count }, (_, index) => hourOf(new Date(time.getTime() - (count - 1 - index) * HOUR_MS)));
