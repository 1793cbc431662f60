/** Limits for everybody who is not known yet, counted by the network that a request comes from. */
import type { Authenticated } from "../auth/authenticate.ts";
import type { Arrival } from "./arrival.ts";
import { withinLimit, type LimitCode } from "./limits.ts";
import { DomainError } from "../errors.ts";
import { LIMITS } from "../domain/limits.ts";
import { networksOf } from "../lib/network.ts";

/** The networks that a request comes from, by which strangers are counted: the smallest first. */
const clientNetworks = (request: Request) => networksOf(request.headers.get("CF-Connecting-IP") ?? undefined);

/** The address of a request, of IPv6 its /64: for limits that do not become weaker where somebody has many of them. */
export const clientAddress = (request: Request): string => clientNetworks(request)[0];

/** A limiter, and how many it lets pass in a minute. */
type Counter = readonly [limiter: RateLimit, quota: number];

/**
 * Counts a request of a `subject` by each of the networks that it comes from: the address, the /56, the /48. The
 * smallest first, because what one refuses must not use up what those around it may do.
 */
export async function withinNetworkLimits(
  arrival: Arrival,
  request: Request,
  { code, subject, counters }: { code: LimitCode; subject: string; counters: readonly [Counter, Counter, Counter] },
): Promise<void> {
  const networks = clientNetworks(request);
  for (const [index, [limiter, quota]] of counters.entries()) {
    const network = networks[index];
    // IPv4 has the first one only.
    if (network === undefined) return;
    await withinLimit(arrival, limiter, `${subject} ${network}`, { code, quota });
  }
}

/** Counts what anybody may ask for, such as a mail: from one address by this counter, and from the networks around it. */
export function limitStrangers(
  arrival: Arrival,
  request: Request,
  { code = "rate_limited", subject, counter }: { code?: LimitCode; subject: string; counter: Counter },
): Promise<void> {
  const { STRANGERS_56_LIMIT, STRANGERS_48_LIMIT } = arrival.env;
  const counters = [
    counter,
    [STRANGERS_56_LIMIT, LIMITS.strangersOf56PerMinute],
    [STRANGERS_48_LIMIT, LIMITS.strangersOf48PerMinute],
  ] as const;
  return withinNetworkLimits(arrival, request, { code, subject, counters });
}

/** Counts a failed authentication against the network that it came from. */
export const limitFailures = (arrival: Arrival, request: Request): Promise<void> =>
  withinLimit(arrival, arrival.env.AUTH_FAILURE_LIMIT, clientAddress(request), {
    code: "too_many_failed_attempts",
    quota: LIMITS.authenticationFailuresPerMinute,
  });

/** Authenticates a request; counts it as a failure where its credentials are invalid. */
export async function withinFailureLimit(
  arrival: Arrival,
  request: Request,
  authenticate: () => Promise<Authenticated>,
): Promise<Authenticated> {
  try {
    return await authenticate();
  } catch (error) {
    if (error instanceof DomainError && error.code === "credentials_invalid") await limitFailures(arrival, request);
    throw error;
  }
}
