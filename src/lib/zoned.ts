/** Times in time zones. Temporal's polyfill is loaded on first use, because few requests need it. */

import { toIso } from "./time.ts";

const LOCAL = /^\d{4}-\d\d-\d\dT\d\d:\d\d(?::\d\d)?$/;
const WITH_OFFSET = /^\d{4}-\d\d-\d\dT\d\d:\d\d(?::\d\d(?:\.\d{1,9})?)?(?:Z|[+-]\d\d:\d\d)$/i;

/**
 * Returns a time with an offset, or a local time of a time zone, in UTC with milliseconds. A local time that a clock
 * change skips moves forward by the length of the gap; one that occurs twice means the first (`compatible` in RFC 5545
 * and Temporal). Returns null for any other text and for times that do not exist.
 */
export async function toUtc(text: string, timeZone: string): Promise<string | null> {
  const { Temporal } = await import("temporal-polyfill");
  try {
    if (WITH_OFFSET.test(text)) return toIso(new Date(Temporal.Instant.from(text).epochMilliseconds));
    if (!LOCAL.test(text)) return null;
    const local = Temporal.PlainDateTime.from(text, { overflow: "reject" });
    return toIso(new Date(local.toZonedDateTime(timeZone).epochMilliseconds));
  } catch {
    return null;
  }
}

/** Returns the local time of a zone at a time in UTC, such as `2026-03-29T03:30`. */
export async function toLocal(utc: string, timeZone: string): Promise<string> {
  const { Temporal } = await import("temporal-polyfill");
  return Temporal.Instant.from(utc).toZonedDateTimeISO(timeZone).toPlainDateTime().toString({ smallestUnit: "minute" });
}

/** Returns whether `local` is what {@link toLocal} returns. False if `utc` is no time. */
export async function isLocalTimeAt(local: string, utc: string, timeZone: string): Promise<boolean> {
  try {
    return local === (await toLocal(utc, timeZone));
  } catch {
    return false;
  }
}

/** Returns whether a text names a time zone of the IANA database, such as `Europe/Lisbon`. */
export async function isTimeZone(text: string): Promise<boolean> {
  // Offsets such as +01:00 are no zones: they have no clock changes.
  if (!/^[A-Za-z]/.test(text)) return false;
  const { Temporal } = await import("temporal-polyfill");
  try {
    // Intl also accepts zones that the polyfill refuses, such as PST.
    Temporal.Instant.fromEpochMilliseconds(0).toZonedDateTimeISO(text);
    return true;
  } catch {
    return false;
  }
}
