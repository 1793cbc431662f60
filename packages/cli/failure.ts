/** The error that ends a command: a stable code, a sentence, and the exit code of the process. */
import { isErrorCode, getErrorKind, type FieldError } from "../../src/domain/errors.ts";
import { EdgepressError } from "../client/src/errors.ts";

export const EXIT = {
  ok: 0,
  failed: 1,
  usage: 2,
  signIn: 4,
  notFound: 5,
  conflict: 6,
  limit: 7,
  interrupted: 130,
} as const;

export type Exit = (typeof EXIT)[keyof typeof EXIT];

export type Details = {
  readonly status?: number | undefined;
  readonly errors?: readonly FieldError[] | undefined;
  readonly requestId?: string | undefined;
  readonly retryAfter?: number | undefined;
  /** Whether this is the stored response of an earlier call with the same Idempotency-Key. */
  readonly replayed?: boolean | undefined;
  readonly hint?: string | undefined;
  readonly cause?: unknown;
};

/** An error that the person at the terminal can act on. It is shown without a stack. */
export class CliError extends Error {
  override readonly name = "CliError";
  /** The service's code, or one of this program's own (docs/cli.md). */
  readonly code: string;
  readonly exit: Exit;
  readonly details: Details;

  constructor(code: string, message: string, exit: Exit = EXIT.failed, details: Details = {}) {
    super(message, details.cause === undefined ? {} : { cause: details.cause });
    this.code = code;
    this.exit = exit;
    this.details = details;
  }
}

export const usageError = (message: string, hint?: string): CliError =>
  new CliError("usage", message, EXIT.usage, { hint });

export const unauthorizedError = (message: string, hint: string): CliError =>
  new CliError("not_signed_in", message, EXIT.signIn, { hint });

export const interruptedError = (): CliError => new CliError("interrupted", "Interrupted.", EXIT.interrupted);

/** Returns the exit code of an error. `status` counts for codes that this version does not know. */
export function toExit(code: string, status: number): Exit {
  if (!isErrorCode(code)) return BY_STATUS[status] ?? EXIT.failed;
  const kind = getErrorKind(code);
  return kind.exit === undefined ? (BY_STATUS[kind.status] ?? EXIT.failed) : EXIT[kind.exit];
}

const BY_STATUS: Readonly<Record<number, Exit>> = {
  400: EXIT.usage,
  401: EXIT.signIn,
  403: EXIT.signIn,
  404: EXIT.notFound,
  409: EXIT.conflict,
  412: EXIT.conflict,
  422: EXIT.usage,
  429: EXIT.limit,
};

export const hasCode = (error: unknown, ...codes: readonly string[]): error is CliError =>
  error instanceof CliError && codes.includes(error.code);

/** Returns null for `not_found`, and throws other errors. */
export function ignoreNotFound(error: unknown): null {
  if (hasCode(error, "not_found")) return null;
  throw error;
}

export const isAbort = (error: unknown): boolean =>
  (error instanceof Error && error.name === "AbortError") || hasCode(error, "interrupted");

/** Returns any thrown value as a `CliError`; unexpected ones as `internal_error`. */
export function toCliError(thrown: unknown): CliError {
  if (thrown instanceof CliError) return thrown;
  if (isAbort(thrown)) return interruptedError();
  if (thrown instanceof EdgepressError) {
    const { code, message, status } = thrown;
    return new CliError(code, message, toExit(code, status), { status: status || undefined, cause: thrown });
  }
  const message = thrown instanceof Error ? thrown.message : String(thrown);
  // Errors of the operating system (no permission to write, a full disk) have a message that a person understands.
  if (thrown instanceof Error && "syscall" in thrown) return new CliError("file_error", message, EXIT.failed);
  return new CliError("internal_error", `Something went wrong in this program: ${message}`, EXIT.failed, {
    cause: thrown,
  });
}
