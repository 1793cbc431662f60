/** How long a call goes on: which failures another try may change, and when that is due. */
import { setTimeout as sleep } from "node:timers/promises";
import { CliError, interrupted } from "./failure.ts";
import { isConnectTimeout } from "./refusal.ts";

export type Waiting = {
  /** Ends a pause. */
  readonly signal: AbortSignal;
  /** Tells of a call's first pause that is long, or comes after a long wait; seconds. */
  readonly onWait?: ((seconds: number, why: string) => void) | undefined;
  /** Called for every pause; seconds. */
  readonly onPause?: ((seconds: number) => void) | undefined;
  /** Milliseconds to wait for an earlier call under the same key. */
  readonly patienceMs?: number | undefined;
};

/** How often a call is tried that gets no answer, or is to wait. */
const TRIES = 6;
/** The same where nobody takes the connection: a try takes ten seconds then. */
const TRIES_TO_CONNECT = 2;
/** The service gives the key of a call that died to a repetition after a minute. */
const PATIENCE_MS = 75_000;
/** Seconds between tries; those for an earlier call that still runs grow. */
const LEAST_PAUSE = 0.5;
const MOST_PAUSE = 5;
const GROWTH = 1.5;
/** A longer pause than this is not waited for: it is reported to the caller instead. Seconds. */
const LONGEST_WAIT = 120;
/** A pause from this on is told. Seconds. */
const TOLD = 5;

/** Of one call: waits after a failure until its next try is due, or throws the failure if that would be pointless. */
export function retries({ signal, onWait, onPause, patienceMs = PATIENCE_MS }: Waiting) {
  const pauseAfter = pauses(patienceMs);
  let told = false;
  return async (error: CliError): Promise<void> => {
    const seconds = pauseAfter(error);
    if (seconds === null) throw error;
    const waited = error.code === "timeout" || isConnectTimeout(error);
    if ((seconds >= TOLD || waited) && !told) {
      onWait?.(seconds, error.message);
      told = true;
    }
    onPause?.(seconds);
    await sleep(seconds * 1000, undefined, { signal }).catch(() => Promise.reject(interrupted()));
  };
}

/** Does `work` again where a server refuses it for now, within the bounds of any call. */
export async function patiently<T>(work: () => Promise<T>, waiting: Waiting): Promise<T> {
  const nextTry = retries(waiting);
  for (;;) {
    try {
      return await work();
    } catch (error) {
      // Without an answer it may have been done, and not everything can be done twice: a code is good for one exchange.
      if (!(error instanceof CliError) || error.details.status === undefined) throw error;
      await nextTry(error);
    }
  }
}

/** Of one call: seconds from each failure until the next try, or null if it would be pointless. */
function pauses(patienceMs: number): (error: CliError) => number | null {
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
