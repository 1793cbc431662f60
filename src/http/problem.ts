/** Refusals as HTTP: RFC 9457's members and a stable code. */
import type { Context } from "hono";
import { challengeOf } from "../auth/oauth/resources.ts";
import { baseUrlOf } from "../calls.ts";
import { DomainError, ERRORS, problemBody } from "../errors.ts";
import { isScope } from "../lib/principal.ts";
import { unexpected } from "../unexpected.ts";
import type { AppEnv } from "./app-env.ts";
import { jsonReply, type Reply } from "./reply.ts";

/** The reply to anything thrown. */
export function problem(c: Context<AppEnv>, thrown: unknown): Reply {
  const error = thrown instanceof DomainError ? thrown : unexpected(c.get("requestId"), thrown);
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
