/** One guarded POST: the target is checked again, redirects are not followed, bodies are not read. */
import { checkTarget, type TargetRules } from "./target.ts";

export type PostOutcome =
  | { readonly kind: "response"; readonly status: number; readonly durationMs: number }
  | { readonly kind: "failed"; readonly reason: PostFailure; readonly durationMs: number };

/** `target`: no longer allowed. `timeout`: no headers in time. `connection`: DNS, TCP, TLS or HTTP failed. */
export type PostFailure = "target" | "timeout" | "connection";

export type PostRequest = {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
  /** Milliseconds until the response headers must be there. */
  readonly timeoutMs: number;
  readonly rules: TargetRules;
};

/**
 * Sends the request once. Call it only while a connection slot is free (the platform allows six that
 * wait): the time starts at once and must not run out in a waiting line.
 */
export async function post(request: PostRequest): Promise<PostOutcome> {
  const started = Date.now();
  const verdict = checkTarget(request.url, request.rules);
  if (!verdict.allowed) return { kind: "failed", reason: "target", durationMs: 0 };
  const abort = new AbortController();
  const timer = setTimeout(() => abort.abort(), request.timeoutMs);
  try {
    const response = await fetch(verdict.url, {
      method: "POST",
      headers: request.headers,
      body: request.body,
      redirect: "manual",
      signal: abort.signal,
    });
    const durationMs = Date.now() - started;
    // The status decides. A body may drip for ever: it is dropped, and its connection with it.
    await response.body?.cancel().catch(() => undefined);
    return { kind: "response", status: response.status, durationMs };
  } catch {
    const durationMs = Date.now() - started;
    return { kind: "failed", reason: abort.signal.aborted ? "timeout" : "connection", durationMs };
  } finally {
    clearTimeout(timer);
    // Also ends what a response of an unexpected kind may still hold open.
    abort.abort();
  }
}
