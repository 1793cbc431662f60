/** The errors that this package throws. */
import type { Problem } from "./api.ts";

/**
 * Codes of this package, for what did not come from the service:
 *
 * - `unreachable`: the connection failed at each attempt;
 * - `timeout`: there was no answer in time;
 * - `invalid_answer`: somebody else answered, such as a proxy;
 * - `signature_invalid`, `timestamp_invalid`: see `verifyWebhook`.
 */
export type ClientCode = "unreachable" | "timeout" | "invalid_answer" | "signature_invalid" | "timestamp_invalid";

export type ErrorCode = Problem["code"] | ClientCode;

export type ErrorDetails = {
  readonly status?: number | undefined;
  readonly errors?: Problem["errors"];
  readonly requestId?: string | null | undefined;
  readonly retryAfter?: number | null | undefined;
  readonly movedTo?: Problem["movedTo"];
  readonly cause?: unknown;
};

/** A refusal by the service, or a failure to reach it. Decide by its `code`. */
export class EdgepressError extends Error {
  override readonly name = "EdgepressError";
  /** Stable. The service explains its codes at `/docs/errors`. */
  readonly code: ErrorCode;
  /** The HTTP status; 0 if there was no answer. */
  readonly status: number;
  /** What is wrong, for people. The same as `message`. */
  readonly detail: string;
  /** The fields or parameters that are wrong, if any. */
  readonly errors: readonly { readonly path: string; readonly message: string }[];
  /** Tell it to the operator of the service. Null if there was no answer. */
  readonly requestId: string | null;
  /** Seconds until you may try again; null if the service does not say. */
  readonly retryAfter: number | null;
  /** With `not_found`: the article that had this slug before; null if there is none. */
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

/** Returns undefined if the text is not JSON. */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** Reads the error from a response, which becomes its `cause`. Rejects if the connection breaks. */
export async function readError(response: Response): Promise<EdgepressError> {
  const details = {
    status: response.status,
    requestId: response.headers.get("X-Request-Id"),
    retryAfter: parseSeconds(response.headers.get("Retry-After")),
    cause: response,
  };
  return toError(parseJson(await response.text()), details);
}

/** Returns the error that a body describes; `invalid_answer` if it describes none. */
export function toError(body: unknown, details: ErrorDetails): EdgepressError {
  const problem = body as Partial<Problem> | null | undefined;
  if (typeof problem?.code !== "string" || typeof problem.detail !== "string") {
    return new EdgepressError("invalid_answer", `The answer is ${details.status}, without an explanation.`, details);
  }
  return new EdgepressError(problem.code, problem.detail, { ...details, ...problem });
}

/** Returns the seconds of a Retry-After header: a number or a date. */
function parseSeconds(value: string | null): number | null {
  const seconds = /^\d+$/.test(value ?? "") ? Number(value) : (Date.parse(value ?? "") - Date.now()) / 1000;
  return Number.isNaN(seconds) ? null : Math.max(0, seconds);
}
