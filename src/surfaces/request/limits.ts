/** Applies rate limits, which Cloudflare's rate limiting binding counts. */
import { LIMITS } from "../../domain/limits.ts";
import type { OrganizationPrincipal } from "../../domain/principal.ts";
import { DomainError } from "../../domain/errors.ts";
import { logFailure, type Arrival } from "./arrival.ts";

/** The period of all limits, in seconds. It is also `Retry-After`, because the binding does not tell the time left. */
const PERIOD = 60;

export type LimitCode = "rate_limited" | "too_many_failed_attempts";

/** Counts a request of `key` against a limit. Throws an error with `code` if the request exceeds the limit. */
export async function withinLimit(
  arrival: Pick<Arrival, "requestId">,
  limiter: RateLimit,
  key: string,
  { code, quota, detail }: { code: LimitCode; quota: number; detail?: string },
): Promise<void> {
  if (await isWithin(arrival, limiter, key)) return;
  const limits = [{ name: code, quota, seconds: PERIOD }];
  throw new DomainError(code, detail, { retryAfterSeconds: PERIOD, limits });
}

/**
 * Counts a call of a credential or application against its own limit, and then against the limit of its organization.
 * Throws `rate_limited`. People in the console have only their own limit: they must be able to revoke a key that sends
 * too many requests.
 */
export async function limitOrganizationCalls(
  arrival: Arrival,
  { id, organizationId }: Pick<OrganizationPrincipal, "id" | "organizationId">,
): Promise<void> {
  await limitCalls(arrival, id);
  await withinLimit(arrival, arrival.env.ORGANIZATION_LIMIT, organizationId, {
    code: "rate_limited",
    quota: LIMITS.organizationRequestsPerMinute,
    detail: "The organization has sent too many requests in one minute, with all of its credentials together.",
  });
}

/** Counts a call of a credential, an application or a person against its own limit. Throws `rate_limited`. */
export const limitCalls = (arrival: Arrival, callerId: string): Promise<void> =>
  withinLimit(arrival, arrival.env.KEY_LIMIT, callerId, { code: "rate_limited", quota: LIMITS.keyRequestsPerMinute });

/**
 * Counts an article whose Markdown is rendered for a `subject`: a person of the console, or the link to a preview. Throws
 * `rate_limited`. Rendering takes more CPU time than any other page.
 */
export const limitRenderings = (arrival: Arrival, subject: string): Promise<void> =>
  withinLimit(arrival, arrival.env.PREVIEW_LIMIT, subject, { code: "rate_limited", quota: LIMITS.previewsPerMinute });

/** Counts a site map of a blog that the edge did not answer: it reads all of the blog's articles. Throws `rate_limited`. */
export const limitSitemaps = (arrival: Arrival, blog: string): Promise<void> =>
  withinLimit(arrival, arrival.env.COMPARISON_LIMIT, `sitemap ${blog}`, {
    code: "rate_limited",
    quota: LIMITS.comparisonsPerMinute,
  });

/** Asks a limiter. Returns true if the limiter itself fails, so that its failure does not stop the service. */
async function isWithin(arrival: Pick<Arrival, "requestId">, limiter: RateLimit, key: string): Promise<boolean> {
  try {
    return (await limiter.limit({ key })).success;
  } catch (error) {
    logFailure(arrival, "rate limit", error);
    return true;
  }
}
