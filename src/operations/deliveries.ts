import * as z from "zod";
import { defineOperation } from "./define.ts";
import { output } from "./fields.ts";

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
    "Over all subscriptions, by the hour in which the attempt ended, including pings: always 24 hours, oldest first, the current one last. Hours without deliveries are zero.",
  scope: "operator",
  effect: "read",
  input: z.strictObject({}),
  output: z.array(deliveryHour),
  run: async ({ store }) => ({ value: await store.listDeliveryHours() }),
});
