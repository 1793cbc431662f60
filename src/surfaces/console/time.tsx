import type { FC } from "hono/jsx";

/**
 * Shows an ISO 8601 time as date and minute in UTC. Shows null as "never". browser/times.ts shows it in the reader's own
 * zone and language instead, with the exact time as its title; with `ago`, the last hour as "2 minutes ago". So what a
 * page says of the zone is always by {@link InUtc} or {@link Utc}, never a text such as "(UTC)".
 */
export const Time: FC<{ at: string | null; ago?: boolean }> = ({ at, ago }) =>
  at === null ? (
    <>never</>
  ) : (
    <time datetime={at} data-local={ago ? "ago" : "exact"}>{`${at.slice(0, 10)} ${at.slice(11, 16)}`}</time>
  );

/** Says in which zone the times of a page are. Without scripts that is UTC; with them it is the reader's, and this is hidden. */
export const InUtc: FC = () => <span data-utc>Times are in UTC.</span>;

/** Says the same of one time, after it or in the heading of its column. The space before it is part of it. */
export const Utc: FC = () => <span data-utc>{" (UTC)"}</span>;

/** Shows a time as the clocks of a time zone do, such as "25 November 2026, 09:00 (Europe/Berlin)". */
export const ZonedTime: FC<{ at: string; timeZone: string }> = ({ at, timeZone }) => {
  const time = new Date(at);
  const day = time.toLocaleDateString("en-GB", { day: "numeric", month: "long", year: "numeric", timeZone });
  const hour = time.toLocaleTimeString("en-GB", { hour: "2-digit", minute: "2-digit", timeZone });
  return <time datetime={at}>{`${day}, ${hour} (${timeZone})`}</time>;
};

/** Returns a number of days in words: "1 day", "7 days". */
export const days = (count: number): string => (count === 1 ? "1 day" : `${count} days`);
