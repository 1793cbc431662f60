/**
 * Everything that the service refuses. The table (errors/) says for each code what the surfaces tell: REST and its page
 * /docs/errors, the console, agents, and the client.
 */
import { CONFLICT_ERRORS } from "./errors/conflicts.ts";
import type { ErrorKind } from "./errors/kind.ts";
import { SERVICE_ERRORS } from "./errors/limits-and-failures.ts";
import { REQUEST_ERRORS } from "./errors/requests.ts";

export const ERRORS = { ...REQUEST_ERRORS, ...CONFLICT_ERRORS, ...SERVICE_ERRORS } as const;

export type ErrorCode = keyof typeof ERRORS;

/** Whether a text is a code that this version knows. */
export const isErrorCode = (text: string): text is ErrorCode => Object.hasOwn(ERRORS, text);

/** What the table says of a code. */
export const kindOf = (code: ErrorCode): ErrorKind => ERRORS[code];

/** A field that is wrong: the path to it (`""` is the body itself) and what is wrong with it. */
export type FieldError = { readonly path: string; readonly message: string };

/** A limit that a refusal is about: so many in so many seconds. */
export type Limit = { readonly name: string; readonly quota: number; readonly seconds: number };

export type RefusalDetails = {
  readonly errors?: readonly FieldError[] | undefined;
  /** Seconds after which the call may be repeated. */
  readonly retryAfterSeconds?: number | undefined;
  /** The limits that were reached. */
  readonly limits?: readonly Limit[] | undefined;
  /** The methods that a path knows, where another one was asked for. */
  readonly allowedMethods?: readonly string[] | undefined;
  /** It is the stored answer of an earlier call with the same Idempotency-Key. */
  readonly replayed?: true;
};

/** A refusal. Every layer throws this one class; the surface turns it into its own protocol. */
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

/** The body of a refusal over HTTP (RFC 9457), for a service at a base URL. */
export function problemBody({ code, message, details: { errors } }: DomainError, requestId: string, baseUrl: string) {
  const { status, title } = ERRORS[code];
  const type = `${baseUrl}/docs/errors#${code}`;
  return { type, title, status, code, detail: message, requestId, ...(errors && { errors }) };
}

/** The refusal of one field. */
export function invalidField(path: string, message: string, code: ErrorCode = "invalid_request"): DomainError {
  return new DomainError(code, `${path}: ${message}`, { errors: [{ path, message }] });
}

/** The headers of a refusal over HTTP. */
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
