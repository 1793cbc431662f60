export const MINUTE_MS = 60_000;
export const HOUR_MS = 60 * MINUTE_MS;
export const DAY_MS = 24 * HOUR_MS;

/** The last use of a credential or connection is stored at most once in this time, to save writes. */
export const TOUCH_MS = HOUR_MS;

/** Returns a time in UTC with milliseconds; null if it is invalid or its year does not have four digits (RFC 3339). */
export function toIso(time: Date): string | null {
  if (Number.isNaN(time.getTime())) return null;
  const text = time.toISOString();
  return /^\d{4}-/.test(text) ? text : null;
}

/** Returns the day (UTC) of a time in RFC 3339 with `Z`, such as `2026-11-20`. */
export const toDay = (time: string): string => time.slice(0, 10);

/** Returns the start of the next day (UTC). */
export const getNextDay = (time: Date): Date => new Date((Math.floor(time.getTime() / DAY_MS) + 1) * DAY_MS);

/** Returns the start of the month (UTC) that is so many months later. */
export const getMonth = (time: Date, later = 0): Date =>
  new Date(Date.UTC(time.getUTCFullYear(), time.getUTCMonth() + later));

/** Returns the start of the hour (UTC) that contains a time, in RFC 3339 with milliseconds. */
export const toHour = (time: Date): string => new Date(Math.floor(time.getTime() / HOUR_MS) * HOUR_MS).toISOString();

/** Returns the starts of `count` consecutive hours, oldest first. The last hour contains `time`. */
export const listHours = (time: Date, count: number): string[] =>
  Array.from({ length: count }, (_, index) => toHour(new Date(time.getTime() - (count - 1 - index) * HOUR_MS)));
