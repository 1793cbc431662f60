import * as z from "zod";
import { DomainError, invalidField } from "../domain/errors.ts";
import { deliveryBody, deliveryHeaders } from "../domain/delivery-request.ts";
import { DELIVERED_KINDS, DELIVERY_STATES, EVENT_KINDS } from "../domain/events.ts";
import { LIMITS } from "../domain/limits.ts";
import { newWebhookSecret } from "../domain/secrets.ts";
import { checkTarget, type TargetRules } from "../outbound/target.ts";
import { toListResult } from "./lists.ts";
import { defineOperation } from "./define.ts";
import {
  blogId,
  dateTime,
  deleted,
  identifier,
  instant,
  line,
  output,
  toPageSize,
  paging,
  readOnly,
  SHOWN_ONCE,
} from "./fields.ts";
import { requireSentBack } from "./unchanged.ts";

const eventKind = z.enum(EVENT_KINDS).meta({ id: "EventKind" });

const BY_DEFAULT = "Empty: the kinds of articles, and blog.created and contact.created.";

export const subscription = z
  .object({
    _id: output.id,
    name: z.string().meta({ description: "A name for people; empty if it has none.", example: "Static site" }),
    url: z.string().meta({ example: "https://example.com/hooks/edgepress" }),
    blogId: output.blogId.nullable().meta({ description: "null: the whole organization." }),
    events: z.array(eventKind).meta({ description: BY_DEFAULT, example: ["article.created"] }),
    active: z.boolean(),
    failureStreak: z.int().meta({ description: "Consecutive failures; 20 deactivate the subscription.", example: 0 }),
    deactivationTime: output.dateTime.nullable().meta({ description: "null while it is active.", example: null }),
    endTime: output.dateTime.nullable().meta({
      description: "When it ends, because another one with a new secret replaces it; null: never.",
      example: null,
    }),
    replaces: output.id.nullable().meta({ description: "The subscription that it replaces.", example: null }),
    organization: output.id,
    creationTime: output.dateTime,
    lastEditTime: output.dateTime,
  })
  .meta({ id: "WebhookSubscription" });

export const newSubscription = subscription
  .extend({ secret: z.string().meta({ description: "The key of the HMAC, shown once.", example: "whsec_EXAMPLE" }) })
  .meta({ id: "NewWebhookSubscription" });

export const delivery = z
  .object({
    _id: output.id,
    eventId: output.id.meta({ description: "The event that it delivers; a subscription gets each once." }),
    event: z.enum(DELIVERED_KINDS),
    state: z.enum(DELIVERY_STATES).meta({
      description:
        "open: waiting. claimed: being sent. skipped: the subscription changed before it was sent. unknown: the attempt was interrupted; nothing repeats it by itself. dead: the service could not send it (/api/deadletters).",
      example: "succeeded",
    }),
    status: z.int().nullable().meta({ description: "The receiver's HTTP status, if it answered.", example: 200 }),
    durationMs: z
      .int()
      .nullable()
      .meta({ description: "Milliseconds until the headers arrived or the attempt failed.", example: 41 }),
    error: z
      .string()
      .nullable()
      .meta({ description: "The kind of failure, such as timeout (contract 11.11).", example: null }),
    creationTime: output.dateTime,
    attemptTime: output.dateTime.nullable().meta({ description: "When it was sent; null: not yet." }),
    settleTime: output.dateTime.nullable().meta({ description: "When its state became final; null: not yet." }),
    redeliveries: z.int().meta({ description: "How often an operator had it delivered again.", example: 0 }),
  })
  .meta({ id: "Delivery" });

/** An example of a delivery that waits to be sent. */
export const waitingDelivery = {
  _id: "019a9d3d-0b11-7a4c-9d3e-5f6a7b8c9d0e",
  eventId: "019a9d3d-0b10-7c2a-8b1d-3e4f5a6b7c8d",
  state: "open" as const,
  status: null,
  durationMs: null,
  error: null,
  creationTime: "2026-11-20T09:52:59.123Z",
  attemptTime: null,
  settleTime: null,
  redeliveries: 0,
};

const url = z
  .string()
  .min(1, "must not be empty")
  .max(LIMITS.url)
  .meta({ description: "A public https URL.", example: "https://example.com/hooks/edgepress" });

const name = line(LIMITS.name).meta({ description: "A name for people; may be empty.", example: "Static site" });

