/** The one class of errors that this package throws. */
import type { Problem } from "./api.ts";

/**
 * Codes of this package, for what never reached the service or was not an answer of it:
 *
 * - `unreachable`: the connection failed, at each attempt;
 * - `timeout`: no answer in time;
 * - `invalid_answer`: the answer is not what the service sends, as of a proxy;
 * - `signature_invalid`, `timestamp_invalid`: see `verifyWebhook`.
 */
export type ClientCode = "unreachable" | "timeout" | "invalid_answer" | "signature_invalid" | "timestamp_invalid";

export type ErrorCode = Problem["code"] | ClientCode;

/** What is known of an error beside its code. */
export type ErrorDetails = {
  readonly status?: number | undefined;
  readonly errors?: Problem["errors"];
  readonly requestId?: string | null | undefined;
  readonly retryAfter?: number | null | undefined;
  readonly movedTo?: Problem["movedTo"];
  readonly cause?: unknown;
};

/** A refusal of the service, or a failure on the way to it. Programs should go by `code`. */
export class EdgepressError extends Error {
  override readonly name = "EdgepressError";
  /** Stable. Those of the service are explained on its page `/docs/errors`. */
  readonly code: ErrorCode;
  /** The HTTP status; 0 if there was no answer. */
  readonly status: number;
  /** What is wrong with this request, for people to read. The same as `message`. */
  readonly detail: string;
  /** The fields or parameters that are wrong; empty if it is not about fields. */
  readonly errors: readonly { readonly path: string; readonly message: string }[];
  /** What to tell the operator of the service; null if there was no answer. */
  readonly requestId: string | null;
  /** Seconds until another attempt makes sense; null if the service does not say. */
  readonly retryAfter: number | null;
  /** With `not_found`: where the article is that had this slug before; null if there is none. */
  readonly movedTo: Problem["movedTo"] | null;

  constructor(code: ErrorCode, detail: string, details: ErrorDetails = {}) {
    super(detail, { cause: details.cause });
    this.code = code;
    this.status = details.status ?? 0;
    this.detail = detail;
    this.errors = details.errors ?? [];
    this.requestId = details.requestId ?? null;
    this.retryAfter = details.retryAfter ?? null;
    this.movedTo = details.movedTo ?? null;
  }
}

/** Returns a text as JSON; undefined if it is none. */
export function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** Reads the error out of a response that is not a success, which is its `cause`. Rejects if its body breaks off. */
export async function errorOf(response: Response): Promise<EdgepressError> {
  const details = {
    status: response.status,
    requestId: response.headers.get("X-Request-Id"),
    retryAfter: secondsOf(response.headers.get("Retry-After")),
    cause: response,
  };
  return problemOf(parsed(await response.text()), details);
}

/** Returns the error that a body describes. */
export function problemOf(body: unknown, details: ErrorDetails): EdgepressError {
  const problem = body as Partial<Problem> | null | undefined;
  if (typeof problem?.code !== "string" || typeof problem.detail !== "string") {
    return new EdgepressError("invalid_answer", `The answer is ${details.status}, without an explanation.`, details);
  }
  return new EdgepressError(problem.code, problem.detail, { ...details, ...problem });
}

/** Returns the seconds of a Retry-After header, which is a number or a date. */
function secondsOf(value: string | null): number | null {
  const seconds = /^\d+$/.test(value ?? "") ? Number(value) : (Date.parse(value ?? "") - Date.now()) / 1000;
  return Number.isNaN(seconds) ? null : Math.max(0, seconds);
}
