/**
 * Defines the errors of the service. For each code, the table in errors/ has the texts for REST and its page
 * /docs/errors, for the console, for agents (MCP) and for the command line client.
 */
import { CONFLICT_ERRORS } from "./errors/conflicts.ts";
import type { ErrorKind } from "./errors/kind.ts";
import { SERVICE_ERRORS } from "./errors/limits-and-failures.ts";
import { REQUEST_ERRORS } from "./errors/requests.ts";

/** All errors by code. */
export const ERRORS = { ...REQUEST_ERRORS, ...CONFLICT_ERRORS, ...SERVICE_ERRORS } as const;

export type ErrorCode = keyof typeof ERRORS;

/** Returns whether this version has an error with this code. */
export const isErrorCode = (text: string): text is ErrorCode => Object.hasOwn(ERRORS, text);

/** Returns the entry of a code in the table. */
export const kindOf = (code: ErrorCode): ErrorKind => ERRORS[code];

/** An invalid field: its path (`""` is the body itself), and what is wrong with it. */
export type FieldError = { readonly path: string; readonly message: string };

/** A rate limit that was exceeded: `quota` requests in `seconds` seconds. */
export type Limit = { readonly name: string; readonly quota: number; readonly seconds: number };

/** What an error may carry besides its code and message. The surfaces put it into the response. */
export type RefusalDetails = {
  readonly errors?: readonly FieldError[] | undefined;
  /** Seconds after which the call may be repeated. */
  readonly retryAfterSeconds?: number | undefined;
  /** The limits that were exceeded. */
  readonly limits?: readonly Limit[] | undefined;
  /** For `method_not_allowed`: the methods of the path. */
  readonly allowedMethods?: readonly string[] | undefined;
  /** For `not_found`: where the article is that had this slug before. */
  readonly movedTo?: {
    readonly articleId: string;
    readonly slug: string;
    readonly locale: string;
    readonly blogId: string;
  };
  /** As {@link ErrorKind.passes}, of this one error, whose code does not say so. */
  readonly passes?: true | undefined;
  /** The message is written for people: the console shows no {@link ErrorKind.sentence} in its place. */
  readonly worded?: true;
  /** This error is the stored response of an earlier call with the same Idempotency-Key. */
  readonly replayed?: true;
};

/**
 * A refused call. Every layer throws this class, and the surface translates it into its own protocol. `message` is the
 * `detail` of the problem; by default it is the help of the code.
 */
export class DomainError extends Error {
  override readonly name = "DomainError";
  readonly code: ErrorCode;
  readonly details: RefusalDetails;

  constructor(code: ErrorCode, detail: string = kindOf(code).help, details: RefusalDetails = {}) {
    super(detail);
    this.code = code;
    this.details = details;
  }
}

/** Returns the body of an error response over HTTP (RFC 9457). `baseUrl` has no slash at the end. */
export function problemBody(
  { code, message, details: { errors, movedTo } }: DomainError,
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
  };
}

/** Creates an error for one invalid field. Returns it without throwing. */
export function invalidField(path: string, message: string, code: ErrorCode = "invalid_request"): DomainError {
  return new DomainError(code, `${path}: ${message}`, { errors: [{ path, message }] });
}

/** Returns the headers of an error response over HTTP. */
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
