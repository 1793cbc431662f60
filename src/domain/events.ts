/** The kinds that a subscription gets if it names none (contract 11.4). */
export const DEFAULT_EVENT_KINDS = [
  "article.created",
  "article.updated",
  "article.deleted",
  "blog.created",
  "contact.created",
] as const;

/** All kinds of events (contract 11.3 and 11.15). */
export const EVENT_KINDS = [
  ...DEFAULT_EVENT_KINDS,
  "blog.updated",
  "blog.deleted",
  "site.updated",
  "tag.created",
  "tag.updated",
  "tag.deleted",
  "author.created",
  "author.updated",
  "author.deleted",
  "media.created",
  "media.updated",
  "media.deleted",
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
