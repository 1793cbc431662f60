/** Limits of requests, counted by Cloudflare's rate limiting binding. */
import { LIMITS } from "../domain/limits.ts";
import type { OrganizationPrincipal } from "../domain/principal.ts";
import { DomainError } from "../errors.ts";
import { logFailure, type Arrival } from "./arrival.ts";

/** The period of all limits, in seconds, which a refusal says to wait: the binding does not tell how long is left. */
const PERIOD = 60;

export type LimitCode = "rate_limited" | "too_many_failed_attempts";

/** Counts a request against a limit; throws the refusal where it is one too many. */
export async function withinLimit(
  arrival: Arrival,
  limiter: RateLimit,
  key: string,
  { code, quota, detail }: { code: LimitCode; quota: number; detail?: string },
): Promise<void> {
  if (await isWithin(arrival, limiter, key)) return;
  const limits = [{ name: code, quota, seconds: PERIOD }];
  throw new DomainError(code, detail, { retryAfterSeconds: PERIOD, limits });
}

/**
 * Counts a call of a credential or an application: as its own, then as one of its organization. People in the
 * console are counted by themselves only: they have to reach it to revoke a key that sends too much.
 */
export async function limitOrganizationCalls(
  arrival: Arrival,
  { id, organizationId }: Pick<OrganizationPrincipal, "id" | "organizationId">,
): Promise<void> {
  await limitCalls(arrival, id);
  await withinLimit(arrival, arrival.env.ORGANIZATION_LIMIT, organizationId, {
    code: "rate_limited",
    quota: LIMITS.organizationRequestsPerMinute,
    detail: "The organization as a whole sends too many requests. Repeat after the seconds in `Retry-After`.",
  });
}

/** Counts a call of a credential, an application or a person. */
export const limitCalls = (arrival: Arrival, callerId: string): Promise<void> =>
  withinLimit(arrival, arrival.env.KEY_LIMIT, callerId, { code: "rate_limited", quota: LIMITS.keyRequestsPerMinute });

/** Asks a limiter. One that fails lets everybody through: an unavailable limiter should not take the service down. */
async function isWithin(arrival: Arrival, limiter: RateLimit, key: string): Promise<boolean> {
  try {
    return (await limiter.limit({ key })).success;
  } catch (error) {
    logFailure(arrival, "rate limit", error);
    return true;
  }
}
