/** The queue consumers. A message is only a hint: what is to be done stands in D1. */
import { findEventBlogs } from "../store/system/outbox.ts";
import { deliverAll } from "./deliver.ts";
import { fanOut } from "./fan-out.ts";
import type { DeliveryMessage, EventMessage, Relay } from "./ports.ts";

/** Fans out the events of a batch; purges the edge once for all of them. */
export async function consumeEvents(relay: Relay, batch: MessageBatch<EventMessage>): Promise<void> {
  const ids = batch.messages.map((message) => message.body.eventId);
  // Readers first: an article that was unpublished must leave the edge.
  await purgeBlogs(relay, await findEventBlogs(relay.db, ids));
  await each(relay, batch.messages, (body) => fanOut(relay, body.eventId));
}

/** Attempts the deliveries of a batch. */
export function consumeDeliveries(relay: Relay, batch: MessageBatch<DeliveryMessage>): Promise<void> {
  return each(relay, batch.messages, (body) => deliverAll(relay, body.deliveryIds));
}

/** Purges what the edge holds of these blogs, in one call. */
export async function purgeBlogs(relay: Relay, blogIds: readonly string[]): Promise<void> {
  if (blogIds.length === 0) return;
  const purged = await relay.purge(blogIds.map((id) => `blog-${id}`));
  if (!purged) relay.log({ level: "warn", message: "edge purge failed", blogs: blogIds.length });
}

/** Handles the messages one after another; each is acknowledged or retried for itself. */
async function each<T>(
  relay: Relay,
  messages: readonly Message<T>[],
  handle: (body: T) => Promise<void>,
): Promise<void> {
  for (const message of messages) {
    try {
      await handle(message.body);
      message.ack();
    } catch (error) {
      relay.log({ level: "error", message: "queue message failed", attempts: message.attempts, error: String(error) });
      message.retry();
    }
  }
}
