/** Attempts each delivery once: claims it, sends its request, settles it (architecture, "Deliver"). */
import { newId } from "../../lib/ids.ts";
import { deliveryBody, deliveryHeaders } from "../../domain/delivery-request.ts";
import { LIMITS } from "../../domain/limits.ts";
import { retry } from "../../lib/retry.ts";
import { withTimeout } from "../../lib/within.ts";
import type { PostOutcome, PostRequest } from "../../outbound/post.ts";
import {
  claimDeliveries,
  releaseClaim,
  type Claim,
  type Claimed,
  type ClaimedDelivery,
  type Lane,
} from "../../store/webhooks/system-deliveries.ts";
import { settleAndClaim, settleDeliveries, type Settlement } from "../../store/webhooks/system-settlement.ts";
import { setDeliveryAside } from "../../store/webhooks/system-dead-letters.ts";
import { logFailure } from "./log-try.ts";
import type { Relay } from "./ports.ts";
import { signBody, signStandard } from "./signature.ts";

/**
 * Runs an organization's turn in a lane. For about a second, it claims a few deliveries at a time, sends them
 * concurrently and settles them. If there are more, it sends the organization to the end of the queue.
 *
 * A turn does not wait for slow receivers. Their deliveries are settled later, in `relay.waitUntil`, and then more are
 * looked for. So while deliveries are open, a message is in the queue or a request is under way. After a crash, the
 * sweep sends a message.
 */
export async function takeTurn(relay: Relay, organizationId: string, lane: Lane): Promise<void> {
  const end = relay.now().getTime() + LIMITS.slowDeliveryMs;
  let round = await claimSome(relay, { organizationId, lane, token: newId() });
  while (round.progress) {
    const { claim, claimed } = round;
    const { ended, late } = await sendUntil(end, relay, claim, claimed);
    // First, so that late deliveries are settled even if this turn fails.
    if (late !== null) relay.waitUntil(finishLate(relay, claim, late));
    const isLast = late !== null || relay.now().getTime() >= end;
    const next = { organizationId, lane, token: newId() };
    // A full claim: probably there are more deliveries.
    if (!isLast && claimed.length === LIMITS.connectionsAtOnce) {
      round = await settleThenClaim(relay, claim, ended, next);
    } else {
      const more = await settle(relay, claim, ended);
      if (isLast || !more.includes(lane)) return sendTurnMessages(relay, organizationId, more);
      round = await claimSome(relay, next, more);
    }
  }
  // The lane is empty, or other requests use all credits of the organization and will look again.
  const others = round.lanes.filter((each) => each !== lane);
  await sendTurnMessages(relay, organizationId, others);
}

/** The result of a claim. `lanes` are known to have more deliveries. */
type Round = Claimed & { readonly claim: Claim; readonly lanes: readonly Lane[] };

const claimSome = async (relay: Relay, claim: Claim, lanes: readonly Lane[] = []): Promise<Round> => ({
  ...(await claimWithRetries(relay, claim, () => claimDeliveries(relay.db, claim, relay.now()))),
  claim,
  lanes,
});

/** Settles deliveries and claims the next ones in one transaction. */
async function settleThenClaim(relay: Relay, sent: Claim, ended: readonly Settlement[], claim: Claim): Promise<Round> {
  try {
    return {
      ...(await claimWithRetries(relay, claim, () =>
        settleAndClaim(relay.db, { claim: sent, settlements: ended }, claim, relay.now()),
      )),
      claim,
    };
  } catch (error) {
    // Perhaps only the claim failed.
    await settle(relay, sent, ended);
    throw error;
  }
}

/** Runs `work`, which claims deliveries, with retries. If it fails, releases the claim and rethrows. */
async function claimWithRetries<T>(relay: Relay, claim: Claim, work: () => Promise<T>): Promise<T> {
  try {
    // Each retry uses the same token. So it also returns deliveries that a lost response had claimed.
    return await retry(work);
  } catch (error) {
    relay.waitUntil(releaseClaimed(relay, claim));
    throw error;
  }
}

/** Releases claimed deliveries that were not sent. Retries for half a minute; later, the sweep makes them `unknown`. */
async function releaseClaimed(relay: Relay, claim: Claim): Promise<void> {
  try {
    await retry(() => releaseClaim(relay.db, claim), "patient");
  } catch (error) {
    relay.log({ level: "error", message: "claim not released", error });
  }
}

type Sent = {
  /** The results of the attempts that ended in time. */
  readonly ended: readonly Settlement[];
  /** Resolves to the results of the other attempts. Null if there are none. */
  readonly late: Promise<Settlement[]> | null;
};

