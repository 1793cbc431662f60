/** The queue consumers. A message is only a hint: what is to be done is in D1. */
import type { Lane } from "../store/webhooks/system-deliveries.ts";
import { takeTurn } from "./deliver.ts";
import { fanOutEvents } from "./fan-out.ts";
import type { OrganizationMessage, Relay } from "./ports.ts";

/** Fans out events of the organizations of a batch. */
export const consumeEvents = (relay: Relay, batch: MessageBatch<OrganizationMessage>): Promise<void> =>
  eachOrganization(relay, batch, (organizationId) => fanOutEvents(relay, organizationId));

/** Gives the organizations of a batch their turns to send deliveries. */
export const consumeDeliveries = (relay: Relay, lane: Lane, batch: MessageBatch<OrganizationMessage>): Promise<void> =>
  eachOrganization(relay, batch, (organizationId) => takeTurn(relay, organizationId, lane));

/** Does the work of each organization once; its messages are acknowledged or retried, the others' are not affected. */
async function eachOrganization(
  relay: Relay,
  batch: MessageBatch<OrganizationMessage>,
  work: (organizationId: string) => Promise<void>,
): Promise<void> {
  // A message of an earlier version may name no organization; the sweep knows what it was about.
  const organizations = Map.groupBy(batch.messages, ({ body }) => body?.organizationId);
  for (const [organizationId, messages] of organizations) {
    try {
      if (typeof organizationId === "string") await work(organizationId);
      for (const message of messages) message.ack();
    } catch (error) {
      const attempts = Math.max(...messages.map((message) => message.attempts));
      relay.log({ level: "error", message: "queue message failed", attempts, error: String(error) });
      for (const message of messages) message.retry();
    }
  }
}
