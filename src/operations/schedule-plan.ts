import * as z from "zod";
import { output } from "./fields.ts";

export const state = z.enum(["waiting", "failed"]);
const time = (what: string) =>
  output.dateTime.nullable().meta({ description: `${what}, in UTC; null for never.`, format: "date-time" });

/** As in an article with `fields=schedule`. */
export const plan = z
  .object({
    publishTime: time("When it is published"),
    unpublishTime: time("When it is unpublished"),
    timeZone: z.string().meta({ description: "The time zone in which it was scheduled.", example: "Europe/Lisbon" }),
    dueTime: output.dateTime.meta({ description: "The next of the two times." }),
    state: state.meta({
      description: "`failed`: see `failure`. Nothing happens until it is scheduled again.",
      example: "waiting",
    }),
    failure: z
      .object({ code: z.string(), detail: z.string(), time: output.dateTime })
      .nullable()
      .meta({ description: "Why it could not be carried out; null while it waits.", example: null }),
    scheduledBy: z.object({ kind: z.string().meta({ example: "user" }), id: output.id }),
    creationTime: output.dateTime,
  })
  .meta({ id: "SchedulePlan" });
