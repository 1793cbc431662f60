const HOUR_MS = 3_600_000;

/** Returns the start of the hour (UTC) that contains a time, in RFC 3339 with milliseconds. */
export const toHour = (time: Date): string => new Date(Math.floor(time.getTime() / HOUR_MS) * HOUR_MS).toISOString();

/** Returns the starts of `count` consecutive hours, oldest first. The last hour contains `time`. */
export const listHours = (time: Date, count: number): string[] =>
  Array.from({ length: count }, (_, index) => toHour(new Date(time.getTime() - (count - 1 - index) * HOUR_MS)));
