/** What ends a command: an error with a stable code, a sentence, and the exit code of the process. */
import { isErrorCode, kindOf, type FieldError } from "../errors.ts";

/** The exit codes of the program (docs/cli.md). */
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

/** What this program says by itself; other codes are the service's own. */
export type LocalCode =
  | "usage"
  | "confirmation_required"
  | "declined"
  | "insecure_server"
  | "not_signed_in"
  | "sign_in_failed"
  | "sign_in_expired"
  | "credentials_unreadable"
  | "credentials_locked"
  | "unreachable"
  | "timeout"
  | "redirected"
  | "invalid_answer"
  | "unexpected_answer"
  | "refresh_failed"
  | "import_incomplete"
  | "export_incomplete"
  | "file_error"
  | "interrupted"
  | "internal_error";

export type Details = {
  /** The HTTP status of a refusal. */
  readonly status?: number | undefined;
  /** The fields that are wrong, as the service names them. */
  readonly errors?: readonly FieldError[] | undefined;
  readonly requestId?: string | undefined;
  /** Seconds. */
  readonly retryAfter?: number | undefined;
  /** The service repeated what it had answered to this Idempotency-Key before. */
  readonly replayed?: boolean | undefined;
  /** What to do next, as a sentence. */
  readonly hint?: string | undefined;
  readonly cause?: unknown;
};

/** Something that the person at the terminal can do something about: shown without a stack. */
export class CliError extends Error {
  override readonly name = "CliError";
  /** One of `LocalCode`, or the service's code. */
  readonly code: string;
  readonly exit: Exit;
  readonly details: Details;

  constructor(code: LocalCode | (string & {}), message: string, exit: Exit = EXIT.failed, details: Details = {}) {
    super(message, details.cause === undefined ? {} : { cause: details.cause });
    this.code = code;
    this.exit = exit;
    this.details = details;
  }
}

/** The refusal of something on the command line. */
export const usage = (message: string, hint?: string): CliError => new CliError("usage", message, EXIT.usage, { hint });

/** Thrown when the person has pressed Ctrl-C. */
export const interrupted = (): CliError => new CliError("interrupted", "Interrupted.", EXIT.interrupted);

/** The exit code that a refusal of the service ends the program with. */
export function exitOf(code: string, status: number): Exit {
  return isErrorCode(code) ? EXIT[kindOf(code).exit] : exitOfStatus(status);
}

const { failed, usage: wrong, signIn, notFound, conflict, limit } = EXIT;

/** For codes of a newer service than this program knows. */
function exitOfStatus(status: number): Exit {
  const exits: Readonly<Record<number, Exit>> = { 400: wrong, 401: signIn, 403: signIn, 404: notFound };
  const more: Readonly<Record<number, Exit>> = { 409: conflict, 412: conflict, 422: wrong, 429: limit };
  return exits[status] ?? more[status] ?? failed;
}

/** Whether everything is to end: the reason of `signal`, or an error that says so. */
export const isAbort = (error: unknown): boolean =>
  error instanceof Error &&
  (error.name === "AbortError" || (error instanceof CliError && error.code === "interrupted"));

/** Anything thrown, as a `CliError`. An unexpected error is reported as such, without its stack. */
export function asCliError(thrown: unknown): CliError {
  if (thrown instanceof CliError) return thrown;
  if (isAbort(thrown)) return interrupted();
  const message = thrown instanceof Error ? thrown.message : String(thrown);
  // What the system refuses (a folder that cannot be written, a full disk) says enough.
  if (thrown instanceof Error && "syscall" in thrown) return new CliError("file_error", message, EXIT.failed);
  return new CliError("internal_error", `Something went wrong in this program: ${message}`, EXIT.failed, {
    cause: thrown,
  });
}
