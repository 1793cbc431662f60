/** All errors. Each has texts for REST and /docs/errors, the console, agents (MCP) and the command line. */
import { CONFLICT_ERRORS } from "./errors/conflicts.ts";
import type { ErrorKind } from "./errors/kind.ts";
import type { Scope } from "./principal.ts";
import { SERVICE_ERRORS } from "./errors/limits-and-failures.ts";
import { REQUEST_ERRORS } from "./errors/requests.ts";

export const ERRORS = { ...REQUEST_ERRORS, ...CONFLICT_ERRORS, ...SERVICE_ERRORS } as const;

export type ErrorCode = keyof typeof ERRORS;

export const isErrorCode = (text: string): text is ErrorCode => Object.hasOwn(ERRORS, text);

export const getErrorKind = (code: ErrorCode): ErrorKind => ERRORS[code];

/** An invalid field: its path (`""` is the body itself), and what is wrong with it. */
export type FieldError = { readonly path: string; readonly message: string };

/** A rate limit that was exceeded: `quota` requests in `seconds` seconds. */
export type Limit = { readonly name: string; readonly quota: number; readonly seconds: number };

/** Details of an error, which the surfaces put into the response. */
export type RefusalDetails = {
  readonly errors?: readonly FieldError[] | undefined;
  readonly retryAfterSeconds?: number | undefined;
  readonly limits?: readonly Limit[] | undefined;
  /** For `method_not_allowed`. */
  readonly allowedMethods?: readonly string[] | undefined;
  /** For `scope_missing`: the scopes that the call needs. */
  readonly scopes?: readonly Scope[] | undefined;
  /** For `not_found`: the article that had this slug before. */
  readonly movedTo?: {
    readonly articleId: string;
    readonly slug: string;
    readonly locale: string;
    readonly blogId: string;
  };
  /** For `cursor_expired`: the oldest event that is left; null if there is none. */
  readonly oldest?: { readonly _id: string; readonly timestamp: number } | null;
  /** {@link ErrorKind.passes} for this one error, if its code does not have it. */
  readonly passes?: true | undefined;
  /** The console shows the message itself, not {@link ErrorKind.sentence}. */
  readonly worded?: true;
  /** The stored response of an earlier call with the same Idempotency-Key. */
  readonly replayed?: true;
};

/**
 * A refused call. Every layer throws this class, and each surface translates it into its protocol. `message` is the
 * `detail` of the problem, by default the help of the code.
 */
export class DomainError extends Error {
  override readonly name = "DomainError";
  readonly code: ErrorCode;
  readonly details: RefusalDetails;

  constructor(code: ErrorCode, detail: string = getErrorKind(code).help, details: RefusalDetails = {}) {
    super(detail);
    this.code = code;
    this.details = details;
  }
}

/** Returns the body of an error response (RFC 9457). `baseUrl` has no slash at the end. */
export function problemBody(
  { code, message, details: { errors, movedTo, oldest } }: DomainError,
  requestId: string,
  baseUrl: string,
) {
  const { status, title } = ERRORS[code];
  const type = `${baseUrl}/docs/errors#${code}`;
  return {
    type,
    title,
    status,
    code,
    detail: message,
    requestId,
    ...(errors && { errors }),
    ...(movedTo && { movedTo }),
    ...(oldest !== undefined && { oldest }),
  };
}

/** Returns an error about one field. Does not throw it. */
export function invalidField(path: string, message: string, code: ErrorCode = "invalid_request"): DomainError {
  return new DomainError(code, `${path}: ${message}`, { errors: [{ path, message }] });
}

/** Returns `invalid_request` with all these errors; its message is the first one. */
export const invalidFields = (errors: readonly FieldError[]): DomainError =>
  new DomainError("invalid_request", errors[0] && summarize(errors[0]), { errors });

const summarize = ({ path, message }: FieldError): string => (path === "" ? message : `${path}: ${message}`);

export const makeBlogNotFoundError = (): DomainError => new DomainError("not_found", "There is no such blog.");

export function refusalHeaders({ details }: DomainError): Record<string, string> {
  const { retryAfterSeconds, limits, allowedMethods, replayed } = details;
  return {
    ...(retryAfterSeconds !== undefined && { "Retry-After": String(retryAfterSeconds) }),
    ...(limits && {
      "RateLimit-Policy": limits.map(({ name, quota, seconds }) => `"${name}";q=${quota};w=${seconds}`).join(", "),
    }),
    ...(allowedMethods && { Allow: allowedMethods.join(", ") }),
    ...(replayed && { "Idempotent-Replayed": "true" }),
  };
}

/** For `catch`: returns null if there is no such thing, and throws every other error. */
export function nullIfMissing(error: unknown): null {
  if (error instanceof DomainError && error.code === "not_found") return null;
  throw error;
}
