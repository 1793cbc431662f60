/** Applies rate limits to callers who have not authenticated, by the network of the request. */
import type { Authenticated } from "../auth/authenticate.ts";
import type { Arrival } from "./arrival.ts";
import { withinLimit, type LimitError } from "./limits.ts";
import type { RateName } from "../../domain/rates.ts";
import { DomainError } from "../../domain/errors.ts";
import { networksOf } from "../../lib/network.ts";

/** Returns the networks of a request's client, the smallest first. */
const clientNetworks = (request: Request) => networksOf(request.headers.get("CF-Connecting-IP") ?? undefined);

/**
 * Returns the client's IPv4 address or its IPv6 /64. Use it only for limits that stay effective against a client with
 * many such networks.
 */
export const clientAddress = (request: Request): string => clientNetworks(request)[0];

/** Returns the client's largest network: its IPv4 address or its IPv6 /48. */
const clientNetwork = (request: Request): string => clientNetworks(request).at(-1) ?? "unknown";

/**
 * Counts a request about a `subject` against the limit of each network that it comes from: the address (IPv6: the /64),
 * the /56 and the /48. The smallest network comes first, so that a request that it refuses does not use up the limits of
 * the larger ones.
 */
export async function withinNetworkLimits(
  arrival: Arrival,
  request: Request,
  names: readonly [RateName, RateName, RateName],
  { subject, ...error }: LimitError & { readonly subject: string },
): Promise<void> {
  // An IPv4 address has only the first one.
  for (const [index, network] of clientNetworks(request).entries()) {
    await withinLimit(arrival, names[index] ?? names[0], `${subject} ${network}`, error);
  }
}

/**
 * Counts a request that anybody may make, such as for a mail: by `name` for the address, and by the shared limits for the /56
 * and /48, for each `subject` apart.
 */
export const limitStrangers = (
  arrival: Arrival,
  request: Request,
  name: RateName,
  about: LimitError & { readonly subject: string },
): Promise<void> => withinNetworkLimits(arrival, request, [name, "strangersOf56", "strangersOf48"], about);

/**
 * Counts a read without credentials against its network: an IPv4 address or an IPv6 /48. Throws `rate_limited`. It
 * asks one counter only, because each of them waits for it.
 */
export const limitReaders = (arrival: Arrival, request: Request, network = clientNetwork(request)): Promise<void> =>
  withinLimit(arrival, "reads", network, {
    detail:
      "This network has sent too many requests in one minute. Retry after the number of seconds in `Retry-After`, or use an API key.",
  });

/** How many reads of a network in a minute an isolate answers before it asks the limiter, and the most networks it remembers. */
export const UNASKED_READS = 60;
const MOST_NETWORKS = 10_000;

/** The reads of each network that this isolate has seen in one minute. */
const seen = { minute: 0, reads: new Map<string, number>() };

/**
 * Counts a read of articles or blogs as {@link limitReaders} does, but not the first of a network in a minute: to ask the
 * limiter takes as much CPU time as half of the read.
 */
export async function limitFrequentReaders(arrival: Arrival, request: Request): Promise<void> {
  const network = clientNetwork(request);
  const minute = Math.floor(Date.now() / 60_000);
  if (minute !== seen.minute || seen.reads.size >= MOST_NETWORKS) seen.reads.clear();
  seen.minute = minute;
  const count = (seen.reads.get(network) ?? 0) + 1;
  seen.reads.set(network, count);
  if (count > UNASKED_READS) await limitReaders(arrival, request, network);
}

/** Counts a request for `/healthz` against its network, apart from the network's reads. Throws `rate_limited`. */
export const limitHealthChecks = (arrival: Arrival, request: Request): Promise<void> =>
  withinLimit(arrival, "healthChecks", clientNetwork(request));

/**
 * Counts a look for what a host shows against the network of its request: requests with made-up hosts would cause a
 * query each. The request has no id yet. Throws `rate_limited`.
 */
export const limitHostLookups = (env: Env, request: Request): Promise<void> =>
  withinLimit({ requestId: "", env }, "hostLookups", clientNetwork(request));

/** Counts a search without credentials against its network, as {@link limitReaders} does. Throws `rate_limited`. */
export const limitReaderSearches = (arrival: Arrival, request: Request): Promise<void> =>
  withinLimit(arrival, "readerSearches", clientNetwork(request), {
    detail:
      "This network has sent too many searches in one minute. Retry after the number of seconds in `Retry-After`.",
  });

/** Counts a failed authentication against its network. Throws `too_many_failed_attempts` if there are too many. */
export const limitFailures = (arrival: Arrival, request: Request): Promise<void> =>
  withinLimit(arrival, "failures", clientAddress(request), { code: "too_many_failed_attempts" });

/**
 * Authenticates a request. If its credentials are invalid, it counts a failure, and throws `too_many_failed_attempts`
 * instead of `credentials_invalid` if there are too many.
 */
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
