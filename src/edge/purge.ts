/** Purges of the edge: coalesced, few a minute, none lost (architecture, "The public cache, and the purge"). */
import type { log } from "../lib/log.ts";
import { within } from "../lib/within.ts";
import { lastHealth } from "../store/edge/system-health.ts";
import { notePurged, takePurges } from "../store/edge/system-purges.ts";
import type { Database } from "../store/core/sql.ts";

/** A hint that tags wait to be purged: D1 has them. */
export type PurgeMessage = Readonly<Record<string, never>>;

/** What purging works with; the Worker wires it. */
export type PurgeRelay = {
  readonly db: Database;
  /** A replica that readers may be answered by. */
  readonly replica: Database;
  readonly purges: Queue<PurgeMessage>;
  readonly now: () => Date;
  /** Deletes what the edge holds under these tags; resolves to false if it could not. */
  readonly purge: (tags: readonly string[]) => Promise<boolean>;
  readonly log: typeof log;
};

/** Makes the next call that is allowed, and sends a message for the one after it. A batch has one call. */
export async function consumePurges(relay: PurgeRelay, batch: MessageBatch<PurgeMessage>): Promise<void> {
  const again = await purgeNext(relay);
  if (again !== null) await relay.purges.send({}, { delaySeconds: Math.ceil(again / 1000) });
  batch.ackAll();
}

/** Purges what waits, if a call is allowed now. Returns the milliseconds until the next look, or null. */
async function purgeNext(relay: PurgeRelay): Promise<number | null> {
  const asked = relay.now();
  const { tags, again } = await takePurges(relay.db, await within(PATIENCE_MS, seenBy(relay)), asked);
  if (tags.length === 0) return again;
  if (await relay.purge(tags)) await notePurged(relay.db, tags, asked, relay.now());
  else relay.log({ level: "warn", message: "edge purge failed", tags: tags.length });
  return again;
}

/** How long a replica may take to answer. */
const PATIENCE_MS = 1500;

/** The time of the newest sweep that the replica shows, or null if it fails. */
const seenBy = async ({ replica }: PurgeRelay): Promise<string | null> =>
  (await lastHealth(replica).catch(() => null))?.time ?? null;