/** Sends deliveries concurrently, and waits for the results until `time` (Unix milliseconds). */
async function sendUntil(
  time: number,
  relay: Relay,
  claim: Claim,
  deliveries: readonly ClaimedDelivery[],
): Promise<Sent> {
  const settlements: Settlement[] = [];
  let open = deliveries.length;
  const one = async (delivery: ClaimedDelivery) => {
    const settlement = await attempt(relay, claim, delivery);
    if (settlement !== null) settlements.push(settlement);
    open--;
  };
  const all = Promise.all(deliveries.map(one));
  await withTimeout(time - relay.now().getTime(), all);
  const ended = settlements.splice(0);
  return { ended, late: open === 0 ? null : all.then(() => settlements) };
}

async function finishLate(relay: Relay, claim: Claim, late: Promise<Settlement[]>): Promise<void> {
  try {
    await sendTurnMessages(relay, claim.organizationId, await settle(relay, claim, await late));
  } catch (error) {
    relay.log({ level: "error", message: "late deliveries not settled", error });
  }
}

/** Stores the results of attempts. Returns the lanes in which the organization has more to send. */
const settle = (relay: Relay, claim: Claim, settlements: readonly Settlement[]): Promise<readonly Lane[]> =>
  retry(() => settleDeliveries(relay.db, claim, settlements, relay.now()));

async function sendTurnMessages(relay: Relay, organizationId: string, lanes: readonly Lane[]): Promise<void> {
  for (const lane of lanes) await relay.deliveries[lane].send({ organizationId });
}

/** Sends a delivery once. Returns null if its request cannot be built; it is then set aside. Never throws. */
async function attempt(relay: Relay, claim: Claim, delivery: ClaimedDelivery): Promise<Settlement | null> {
  let request: PostRequest;
  try {
    request = await buildRequest(relay, delivery);
  } catch (error) {
    await setAside(relay, claim, delivery, error);
    return null;
  }
  relay.meter.count(claim.organizationId, { deliveries: 1 });
  return { delivery, ...toResult(await relay.post(request)) };
}

async function setAside(relay: Relay, claim: Claim, delivery: ClaimedDelivery, error: unknown): Promise<void> {
  const what = { event: delivery.eventId, subscription: delivery.subscriptionId };
  try {
    const tries = await retry(() => setDeliveryAside(relay.db, claim, delivery, relay.now()));
    logFailure(relay, tries, what, error);
  } catch (failure) {
    relay.log({ level: "error", message: "delivery not set aside", ...what, error: String(failure) });
  }
}

/** Builds the request of a delivery. Throws if the event's data is not JSON, or if signing fails. */
async function buildRequest(relay: Relay, delivery: ClaimedDelivery): Promise<PostRequest> {
  JSON.parse(delivery.data);
  // The time of the attempt and not of the event, so that receivers with a replay window accept delayed deliveries.
  const timestamp = Math.floor(relay.now().getTime() / 1000);
  const body = deliveryBody(delivery, timestamp);
  const signatures = {
    own: await signBody(delivery.secret, timestamp, body),
    standard: await signStandard(delivery.secret, { eventId: delivery.eventId, timestamp, body }),
  };
  return {
    url: delivery.url,
    headers: deliveryHeaders(delivery, timestamp, signatures),
    body,
    timeoutMs: LIMITS.deliveryTimeoutMs,
    rules: relay.targetRules,
  };
}

/** Only a 2xx status is a success (contract 11.8). */
function toResult(outcome: PostOutcome): Omit<Settlement, "delivery"> {
  const { durationMs } = outcome;
  switch (outcome.kind) {
    case "failed":
      return { succeeded: false, status: null, durationMs, error: outcome.reason };
    case "response": {
      const { status } = outcome;
      const succeeded = status >= 200 && status < 300;
      return { succeeded, status, durationMs, error: succeeded ? null : nameFailure(status) };
    }
  }
}

/**
 * What Cloudflare answers for a server that it could not reach. Deployed, `fetch` returns such a response where a local run
 * throws. A receiver that is itself behind Cloudflare answers in the same way.
 */
const UNREACHED: Readonly<Record<number, string>> = {
  521: "refused",
  522: "timeout",
  523: "unreachable",
  524: "timeout",
  525: "tls",
  526: "tls",
  530: "dns",
};

const nameFailure = (status: number): string =>
  UNREACHED[status] ?? (status >= 300 && status < 400 ? "redirect" : "status");
