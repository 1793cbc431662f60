/** The events that webhook subscriptions can receive, and the states of a delivery (contract 11.3). */
export const EVENT_KINDS = [
  "article.created",
  "article.updated",
  "article.deleted",
  "blog.created",
  "contact.created",
] as const;

export type EventKind = (typeof EVENT_KINDS)[number];

/** What a delivery sends: an event, or the ping that tests a subscription. */
export const DELIVERED_KINDS = [...EVENT_KINDS, "ping"] as const;

export type DeliveredKind = (typeof DELIVERED_KINDS)[number];

/**
 * The states of a delivery. "open" waits, "claimed" is being sent, and the others are final. "skipped": the
 * subscription changed before the attempt. "unknown": the attempt was interrupted, and its outcome was not recorded.
 * "dead": the service could not prepare the request, so nothing was sent; it may be opened again.
 */
export const DELIVERY_STATES = ["open", "claimed", "succeeded", "failed", "skipped", "unknown", "dead"] as const;

export type DeliveryState = (typeof DELIVERY_STATES)[number];
