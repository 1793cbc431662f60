/** Days of the calendar, in the filters of lists. */
import { DAY_MS } from "../../lib/time.ts";

/** Whether a text is a day of the calendar, such as "2028-02-29". `Date` takes the 30th of February for a day in March. */
export function isDay(text: string): boolean {
  const time = /^\d{4}-\d\d-\d\d$/.test(text) ? Date.parse(text) : Number.NaN;
  return !Number.isNaN(time) && new Date(time).toISOString().startsWith(text);
}

/** The days of a filter, as they are in the query. */
export type Days = { readonly from?: string; readonly to?: string };

/** Returns the times of the days, of which the last one is included. Leaves out what RFC 3339 cannot write. */
export function toTimes({ from, to }: { readonly from?: string | undefined; readonly to?: string | undefined }): {
  from?: string;
  to?: string;
} {
  const end = to && toNextDay(to);
  return { ...(from && { from: `${from}T00:00:00Z` }), ...(end && { to: end }) };
}

function toNextDay(day: string): string | null {
  const next = new Date(Date.parse(day) + DAY_MS);
  return next.getUTCFullYear() > LAST_YEAR ? null : next.toISOString();
}

const LAST_YEAR = 9999;
