/** Where people reach the service. */
import { DomainError } from "../errors.ts";
import type { Arrival } from "./arrival.ts";

/**
 * Where people reach the service, without a slash at the end. Throws `not_ready` in production without a valid BASE_URL: the
 * host of a request is whatever its sender says, and must not end up in mails, or be whom tokens are from.
 */
export function baseUrlOf(arrival: Pick<Arrival, "settings" | "origin">): string {
  const found = findBaseUrl(arrival);
  if (found === null) throw new DomainError("not_ready", NO_BASE_URL);
  return found;
}

const NO_BASE_URL =
  "The service does not know its own address, which links and sign-ins need: `BASE_URL` is unset or not an origin. Set it in wrangler.toml to where people reach the service, without a path, such as `https://press.example.com`, and deploy again.";

/** As {@link baseUrlOf}, but null where that throws: for answers that can do without. */
export function findBaseUrl({ settings, origin }: Pick<Arrival, "settings" | "origin">): string | null {
  const { baseUrl, production } = settings;
  if (production) return baseUrl || null;
  // The other name of this computer: clients want to find what they asked for (RFC 8414, 3.3).
  return baseUrl.replace("//127.0.0.1:", "//localhost:") === origin ? origin : baseUrl || origin;
}
