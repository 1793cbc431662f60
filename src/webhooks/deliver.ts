/** Claim, POST, settle: the one attempt of a delivery (architecture, "Deliver"). */
import { newId } from "../lib/ids.ts";
import { LIMITS } from "../domain/limits.ts";
import { retrying } from "../lib/retry.ts";
import { post, type PostOutcome } from "../outbound/post.ts";
import {
  claimDelivery,
  settleDelivery,
  type ClaimedDelivery,
  type Settlement,
} from "../store/webhooks/system-deliveries.ts";
import type { Relay } from "./ports.ts";
import { sign } from "./signature.ts";

/**
 * Attempts a delivery once. It is claimed only when it can be sent at once, so a crash leaves few claims
 * behind, and the 5 seconds start with the connection.
 */
export async function deliver(relay: Relay, id: string): Promise<void> {
  // The same token each time: an answer that was lost on its way must not cost the delivery.
  const token = newId();
  const delivery = await retrying(() => claimDelivery(relay.db, id, token, relay.now()));
  if (delivery === null) return;
  const settlement = settlementOf(await attempt(relay, delivery));
  await retrying(() => settleDelivery(relay.db, delivery, settlement, relay.now()));
}

async function attempt(relay: Relay, delivery: ClaimedDelivery): Promise<PostOutcome> {
  // The second of the attempt, not of the event: receivers with a replay window accept what waited.
  const timestamp = Math.floor(relay.now().getTime() / 1000);
  const body = `{"event":${JSON.stringify(delivery.kind)},"timestamp":${timestamp},"data":${delivery.data}}`;
  return post({
    url: delivery.url,
    headers: {
      "Content-Type": "application/json",
      "User-Agent": "Edgepress-Webhooks/1.0",
      "X-Service-Event": delivery.kind,
      "X-Service-Signature": await sign(delivery.secret, timestamp, body),
      "X-Service-Delivery": delivery.id,
    },
    body,
    timeoutMs: LIMITS.deliveryTimeoutMs,
    rules: relay.targetRules,
  });
}

/** A success is a 2xx status; everything else is a failure (contract 11.8). */
function settlementOf(outcome: PostOutcome): Settlement {
  const { durationMs } = outcome;
  switch (outcome.kind) {
    case "failed":
      return { succeeded: false, status: null, durationMs, error: outcome.reason };
    case "response": {
      const { status } = outcome;
      const succeeded = status >= 200 && status < 300;
      const failure = status >= 300 && status < 400 ? "redirect" : "status";
      return { succeeded, status, durationMs, error: succeeded ? null : failure };
    }
  }
}
