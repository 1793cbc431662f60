import { VERSION } from "../lib/version.ts";

/** The facts of a webhook's request (contract 11.5), which is sent by webhooks/ and shown in the log. */
export type DeliveryFacts = {
  readonly id: string;
  readonly kind: string;
  /** JSON text. */
  readonly data: string;
};

/** `timestamp` is the time of the attempt in Unix seconds. */
export const deliveryBody = ({ kind, data }: DeliveryFacts, timestamp: number): string =>
  `{"event":${JSON.stringify(kind)},"timestamp":${timestamp},"data":${data}}`;

export const deliveryHeaders = ({ id, kind }: DeliveryFacts, signature: string) => ({
  "Content-Type": "application/json",
  "User-Agent": `Edgepress-Webhooks/${VERSION}`,
  "X-Service-Event": kind,
  "X-Service-Signature": signature,
  "X-Service-Delivery": id,
});
