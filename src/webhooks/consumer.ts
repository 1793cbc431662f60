/** The queue consumers. A message is only a hint: what is to be done is in D1. */
import { LIMITS } from "../domain/limits.ts";
import { openLanes } from "../lib/concurrency.ts";
import { findEventTags } from "../store/webhooks/system-outbox.ts";
import { deliver } from "./deliver.ts";
import { fanOut } from "./fan-out.ts";
import type { DeliveryMessage, EventMessage, Relay } from "./ports.ts";

/** Fans out the events of a batch; purges the edge once for all of them. */
export async function consumeEvents(relay: Relay, batch: MessageBatch<EventMessage>): Promise<void> {
  const ids = batch.messages.map((message) => message.body.eventId);
  // Readers first: an article that was unpublished must leave the edge.
  await purge(relay, await findEventTags(relay.db, ids));
  for (const message of batch.messages) await handled(relay, message, ({ eventId }) => fanOut(relay, eventId));
}

/** Attempts the deliveries of a batch, all its messages together: a slow receiver holds up one lane, not the rest. */
export async function consumeDeliveries(relay: Relay, batch: MessageBatch<DeliveryMessage>): Promise<void> {
  const lane = openLanes(LIMITS.connectionsAtOnce);
  const inOrder = [...inTurns(batch.messages)];
  const attempts = new Map(inOrder.map((id) => [id, lane(() => deliver(relay, id))]));
  await Promise.all(
    batch.messages.map((message) =>
      handled(relay, message, async ({ deliveryIds }) => {
        await Promise.all(deliveryIds.map(async (id) => attempts.get(id)));
      }),
    ),
  );
}

/** The deliveries of a batch, each once. Organizations take turns: one that has many does not take all lanes. */
function inTurns(messages: readonly Message<DeliveryMessage>[]): Set<string> {
  const turns = new Map<string, number>();
  const deliveries = messages.flatMap(({ body: { organizationId, deliveryIds } }) => {
    // Of a broken message, the others of its batch know nothing.
    if (!Array.isArray(deliveryIds)) return [];
    return deliveryIds.map((id) => {
      const turn = turns.get(organizationId) ?? 0;
      turns.set(organizationId, turn + 1);
      return { id, turn };
    });
  });
  return new Set(deliveries.toSorted((one, other) => one.turn - other.turn).map(({ id }) => id));
}

/** Purges what the edge holds under these tags, in one call. */
export async function purge(relay: Relay, tags: readonly string[]): Promise<void> {
  if (tags.length === 0) return;
  const purged = await relay.purge(tags);
  if (!purged) relay.log({ level: "warn", message: "edge purge failed", tags: tags.length });
}

/** Handles a message; it is acknowledged or retried for itself. */
async function handled<T>(relay: Relay, message: Message<T>, handle: (body: T) => Promise<void>): Promise<void> {
  try {
    await handle(message.body);
    message.ack();
  } catch (error) {
    relay.log({ level: "error", message: "queue message failed", attempts: message.attempts, error: String(error) });
    message.retry();
  }
}
