/** Times in time zones. The polyfill is loaded on first use, because few requests need it. */

import { isoOf } from "./time.ts";

/** A local time without an offset, such as `2026-03-29T02:30`. */
const LOCAL = /^\d{4}-\d\d-\d\dT\d\d:\d\d(?::\d\d)?$/;
/** A time with an offset or `Z` (RFC 3339). */
const WITH_OFFSET = /^\d{4}-\d\d-\d\dT\d\d:\d\d(?::\d\d(?:\.\d{1,9})?)?(?:Z|[+-]\d\d:\d\d)$/i;

/**
 * Returns the time in UTC with milliseconds that a text means: a time with an offset, or a local time of the time zone. A
 * local time that a clock change skips means the time as long after the change as it would have been after the hour
 * before; one that occurs twice means the first (`compatible` in RFC 5545 and Temporal). Returns null if the text is
 * neither, or no such time exists.
 */
export async function utcOf(text: string, timeZone: string): Promise<string | null> {
  const { Temporal } = await import("temporal-polyfill");
  try {
    if (WITH_OFFSET.test(text)) return isoOf(new Date(Temporal.Instant.from(text).epochMilliseconds));
    if (!LOCAL.test(text)) return null;
    const local = Temporal.PlainDateTime.from(text, { overflow: "reject" });
    return isoOf(new Date(local.toZonedDateTime(timeZone).epochMilliseconds));
  } catch {
    return null;
  }
}

/** Returns the time of a zone's clocks at a time in UTC, such as `2026-03-29T03:30`. */
export async function localOf(utc: string, timeZone: string): Promise<string> {
  const { Temporal } = await import("temporal-polyfill");
  return Temporal.Instant.from(utc).toZonedDateTimeISO(timeZone).toPlainDateTime().toString({ smallestUnit: "minute" });
}

/** Returns whether the clocks of a zone show `local` at a time in UTC, by {@link localOf}. False if either is no time. */
export async function isLocalOf(local: string, utc: string, timeZone: string): Promise<boolean> {
  try {
    return local === (await localOf(utc, timeZone));
  } catch {
    return false;
  }
}

/** Returns whether a text names a time zone of the IANA database, such as `Europe/Lisbon`, for which times can be told. */
export async function isTimeZone(text: string): Promise<boolean> {
  // Offsets such as +01:00 are no zones: they know of no clock change.
  if (!/^[A-Za-z]/.test(text)) return false;
  const { Temporal } = await import("temporal-polyfill");
  try {
    // Not by Intl alone: it also knows zones such as PST, which the polyfill refuses.
    Temporal.Instant.fromEpochMilliseconds(0).toZonedDateTimeISO(text);
    return true;
  } catch {
    return false;
  }
}
