import { DomainError } from "../../domain/errors.ts";
import type { Arrival } from "./arrival.ts";

/**
 * Returns the public origin of the service, without a slash at the end. Throws `not_ready` in production if there is no
 * valid BASE_URL: the sender chooses the host of a request, which must not get into mails or become the issuer of tokens.
 */
export function getBaseUrl(arrival: Pick<Arrival, "settings" | "origin">): string {
  const found = findBaseUrl(arrival);
  if (found === null) throw new DomainError("not_ready", NO_BASE_URL);
  return found;
}

const NO_BASE_URL =
  "The service does not know its own URL, which links and sign-ins need: `BASE_URL` is not set, or not an origin. `npm run deploy` sets it by `--url` to the URL at which people reach the service, without a path, such as `https://press.example.com`.";

/** Like {@link getBaseUrl}, but returns null instead of throwing. */
export function findBaseUrl({ settings, origin }: Pick<Arrival, "settings" | "origin">): string | null {
  const { baseUrl, production } = settings;
  if (production) return baseUrl || null;
  // 127.0.0.1 and localhost are the same computer. Use the name that the client used: it compares the issuer with the
  // URL that it requested (RFC 8414, 3.3).
  return baseUrl.replace("//127.0.0.1:", "//localhost:") === origin ? origin : baseUrl || origin;
}
