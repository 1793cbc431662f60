/** From an event to its deliveries (architecture, "Deliver"). */
import { chunks } from "../lib/chunks.ts";
import type { OpenDelivery } from "../store/webhooks/system-deliveries.ts";
import { findPendingEvent, fanOutPage, markFannedOut, openDeliveriesOf } from "../store/webhooks/system-outbox.ts";
import type { DeliveryMessage, Relay } from "./ports.ts";

/** Deliveries a message names: a message's attempts end well within an invocation, even if all time out. */
const PER_MESSAGE = 5;
/** Messages that one `sendBatch` takes (platform limit). */
const PER_BATCH = 100;

/**
 * Creates the deliveries of an event, page by page, and hands them to the queues. May be repeated, also
 * after a crash in its middle: deliveries are inserted once, and only open ones are handed over.
 */
export async function fanOut(relay: Relay, eventId: string): Promise<void> {
  const event = await findPendingEvent(relay.db, eventId);
  if (event === null) return;
  if (event.kind === "ping") {
    await enqueueDeliveries(relay, await openDeliveriesOf(relay.db, event));
  } else {
    let after: string | null = "";
    while (after !== null) {
      const page: Awaited<ReturnType<typeof fanOutPage>> = await fanOutPage(relay.db, event, after, relay.now());
      await enqueueDeliveries(relay, page.open);
      after = page.next;
    }
  }
  await markFannedOut(relay.db, eventId, relay.now());
}

/**
 * Hands deliveries to the queue of their lane, in small messages. The lane only says who waits behind whom: both are
 * consumed alike, so it does not matter where a subscription becomes slow or quick in the meantime.
 */
export async function enqueueDeliveries(relay: Relay, deliveries: readonly OpenDelivery[]): Promise<void> {
  const { quick = [], slow = [] } = Object.groupBy(deliveries, (delivery) => (delivery.slow ? "slow" : "quick"));
  await send(relay.deliveries, quick);
  await send(relay.slowDeliveries, slow);
}

async function send(queue: Queue<DeliveryMessage>, deliveries: readonly OpenDelivery[]): Promise<void> {
  const organizations = Map.groupBy(deliveries, ({ organizationId }) => organizationId);
  const messages = [...organizations].flatMap(([organizationId, own]) =>
    chunks(own, PER_MESSAGE).map((few) => ({ body: { organizationId, deliveryIds: few.map(({ id }) => id) } })),
  );
  for (const batch of chunks(messages, PER_BATCH)) await queue.sendBatch(batch);
}
