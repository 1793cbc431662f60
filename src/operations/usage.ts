import * as z from "zod";
import { RATES } from "../domain/rates.ts";
import { DomainError } from "../domain/errors.ts";
import { defineOperation } from "./define.ts";
import { output } from "./fields.ts";

const limit = z.int().meta({ description: "The most that it can have.", example: 50_000 });

const share = z
  .object({
    used: z.int().meta({ description: "More than `limit` only if the limit was lowered.", example: 1240 }),
    limit,
  })
  .meta({ id: "QuotaUsage" });

const dayShare = share
  .extend({
    resetTime: output.dateTime.meta({ description: "When the count starts again." }),
  })
  .meta({ id: "DayQuotaUsage" });

export const ceilingShare = dayShare
  .extend({ limit: limit.nullable().meta({ description: "The ceiling; null for none.", example: 5_000_000 }) })
  .meta({ id: "CeilingUsage" });

const uses = {
  rowsWritten: z.int().meta({ description: "Rows that its work has written in the database.", example: 15_240 }),
  deliveries: z.int().meta({ description: "Attempts to deliver webhooks.", example: 310 }),
  modelTokens: z.int().meta({ description: "Tokens of models, as their provider counts them.", example: 48_200 }),
  pictureOperations: z.int().meta({ description: "Smaller images made, and images drawn by models.", example: 96 }),
};

const usage = z
  .object({
    articles: share,
    articleBytes: share,
    answerBytes: share,
    mediaBytes: share,
    revisionBytes: share,
    contacts: share,
    blogs: share,
    credentials: share,
    subscriptions: share,
    eventsPerDay: dayShare,
    ideasPerDay: dayShare,
    deliveriesPerDay: dayShare
      .extend({
        waitingSince: output.dateTime.nullable().meta({
          description: "Since when events have been waiting because the deliveries are used up; null if none are.",
        }),
      })
      .meta({ id: "DeliveryUsage" }),
    modelTokensPerDay: ceilingShare,
    requestsPerMinute: z
      .object({
        used: z.null().meta({ description: "The platform counts these, but does not report them.", example: null }),
        limit,
      })
      .meta({ id: "RequestUsage" }),
    rowsWrittenPerMonth: ceilingShare,
    deliveriesPerMonth: ceilingShare,
    modelTokensPerMonth: ceilingShare,
    pictureOperationsPerMonth: ceilingShare,
    days: z
      .array(z.object({ day: z.iso.date().meta({ example: "2026-11-20" }), ...uses }).meta({ id: "UsageOfDay" }))
      .meta({ description: "The days of this month (UTC), the newest first." }),
    months: z
      .array(z.object({ month: z.string().meta({ example: "2026-11" }), ...uses }).meta({ id: "UsageOfMonth" }))
      .meta({ description: "This month and the twelve before it, the newest first." }),
  })
  .meta({ id: "Usage" });

export const getUsage = defineOperation({
  name: "usage.get",
  summary: "Get usage and quotas",
  description:
    "Of the whole organization, so a credential pinned to one blog gets blog_forbidden. `answerBytes` are responses kept for Idempotency-Keys, `revisionBytes` former versions of articles, of which the oldest give way; days and months are in UTC. What costs money (`days`, `months`) is an estimate, up to a minute old.",
  scope: "blogs:read",
  effect: "read",
  input: z.strictObject({}),
  output: usage,
  refuses: ["blog_forbidden"],
  sample: { command: "usage" },
  async run({ store, principal }) {
    if (principal.pinnedBlogId !== null) {
      throw new DomainError("blog_forbidden", "A credential pinned to one blog cannot see the whole organization.");
    }
    const requestsPerMinute = { used: null, limit: RATES.organizationCalls };
    return { value: { ...(await store.readUsage()), requestsPerMinute } };
  },
});
