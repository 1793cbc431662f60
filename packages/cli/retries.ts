/** Decides which failures are retried, how often, and after which pause. */
import { setTimeout as sleep } from "node:timers/promises";
import { CliError, interruptedError } from "./failure.ts";
import { isConnectTimeout } from "./refusal.ts";

export type Waiting = {
  /** Aborted by Ctrl-C. Ends a pause. */
  readonly signal: AbortSignal;
  /** Called at most once for each call: before its first pause of 5 seconds or more, or its first after a timeout. */
  readonly onWait?: ((seconds: number, why: string) => void) | undefined;
  /** Milliseconds to wait while an earlier call with the same key is running. */
  readonly patienceMs?: number | undefined;
};

const TRIES = 6;
/** Few, because an attempt whose connection times out takes ten seconds. */
const TRIES_TO_CONNECT = 2;
/** Milliseconds. After one minute, the service lets a retry take over the key of a call that has died. */
const PATIENCE_MS = 75_000;
/** Seconds. Pauses while an earlier call is running grow from the shortest to the longest, by a factor. */
const LEAST_PAUSE = 0.5;
const MOST_PAUSE = 5;
const GROWTH = 1.5;
/** Seconds. If the service asks for a longer pause, the call fails. */
const LONGEST_WAIT = 120;
/** Seconds. `onWait` is called for a pause of this length or more. */
const TOLD = 5;

/**
 * Returns a function for the failures of one call. It resolves when the next attempt is due. It throws the failure if a
 * retry is pointless, and `interrupted` if `signal` aborts.
 */
export function makeRetry({ signal, onWait, patienceMs = PATIENCE_MS }: Waiting) {
  const pauseAfter = makePauses(patienceMs);
  let told = false;
  return async (error: CliError): Promise<void> => {
    const seconds = pauseAfter(error);
    if (seconds === null) throw error;
    const waited = error.code === "timeout" || isConnectTimeout(error);
    if ((seconds >= TOLD || waited) && !told) {
      onWait?.(seconds, error.message);
      told = true;
    }
    await pause(seconds * 1000, signal);
  };
}

/** Waits some milliseconds. Throws `CliError` `interrupted` if `signal` aborts. */
export const pause = (ms: number, signal: AbortSignal): Promise<void> =>
  sleep(ms, undefined, { signal }).catch(() => Promise.reject(interruptedError()));

/** Runs `work` and retries it, within the same limits, if the server asks to wait. */
export async function withRetries<T>(work: () => Promise<T>, waiting: Waiting): Promise<T> {
  const nextTry = makeRetry(waiting);
  for (;;) {
    try {
      return await work();
    } catch (error) {
      // Without a response, the server may have done the work. An authorization code can be exchanged only once.
      if (!(error instanceof CliError) || error.details.status === undefined) throw error;
      await nextTry(error);
    }
  }
}

/** Returns the seconds until the next attempt after each failure of a call, or null if a retry is pointless. */
function makePauses(patienceMs: number): (error: CliError) => number | null {
  let tried = 0;
  let unconnected = 0;
  let runningSince: number | null = null;
  let growing = LEAST_PAUSE;
  return (error) => {
    const { code, details } = error;
    const { status = 0, retryAfter } = details;
    if (code === "idempotency_in_progress") {
      runningSince ??= Date.now();
      const seconds = Math.max(growing, retryAfter ?? 0);
      growing = Math.min(growing * GROWTH, MOST_PAUSE);
      return Date.now() - runningSince + seconds * 1000 <= patienceMs ? seconds : null;
    }
    tried += 1;
    if (isConnectTimeout(error)) unconnected += 1;
    if (tried >= TRIES || unconnected >= TRIES_TO_CONNECT) return null;
    if (code === "unreachable" || code === "timeout") return 0.25 * 2 ** (tried - 1);
    const asked = retryAfter !== undefined && (status === 429 || status === 503);
    if (!asked || retryAfter > LONGEST_WAIT) return null;
    return Math.max(retryAfter, LEAST_PAUSE);
  };
}
