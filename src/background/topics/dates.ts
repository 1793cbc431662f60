/** The times of items in feeds. */
import { parseDate } from "../../lib/dates.ts";
import { DAY_MS } from "../../lib/time.ts";

/**
 * Returns the time of an item in RFC 3339. A time up to one day in the future comes from a wrong clock or zone, and
 * becomes `now`. Returns null for later times, for times before the Web, and for text that is no date.
 */
export function pastTime(time: string | number | undefined, now: Date): string | null {
  const milliseconds = typeof time === "string" ? parseDate(time) : time;
  if (milliseconds === undefined || !(milliseconds >= OLDEST && milliseconds <= now.getTime() + DAY_MS)) return null;
  return new Date(Math.min(milliseconds, now.getTime())).toISOString();
}

/** The beginning of the Web. Generators that do not know the date write 1970 or the year 1. */
const OLDEST = Date.UTC(1990, 0);
