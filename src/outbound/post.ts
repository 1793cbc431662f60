import { checkTarget, type TargetRules } from "./target.ts";

export type PostOutcome =
  | { readonly kind: "response"; readonly status: number; readonly durationMs: number }
  | { readonly kind: "failed"; readonly reason: PostFailure; readonly durationMs: number };

/** `timeout`: no response headers in time. `connection`: DNS, TCP, TLS or HTTP failed. */
export type PostFailure = "target" | "timeout" | "connection";

export type PostRequest = {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
  /** Maximum milliseconds until the response headers arrive. */
  readonly timeoutMs: number;
  readonly rules: TargetRules;
};

/**
 * Sends a webhook's request once, without following redirects, and returns how it ended. Never throws. The platform
 * holds a request back while six others of the invocation wait for response headers, but the timeout runs: call it only
 * while fewer do.
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
    // Only the status counts. A body could last forever; canceling it closes the connection.
    await response.body?.cancel().catch(() => undefined);
    return { kind: "response", status: response.status, durationMs };
  } catch {
    const durationMs = Date.now() - started;
    return { kind: "failed", reason: abort.signal.aborted ? "timeout" : "connection", durationMs };
  } finally {
    clearTimeout(timer);
    abort.abort();
  }
}
