import type { FC } from "hono/jsx";

/** Shows an ISO 8601 time as date and minute in UTC. Shows null as "never". */
export const Time: FC<{ at: string | null }> = ({ at }) =>
  at === null ? <>never</> : <time datetime={at}>{`${at.slice(0, 10)} ${at.slice(11, 16)}`}</time>;

/** Returns a number of days in words: "1 day", "7 days". */
export const days = (count: number): string => (count === 1 ? "1 day" : `${count} days`);
