import { DomainError } from "../domain/errors.ts";

/**
 * Returns the result of `work`. Throws `caller.reason` as soon as `caller` is aborted, and `ai_timeout` after `timeoutMs`
 * milliseconds. The signal for `work` is aborted at the end, also after success, so that no connection stays open; after a
 * failure, `work` has a moment to report what it was told. `work` also gets the time of its end, in Unix milliseconds.
 */
export async function withDeadline<T>(
  caller: AbortSignal,
  timeoutMs: number,
  work: (signal: AbortSignal, until: number) => Promise<T>,
): Promise<T> {
  caller.throwIfAborted();
  const ended = new AbortController();
  const given = Promise.withResolvers<never>();
  const onAbort = () => given.reject(caller.reason);
  caller.addEventListener("abort", onAbort, { once: true });
  const timer = setTimeout(() => given.reject(makeTimeoutError(timeoutMs)), timeoutMs);
  const working = work(ended.signal, Date.now() + timeoutMs);
  try {
    return await Promise.race([given.promise, working]);
  } catch (error) {
    ended.abort();
    await Promise.race([Promise.allSettled([working]), scheduler.wait(MOMENT_MS)]);
    throw error;
  } finally {
    clearTimeout(timer);
    caller.removeEventListener("abort", onAbort);
    ended.abort();
  }
}

const MOMENT_MS = 200;

const makeTimeoutError = (timeoutMs: number) =>
  new DomainError("ai_timeout", `The model did not answer within ${timeoutMs / 1000} seconds.`);
