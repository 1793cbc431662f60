/** Error responses, with the fields of RFC 9457 and a stable code. */
import type { Context } from "hono";
import { isBearer } from "../auth/authorization-header.ts";
import { buildBearerChallenge } from "../oauth/server/resources.ts";
import { findBaseUrl } from "../request/base-url.ts";
import { DomainError, ERRORS, problemBody, refusalHeaders } from "../../domain/errors.ts";
import { toUnexpectedError } from "../request/unexpected.ts";
import type { AppEnv } from "./app-env.ts";
import { toJsonReply, type Reply } from "./reply.ts";

/** Returns the reply to an exception. Logs it unless it is a DomainError. */
export function toProblemReply(c: Context<AppEnv>, thrown: unknown): Reply {
  const error = thrown instanceof DomainError ? thrown : toUnexpectedError(c.get("requestId"), thrown);
  c.set("code", error.code);
  const headers: Record<string, string> = refusalHeaders(error);
  const challenge = buildChallenge(c, error);
  if (challenge !== null) headers["WWW-Authenticate"] = challenge;
  // Without a base URL, `type` is a path.
  const body = problemBody(error, c.get("requestId"), findOwnUrl(c) ?? "");
  return toJsonReply(body.status, body, headers);
}

const findOwnUrl = (c: Context<AppEnv>): string | null =>
  findBaseUrl({ settings: c.get("settings"), origin: new URL(c.req.url).origin });

/**
 * Returns `WWW-Authenticate` (RFC 9110, 11.6.1) for a 401, and for a `scope_missing` of an application: it names the scope
 * that the application needs. Otherwise null.
 */
function buildChallenge(c: Context<AppEnv>, { code, details: { scopes } }: DomainError): string | null {
  const isApp = isBearer(c.req.header("Authorization") ?? "");
  if (ERRORS[code].status === 401) {
    const baseUrl = findOwnUrl(c);
    // Without a base URL there is no authorization server, and no Bearer challenge.
    if (baseUrl === null) return CHALLENGE;
    const invalid = isApp ? ({ code: "invalid_token" } as const) : undefined;
    return `${CHALLENGE}, ${buildBearerChallenge(baseUrl, "/api", invalid)}`;
  }
  if (!isApp || scopes === undefined) return null;
  return buildBearerChallenge(findOwnUrl(c) ?? "", "/api", { code: "insufficient_scope", scopes });
}

const CHALLENGE = 'Basic realm="edgepress", charset="UTF-8", Token realm="edgepress"';
