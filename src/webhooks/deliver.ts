/** Claim, POST, settle: the one attempt of each delivery (architecture, "Deliver"). */
import { newId } from "../lib/ids.ts";
import { LIMITS } from "../domain/limits.ts";
import { retrying } from "../lib/retry.ts";
import { within } from "../lib/within.ts";
import type { PostOutcome, PostRequest } from "../outbound/post.ts";
import {
  claimDeliveries,
  releaseClaim,
  type Claim,
  type Claimed,
  type ClaimedDelivery,
  type Lane,
} from "../store/webhooks/system-deliveries.ts";
import { settleAndClaim, settleDeliveries, type Settlement } from "../store/webhooks/system-settlement.ts";
import { setDeliveryAside } from "../store/webhooks/system-dead-letters.ts";
import { logTry } from "./log-try.ts";
import type { Relay } from "./ports.ts";
import { sign } from "./signature.ts";

/**
 * An organization's turn in a lane: claims a few deliveries, sends them side by side and settles them, again and again
 * for about a second. Then the organization goes to the end of the queue if it has more.
 *
 * A turn does not wait for receivers that take longer: they are settled after it, by `relay.waitUntil`. Whoever settles
 * looks again whether more can be sent. So while deliveries are open, either a message is in the queue or somebody waits
 * for an answer; after a crash, the sweep sends a message.
 */
export async function takeTurn(relay: Relay, organizationId: string, lane: Lane): Promise<void> {
  const end = relay.now().getTime() + LIMITS.slowDeliveryMs;
  let round = await claimSome(relay, { organizationId, lane, token: newId() });
  while (round.progress) {
    const { claim, claimed } = round;
    const { ended, late } = await sendUntil(end, relay, claim, claimed);
    // First of all: if this turn fails, the late ones are settled all the same.
    if (late !== null) relay.waitUntil(finishLate(relay, claim, late));
    const isLast = late !== null || relay.now().getTime() >= end;
    const next = { organizationId, lane, token: newId() };
    // As many as can be sent at once: there are likely more.
    if (!isLast && claimed.length === LIMITS.connectionsAtOnce) {
      round = await settleThenClaim(relay, claim, ended, next);
    } else {
      const more = await settle(relay, claim, ended);
      if (isLast || !more.includes(lane)) return sendOn(relay, organizationId, more);
      round = await claimSome(relay, next, more);
    }
  }
  // In this lane, all is sent, or whoever has the organization's credits looks again.
  const others = round.lanes.filter((each) => each !== lane);
  await sendOn(relay, organizationId, others);
}

/** What was claimed, and the lanes in which there is more, as far as that was asked. */
type Round = Claimed & { readonly claim: Claim; readonly lanes: readonly Lane[] };

const claimSome = async (relay: Relay, claim: Claim, lanes: readonly Lane[] = []): Promise<Round> => ({
  ...(await holding(relay, claim, () => claimDeliveries(relay.db, claim, relay.now()))),
  claim,
  lanes,
});

/** Settles deliveries and claims the next ones in one transaction. */
async function settleThenClaim(relay: Relay, sent: Claim, ended: readonly Settlement[], claim: Claim): Promise<Round> {
  try {
    return { ...(await holding(relay, claim, () => settleAndClaim(relay.db, sent, ended, claim, relay.now()))), claim };
  } catch (error) {
    // What fails may be the claim alone.
    await settle(relay, sent, ended);
    throw error;
  }
}

/** Runs what claims deliveries; if it fails, gives them back. */
async function holding<T>(relay: Relay, claim: Claim, work: () => Promise<T>): Promise<T> {
  try {
    // The same token each time: an answer that was lost on its way must not cost a delivery.
    return await retrying(work);
  } catch (error) {
    relay.waitUntil(giveBack(relay, claim));
    throw error;
  }
}

/** Releases what was claimed, as nothing was sent: only what cannot be released for half a minute becomes `unknown`. */
async function giveBack(relay: Relay, claim: Claim): Promise<void> {
  try {
    await retrying(() => releaseClaim(relay.db, claim), "patient");
  } catch (error) {
    relay.log({ level: "error", message: "claim not released", error: String(error) });
  }
}

type Sent = {
  /** How the attempts ended that were in time. */
  readonly ended: readonly Settlement[];
  /** How the others end; null if there are none. */
  readonly late: Promise<Settlement[]> | null;
};

/** Sends deliveries side by side, and waits for their ends until a time (in milliseconds, as `Date.now` has it). */
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
  await within(time - relay.now().getTime(), all);
  const ended = settlements.splice(0);
  return { ended, late: open === 0 ? null : all.then(() => settlements) };
}

async function finishLate(relay: Relay, claim: Claim, late: Promise<Settlement[]>): Promise<void> {
  try {
    await sendOn(relay, claim.organizationId, await settle(relay, claim, await late));
  } catch (error) {
    relay.log({ level: "error", message: "late deliveries not settled", error: String(error) });
  }
}

/** Returns the lanes in which the organization has more to send. */
const settle = (relay: Relay, claim: Claim, settlements: readonly Settlement[]): Promise<readonly Lane[]> =>
  retrying(() => settleDeliveries(relay.db, claim, settlements, relay.now()));

/** Sends the organization to the end of the queues of these lanes. */
async function sendOn(relay: Relay, organizationId: string, lanes: readonly Lane[]): Promise<void> {
  for (const lane of lanes) await relay.deliveries[lane].send({ organizationId });
}

/** Sends a delivery once, or sets it aside if its request cannot be made; then returns null. Never throws. */
async function attempt(relay: Relay, claim: Claim, delivery: ClaimedDelivery): Promise<Settlement | null> {
  let request: PostRequest;
  try {
    request = await requestOf(relay, delivery);
  } catch (error) {
    await setAside(relay, claim, delivery, error);
    return null;
  }
  return { delivery, ...resultOf(await relay.post(request)) };
}

async function setAside(relay: Relay, claim: Claim, delivery: ClaimedDelivery, error: unknown): Promise<void> {
  const what = { event: delivery.eventId, subscription: delivery.subscriptionId };
  try {
    const tries = await retrying(() => setDeliveryAside(relay.db, claim, delivery, relay.now()));
    logTry(relay, tries, what, error);
  } catch (failure) {
    relay.log({ level: "error", message: "delivery not set aside", ...what, error: String(failure) });
  }
}

/** Returns the request of a delivery. Throws if the event's data is not JSON, or cannot be signed. */
async function requestOf(relay: Relay, delivery: ClaimedDelivery): Promise<PostRequest> {
  JSON.parse(delivery.data);
  // The second of the attempt, not of the event: receivers with a replay window accept what waited.
  const timestamp = Math.floor(relay.now().getTime() / 1000);
  const body = `{"event":${JSON.stringify(delivery.kind)},"timestamp":${timestamp},"data":${delivery.data}}`;
  return {
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
  };
}

/** A success is a 2xx status; everything else is a failure (contract 11.8). */
function resultOf(outcome: PostOutcome): Omit<Settlement, "delivery"> {
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
