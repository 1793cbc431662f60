/** What is thrown and is no refusal: one answer for all surfaces. */
import { DomainError } from "./errors.ts";
import { described, logUnexpected } from "./lib/log.ts";

/** Logs it. What passes by itself, or has a remedy, says so; all else is `internal`, and no more is told. */
export function unexpected(requestId: string, thrown: unknown): DomainError {
  const message = logUnexpected(requestId, thrown);
  if (message.includes("no such table")) {
    return new DomainError("not_ready", "The database has no schema yet: run `npm run migrate`.");
  }
  return exporting(thrown) ?? new DomainError("internal");
}

/** D1 answers nothing else until an export is done (docs/deploy.md, Backup and restore); null for any other error. */
export function exporting(thrown: unknown): DomainError | null {
  if (!described(thrown).message.includes("long-running export")) return null;
  const detail = "The database is being exported, and answers again when that is done.";
  return new DomainError("not_ready", detail, { retryAfterSeconds: 30 });
}
