import { VERSION } from "../lib/version.ts";

/** What a webhook's request consists of (contract 11.5): sent by webhooks/, and shown in the log. */
export type DeliveryFacts = {
  /** The delivery's id. */
  readonly id: string;
  /** The kind of the event. */
  readonly kind: string;
  /** The event's data as JSON text. */
  readonly data: string;
};

/** Returns the body. `timestamp` is the second of the attempt, as Unix time. */
export const deliveryBody = ({ kind, data }: DeliveryFacts, timestamp: number): string =>
  `{"event":${JSON.stringify(kind)},"timestamp":${timestamp},"data":${data}}`;

/** Returns the headers. `signature` is the value of X-Service-Signature. */
export const deliveryHeaders = ({ id, kind }: DeliveryFacts, signature: string) => ({
  "Content-Type": "application/json",
  "User-Agent": `Edgepress-Webhooks/${VERSION}`,
  "X-Service-Event": kind,
  "X-Service-Signature": signature,
  "X-Service-Delivery": id,
});