const events = z
  .array(eventKind)
  .max(EVENT_KINDS.length * 2)
  .transform((kinds) => [...new Set(kinds)])
  .meta({ description: `The kinds to send. ${BY_DEFAULT}`, example: ["article.created", "article.deleted"] });

export const webhookSubscriptionId = identifier("a webhook subscription");

/** Returns a normalized URL. Throws `target_not_allowed` if webhooks may not be sent there. */
function requireAllowedTarget(raw: string, rules: TargetRules): string {
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
  input: z.strictObject(paging),
  output: z.array(subscription),
  async run({ store }, input) {
    const { items, next } = await store.listSubscriptions({ ...input, limit: toPageSize(input.limit) });
    return { value: [...items], next };
  },
});

export const getWebhookSubscription = defineOperation({
  name: "webhooksubscriptions.get",
  summary: "Get a webhook subscription",
  description: "With its ETag, for changes with If-Match.",
  scope: "operator",
  effect: "read",
  input: z.strictObject({ webhookSubscriptionId }),
  output: subscription,
  refuses: ["not_found"],
  hasEtag: true,
  async run({ store }, { webhookSubscriptionId: id }) {
    const found = await store.findSubscription(id);
    if (found === null) throw new DomainError("not_found", "There is no such webhook subscription.");
    const { failureStreak, active } = found.value;
    return { ...found, state: `${failureStreak}.${Number(active)}` };
  },
});

export const createWebhookSubscription = defineOperation({
  name: "webhooksubscriptions.create",
  summary: "Create a webhook subscription",
  description: `The signing secret ${SHOWN_ONCE}`,
  scope: "operator",
  effect: "write",
  showsSecret: true,
  input: z
    .strictObject({
      url,
      name: name.default(""),
      blogId: blogId.nullable().default(null).meta({ description: "One blog; null: the whole organization." }),
      events: events.default([]),
    })
    .meta({ id: "WebhookSubscriptionInput" }),
  output: newSubscription,
  refuses: ["target_not_allowed", "blog_forbidden", "subscription_limit"],
  hasEtag: true,
  audit: "created the webhook *",
  sample: {
    body: { url: "https://example.com/hooks/edgepress", events: ["article.created", "article.updated"] },
  },
  async run({ store, service, seal }, input) {
    const secret = newWebhookSecret();
    const { value, version } = await store.createSubscription({
      ...input,
      url: requireAllowedTarget(input.url, service.targetRules),
      secret,
      answer: (record, stored) => seal(JSON.stringify({ value: { ...record, secret }, version: stored })),
    });
    return { value: { ...value, secret }, version };
  },
});

export const updateWebhookSubscription = defineOperation({
  name: "webhooksubscriptions.update",
  summary: "Update a webhook subscription",
  description:
    "Only the fields that are sent change. `active: true` clears the failure streak and reactivates the subscription; events from the time when it was inactive are not sent unless you have them delivered again.",
  scope: "operator",
  effect: "write",
  versioned: true,
  input: z
    .strictObject({
      webhookSubscriptionId,
      url: url.optional(),
      name: name.optional(),
      events: events.optional(),
      active: z.boolean().optional(),
      _id: identifier("the subscription").optional().meta(readOnly),
      blogId: blogId.nullable().optional().meta(readOnly),
      organization: identifier("the organization").optional().meta(readOnly),
      failureStreak: z.int().optional().meta(readOnly),
      deactivationTime: dateTime.nullable().optional().meta(readOnly),
      endTime: dateTime.nullable().optional().meta(readOnly),
      replaces: identifier("a subscription").nullable().optional().meta(readOnly),
      creationTime: dateTime.optional().meta(readOnly),
      lastEditTime: dateTime.optional().meta(readOnly),
      secret: z.string().optional().meta({ description: "Immutable; not accepted in an update.", readOnly: true }),
    })
    .meta({ id: "WebhookSubscriptionChange" }),
  output: subscription,
  refuses: ["immutable_field", "target_not_allowed", "not_found"],
  hasEtag: true,
  audit: "updated the webhook *",
  sample: { body: { events: ["article.created"], active: true } },
  async run({ store, service, ifMatch }, { webhookSubscriptionId: id, secret, ...input }) {
    const { url: target, name, events, active, ...shown } = input;
    if (secret !== undefined) throw invalidField("secret", "cannot be changed", "immutable_field");
    const url = target === undefined ? undefined : requireAllowedTarget(target, service.targetRules);
    await requireSentBack(shown, ifMatch, () => store.findSubscription(id));
    return store.updateSubscription({ id, fields: { url, name, events, active }, ifMatch });
  },
});

