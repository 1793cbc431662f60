/** Refuses requests from pages of other sites, including those that use DNS rebinding. */
import type { Arrival } from "../request/arrival.ts";
import { baseUrlOf } from "../request/base-url.ts";
import { DomainError } from "../../domain/errors.ts";
import { isLoopbackHost } from "../../lib/network.ts";

/**
 * Throws `origin_forbidden` if a request is for another host than the service's, or comes from a page of another site.
 * Throws `not_ready` in production if BASE_URL is missing. In local runs all loopback hosts and origins are allowed.
 */
export function refuseOtherSites(request: Request, arrival: Arrival): void {
  const { production, baseUrl } = arrival.settings;
  const service = new URL(baseUrlOf(arrival));
  // In local runs without BASE_URL, only loopback hosts count as own: the sender chooses the host of the request.
  const ownHost = baseUrl === "" ? null : new URL(baseUrl).host;
  const isOwnHost = (host: string): boolean => {
    if (!production && isLoopback(`http://${host}`)) return true;
    return host === ownHost;
  };
  const hosts = [new URL(request.url).host, request.headers.get("Host") ?? ""].filter((host) => host !== "");
  if (!hosts.every((host) => isOwnHost(host.toLowerCase()))) throw new DomainError("origin_forbidden");

  const origin = request.headers.get("Origin");
  if (origin === null || origin === service.origin) return;
  if (production || !isLoopback(origin)) throw new DomainError("origin_forbidden");
}

const isLoopback = (url: string): boolean => URL.canParse(url) && isLoopbackHost(new URL(url).hostname);
