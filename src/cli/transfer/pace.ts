/** Keeps to a limit of requests per minute by itself: a refusal by the service would cost a minute's wait. */
import { setTimeout as sleep } from "node:timers/promises";
import { MINUTE_MS } from "../../lib/time.ts";
import { interrupted } from "../failure.ts";

export type Pace = {
  /** Resolves once one more request may be sent; rejects when `signal` is aborted. */
  turn(): Promise<void>;
  /** How many have been let go. */
  requests(): number;
  /** The service has asked for a pause: whatever is left takes that long at least. */
  paused(seconds: number): void;
  /** Seconds that so many requests take at least, by the limit and by such a pause. */
  secondsFor(requests: number): number;
};

/** At most `perMinute` requests in any minute, as fast as they come until then. */
export function openPace(perMinute: number, signal: AbortSignal): Pace {
  /** When the last requests were let go, the oldest first. */
  const sent: number[] = [];
  let pausedUntil = 0;
  let requests = 0;
  /** Milliseconds until the oldest of them no longer counts. */
  const untilOldestIsOver = (): number => {
    const now = Date.now();
    while (sent[0] !== undefined && sent[0] <= now - MINUTE_MS) sent.shift();
    return (sent[0] ?? now) + MINUTE_MS - now;
  };
  return {
    async turn() {
      for (let pause = untilOldestIsOver(); sent.length >= perMinute; pause = untilOldestIsOver()) {
        await sleep(pause, undefined, { signal }).catch(() => Promise.reject(interrupted()));
      }
      sent.push(Date.now());
      requests++;
    },
    requests: () => requests,
    paused(seconds) {
      pausedUntil = Math.max(pausedUntil, Date.now() + seconds * 1000);
    },
    secondsFor(requests) {
      const pause = untilOldestIsOver();
      const minutes = Math.ceil((requests - (perMinute - sent.length)) / perMinute);
      const byLimit = minutes <= 0 ? 0 : pause + (minutes - 1) * MINUTE_MS;
      return Math.max(byLimit, pausedUntil - Date.now()) / 1000;
    },
  };
}
