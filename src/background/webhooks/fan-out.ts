/** Creates the deliveries of events (architecture, "Deliver"). */
import { LIMITS } from "../../domain/limits.ts";
import { setEventAside, type FailedEvent } from "../../store/webhooks/system-dead-letters.ts";
import type { Lane } from "../../store/webhooks/system-deliveries.ts";
import { fanOut, listNextEvents, type FannedOut } from "../../store/webhooks/system-outbox.ts";
import { logFailure } from "./log-try.ts";
import type { Relay } from "./ports.ts";

/**
 * Creates the deliveries of some of an organization's events, and queues the organization for delivery. If it has more
 * events, queues it for fan-out again. If the transaction fails, fans out each event alone, so that one that always
 * fails does not block the others.
 */
export async function fanOutEvents(relay: Relay, organizationId: string): Promise<void> {
  let done: FannedOut | null = null;
  try {
    done = await fanOut(relay.db, { organizationId }, relay.now(), relay.quota);
  } catch {
    for (const eventId of await listNextEvents(relay.db, organizationId)) {
      await fanOutAlone(relay, { organizationId, eventId });
    }
  }
  if (done !== null) await sendMessages(relay, organizationId, done);
  if (done === null || done.more) await relay.events.send({ organizationId });
}

/** Fans out one event. If the transaction fails, sets the event aside, to be tried again later. */
export async function fanOutAlone(relay: Relay, event: FailedEvent): Promise<void> {
  let done: FannedOut;
  try {
    done = await fanOut(relay.db, event, relay.now(), relay.quota);
  } catch (error) {
    logFailure(relay, await setEventAside(relay.db, event, relay.now()), { event: event.eventId }, error);
    return;
  }
  await sendMessages(relay, event.organizationId, done);
}

async function sendMessages(relay: Relay, organizationId: string, done: FannedOut): Promise<void> {
  const { quick, slow, purges, putOff } = done;
  if (putOff) relay.log({ level: "warn", message: "deliveries of the day used up", organizationId });
  // First: readers must not see what was unpublished.
  if (purges) await askForPurge(relay);
  await sendTurns(relay, organizationId, "quick", quick);
  await sendTurns(relay, organizationId, "slow", slow);
}

/** Sends one message for each turn that can run concurrently. */
async function sendTurns(relay: Relay, organizationId: string, lane: Lane, deliveries: number): Promise<void> {
  const atOnce = Math.min(deliveries, LIMITS.deliveryCredits[lane]);
  const turns = Math.ceil(atOnce / LIMITS.connectionsAtOnce);
  if (turns === 0) return;
  await relay.deliveries[lane].sendBatch(Array.from({ length: turns }, () => ({ body: { organizationId } })));
}

/** Never throws: the sweep asks every minute, too. */
async function askForPurge(relay: Relay): Promise<void> {
  try {
    await relay.purges.send({});
  } catch (error) {
    relay.log({ level: "warn", message: "purge not asked for", error });
  }
}
