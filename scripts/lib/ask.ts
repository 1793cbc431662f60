import { withTimeout } from "../../src/lib/within.ts";

export type Answer = { readonly ok: boolean; readonly text: string };

/**
 * Returns the response with its body. Throws if the request fails, or takes more than `ms` milliseconds. The signal alone is
 * not enough: on a busy machine, a fetch with a timeout signal may stay pending forever (perhaps nodejs/node, issue
 * 56917).
 */
export async function fetchAnswer(
  url: string,
  ms: number,
  headers: Readonly<Record<string, string>> = {},
): Promise<Answer> {
  const answer = await withTimeout(ms, readAnswer(url, { headers, signal: AbortSignal.timeout(ms) }));
  if (answer === null) throw new Error(`${url} did not answer within ${ms / 1000} seconds`);
  return answer;
}

async function readAnswer(url: string, init: RequestInit): Promise<Answer> {
  const response = await fetch(url, init);
  return { ok: response.ok, text: await response.text() };
}
