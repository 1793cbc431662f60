import { sharedDatabase } from "../../store/database.ts";
import type { Context } from "hono";
import type { Authenticated, Presumed } from "../auth/authenticate.ts";
import { bearerToken } from "../auth/authorization-header.ts";
import type { Arrival } from "../request/arrival.ts";
import { baseUrlOf } from "../request/base-url.ts";
import { noteUse, openCall, type Caller } from "../request/call.ts";
import { limitOrganizationCalls } from "../request/limits.ts";
import type { Call } from "../../operations/invoke.ts";
import { withinFailureLimit } from "../request/strangers.ts";
import type { AppEnv } from "./app-env.ts";
import { ifMatchVersions } from "./conditional.ts";

export type Following = Pick<Caller, "tell" | "signal">;

type CallOptions = Following & { readonly isRead: boolean };

/**
 * Authenticates a request and runs `work`. Throws `credentials_invalid`, the errors of rate limits, and what `work` throws.
 *
 * If `isRead`, a credential that this isolate has seen before is looked up in the same round trip as the first query of
 * `work`. If it has changed, `work` runs again.
 */
export async function withCaller<T>(
  c: Context<AppEnv>,
  options: CallOptions,
  work: (call: Call) => Promise<T>,
): Promise<T> {
  const arrival = arrivalOf(c);
  const header = c.req.header("Authorization");
  if (header === undefined)
    return work(openCall(arrival, { principal: { kind: "anonymous" }, secret: "", ...options }));
  const presumed = options.isRead ? await presumedCaller(arrival, header) : null;
  if (presumed !== null) {
    const outcome = await outcomeOf(callOf(c, arrival, presumed, options).then(work));
    const confirmed = await presumed.confirm();
    if (confirmed !== null) {
      noteUse(arrival, confirmed);
      return outcome();
    }
  }
  const authenticated = await limitedAuthentication(c, arrival, header);
  const call = await callOf(c, arrival, authenticated, options);
  noteUse(arrival, authenticated);
  return work(call);
}

/** Returns a function that returns or throws the result of the work. */
const outcomeOf = <T>(work: Promise<T>): Promise<() => T> =>
  work.then(
    (value) => () => value,
    (error: unknown) => () => {
      throw error;
    },
  );

/** Returns the caller if this isolate has seen their API key or operator token, otherwise null. */
async function presumedCaller(arrival: Arrival, header: string): Promise<Presumed | null> {
  if (bearerToken(header) !== null) return null;
  try {
    const { presume } = await import("../auth/authenticate.ts");
    return await presume(sharedDatabase(arrival.env), header, new Date());
  } catch {
    // The ordinary authentication refuses the header and counts the failure.
    return null;
  }
}

async function callOf(
  c: Context<AppEnv>,
  arrival: Arrival,
  { principal, secret, db }: Pick<Authenticated, "principal" | "secret"> & Partial<Pick<Presumed, "db">>,
  following: Following,
): Promise<Call> {
  if (principal.kind !== "anonymous") {
    arrival.identify(principal.organizationId);
    await limitOrganizationCalls(arrival, principal);
  }
  return openCall(arrival, {
    principal,
    secret,
    db,
    ifMatch: ifMatchVersions(c.req.header("If-Match")),
    idempotencyKey: c.req.header("Idempotency-Key"),
    ...following,
  });
}

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

async function limitedAuthentication(c: Context<AppEnv>, arrival: Arrival, header: string): Promise<Authenticated> {
  const now = new Date();
  const started = Date.now();
  try {
    return await withinFailureLimit(arrival, c.req.raw, () => authenticateHeader(arrival, header, now));
  } finally {
    c.get("timings")["auth"] = Date.now() - started;
  }
}

/** Loads the OAuth modules only for Bearer tokens, so that API keys stay fast. */
async function authenticateHeader(arrival: Arrival, header: string, now: Date): Promise<Authenticated> {
  const db = sharedDatabase(arrival.env);
  const token = bearerToken(header);
  if (token === null) return (await import("../auth/authenticate.ts")).authenticate(db, header, now);
  const { authenticateApp } = await import("../oauth/server/authenticate.ts");
  return authenticateApp({ db, baseUrl: baseUrlOf(arrival) }, "/api", token, now);
}
