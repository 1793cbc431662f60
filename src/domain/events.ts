/** The events for webhook subscriptions (contract 11.3). */
export const EVENT_KINDS = [
  "article.created",
  "article.updated",
  "article.deleted",
  "blog.created",
  "contact.created",
] as const;

export type EventKind = (typeof EVENT_KINDS)[number];

/** `ping` tests a subscription. */
export const DELIVERED_KINDS = [...EVENT_KINDS, "ping"] as const;

export type DeliveredKind = (typeof DELIVERED_KINDS)[number];

/**
 * "open" waits, "claimed" is being sent, the others are final. "skipped": the subscription changed before the attempt.
 * "unknown": the attempt was interrupted before its outcome was recorded. "dead": the service could not prepare the
 * request, so nothing was sent; it may be opened again.
 */
export const DELIVERY_STATES = ["open", "claimed", "succeeded", "failed", "skipped", "unknown", "dead"] as const;

export type DeliveryState = (typeof DELIVERY_STATES)[number];
