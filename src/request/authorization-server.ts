/** The authorization server (OAuth), as its endpoints and its page of consent open it. */
import { openAuthorizationServer, type AuthorizationServer } from "../oauth/server/server.ts";
import { sharedDatabase } from "../store/database.ts";
import type { Arrival } from "./arrival.ts";
import { baseUrlOf } from "./base-url.ts";

/** Opens the authorization server for one request. */
export const authorizationServerOf = (arrival: Arrival): AuthorizationServer =>
  openAuthorizationServer({
    db: sharedDatabase(arrival.env),
    baseUrl: baseUrlOf(arrival),
    requestId: arrival.requestId,
    now: () => new Date(),
  });

/** The address of a request at the base URL: the library compares it with its own addresses. */
export function addressAtBaseUrl(arrival: Arrival, address: string): string {
  const { pathname, search } = new URL(address);
  return `${baseUrlOf(arrival)}${pathname}${search}`;
}
