import { DomainError } from "../domain/errors.ts";

/**
 * Returns the result of `work`. Throws `caller.reason` as soon as `caller` is aborted, and `ai_timeout` after `timeoutMs`
 * milliseconds, without waiting for `work`. The signal for `work` is aborted at the end, also after success, so that no
 * connection stays open. `work` also gets the time of its end, in Unix milliseconds.
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
  try {
    return await Promise.race([given.promise, work(ended.signal, Date.now() + timeoutMs)]);
  } finally {
    clearTimeout(timer);
    caller.removeEventListener("abort", onAbort);
    ended.abort();
  }
}

const makeTimeoutError = (timeoutMs: number) =>
  new DomainError("ai_timeout", `The model did not answer within ${timeoutMs / 1000} seconds.`);
