/** From a request to a call: who asks, within which limits, with which stores. */
import type { Context } from "hono";
import { authenticate, type Authenticated } from "../auth/authenticate.ts";
import { DomainError } from "../errors.ts";
import { LIMITS } from "../lib/limits.ts";
import { log } from "../lib/log.ts";
import type { Call } from "../operations/invoke.ts";
import type { Writer } from "../store/commit.ts";
import { organizationIdempotency } from "../store/idempotency.ts";
import { openOrganizationStore } from "../store/organization.ts";
import { openPublishedStore } from "../store/published.ts";
import { readerOf, replicaReader } from "../store/sql.ts";
import type { AppEnv } from "./app-env.ts";
import { ifMatchVersions } from "./conditional.ts";

const clock = () => new Date();

/** The period of both limits, in seconds: what `Retry-After` says, as the binding does not tell. */
const PERIOD = 60;

/** Authenticates the request and opens what its operation may need. */
export async function callOf(c: Context<AppEnv>): Promise<Call> {
  const { env } = c;
  const now = new Date();
  const { principal, secret, touch } = await limitedAuthentication(c, now);
  if (principal.kind !== "anonymous") {
    c.set("organizationId", principal.organizationId);
    await limitRequests(c, principal.id);
    if (touch) c.executionCtx.waitUntil(touch().catch((error: unknown) => logFailure(c, "touch", error)));
  }
  return {
    principal,
    published: openPublishedStore(replicaReader(env.DB), readerOf(env.DB)),
    openStore: (member, idempotency) => {
      const writer: Writer = {
        db: env.DB,
        organizationId: member.organizationId,
        pinnedBlogId: member.pinnedBlogId,
        actor: { kind: member.kind, id: member.id },
        requestId: c.get("requestId"),
        now: clock,
        announce: (eventId) => announce(c, eventId),
        ...(idempotency && { idempotency }),
      };
      return openOrganizationStore(writer);
    },
    idempotency: ({ organizationId }) => organizationIdempotency({ db: env.DB, organizationId, now: clock }),
    targetRules: c.get("settings").targetRules,
    now,
    ifMatch: ifMatchVersions(c.req.header("If-Match")),
    idempotencyKey: c.req.header("Idempotency-Key"),
    callerSecret: secret,
  };
}

async function limitedAuthentication(c: Context<AppEnv>, now: Date): Promise<Authenticated> {
  const header = c.req.header("Authorization");
  if (header === undefined) return authenticate(c.env.DB, null, now);
  const started = Date.now();
  try {
    return await authenticate(c.env.DB, header, now);
  } catch (error) {
    if (error instanceof DomainError && error.code === "credentials_invalid") await limitFailures(c);
    throw error;
  } finally {
    c.get("timings")["auth"] = Date.now() - started;
  }
}

/** Counts a failed authentication against its address. */
async function limitFailures(c: Context<AppEnv>): Promise<void> {
  const address = c.req.header("CF-Connecting-IP") ?? "unknown";
  if (!(await isWithin(c, c.env.AUTH_FAILURE_LIMIT, address)))
    throw tooMany("too_many_failed_attempts", LIMITS.authenticationFailuresPerMinute);
}

async function limitRequests(c: Context<AppEnv>, credentialId: string): Promise<void> {
  if (!(await isWithin(c, c.env.KEY_LIMIT, credentialId))) throw tooMany("rate_limited", LIMITS.keyRequestsPerMinute);
}

/** Asks a limiter. One that fails lets everybody through: a limit is no reason to be down. */
async function isWithin(c: Context<AppEnv>, limiter: RateLimit, key: string): Promise<boolean> {
  try {
    return (await limiter.limit({ key })).success;
  } catch (error) {
    logFailure(c, "rate limit", error);
    return true;
  }
}

function tooMany(code: "rate_limited" | "too_many_failed_attempts", quota: number): DomainError {
  const headers = { "Retry-After": String(PERIOD), "RateLimit-Policy": `"${code}";q=${quota};w=${PERIOD}` };
  return new DomainError(code, undefined, { headers });
}

/** Best effort: what the queue does not take now, the sweep gives it within a minute or two. */
function announce(c: Context<AppEnv>, eventId: string): void {
  // Async, so that a queue that throws at once does not make a failure of a write that is stored.
  const send = async () => c.env.EVENTS.send({ eventId });
  c.executionCtx.waitUntil(send().catch((error: unknown) => logFailure(c, "announce", error)));
}

function logFailure(c: Context<AppEnv>, part: string, error: unknown): void {
  log({ level: "warn", requestId: c.get("requestId"), message: `${part} failed`, error: String(error) });
}
