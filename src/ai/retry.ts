/** Calls a provider again after a failure that passes. */
import { getFailureKind, toDomainError, type Provider } from "./failures.ts";

/** How often a call is tried again, and how often if the provider had begun to answer: that answer may have to be paid. */
const MOST_RETRIES = 3;
const MOST_AFTER_BEGUN = 1;

type Limits = {
  readonly signal: AbortSignal;
  /** Unix milliseconds: nothing is waited for that would begin later. */
  readonly until: number;
};

/**
 * Returns the result of `attempt`. Calls it again if the provider is busy (429, 502, 503, 529) or the connection was lost,
 * after the time that the provider asks for, or a longer one each time. Throws `DomainError`.
 */
export async function callAgain<T>(
  provider: Provider,
  { signal, until }: Limits,
  attempt: () => Promise<T>,
): Promise<T> {
  for (let tries = 0, begun = 0; ; tries += 1) {
    try {
      return await attempt();
    } catch (thrown) {
      const failure = getFailureKind(thrown);
      if (failure?.begun) begun += 1;
      const waitMs = failure?.waitMs ?? computeWait(tries);
      const mayTry = failure !== null && tries < MOST_RETRIES && begun <= MOST_AFTER_BEGUN;
      if (!mayTry || Date.now() + waitMs >= until) throw toDomainError(thrown, provider);
      await scheduler.wait(waitMs, { signal });
    }
  }
}

/** Returns about 1, 2 and 4 seconds. They differ, so that calls that failed together do not come back together. */
const computeWait = (tries: number): number => 1000 * 2 ** tries * (0.75 + Math.random() / 2);
