import { openAuthorizationServer, type AuthorizationServer } from "../oauth/server/server.ts";
import { sharedDatabase } from "../../store/database.ts";
import type { Arrival } from "./arrival.ts";
import { baseUrlOf } from "./base-url.ts";

/** Opens the authorization server (OAuth) for one request. */
export const authorizationServerOf = (arrival: Arrival): AuthorizationServer =>
  openAuthorizationServer({
    db: sharedDatabase(arrival.env),
    baseUrl: baseUrlOf(arrival),
    requestId: arrival.requestId,
    now: () => new Date(),
  });

/** Returns a URL with the base URL as its origin. The OAuth library compares it with the server's own URLs. */
export function addressAtBaseUrl(arrival: Arrival, address: string): string {
  const { pathname, search } = new URL(address);
  return `${baseUrlOf(arrival)}${pathname}${search}`;
}
