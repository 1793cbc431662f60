/** Refusals as HTTP: RFC 9457's members and a stable code. */
import type { Context } from "hono";
import { challengeOf } from "../auth/oauth/resources.ts";
import { baseUrlOf } from "../calls.ts";
import { DomainError, ERRORS, problemBody } from "../errors.ts";
import { logUnexpected } from "../lib/log.ts";
import { isScope } from "../lib/principal.ts";
import type { AppEnv } from "./app-env.ts";
import { jsonReply, type Reply } from "./reply.ts";

/** The reply to anything thrown. Anything that is not a `DomainError` is logged, and shown as `internal` only. */
export function problem(c: Context<AppEnv>, thrown: unknown): Reply {
  const error = thrown instanceof DomainError ? thrown : unexpected(c, thrown);
  c.set("code", error.code);
  const headers: Record<string, string> = { ...error.headers };
  const challenge = challengeFor(c, error);
  if (challenge !== null) headers["WWW-Authenticate"] = challenge;
  const body = problemBody(error, c.get("requestId"), new URL(c.req.url).origin);
  return jsonReply(body.status, body, headers);
}

/** How to come back with credentials that would do (RFC 9110, 11.6.1); for applications, with a token for more. */
function challengeFor(c: Context<AppEnv>, { code }: DomainError): string | null {
  const isApp = /^\s*Bearer\b/i.test(c.req.header("Authorization") ?? "");
  const baseUrl = () => baseUrlOf({ settings: c.get("settings"), origin: new URL(c.req.url).origin });
  if (ERRORS[code].status === 401) {
    const invalid = isApp ? ({ code: "invalid_token" } as const) : undefined;
    return `Basic realm="edgepress", charset="UTF-8", Token realm="edgepress", ${challengeOf(baseUrl(), "/api", invalid)}`;
  }
  const needed = c.get("needs");
  if (!isApp || code !== "scope_missing" || needed === undefined || !isScope(needed)) return null;
  return challengeOf(baseUrl(), "/api", { code: "insufficient_scope", scopes: [needed] });
}

function unexpected(c: Context<AppEnv>, thrown: unknown): DomainError {
  const message = logUnexpected(c.get("requestId"), thrown);
  if (message.includes("no such table")) {
    return new DomainError("not_ready", "The database has no schema yet: run `npm run migrate`.");
  }
  // D1 answers nothing else until an export is done (README, Backup and restore).
  if (message.includes("long-running export")) {
    const detail = "The database is being exported. Repeat the request after the seconds in `Retry-After`.";
    return new DomainError("not_ready", detail, { headers: { "Retry-After": "30" } });
  }
  return new DomainError("internal");
}
