/** Turns a request into a call: authenticates the caller, applies the rate limits and opens the stores. */
import { sharedDatabase } from "../store/database.ts";
import type { Context } from "hono";
import { authenticate, type Authenticated } from "../auth/authenticate.ts";
import { bearerToken } from "../auth/authorization-header.ts";
import type { Arrival } from "../request/arrival.ts";
import { baseUrlOf } from "../request/base-url.ts";
import { noteUse, openCall, type Caller } from "../request/call.ts";
import { limitOrganizationCalls } from "../request/limits.ts";
import type { Call } from "../operations/invoke.ts";
import { withinFailureLimit } from "../request/strangers.ts";
import type { AppEnv } from "./app-env.ts";
import { ifMatchVersions } from "./conditional.ts";

/** The options by which a caller follows a long operation. */
export type Following = Pick<Caller, "tell" | "signal">;

/**
 * Authenticates a request and opens what its operation may need. Throws `credentials_invalid` or a rate limit's error.
 */
export async function callOf(c: Context<AppEnv>, following: Following): Promise<Call> {
  const arrival = arrivalOf(c);
  const authenticated = await limitedAuthentication(c, arrival);
  const { principal, secret } = authenticated;
  if (principal.kind !== "anonymous") {
    arrival.identify(principal.organizationId);
    await limitOrganizationCalls(arrival, principal);
    noteUse(arrival, authenticated);
  }
  return openCall(arrival, {
    principal,
    secret,
    ifMatch: ifMatchVersions(c.req.header("If-Match")),
    idempotencyKey: c.req.header("Idempotency-Key"),
    tell: following.tell,
    signal: following.signal,
  });
}

/** Returns the parts of a request that operations depend on. */
export function arrivalOf(c: Context<AppEnv>): Arrival {
  return {
    env: c.env,
    settings: c.get("settings"),
    requestId: c.get("requestId"),
    get origin() {
      return new URL(c.req.url).origin;
    },
    waitUntil: (work) => c.executionCtx.waitUntil(work),
    identify: (organizationId) => c.set("organizationId", organizationId),
  };
}

async function limitedAuthentication(c: Context<AppEnv>, arrival: Arrival): Promise<Authenticated> {
  const header = c.req.header("Authorization");
  const now = new Date();
  if (header === undefined) return authenticate(sharedDatabase(c.env), null, now);
  const started = Date.now();
  try {
    return await withinFailureLimit(arrival, c.req.raw, () => authenticateHeader(arrival, header, now));
  } finally {
    c.get("timings")["auth"] = Date.now() - started;
  }
}

/** Authenticates a header. The OAuth modules are loaded only for Bearer tokens, so that API keys stay fast. */
async function authenticateHeader(arrival: Arrival, header: string, now: Date): Promise<Authenticated> {
  const db = sharedDatabase(arrival.env);
  const token = bearerToken(header);
  if (token === null) return authenticate(db, header, now);
  const { authenticateApp } = await import("../oauth/server/authenticate.ts");
  return authenticateApp({ db, baseUrl: baseUrlOf(arrival) }, "/api", token, now);
}
