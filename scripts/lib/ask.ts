/** Sends a request, and waits for its whole answer no longer than it says. */
import { within } from "../../src/lib/within.ts";

/** A response whose body was read. */
export type Answer = { readonly ok: boolean; readonly status: number; readonly text: string };

/**
 * Returns the response to a request with its body. Throws if it fails, or takes more than `ms` milliseconds. The signal ends
 * the connection, but is not enough: on a busy machine, a fetch with such a signal was seen to stay pending for ever, with
 * neither a socket nor a timer left (perhaps nodejs/node, issue 56917).
 */
export async function ask(url: string, ms: number, init: RequestInit = {}): Promise<Answer> {
  const answer = await within(ms, whole(url, { ...init, signal: AbortSignal.timeout(ms) }));
  if (answer === null) throw new Error(`${url} did not answer within ${ms / 1000} seconds`);
  return answer;
}

async function whole(url: string, init: RequestInit): Promise<Answer> {
  const response = await fetch(url, init);
  const { ok, status } = response;
  return { ok, status, text: await response.text() };
}
