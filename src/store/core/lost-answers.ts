/** Repeats transactions whose response from D1 was lost, after checking whether D1 has stored them. */
import { DomainError } from "../../domain/errors.ts";
import { log } from "../../lib/log.ts";
import { isFailedAssertion } from "./sql.ts";

/** Milliseconds before each further attempt. */
const PAUSES_MS = [50, 250, 1000];

/**
 * Runs a transaction and returns its result. If the response is lost, or D1 was reset or is overloaded, calls `stored`,
 * which returns the result if D1 has stored the transaction. If it returns null, runs the transaction again, so it must
 * be safe to run twice. Throws the errors of SQLite, and `not_ready` if it stays unknown whether the transaction was
 * stored.
 */
export async function storeReliably<T>(
  run: () => Promise<T>,
  stored: () => Promise<T | null> = async () => null,
): Promise<T> {
  try {
    return await run();
  } catch (error) {
    if (!isOutcomeUnknown(error)) throw error;
    log({ level: "warn", message: "answer of the database lost", error });
  }
  for (const pause of PAUSES_MS) {
    await new Promise((resolve) => setTimeout(resolve, pause));
    try {
      return (await stored()) ?? (await run());
    } catch (error) {
      if (!isOutcomeUnknown(error) && !isOvertaken(error)) throw error;
    }
  }
  throw new DomainError(
    "not_ready",
    "The database did not answer, so the outcome of the request is unknown. Check whether it took effect before you repeat it, or repeat it with the same Idempotency-Key.",
    { retryAfterSeconds: 5 },
  );
}

/** Returns whether D1 may have run the statements. It did not after an error of SQLite, or during an export. */
const isOutcomeUnknown = (error: unknown): boolean => !/SQLITE_|D1_TYPE_ERROR|long-running export/.test(String(error));

/**
 * Returns true if an earlier attempt, whose response was lost, has been stored meanwhile: its entry of the audit log is
 * there, or its event, where the repetition got no entry, because the change has been made.
 */
const isOvertaken = (error: unknown): boolean =>
  isFailedAssertion(error) || /UNIQUE constraint failed: (?:audit\.|events\.id)/.test(String(error));
