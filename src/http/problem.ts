/** Refusals as HTTP: RFC 9457's members and a stable code. */
import type { Context } from "hono";
import { namesBearer } from "../auth/authorization-header.ts";
import { challengeOf } from "../oauth/server/resources.ts";
import { findBaseUrl } from "../request/base-url.ts";
import { DomainError, ERRORS, problemBody, refusalHeaders } from "../errors.ts";
import { isScope } from "../domain/principal.ts";
import { unexpected } from "../unexpected.ts";
import type { AppEnv } from "./app-env.ts";
import { jsonReply, type Reply } from "./reply.ts";

/** The reply to anything thrown. */
export function problem(c: Context<AppEnv>, thrown: unknown): Reply {
  const error = thrown instanceof DomainError ? thrown : unexpected(c.get("requestId"), thrown);
  c.set("code", error.code);
  const headers: Record<string, string> = refusalHeaders(error);
  const challenge = challengeFor(c, error);
  if (challenge !== null) headers["WWW-Authenticate"] = challenge;
  // Without a base URL, the link is a path.
  const body = problemBody(error, c.get("requestId"), ownUrl(c) ?? "");
  return jsonReply(body.status, body, headers);
}

const ownUrl = (c: Context<AppEnv>): string | null =>
  findBaseUrl({ settings: c.get("settings"), origin: new URL(c.req.url).origin });

/** How to come back with credentials that would do (RFC 9110, 11.6.1); for applications, with a token for more. */
function challengeFor(c: Context<AppEnv>, { code }: DomainError): string | null {
  const isApp = namesBearer(c.req.header("Authorization") ?? "");
  if (ERRORS[code].status === 401) {
    const baseUrl = ownUrl(c);
    // Nobody issues tokens where there is no base URL.
    if (baseUrl === null) return CHALLENGE;
    const invalid = isApp ? ({ code: "invalid_token" } as const) : undefined;
    return `${CHALLENGE}, ${challengeOf(baseUrl, "/api", invalid)}`;
  }
  const needed = c.get("needs");
  if (!isApp || code !== "scope_missing" || needed === undefined || !isScope(needed)) return null;
  return challengeOf(ownUrl(c) ?? "", "/api", { code: "insufficient_scope", scopes: [needed] });
}

const CHALLENGE = 'Basic realm="edgepress", charset="UTF-8", Token realm="edgepress"';