export const deleteWebhookSubscription = defineOperation({
  name: "webhooksubscriptions.delete",
  summary: "Delete a webhook subscription",
  description: "Events that have not yet been sent to it never will be.",
  scope: "operator",
  effect: "delete",
  versioned: true,
  input: z.strictObject({ webhookSubscriptionId }),
  output: deleted,
  refuses: ["not_found"],
  audit: "deleted a webhook",
  async run({ store, ifMatch }, { webhookSubscriptionId: id }) {
    await store.deleteSubscription(id, ifMatch);
    return { value: { _id: id } };
  },
});

export const listDeliveries = defineOperation({
  name: "webhooksubscriptions.deliveries",
  summary: "List the deliveries of a subscription",
  description: `Newest first; kept for ${LIMITS.keptDays.deliveries} days.`,
  scope: "operator",
  effect: "read",
  input: z.strictObject({
    webhookSubscriptionId,
    state: z
      .enum(DELIVERY_STATES)
      .optional()
      .meta({ description: "Only deliveries in this state.", example: "failed" }),
    event: z
      .enum(DELIVERED_KINDS)
      .optional()
      .meta({ description: "Only events of this kind.", example: "article.updated" }),
    from: instant.optional().meta({ description: "Only events since this time.", example: "2026-11-20T09:00:00Z" }),
    until: instant.optional().meta({ description: "Only events before this time.", example: "2026-11-20T10:00:00Z" }),
    ...paging,
  }),
  output: z.array(delivery),
  refuses: ["not_found"],
  hasEtag: true,
  async run({ store }, { webhookSubscriptionId: id, ...query }) {
    return toListResult(await store.listDeliveries(id, { ...query, limit: toPageSize(query.limit) }));
  },
});

const wholeDelivery = delivery
  .extend({
    request: z
      .object({
        url: z.string().meta({ example: "https://example.com/hooks/edgepress" }),
        headers: z.record(z.string(), z.string()).meta({ example: { "X-Service-Event": "article.created" } }),
        body: z.string().meta({ example: '{"event":"article.created","timestamp":1764000000,"data":{}}' }),
      })
      .meta({
        description:
          "As it was sent, or would be sent now, without the signature and with the subscription's current URL.",
      }),
    deadLetterId: z.string().nullable().meta({
      description: "Its entry in /api/deadletters, if the service itself could not send it.",
      example: null,
    }),
  })
  .meta({ id: "WholeDelivery" });

export const getDelivery = defineOperation({
  name: "webhooksubscriptions.delivery",
  summary: "Get a delivery with its request",
  scope: "operator",
  effect: "read",
  input: z.strictObject({ webhookSubscriptionId, eventId: identifier("an event") }),
  output: wholeDelivery,
  refuses: ["not_found"],
  async run({ store }, { webhookSubscriptionId: id, eventId }) {
    const found = await store.findDelivery(id, eventId);
    if (found === null) throw new DomainError("not_found", "There is no such delivery, or it is no longer kept.");
    const { value, url: target, data, deadLetterId } = found;
    const timestamp = Math.floor((value.attemptTime === null ? Date.now() : Date.parse(value.attemptTime)) / 1000);
    const facts = { id: value._id, eventId, kind: value.event, data };
    const headers = deliveryHeaders(facts, timestamp, { own: `t=${timestamp},v1=…`, standard: "v1,…" });
    return {
      value: { ...value, request: { url: target, headers, body: deliveryBody(facts, timestamp) }, deadLetterId },
    };
  },
});

export const pingWebhookSubscription = defineOperation({
  name: "webhooksubscriptions.ping",
  summary: "Send a signed ping to one subscription",
  description: "Does not affect the failure streak. The delivery log shows its outcome.",
  scope: "operator",
  effect: "write",
  input: z.strictObject({ webhookSubscriptionId }),
  output: delivery,
  refuses: ["not_found", "subscription_inactive", "event_limit", "delivery_limit"],
  answer: { ...waitingDelivery, event: "ping" },
  audit: "sent a ping to the webhook *",
  run: async ({ store }, { webhookSubscriptionId: id }) => ({ value: await store.ping(id) }),
});
