/** Answers of D1 that were lost on their way: whether the statements ran has to be asked. */
import { DomainError } from "../../errors.ts";
import { described, log } from "../../lib/log.ts";
import { isFailedAssertion } from "./assertions.ts";

/** Milliseconds before each further attempt. */
const PAUSES_MS = [50, 250, 1000];

/**
 * Runs a transaction and returns what it answers. If the answer is lost, or D1 was reset or is overloaded, asks `stored`
 * what became of it, and runs it again if that returns null. So the transaction must be one that D1 can store only once.
 * Throws what D1 refused, and `not_ready` if it stays open whether the transaction was stored.
 */
export async function storeSurely<T>(
  run: () => Promise<T>,
  stored: () => Promise<T | null> = async () => null,
): Promise<T> {
  try {
    return await run();
  } catch (error) {
    if (!isUnclear(error)) throw error;
    log({ level: "warn", message: "answer of the database lost", error: described(error).message });
  }
  for (const pause of PAUSES_MS) {
    await new Promise((resolve) => setTimeout(resolve, pause));
    try {
      return (await stored()) ?? (await run());
    } catch (error) {
      if (!isUnclear(error) && !isOvertaken(error)) throw error;
    }
  }
  throw new DomainError(
    "not_ready",
    "The database did not answer, so it is not known whether the request was carried out. Look before you repeat it, or repeat it with the same Idempotency-Key.",
    { retryAfterSeconds: 5 },
  );
}

/**
 * Returns true if an error leaves open whether D1 ran the statements. What SQLite refused was rolled back; during an
 * export, nothing runs.
 */
const isUnclear = (error: unknown): boolean => !/SQLITE_|D1_TYPE_ERROR|long-running export/.test(String(error));

/** Returns true if a transaction failed because its own first attempt, believed lost, was stored in the meantime. */
const isOvertaken = (error: unknown): boolean =>
  isFailedAssertion(error) || String(error).includes("UNIQUE constraint failed: audit.");
