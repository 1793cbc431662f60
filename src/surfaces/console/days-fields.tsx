import type { FC } from "hono/jsx";

/** The fields of a filter by days (days.ts). */
export const DaysFields: FC<{ from: string | undefined; to: string | undefined }> = ({ from, to }) => (
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
