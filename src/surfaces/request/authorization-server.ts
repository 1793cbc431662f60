import { openAuthorizationServer, type AuthorizationServer } from "../oauth/server/server.ts";
import type { Arrival } from "./arrival.ts";
import { getBaseUrl } from "./base-url.ts";
import { openTokens } from "./tokens.ts";

/** Opens the authorization server (OAuth) for one request. */
export const openAuthServer = (arrival: Arrival): AuthorizationServer =>
  openAuthorizationServer({ ...openTokens(arrival), requestId: arrival.requestId, now: () => new Date() });

/** Returns a URL with the base URL as its origin. The OAuth library compares it with the server's own URLs. */
export function replaceOrigin(arrival: Arrival, address: string): string {
  const { pathname, search } = new URL(address);
  return `${getBaseUrl(arrival)}${pathname}${search}`;
}
