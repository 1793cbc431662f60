import * as z from "zod";
import { invalidField } from "../errors.ts";
import { LIMITS } from "../lib/limits.ts";
import { newWebhookSecret } from "../lib/secrets.ts";
import { checkTarget, type TargetRules } from "../outbound/target.ts";
import { listOf } from "./articles.ts";
import { defineOperation } from "./define.ts";
import { blogId, dateTime, identifier, output, pageSize, paging } from "./fields.ts";

/** Specification, Events. */
export const EVENT_KINDS = [
  "article.created",
  "article.updated",
  "article.deleted",
  "blog.created",
  "contact.created",
] as const;

/** How far a delivery has come. */
const DELIVERY_STATES = ["open", "claimed", "succeeded", "failed", "skipped", "unknown"] as const;

const subscription = z
  .object({
    _id: output.id,
    url: z.string().meta({ example: "https://example.com/hooks/edgepress" }),
    blogId: output.blogId.nullable().meta({ description: "null: the whole organization." }),
    events: z.array(z.enum(EVENT_KINDS)).meta({ description: "Empty: all events.", example: ["article.created"] }),
    active: z.boolean(),
    failureStreak: z.int().meta({ description: "Failures in a row; 20 deactivate the subscription.", example: 0 }),
    deactivationTime: output.dateTime.nullable().meta({ description: "null while it is active.", example: null }),
    organization: output.id,
    creationTime: output.dateTime,
    lastEditTime: output.dateTime,
  })
  .meta({ id: "WebhookSubscription" });

const delivery = z
  .object({
    _id: output.id,
    event: z.enum([...EVENT_KINDS, "ping"]),
    state: z.enum(DELIVERY_STATES).meta({
      description:
        "open: waits. claimed: being sent. skipped: the subscription changed before it was sent. unknown: the attempt was interrupted; it is never repeated.",
      example: "succeeded",
    }),
    status: z.int().nullable().meta({ description: "The receiver's HTTP status, where it answered.", example: 200 }),
    durationMs: z.int().nullable().meta({ description: "Milliseconds until the headers or the failure.", example: 41 }),
    error: z.string().nullable().meta({ description: "The class of the failure, such as timeout.", example: null }),
    creationTime: output.dateTime,
    attemptTime: output.dateTime.nullable(),
    settleTime: output.dateTime.nullable(),
  })
  .meta({ id: "Delivery" });

const url = z
  .string()
  .min(1, "must not be empty")
  .max(LIMITS.url)
  .meta({ description: "A public https URL.", example: "https://example.com/hooks/edgepress" });

const events = z
  .array(z.enum(EVENT_KINDS))
  .max(EVENT_KINDS.length * 2)
  .transform((kinds) => [...new Set(kinds)])
  .meta({ description: "The kinds to send; empty: all.", example: ["article.created", "article.deleted"] });

const webhookSubscriptionId = identifier("a webhook subscription");

function allowedTarget(raw: string, rules: TargetRules): string {
  const verdict = checkTarget(raw, rules);
  if (!verdict.allowed) throw invalidField("url", verdict.reason, "target_not_allowed");
  return verdict.url.href;
}

export const listWebhookSubscriptions = defineOperation({
  name: "webhooksubscriptions.list",
  summary: "List the webhook subscriptions",
  description: "Oldest first, without their secrets.",
  scope: "operator",
  effect: "read",
  input: z.strictObject({}),
  output: z.array(subscription),
  run: async ({ store }) => ({ value: await store.listSubscriptions() }),
});

