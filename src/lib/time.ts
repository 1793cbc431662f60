/** Spans of time, in milliseconds. */

export const MINUTE_MS = 60_000;
export const DAY_MS = 24 * 60 * MINUTE_MS;

/** The use of a credential or connection is noted once in this time: more often, reads would cost writes. */
export const TOUCH_MS = 60 * 60_000;
