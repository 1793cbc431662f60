/** Keeps pages of other sites away, also those that have their name resolved to this service (DNS rebinding). */
import type { Arrival } from "../request/arrival.ts";
import { baseUrlOf } from "../request/base-url.ts";
import { DomainError } from "../errors.ts";
import { isLoopbackHost } from "../lib/network.ts";

/**
 * Throws `origin_forbidden` for a request under another host than the service's, or from another site's page, and
 * `not_ready` where that host is not known. In local runs every name of this computer is the service's own, whatever
 * BASE_URL says.
 */
export function refuseOtherSites(request: Request, arrival: Arrival): void {
  const { production, baseUrl } = arrival.settings;
  const service = new URL(baseUrlOf(arrival));
  // Local runs without BASE_URL: the host of the request proves nothing.
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
