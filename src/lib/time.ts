export const MINUTE_MS = 60_000;
export const DAY_MS = 24 * 60 * MINUTE_MS;

/** The last use of a credential or connection is stored at most once in this time, to save writes. */
export const TOUCH_MS = 60 * 60_000;

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
