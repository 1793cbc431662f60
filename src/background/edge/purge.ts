/**
 * Purges the edge's cache, or marks it stale: many tags in one call, few calls a minute, and no tag is lost
 * (architecture, "The public cache, and the purge").
 */
import type { log } from "../../lib/log.ts";
import { withTimeout } from "../../lib/within.ts";
import { findLastHealth } from "../../store/edge/system-health.ts";
import { gatherPurges, recordPurged, takePurges, type PurgeMethod } from "../../store/edge/system-purges.ts";
import type { Database } from "../../store/core/sql.ts";

/** It is empty: the tags to purge are in D1. */
export type PurgeMessage = Readonly<Record<string, never>>;

export type PurgeRelay = {
  readonly db: Database;
  /** Databases from which waiting tags are moved to `db` before a call. */
  readonly shards: readonly Database[];
  /** A replica of each database that also answers readers. */
  readonly replicas: readonly Database[];
  readonly purges: Queue<PurgeMessage>;
  readonly now: () => Date;
  /** Deletes the responses with these tags from the edge's cache, or marks them stale. Resolves to false if that failed. */
  readonly purge: (tags: readonly string[], method: PurgeMethod) => Promise<boolean>;
  readonly log: typeof log;
};

/** Makes a purge call if one is allowed now, and sends a delayed message if another is needed. Acknowledges the batch. */
export async function consumePurges(relay: PurgeRelay, batch: MessageBatch<PurgeMessage>): Promise<void> {
  await Promise.all(relay.shards.map((shard) => gather(shard, relay)));
  const again = await purgeNext(relay);
  if (again !== null) await relay.purges.send({}, { delaySeconds: Math.ceil(again / 1000) });
  batch.ackAll();
}

/** A shard that does not answer delays the tags of no other. */
async function gather(shard: Database, { db, log }: PurgeRelay): Promise<void> {
  const gathered = gatherPurges(shard, db).catch((error: unknown) =>
    log({ level: "warn", message: "purges of a shard not gathered", error }),
  );
  await withTimeout(PATIENCE_MS, gathered);
}

/** Purges waiting tags if a call is allowed now. Returns the milliseconds until the next call; null if nothing waits. */
async function purgeNext(relay: PurgeRelay): Promise<number | null> {
  const asked = relay.now();
  const call = await takePurges(relay.db, await readReplicaTime(relay), asked);
  const { tags, method, again } = call;
  if (tags.length === 0) return again;
  if (await relay.purge(tags, method)) await recordPurged(relay.db, call, asked, relay.now());
  else relay.log({ level: "warn", message: "edge purge failed", method, tags: tags.length });
  return again;
}

/** Maximum milliseconds to wait for a replica, or a shard. */
const PATIENCE_MS = 1500;

/** Milliseconds after which a shard whose sweep has stored nothing is left out: it delays no tags of others. */
const LATE_MS = 10 * 60_000;

/** Returns the time of the newest sweep that all replicas contain, of those that answer; null if none does. */
async function readReplicaTime({ replicas, now }: PurgeRelay): Promise<string | null> {
  const asked = replicas.map((replica) =>
    withTimeout(
      PATIENCE_MS,
      findLastHealth(replica).catch(() => null),
    ),
  );
  const times = (await Promise.all(asked)).flatMap((health) => (health === null ? [] : [health.time]));
  const late = new Date(now().getTime() - LATE_MS).toISOString();
  return times.filter((time) => replicas.length === 1 || time > late).toSorted()[0] ?? null;
}
