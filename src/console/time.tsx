import type { FC } from "hono/jsx";

/** A time as people read it, in UTC; `null` is "never". */
export const Time: FC<{ at: string | null }> = ({ at }) =>
  at === null ? <>never</> : <time datetime={at}>{`${at.slice(0, 10)} ${at.slice(11, 16)}`}</time>;
