import type { FC } from "hono/jsx";

/**
 * Shows an ISO 8601 time as date and minute in UTC, and null as "never". browser/times.ts shows it in the reader's own
 * zone and language instead, with the exact time as its title; with `ago`, the last hour as "2 minutes ago". So pages
 * name the zone by {@link InUtc} or {@link Utc} only, never in a text such as "(UTC)".
 */
export const Time: FC<{ at: string | null; ago?: boolean }> = ({ at, ago }) =>
  at === null ? (
    <>never</>
  ) : (
    <time datetime={at} data-local={ago ? "ago" : "exact"}>{`${at.slice(0, 10)} ${at.slice(11, 16)}`}</time>
  );

/** Names the time zone of a page's times. Scripts hide it, because they show the reader's own zone. */
export const InUtc: FC = () => <span data-utc>Times are in UTC.</span>;

/** Names the time zone of one time, after it or in a heading. It begins with a space. */
export const Utc: FC = () => <span data-utc>{" (UTC)"}</span>;

/** Shows a time as the clocks of a time zone do, such as "25 November 2026, 09:00 (Europe/Berlin)". */
export const ZonedTime: FC<{ at: string; timeZone: string }> = ({ at, timeZone }) => {
  const time = new Date(at);
  const day = time.toLocaleDateString("en-GB", { day: "numeric", month: "long", year: "numeric", timeZone });
  const hour = time.toLocaleTimeString("en-GB", { hour: "2-digit", minute: "2-digit", timeZone });
  return <time datetime={at}>{`${day}, ${hour} (${timeZone})`}</time>;
};

export const formatDays = (count: number): string => (count === 1 ? "1 day" : `${count} days`);