export const createWebhookSubscription = defineOperation({
  name: "webhooksubscriptions.create",
  summary: "Create a webhook subscription",
  description: "The signing secret is shown in this answer and never again.",
  scope: "operator",
  effect: "write",
  showsSecret: true,
  input: z
    .strictObject({
      url,
      blogId: blogId.nullable().default(null).meta({ description: "One blog; null: the whole organization." }),
      events: events.default([]),
    })
    .meta({ id: "WebhookSubscriptionInput" }),
  output: subscription
    .extend({ secret: z.string().meta({ description: "The key of the HMAC, shown once.", example: "whsec_EXAMPLE" }) })
    .meta({ id: "NewWebhookSubscription" }),
  async run({ store, targetRules, seal }, input) {
    const secret = newWebhookSecret();
    const created = await store.createSubscription({
      url: allowedTarget(input.url, targetRules),
      blogId: input.blogId,
      events: input.events,
      secret,
      answer: (record) => seal(JSON.stringify({ value: { ...record, secret } })),
    });
    return { value: { ...created.value, secret } };
  },
});

const READ_ONLY = { description: "Read-only: accepted where it equals the stored value.", readOnly: true };

export const updateWebhookSubscription = defineOperation({
  name: "webhooksubscriptions.update",
  summary: "Update a webhook subscription",
  description:
    "Only the members sent change. `active: true` clears the streak and reactivates; what happened while it was inactive is not sent.",
  scope: "operator",
  effect: "write",
  versioned: true,
  input: z
    .strictObject({
      webhookSubscriptionId,
      url: url.optional(),
      events: events.optional(),
      active: z.boolean().optional(),
      _id: identifier("the subscription").optional().meta(READ_ONLY),
      blogId: blogId.nullable().optional().meta(READ_ONLY),
      organization: identifier("the organization").optional().meta(READ_ONLY),
      failureStreak: z.int().optional().meta(READ_ONLY),
      deactivationTime: dateTime.nullable().optional().meta(READ_ONLY),
      creationTime: dateTime.optional().meta(READ_ONLY),
      lastEditTime: dateTime.optional().meta(READ_ONLY),
      secret: z.string().optional().meta({ description: "Immutable: never accepted.", readOnly: true }),
    })
    .meta({ id: "WebhookSubscriptionChange" }),
  output: subscription,
  async run({ store, targetRules, ifMatch }, { webhookSubscriptionId: id, secret, ...input }) {
    const { url: target, events: kinds, active, ...unchanged } = input;
    if (secret !== undefined) throw invalidField("secret", "cannot be changed", "immutable_field");
    const fields = {
      url: target === undefined ? undefined : allowedTarget(target, targetRules),
      events: kinds,
      active,
    };
    return store.updateSubscription({ id, fields, unchanged, ifMatch });
  },
});

export const deleteWebhookSubscription = defineOperation({
  name: "webhooksubscriptions.delete",
  summary: "Delete a webhook subscription",
  description: "What was not yet sent to it never will be.",
  scope: "operator",
  effect: "delete",
  versioned: true,
  input: z.strictObject({ webhookSubscriptionId }),
  output: z.object({ _id: output.id }),
  async run({ store, ifMatch }, { webhookSubscriptionId: id }) {
    await store.deleteSubscription(id, ifMatch);
    return { value: { _id: id } };
  },
});

export const listDeliveries = defineOperation({
  name: "webhooksubscriptions.deliveries",
  summary: "List the deliveries of a subscription",
  description: "Newest first; kept for 30 days.",
  scope: "operator",
  effect: "read",
  input: z.strictObject({
    webhookSubscriptionId,
    state: z
      .enum(DELIVERY_STATES)
      .optional()
      .meta({ description: "Only deliveries in this state.", example: "failed" }),
    ...paging,
  }),
  output: z.array(delivery),
  async run({ store }, { webhookSubscriptionId: id, ...query }) {
    return listOf(await store.listDeliveries(id, { ...query, limit: pageSize(query.limit) }));
  },
});

export const pingWebhookSubscription = defineOperation({
  name: "webhooksubscriptions.ping",
  summary: "Send a signed ping to one subscription",
  description: "Counts neither as success nor as failure of the streak. The log of deliveries shows how it ended.",
  scope: "operator",
  effect: "write",
  input: z.strictObject({ webhookSubscriptionId }),
  output: delivery,
  run: async ({ store }, { webhookSubscriptionId: id }) => ({ value: await store.ping(id) }),
});
