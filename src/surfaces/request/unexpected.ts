import { DomainError } from "../../domain/errors.ts";
import { describeError, logUnexpected } from "../../lib/log.ts";

/**
 * Logs an exception and returns the error for the caller: `not_ready` if the database has no schema, is full, or fails
 * temporarily ({@link toTransientError}), otherwise `internal` without details.
 */
export function toUnexpectedError(requestId: string, thrown: unknown): DomainError {
  const message = logUnexpected(requestId, thrown);
  if (message.includes("no such table")) {
    return new DomainError("not_ready", "The database has no schema yet: run `npm run migrate`.");
  }
  if (message.includes("SQLITE_FULL")) return new DomainError("not_ready", "The database is full.");
  return toTransientError(thrown) ?? new DomainError("internal");
}

/**
 * Temporary failures (D1, Error list): resets, too many queries at once, a lost connection. A local run reports "internal
 * error" while another program, such as `npm run admin`, writes to its database.
 */
const TRANSIENT_FAILURE = /^D1_ERROR: [^(]*(?:overloaded|\breset\b|transient|connection lost|internal error)/i;

/**
 * Returns `not_ready` if D1 fails temporarily, or null for any other error. D1 answers no queries during an export
 * (docs/deploy.md, Backup and restore).
 */
export function toTransientError(thrown: unknown): DomainError | null {
  const { message } = describeError(thrown);
  if (message.includes("long-running export")) {
    const detail = "The database is being exported. It answers again when the export is done.";
    return new DomainError("not_ready", detail, { retryAfterSeconds: 30 });
  }
  if (!TRANSIENT_FAILURE.test(message)) return null;
  const detail =
    "The database does not answer at the moment. Before you repeat a request that changes something, check whether it took effect.";
  return new DomainError("not_ready", detail, { retryAfterSeconds: 5 });
}
