/** The time limit for one call of a model. */
import { DomainError } from "../domain/errors.ts";

/**
 * Runs `work` and returns its result. Throws `caller.reason` as soon as `caller` is aborted, and `ai_timeout` after
 * `timeoutMs` milliseconds. In both cases it does not wait for `work`, which may ignore its signal. The signal that
 * `work` gets is always aborted at the end, also after success, so that `work` leaves no connection open.
 */
export async function withDeadline<T>(
  caller: AbortSignal,
  timeoutMs: number,
  work: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  caller.throwIfAborted();
  const ended = new AbortController();
  const given = Promise.withResolvers<never>();
  const onAbort = () => given.reject(caller.reason);
  caller.addEventListener("abort", onAbort, { once: true });
  const timer = setTimeout(() => given.reject(tooLate(timeoutMs)), timeoutMs);
  try {
    return await Promise.race([given.promise, work(ended.signal)]);
  } finally {
    clearTimeout(timer);
    caller.removeEventListener("abort", onAbort);
    ended.abort();
  }
}

const tooLate = (timeoutMs: number) =>
  new DomainError("ai_timeout", `The model did not answer within ${timeoutMs / 1000} seconds.`);
