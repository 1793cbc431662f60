/** Reads from the nearest replica, and from the primary if that takes too long. */
import { DomainError } from "../../domain/errors.ts";
import { log } from "../../lib/log.ts";
import { within } from "../../lib/within.ts";
import { rows, type Reader } from "./sql.ts";

/** After this many milliseconds, a read that waits for a replica asks the primary. */
const REPLICA_PATIENCE_MS = 1500;
/** After this many milliseconds, a read fails that may not ask the primary. */
const LONGEST_WAIT_MS = 5000;
/** Reads of one isolate that may ask the primary at the same time: a replica that is slow is slow for all of them. */
const MOST_AT_PRIMARY = 10;

/** A read at the primary that has not ended counts for this time: it never ends if its caller leaves meanwhile. */
const COUNTED_MS = 10_000;

/** When the reads began that are at the primary. */
const atPrimary = new Set<{ readonly began: number }>();

/** Returns whether one more read may ask the primary. Forgets those that have counted long enough. */
function mayAskPrimary(): boolean {
  for (const read of atPrimary) if (Date.now() - read.began >= COUNTED_MS) atPrimary.delete(read);
  return atPrimary.size < MOST_AT_PRIMARY;
}

/**
 * Returns a reader that asks the nearest replica. Sessions have been seen to hang, so each read has its own, waits for a
 * bounded time, and falls back to the primary. As the primary answers one query at a time, only a few reads may do so at
 * once; the others go on waiting for the replica, and throw `not_ready` if it does not answer at all. Nothing outlives
 * the request.
 */
export const replicaReader =
  (db: D1Database): Reader =>
  async (query) => {
    const read = rows<never>(db.withSession("first-unconstrained"), query).catch(failedReplica);
    const answer = await within(REPLICA_PATIENCE_MS, read);
    if (answer !== null) return answer;
    if (mayAskPrimary()) return askPrimary(db, query);
    const late = await within(LONGEST_WAIT_MS - REPLICA_PATIENCE_MS, read);
    if (late !== null) return late;
    throw new DomainError("not_ready", "The database took too long to answer.", { retryAfterSeconds: 5 });
  };

async function askPrimary<Row>(db: D1Database, query: Parameters<Reader>[0]): Promise<Row[]> {
  const mine = { began: Date.now() };
  atPrimary.add(mine);
  try {
    return await rows<Row>(db, query);
  } finally {
    atPrimary.delete(mine);
  }
}

/** Logs the failure of a replica, and returns null: it should not fail the request, but somebody should look at it. */
function failedReplica(error: unknown): null {
  log({ level: "warn", message: "replica read failed", error });
  return null;
}
