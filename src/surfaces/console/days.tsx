/** The filter of a list by its days. */
import type { FC } from "hono/jsx";
import { DAY_MS } from "../../lib/time.ts";

/** Whether a text is a day of the calendar, such as "2028-02-29". `Date` takes the 30th of February for a day in March. */
export function isDay(text: string): boolean {
  const time = /^\d{4}-\d\d-\d\d$/.test(text) ? Date.parse(text) : Number.NaN;
  return !Number.isNaN(time) && new Date(time).toISOString().startsWith(text);
}

/** Returns the start of the next day, because the last day is included. Null if RFC 3339 cannot write it. */
export function toNextDay(day: string): string | null {
  const next = new Date(Date.parse(day) + DAY_MS);
  return next.getUTCFullYear() > LAST_YEAR ? null : next.toISOString();
}

const LAST_YEAR = 9999;

type Days = { readonly from: string | undefined; readonly to: string | undefined };

export const DaysFields: FC<Days> = ({ from, to }) => (
  <>
    <div>
      <label for="from">From (UTC)</label>
      <input id="from" name="from" type="date" value={from ?? ""} />
    </div>
    <div>
      <label for="to">To (UTC)</label>
      <input id="to" name="to" type="date" value={to ?? ""} />
    </div>
  </>
);
