/** Turns unexpected exceptions into errors that all surfaces can return. */
import { DomainError } from "./errors.ts";
import { described, logUnexpected } from "./lib/log.ts";

/**
 * Logs an exception and returns the error for the caller: `not_ready` if the database has no schema or is being
 * exported, otherwise `internal` without details.
 */
export function unexpected(requestId: string, thrown: unknown): DomainError {
  const message = logUnexpected(requestId, thrown);
  if (message.includes("no such table")) {
    return new DomainError("not_ready", "The database has no schema yet: run `npm run migrate`.");
  }
  return exporting(thrown) ?? new DomainError("internal");
}

/**
 * Returns `not_ready` if D1 failed because it is being exported, or null for any other error. D1 answers no queries
 * during an export (docs/deploy.md, Backup and restore).
 */
export function exporting(thrown: unknown): DomainError | null {
  if (!described(thrown).message.includes("long-running export")) return null;
  const detail = "The database is being exported, and answers again when that is done.";
  return new DomainError("not_ready", detail, { retryAfterSeconds: 30 });
}
