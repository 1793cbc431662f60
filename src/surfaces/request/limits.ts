/** Rate limits, which Cloudflare's rate limiting binding counts. */
import { RATES, type RateName } from "../../domain/rates.ts";
import { countAgainstRate } from "../../env.ts";
import type { OrganizationPrincipal } from "../../domain/principal.ts";
import { DomainError } from "../../domain/errors.ts";
import { logFailure, type Arrival } from "./arrival.ts";

/** The period of all limits, in seconds. Also the `Retry-After`, because the binding does not tell the time left. */
const PERIOD = 60;

export type LimitError = { readonly code?: "rate_limited" | "too_many_failed_attempts"; readonly detail?: string };

/** Counts a request of the caller `id`. Throws an error with `code` if it exceeds the limit. */
export async function enforceLimit(
  arrival: Pick<Arrival, "requestId" | "env">,
  name: RateName,
  id: string,
  { code = "rate_limited", detail }: LimitError = {},
): Promise<void> {
  // A failure of the counter does not stop the service.
  const isWithin = await countAgainstRate(arrival.env, name, id).catch((error: unknown) => {
    logFailure(arrival, "rate limit", error);
    return true;
  });
  if (isWithin) return;
  const limits = [{ name: code, quota: RATES[name], seconds: PERIOD }];
  throw new DomainError(code, detail, { retryAfterSeconds: PERIOD, limits });
}

/**
 * Counts a call of a credential or application, and then of its organization. Throws `rate_limited`. People in the console
 * have only their own limit: they must be able to revoke a key that sends too many requests.
 */
export async function enforceCallLimits(
  arrival: Arrival,
  { id, organizationId }: Pick<OrganizationPrincipal, "id" | "organizationId">,
): Promise<void> {
  await enforceLimit(arrival, "calls", id);
  await enforceLimit(arrival, "organizationCalls", organizationId, {
    detail: "The organization has sent too many requests in one minute, with all of its credentials together.",
  });
}
