/** From an event to its deliveries (design, part 2: Deliver). */
import { chunks } from "../lib/chunks.ts";
import { findPendingEvent, fanOutPage, markFannedOut, openDeliveriesOf } from "../store/system/outbox.ts";
import type { Relay } from "./ports.ts";

/** Deliveries a message names: a message's attempts end well within an invocation, even if all time out. */
const PER_MESSAGE = 5;
/** Messages that one `sendBatch` takes (platform limit). */
const PER_BATCH = 100;

/**
 * Creates the deliveries of an event, page by page, and hands them to the queue. May be repeated, also
 * after a crash in its middle: deliveries are inserted once, and only open ones are handed over.
 */
export async function fanOut(relay: Relay, eventId: string): Promise<void> {
  const event = await findPendingEvent(relay.db, eventId);
  if (event === null) return;
  if (event.kind === "ping") {
    await enqueueDeliveries(relay, await openDeliveriesOf(relay.db, eventId));
  } else {
    let after: string | null = "";
    while (after !== null) {
      const page: Awaited<ReturnType<typeof fanOutPage>> = await fanOutPage(relay.db, event, after, relay.now());
      await enqueueDeliveries(relay, page.deliveryIds);
      after = page.next;
    }
  }
  await markFannedOut(relay.db, eventId, relay.now());
}

/** Hands deliveries to the queue in small messages. */
export async function enqueueDeliveries(relay: Relay, ids: readonly string[]): Promise<void> {
  const messages = chunks(ids, PER_MESSAGE).map((deliveryIds) => ({ body: { deliveryIds } }));
  for (const batch of chunks(messages, PER_BATCH)) await relay.deliveries.sendBatch(batch);
}
