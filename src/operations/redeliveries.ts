/** An operator has events delivered again: one, or all that a subscription has missed (contract 11.20, 11.21). */
import * as z from "zod";
import { LIMITS } from "../domain/limits.ts";
import { defineOperation } from "./define.ts";
import { identifier, instant, output } from "./fields.ts";
import { delivery, waitingDelivery, webhookSubscriptionId } from "./webhooksubscriptions.ts";

export const redeliver = defineOperation({
  name: "webhooksubscriptions.redeliver",
  summary: "Deliver an event again",
  description:
    "Sends it to this subscription once more, or for the first time if it never was. It is outside of the failure streak. The receiver sees the same `webhook-id`.",
  scope: "operator",
  effect: "write",
  input: z.strictObject({ webhookSubscriptionId, eventId: identifier("an event") }),
  output: delivery,
  refuses: ["not_found", "subscription_inactive", "delivery_not_settled", "delivery_limit"],
  answer: { ...waitingDelivery, event: "article.updated", redeliveries: 1 },
  audit: "had an event delivered again to the webhook *",
  sample: { command: "webhooks redeliver {webhookSubscriptionId} --event {eventId}" },
  run: async ({ store }, { webhookSubscriptionId: id, eventId }) => ({ value: await store.redeliver(id, eventId) }),
});

export const redeliverMissing = defineOperation({
  name: "webhooksubscriptions.redeliver-missing",
  summary: "Deliver the events that a subscription has missed",
  description: `Looks at up to ${LIMITS.redeliveries.toLocaleString("en")} events, and has those sent that match the subscription and have not been delivered successfully. If there are \`more\`, repeat the call with \`after\`: the answer's \`next\`, and \`from\`: the answer's \`from\`.`,
  scope: "operator",
  effect: "write",
  input: z
    .strictObject({
      webhookSubscriptionId,
      from: instant.optional().meta({
        description: "Only events since this time. Without it: since the last success, or else since the creation.",
        example: "2026-11-20T09:00:00Z",
      }),
      after: identifier("an event")
        .optional()
        .meta({ description: "Only events after this one: `next` of an answer." }),
      activate: z.boolean().default(false).meta({
        description: "Reactivates the subscription in the same transaction, if it is inactive.",
        example: true,
      }),
    })
    .meta({ id: "RedeliveryInput" }),
  output: z
    .object({
      deliveries: z.int().meta({ description: "How many will be sent.", example: 412 }),
      underWay: z.int().meta({
        description: "How many are being sent right now. They are left out, and may still fail.",
        example: 0,
      }),
      from: output.dateTime.meta({ description: "The time from which it looked." }),
      more: z.boolean().meta({ description: "Whether there are more events to look at.", example: false }),
      next: output.id.nullable().meta({ description: "The event to go on after; null: no more.", example: null }),
    })
    .meta({ id: "Redeliveries" }),
  refuses: ["not_found", "invalid_cursor", "subscription_inactive", "delivery_not_settled", "delivery_limit"],
  audit: "had missed events delivered again to the webhook *",
  sample: { body: { activate: true }, command: "webhooks redeliver {webhookSubscriptionId} --activate" },
  run: async ({ store }, { webhookSubscriptionId: id, from, after, activate }) =>
    store.redeliverMissing(id, { from, after, activate }),
});
