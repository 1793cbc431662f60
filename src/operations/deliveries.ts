import * as z from "zod";
import { DELIVERED_KINDS } from "../domain/events.ts";
import { LIMITS } from "../domain/limits.ts";
import { toListResult } from "./lists.ts";
import { defineOperation } from "./define.ts";
import { identifier, output, toPageSize, paging } from "./fields.ts";

const deliveryHour = z
  .object({
    hour: output.dateTime.meta({ description: "The beginning of the hour, UTC.", example: "2026-11-20T09:00:00.000Z" }),
    succeeded: z.int().meta({ description: "Deliveries that succeeded in this hour.", example: 41 }),
    failed: z.int().meta({ description: "Deliveries that failed in this hour.", example: 2 }),
  })
  .meta({ id: "DeliveryHour" });

export const listDeliveryHours = defineOperation({
  name: "deliveries.hours",
  summary: "Count the deliveries of the last 24 hours",
  description:
    "For all subscriptions, by the hour in which the attempt ended, including pings. Always 24 hours, oldest first. Hours without deliveries are zero.",
  scope: "operator",
  effect: "read",
  input: z.strictObject({}),
  output: z.array(deliveryHour),
  run: async ({ store }) => ({ value: await store.listDeliveryHours() }),
});

const deadLetter = z
  .object({
    _id: output.id,
    event: z.enum(DELIVERED_KINDS),
    webhookSubscriptionId: output.id
      .nullable()
      .meta({ description: "The subscription that did not get the event; null: none did." }),
    tries: z.int().meta({ description: `The number of attempts, at most ${LIMITS.relayTries}.`, example: 3 }),
    creationTime: output.dateTime.meta({ description: "When it first failed." }),
    lastTryTime: output.dateTime,
    deadTime: output.dateTime
      .nullable()
      .meta({ description: "When the service gave up; null: it retries each minute." }),
  })
  .meta({ id: "DeadLetter" });

export const listDeadLetters = defineOperation({
  name: "deadletters.list",
  summary: "List dead letters",
  description: "Events that failed in the service itself, before any request was sent. Newest first.",
  scope: "operator",
  effect: "read",
  input: z.strictObject(paging),
  output: z.array(deadLetter),
  hasEtag: true,
  sample: { command: "webhooks dead" },
  run: async ({ store }, query) =>
    toListResult(await store.listDeadLetters({ ...query, limit: toPageSize(query.limit) })),
});

export const retryDeadLetter = defineOperation({
  name: "deadletters.retry",
  summary: "Retry a dead letter",
  description: `Each minute, at most ${LIMITS.relayTries} times. Nothing is sent twice, because no request was sent.`,
  scope: "operator",
  effect: "write",
  input: z.strictObject({ deadLetterId: identifier("a dead letter") }),
  output: deadLetter,
  refuses: ["not_found"],
  audit: "retried an undelivered event",
  sample: { command: "webhooks retry {deadLetterId}" },
  run: async ({ store }, { deadLetterId }) => ({ value: await store.retryDeadLetter(deadLetterId) }),
});
