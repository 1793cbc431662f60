import { VERSION } from "../lib/version.ts";

/** The facts of a webhook's request (contract 11.5), which is sent by webhooks/ and shown in the log. */
export type DeliveryFacts = {
  readonly id: string;
  readonly eventId: string;
  readonly kind: string;
  /** JSON text. */
  readonly data: string;
};

/** `timestamp` is the time of the attempt in Unix seconds. */
export const deliveryBody = ({ kind, data }: DeliveryFacts, timestamp: number): string =>
  `{"event":${JSON.stringify(kind)},"timestamp":${timestamp},"data":${data}}`;

/** The values of the headers with signatures (contract 11.6): `own` of ours, `standard` of Standard Webhooks. */
export type Signatures = { readonly own: string; readonly standard: string };

export const deliveryHeaders = ({ id, eventId, kind }: DeliveryFacts, timestamp: number, signatures: Signatures) => ({
  "Content-Type": "application/json",
  "User-Agent": `Edgepress-Webhooks/${VERSION}`,
  "X-Service-Event": kind,
  "X-Service-Signature": signatures.own,
  "X-Service-Delivery": id,
  "webhook-id": eventId,
  "webhook-timestamp": String(timestamp),
  "webhook-signature": signatures.standard,
});
