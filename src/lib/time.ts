/** Durations in milliseconds. */

export const MINUTE_MS = 60_000;
export const DAY_MS = 24 * 60 * MINUTE_MS;

/** The time of last use of a credential or connection is stored at most once in this time, to save writes. */
export const TOUCH_MS = 60 * 60_000;
