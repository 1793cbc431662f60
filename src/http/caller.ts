/** From a request to a call: who asks, within which limits, with which stores. */
import type { Context } from "hono";
import { authenticate, type Authenticated } from "../auth/authenticate.ts";
import { limitCalls, limitFailures, logFailure, openCall, type Arrival, type Caller } from "../calls.ts";
import { DomainError } from "../errors.ts";
import type { Call } from "../operations/invoke.ts";
import type { AppEnv } from "./app-env.ts";
import { ifMatchVersions } from "./conditional.ts";

/** How a caller follows a lengthy operation. */
export type Following = Pick<Caller, "tell" | "signal">;

/** Authenticates the request and opens what its operation may need. */
export async function callOf(c: Context<AppEnv>, following: Following): Promise<Call> {
  const arrival = arrivalOf(c);
  const { principal, secret, touch } = await limitedAuthentication(c, arrival);
  if (principal.kind !== "anonymous") {
    arrival.identify(principal.organizationId);
    await limitCalls(arrival, principal.id);
    if (touch) arrival.waitUntil(touch().catch((error: unknown) => logFailure(arrival, "touch", error)));
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

/** The request, as far as operations depend on it. */
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
  if (header === undefined) return authenticate(c.env.DB, null, now);
  const started = Date.now();
  try {
    return await authenticate(c.env.DB, header, now);
  } catch (error) {
    if (error instanceof DomainError && error.code === "credentials_invalid") {
      await limitFailures(arrival, c.req.header("CF-Connecting-IP"));
    }
    throw error;
  } finally {
    c.get("timings")["auth"] = Date.now() - started;
  }
}
