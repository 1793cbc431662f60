import type { FC } from "hono/jsx";

/** Shows an ISO 8601 time as date and minute in UTC. Shows null as "never". */
export const Time: FC<{ at: string | null }> = ({ at }) =>
  at === null ? <>never</> : <time datetime={at}>{`${at.slice(0, 10)} ${at.slice(11, 16)}`}</time>;

/** Shows a time as the clocks of a time zone do, such as "25 November 2026, 09:00 (Europe/Berlin)". */
export const ZonedTime: FC<{ at: string; timeZone: string }> = ({ at, timeZone }) => {
  const time = new Date(at);
  const day = time.toLocaleDateString("en-GB", { day: "numeric", month: "long", year: "numeric", timeZone });
  const hour = time.toLocaleTimeString("en-GB", { hour: "2-digit", minute: "2-digit", timeZone });
  return <time datetime={at}>{`${day}, ${hour} (${timeZone})`}</time>;
};

/** Returns a number of days in words: "1 day", "7 days". */
export const days = (count: number): string => (count === 1 ? "1 day" : `${count} days`);
