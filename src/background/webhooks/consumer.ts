/** Consumes the queues of events and deliveries. A message is only a hint: D1 says what to do. */
import { openFor } from "../../meter.ts";
import type { Lane } from "../../store/webhooks/system-deliveries.ts";
import { takeTurn } from "./deliver.ts";
import { fanOutEvents } from "./fan-out.ts";
import type { OrganizationMessage, Relay } from "./ports.ts";

/** Fans out the events of the organizations that a batch names. */
export const consumeEvents = (relay: Relay, batch: MessageBatch<OrganizationMessage>): Promise<void> =>
  forEachOrganization(relay, batch, (own, organizationId) => fanOutEvents(own, organizationId));

/** Runs a turn for each organization that a batch names: sends some of its deliveries. */
export const consumeDeliveries = (relay: Relay, lane: Lane, batch: MessageBatch<OrganizationMessage>): Promise<void> =>
  forEachOrganization(relay, batch, (own, organizationId) => takeTurn(own, organizationId, lane));

/** Runs `work` once for each organization of a batch, with a relay that counts what it writes. Acknowledges its messages, or retries them if `work` throws. */
async function forEachOrganization(
  relay: Relay,
  batch: MessageBatch<OrganizationMessage>,
  work: (own: Relay, organizationId: string) => Promise<void>,
): Promise<void> {
  // A message of an earlier version may name no organization. Acknowledge it: the sweep sends a new one.
  const organizations = Map.groupBy(batch.messages, ({ body }) => body?.organizationId);
  for (const [organizationId, messages] of organizations) {
    try {
      if (typeof organizationId === "string") await work(openFor(relay, organizationId), organizationId);
      for (const message of messages) message.ack();
    } catch (error) {
      const attempts = Math.max(...messages.map((message) => message.attempts));
      relay.log({ level: "error", message: "queue message failed", attempts, error });
      for (const message of messages) message.retry();
    }
  }
}
