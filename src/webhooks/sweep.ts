/** Each minute: what the queues lost is sent again, and what cannot be known is said to be unknown. */
import { chunks } from "../lib/chunks.ts";
import { runParts } from "../lib/run-each.ts";
import { changedTags, takeStrandedEvents } from "../store/webhooks/system-outbox.ts";
import { abandonClaims, takeStrandedDeliveries } from "../store/webhooks/system-deliveries.ts";
import { removeExpired } from "../store/retention.ts";
import { purge } from "./consumer.ts";
import { enqueueDeliveries } from "./fan-out.ts";
import type { Relay } from "./ports.ts";

/** How long a message may take before D1 asks again. */
const EVENT_PATIENCE_MS = 30_000;
const DELIVERY_PATIENCE_MS = 5 * 60_000;
/** The longest invocation of a queue consumer is 15 minutes (platform limit). */
const LONGEST_INVOCATION_MS = 16 * 60_000;
/** What one run takes of each kind; the next run takes more. */
const MOST = 1000;

/** One run of the relay. */
export async function sweep(relay: Relay): Promise<void> {
  const now = relay.now();
  const ago = (ms: number) => new Date(now.getTime() - ms);
  const parts: Record<string, () => Promise<void>> = {
    async events() {
      const ids = await takeStrandedEvents(relay.db, ago(EVENT_PATIENCE_MS), now, MOST);
      for (const batch of chunks(ids, 100)) {
        await relay.events.sendBatch(batch.map((eventId) => ({ body: { eventId } })));
      }
      if (ids.length > 0) relay.log({ level: "info", message: "events sent again", count: ids.length });
    },
    async deliveries() {
      const open = await takeStrandedDeliveries(relay.db, ago(DELIVERY_PATIENCE_MS), now, MOST);
      await enqueueDeliveries(relay, open);
      if (open.length > 0) relay.log({ level: "info", message: "deliveries sent again", count: open.length });
    },
    async claims() {
      const ids = await abandonClaims(relay.db, ago(LONGEST_INVOCATION_MS), now);
      for (const id of ids)
        relay.log({ level: "warn", message: "delivery interrupted, outcome unknown", delivery: id });
    },
    async purges() {
      // Again what was purged at once: a replica that lagged may have refilled the edge.
      await purge(relay, await changedTags(relay.db, ago(2 * 60_000)));
    },
    retention: () => removeExpired(relay.db, now),
  };
  await runParts(parts, (part, error) =>
    relay.log({ level: "error", message: "sweep failed", part, error: String(error) }),
  );
}
