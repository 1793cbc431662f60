/** Each minute: what the queues lost is sent again, and what cannot be known is said to be unknown. */
import { chunks } from "../lib/chunks.ts";
import { runParts } from "../lib/run-each.ts";
import { abandonClaims, skipOrphans, waitingLanes, type Lane } from "../store/webhooks/system-deliveries.ts";
import { retryDue } from "../store/webhooks/system-dead-letters.ts";
import { organizationsWithEvents } from "../store/webhooks/system-outbox.ts";
import { noteHealth } from "../store/edge/system-health.ts";
import { removeExpired } from "../store/retention.ts";
import { fanOutAlone } from "./fan-out.ts";
import type { OrganizationMessage, Relay } from "./ports.ts";

/** Longer than an attempt and its settlement take, retries included. */
const LONGEST_CLAIM_MS = 60_000;
/** Messages that one `sendBatch` takes (platform limit). */
const PER_BATCH = 100;

/** One run of the relay. */
export async function sweep(relay: Relay): Promise<void> {
  const now = relay.now();
  const ago = (ms: number) => new Date(now.getTime() - ms);
  const parts: Record<string, () => Promise<void>> = {
    // One message for each organization, however much it has: it goes to the end of the queue itself.
    async events() {
      await sendAll(relay.events, await organizationsWithEvents(relay.db));
    },
    // Before the deliveries: those that are opened again are sent by the same sweep.
    async deadLetters() {
      for (const event of await retryDue(relay.db)) await fanOutAlone(relay, event);
    },
    async deliveries() {
      await skipOrphans(relay.db, now);
      const waiting = await waitingLanes(relay.db);
      const of = (lane: Lane) => waiting.flatMap((each) => (each.lane === lane ? [each.organizationId] : []));
      await sendAll(relay.deliveries.quick, of("quick"));
      await sendAll(relay.deliveries.slow, of("slow"));
    },
    async claims() {
      const ids = await abandonClaims(relay.db, ago(LONGEST_CLAIM_MS), now);
      for (const id of ids)
        relay.log({ level: "warn", message: "delivery interrupted, outcome unknown", delivery: id });
    },
    // Whatever was lost on the way: the edge is purged while tags wait.
    purges: async () => void (await relay.purges.send({})),
    health: () => noteHealth(relay.db, now),
    retention: () => removeExpired(relay.db, now, relay.kept),
  };
  await runParts(parts, (part, error) =>
    relay.log({ level: "error", message: "sweep failed", part, error: String(error) }),
  );
}

async function sendAll(queue: Queue<OrganizationMessage>, organizationIds: readonly string[]): Promise<void> {
  for (const some of chunks(organizationIds, PER_BATCH)) {
    await queue.sendBatch(some.map((organizationId) => ({ body: { organizationId } })));
  }
}
