import { openDatabaseOf } from "../../store/database.ts";
import { openMetered } from "../../meter.ts";
import type { Context } from "hono";
import type { Authenticated, Presumed } from "../auth/authenticate.ts";
import { parseBearerToken } from "../auth/authorization-header.ts";
import type { Arrival } from "../request/arrival.ts";
import { openTokens } from "../request/tokens.ts";
import { recordUse, openCall, type Caller } from "../request/call.ts";
import { enforceCallLimits } from "../request/limits.ts";
import type { Call } from "../../operations/invoke.ts";
import { authenticateOrCountFailure } from "../request/strangers.ts";
import type { AppEnv } from "./app-env.ts";
import { parseIfMatch } from "./conditional.ts";

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
  const arrival = makeArrival(c);
  const header = c.req.header("Authorization");
  if (header === undefined)
    return work(openCall(arrival, { principal: { kind: "anonymous" }, secret: "", ...options }));
  const presumed = options.isRead ? await findPresumedCaller(arrival, header) : null;
  if (presumed !== null) {
    const outcome = await settle(openLimitedCall(c, arrival, presumed, options).then(work));
    const confirmed = await presumed.confirm();
    if (confirmed !== null) {
      recordUse(arrival, confirmed);
      return outcome();
    }
  }
  const authenticated = await authenticateWithinLimit(c, arrival, header);
  const call = await openLimitedCall(c, arrival, authenticated, options);
  recordUse(arrival, authenticated);
  return work(call);
}

/** Returns a function that returns or throws the result of the work. */
const settle = <T>(work: Promise<T>): Promise<() => T> =>
  work.then(
    (value) => () => value,
    (error: unknown) => () => {
      throw error;
    },
  );

/** Returns the caller if this isolate has seen their API key or operator token, otherwise null. */
async function findPresumedCaller(arrival: Arrival, header: string): Promise<Presumed | null> {
  if (parseBearerToken(header) !== null) return null;
  try {
    const { presume } = await import("../auth/authenticate.ts");
    return await presume((id) => openMetered(arrival.env, id), header, new Date());
  } catch {
    // The ordinary authentication refuses the header and counts the failure.
    return null;
  }
}

async function openLimitedCall(
  c: Context<AppEnv>,
  arrival: Arrival,
  { principal, secret, db }: Pick<Authenticated, "principal" | "secret"> & Partial<Pick<Presumed, "db">>,
  following: Following,
): Promise<Call> {
  if (principal.kind !== "anonymous") {
    arrival.identify(principal.organizationId);
    await enforceCallLimits(arrival, principal);
  }
  return openCall(arrival, {
    principal,
    secret,
    db,
    ifMatch: parseIfMatch(c.req.header("If-Match")),
    idempotencyKey: c.req.header("Idempotency-Key"),
    ...following,
  });
}

export function makeArrival(c: Context<AppEnv>): Arrival {
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

async function authenticateWithinLimit(c: Context<AppEnv>, arrival: Arrival, header: string): Promise<Authenticated> {
  const now = new Date();
  const started = Date.now();
  try {
    return await authenticateOrCountFailure(arrival, c.req.raw, () => authenticateHeader(arrival, header, now));
  } finally {
    c.get("timings")["auth"] = Date.now() - started;
  }
}

/** Loads the OAuth modules only for Bearer tokens, so that API keys stay fast. */
async function authenticateHeader(arrival: Arrival, header: string, now: Date): Promise<Authenticated> {
  const { env } = arrival;
  const token = parseBearerToken(header);
  if (token === null) {
    const { authenticate } = await import("../auth/authenticate.ts");
    return authenticate((hash) => openDatabaseOf(env, "credential", hash), header, now);
  }
  const { authenticateApp } = await import("../oauth/server/authenticate.ts");
  return authenticateApp(openTokens(arrival), "/api", token, now);
}
