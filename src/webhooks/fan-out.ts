/** From events to their deliveries (architecture, "Deliver"). */
import { LIMITS } from "../domain/limits.ts";
import type { Lane } from "../store/webhooks/system-deliveries.ts";
import { fanOut } from "../store/webhooks/system-outbox.ts";
import type { Relay } from "./ports.ts";

/**
 * Creates the deliveries of some of an organization's events and hands the organization to the queues that send them; it
 * goes to the end of the events queue if it has more.
 */
export async function fanOutEvents(relay: Relay, organizationId: string): Promise<void> {
  const { quick, slow, more, purges, putOff } = await fanOut(relay.db, organizationId, relay.now(), relay.quota);
  if (putOff) relay.log({ level: "warn", message: "deliveries of the day used up", organizationId });
  // Readers first: what was unpublished must leave the edge.
  if (purges) await askForPurge(relay);
  await sendTurns(relay, organizationId, "quick", quick);
  await sendTurns(relay, organizationId, "slow", slow);
  if (more) await relay.events.send({ organizationId });
}

/** Sends as many messages as turns can work side by side on so many deliveries. */
async function sendTurns(relay: Relay, organizationId: string, lane: Lane, deliveries: number): Promise<void> {
  const atOnce = Math.min(deliveries, LIMITS.deliveryCredits[lane]);
  const turns = Math.ceil(atOnce / LIMITS.connectionsAtOnce);
  if (turns === 0) return;
  await relay.deliveries[lane].sendBatch(Array.from({ length: turns }, () => ({ body: { organizationId } })));
}

/** Best effort: the sweep asks again each minute, and webhooks go out meanwhile. */
async function askForPurge(relay: Relay): Promise<void> {
  try {
    await relay.purges.send({});
  } catch (error) {
    relay.log({ level: "warn", message: "purge not asked for", error: String(error) });
  }
}
