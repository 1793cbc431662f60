/** Rate limits for callers without authentication, by the network of the request. */
import type { Authenticated } from "../auth/authenticate.ts";
import type { Arrival } from "./arrival.ts";
import { enforceLimit, type LimitError } from "./limits.ts";
import type { RateName } from "../../domain/rates.ts";
import { DomainError } from "../../domain/errors.ts";
import { listNetworks } from "../../lib/network.ts";

/** Returns the networks of a request's client, the smallest first. */
const listClientNetworks = (request: Request) => listNetworks(request.headers.get("CF-Connecting-IP") ?? undefined);

/** Returns the IPv4 address or the IPv6 /64. Use it only for limits that still work if a client has many of these. */
export const getClientAddress = (request: Request): string => listClientNetworks(request)[0];

const getClientNetwork = (request: Request): string => listClientNetworks(request).at(-1) ?? "unknown";

/**
 * Counts a request about a `subject` against the limits of its networks: the address (IPv6: the /64), the /56 and the
 * /48. The smallest comes first, so that a refused request does not use up the limits of the larger ones.
 */
export async function enforceNetworkLimits(
  arrival: Arrival,
  request: Request,
  names: readonly [RateName, RateName, RateName],
  { subject, ...error }: LimitError & { readonly subject: string },
): Promise<void> {
  // IPv4 has only the first one.
  for (const [index, network] of listClientNetworks(request).entries()) {
    await enforceLimit(arrival, names[index] ?? names[0], `${subject} ${network}`, error);
  }
}

/**
 * Counts a request that anybody may make, such as for a mail: against `name` for the address, and against shared limits
 * for the /56 and /48. Each `subject` has its own counters.
 */
export const enforceAnonymousLimits = (
  arrival: Arrival,
  request: Request,
  name: RateName,
  about: LimitError & { readonly subject: string },
): Promise<void> => enforceNetworkLimits(arrival, request, [name, "strangersOf56", "strangersOf48"], about);

/**
 * Counts a read without credentials against its network, an IPv4 address or an IPv6 /48. Throws `rate_limited`. Only one
 * counter, because each read waits for it.
 */
export const enforceReadLimit = (
  arrival: Arrival,
  request: Request,
  network = getClientNetwork(request),
): Promise<void> =>
  enforceLimit(arrival, "reads", network, {
    detail:
      "This network has sent too many requests in one minute. Retry after the number of seconds in `Retry-After`, or use an API key.",
  });

/** Reads per network and minute that an isolate answers before it asks the limiter. */
export const UNCOUNTED_READS = 60;
const MOST_NETWORKS = 10_000;

const seen = { minute: 0, reads: new Map<string, number>() };

/**
 * Like {@link enforceReadLimit}, but does not count the first reads of a network in each minute: asking the limiter takes half
 * as much CPU time as the read itself.
 */
export async function enforceFrequentReadLimit(arrival: Arrival, request: Request): Promise<void> {
  const network = getClientNetwork(request);
  const minute = Math.floor(Date.now() / 60_000);
  if (minute !== seen.minute || seen.reads.size >= MOST_NETWORKS) seen.reads.clear();
  seen.minute = minute;
  const count = (seen.reads.get(network) ?? 0) + 1;
  seen.reads.set(network, count);
  if (count > UNCOUNTED_READS) await enforceReadLimit(arrival, request, network);
}

/** Counts a request for `/healthz` against its network, separately from reads. Throws `rate_limited`. */
export const enforceHealthCheckLimit = (arrival: Arrival, request: Request): Promise<void> =>
  enforceLimit(arrival, "healthChecks", getClientNetwork(request));

/**
 * Counts a lookup of a host against its network: each request with a made-up host would cause a query. The request has no
 * id yet. Throws `rate_limited`.
 */
export const enforceHostLookupLimit = (env: Env, request: Request): Promise<void> =>
  enforceLimit({ requestId: "", env }, "hostLookups", getClientNetwork(request));

/** Counts a search without credentials against its network. Throws `rate_limited`. */
export const enforceSearchLimit = (arrival: Arrival, request: Request): Promise<void> =>
  enforceLimit(arrival, "readerSearches", getClientNetwork(request), {
    detail:
      "This network has sent too many searches in one minute. Retry after the number of seconds in `Retry-After`.",
  });

/** Counts a failed authentication against its network. Throws `too_many_failed_attempts`. */
export const enforceFailureLimit = (arrival: Arrival, request: Request): Promise<void> =>
  enforceLimit(arrival, "failures", getClientAddress(request), { code: "too_many_failed_attempts" });

/**
 * Authenticates a request. Counts a failure if its credentials are invalid. Throws `credentials_invalid`, or
 * `too_many_failed_attempts` after too many failures.
 */
export async function authenticateOrCountFailure(
  arrival: Arrival,
  request: Request,
  authenticate: () => Promise<Authenticated>,
): Promise<Authenticated> {
  try {
    return await authenticate();
  } catch (error) {
    if (error instanceof DomainError && error.code === "credentials_invalid")
      await enforceFailureLimit(arrival, request);
    throw error;
  }
}
