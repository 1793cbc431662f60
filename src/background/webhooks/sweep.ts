/** The webhooks' part of each minute: repairs what queues and invocations lost, and deletes old rows. */
import { runParts } from "../../lib/run-parts.ts";
import { sendEach } from "../../lib/send-each.ts";
import { abandonClaims, skipOrphans, listWaitingLanes, type Lane } from "../../store/webhooks/system-deliveries.ts";
import { retryDue } from "../../store/webhooks/system-dead-letters.ts";
import { listOrganizationsWithEvents } from "../../store/webhooks/system-outbox.ts";
import { endReplaced } from "../../store/webhooks/system-replacements.ts";
import { recordHealth } from "../../store/edge/system-health.ts";
import { endCeilings } from "../../store/ledger.ts";
import { removeExpired } from "../../store/retention.ts";
import { fanOutAlone } from "./fan-out.ts";
import { warnOfStreaks } from "./warnings.ts";
import type { OrganizationMessage, Relay } from "./ports.ts";

/** Milliseconds after which a claim counts as abandoned. Longer than an attempt, its settlement and all retries. */
const LONGEST_CLAIM_MS = 60_000;

/** Runs all parts. A part that fails is logged; the others still run. */
export async function sweepWebhooks(relay: Relay): Promise<void> {
  const now = relay.now();
  const ago = (ms: number) => new Date(now.getTime() - ms);
  const parts: Record<string, () => Promise<void>> = {
    // One message is enough: the consumer sends another one if there is more.
    async events() {
      await sendOrganizations(relay.events, await listOrganizationsWithEvents(relay.db));
    },
    async claims() {
      const ids = await abandonClaims(relay.db, ago(LONGEST_CLAIM_MS), now);
      for (const id of ids)
        relay.log({ level: "warn", message: "delivery interrupted, outcome unknown", delivery: id });
    },
    // Before `deliveries`, which sends what it hands over.
    replaced: () => endReplaced(relay.db, now),
    // In case a message was lost. The consumer does nothing if no tags wait.
    purges: async () => void (await relay.purges.send({})),
    // Before `deadLetters`: deliveries that it opens again would count as late.
    health: () => recordHealth(relay.db, now, relay.quota),
    // Before `deliveries`, so that the same sweep sends the deliveries that this opens again.
    async deadLetters() {
      for (const event of await retryDue(relay.db)) await fanOutAlone(relay, event);
    },
    async deliveries() {
      await skipOrphans(relay.db, now);
      const waiting = await listWaitingLanes(relay.db);
      const of = (lane: Lane) => waiting.flatMap((each) => (each.lane === lane ? [each.organizationId] : []));
      await sendOrganizations(relay.deliveries.quick, of("quick"));
      await sendOrganizations(relay.deliveries.slow, of("slow"));
    },
    warnings: () => warnOfStreaks(relay),
    ceilings: () => endCeilings(relay.db, relay.quota, now),
    retention: () => removeExpired(relay.db, now, relay.kept),
  };
  await runParts(parts, (part, error) => relay.log({ level: "error", message: "sweep failed", part, error }));
}

export const sendOrganizations = (
  queue: Queue<OrganizationMessage>,
  organizationIds: readonly string[],
): Promise<void> =>
  sendEach(
    queue,
    organizationIds.map((organizationId) => ({ organizationId })),
  );
