/** Reads from the nearest replica, and from the primary if that takes too long. */
import { DomainError } from "../../domain/errors.ts";
import { log } from "../../lib/log.ts";
import { withTimeout } from "../../lib/within.ts";
import { queryRows, type Reader } from "./sql.ts";

/** After this many milliseconds, a read that waits for a replica asks the primary. */
const REPLICA_PATIENCE_MS = 1500;
/** After this many milliseconds, a read that may not ask the primary fails. */
const LONGEST_WAIT_MS = 5000;
/** Reads of one isolate that may ask the primary at the same time: a slow replica is slow for all of them. */
const MOST_AT_PRIMARY = 10;

/** How long a read at the primary counts that has not ended. It never ends if its caller leaves meanwhile. */
const COUNTED_MS = 10_000;

const atPrimary = new Set<{ readonly began: number }>();

/** Forgets the reads that have counted long enough. */
function mayAskPrimary(): boolean {
  for (const read of atPrimary) if (Date.now() - read.began >= COUNTED_MS) atPrimary.delete(read);
  return atPrimary.size < MOST_AT_PRIMARY;
}

/**
 * Returns a reader that asks the nearest replica. Sessions have been seen to hang, so each read has its own, waits for
 * a bounded time, and falls back to the primary. The primary answers one query at a time, so only a few reads may ask
 * it at once. The others wait for the replica, and throw `not_ready` if it does not answer. Nothing outlives the
 * request.
 */
export const makeReplicaReader =
  (db: D1Database): Reader =>
  async (query) => {
    const read = queryRows<never>(db.withSession("first-unconstrained"), query).catch(logFailedReplica);
    const answer = await withTimeout(REPLICA_PATIENCE_MS, read);
    if (answer !== null) return answer;
    if (mayAskPrimary()) return askPrimary(db, query);
    const late = await withTimeout(LONGEST_WAIT_MS - REPLICA_PATIENCE_MS, read);
    if (late !== null) return late;
    throw new DomainError("not_ready", "The database took too long to answer.", { retryAfterSeconds: 5 });
  };

async function askPrimary<Row>(db: D1Database, query: Parameters<Reader>[0]): Promise<Row[]> {
  const mine = { began: Date.now() };
  atPrimary.add(mine);
  try {
    return await queryRows<Row>(db, query);
  } finally {
    atPrimary.delete(mine);
  }
}

/** Null instead of an error: a failed replica must not fail the request. */
function logFailedReplica(error: unknown): null {
  log({ level: "warn", message: "replica read failed", error });
  return null;
}
