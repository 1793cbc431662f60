/** Keeps an import below the service's rate limit: a refused request would have to wait up to a minute. */
import { MINUTE_MS } from "../../../src/lib/time.ts";
import { pause } from "../retries.ts";

export type Pace = ReturnType<typeof openPace>;

/** Allows `perMinute` requests in any 60 seconds. Up to that number, requests do not wait. */
export function openPace(perMinute: number, signal: AbortSignal) {
  /** The times of the requests in the last minute, in Unix milliseconds, the oldest first. */
  const sent: number[] = [];
  /** Forgets the requests that are older than a minute, and returns the milliseconds until the next one is. */
  const forgetOldRequests = (): number => {
    const now = Date.now();
    while (sent[0] !== undefined && sent[0] <= now - MINUTE_MS) sent.shift();
    return (sent[0] ?? now) + MINUTE_MS - now;
  };
  return {
    /** Resolves when one more request may be sent. Rejects with `CliError` `interrupted` if `signal` aborts. */
    async waitForTurn(): Promise<void> {
      for (let ms = forgetOldRequests(); sent.length >= perMinute; ms = forgetOldRequests()) await pause(ms, signal);
      sent.push(Date.now());
    },
  };
}
