/** From events to their deliveries (architecture, "Deliver"). */
import { LIMITS } from "../domain/limits.ts";
import { setEventAside, type FailedEvent } from "../store/webhooks/system-dead-letters.ts";
import type { Lane } from "../store/webhooks/system-deliveries.ts";
import { fanOut, nextEvents, type FannedOut } from "../store/webhooks/system-outbox.ts";
import { logTry } from "./log-try.ts";
import type { Relay } from "./ports.ts";

/**
 * Creates the deliveries of some of an organization's events and hands the organization to the queues that send them; it
 * goes to the end of the events queue if it has more. If the database refuses that, each event is fanned out alone, so
 * that one that always fails holds up no other.
 */
export async function fanOutEvents(relay: Relay, organizationId: string): Promise<void> {
  let done: FannedOut | null = null;
  try {
    done = await fanOut(relay.db, { organizationId }, relay.now(), relay.quota);
  } catch {
    for (const eventId of await nextEvents(relay.db, organizationId)) {
      await fanOutAlone(relay, { organizationId, eventId });
    }
  }
  if (done !== null) await handOn(relay, organizationId, done);
  if (done === null || done.more) await relay.events.send({ organizationId });
}

/** Fans out one event, or sets it aside if the database refuses that. */
export async function fanOutAlone(relay: Relay, event: FailedEvent): Promise<void> {
  let done: FannedOut;
  try {
    done = await fanOut(relay.db, event, relay.now(), relay.quota);
  } catch (error) {
    logTry(relay, await setEventAside(relay.db, event, relay.now()), { event: event.eventId }, error);
    return;
  }
  await handOn(relay, event.organizationId, done);
}

async function handOn(relay: Relay, organizationId: string, done: FannedOut): Promise<void> {
  const { quick, slow, purges, putOff } = done;
  if (putOff) relay.log({ level: "warn", message: "deliveries of the day used up", organizationId });
  // Readers first: what was unpublished must leave the edge.
  if (purges) await askForPurge(relay);
  await sendTurns(relay, organizationId, "quick", quick);
  await sendTurns(relay, organizationId, "slow", slow);
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
