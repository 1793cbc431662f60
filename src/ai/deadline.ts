/** How long one call of a model may take. */
import { DomainError } from "../errors.ts";

/**
 * Does work that a signal ends. Throws the caller's reason when the caller gives up, and `ai_timeout` after
 * `timeoutMs` milliseconds, both at once, whether the work listens or not. The work's own signal is aborted in any
 * case, which closes what it may have left open.
 */
export async function within<T>(
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
