/** Refusals as HTTP: RFC 9457's members and a stable code. */
import type { Context } from "hono";
import { DomainError, ERRORS } from "../errors.ts";
import { described, log } from "../lib/log.ts";
import type { AppEnv } from "./app-env.ts";
import { jsonReply, type Reply } from "./reply.ts";

/** The reply to anything thrown. What is not a `DomainError` is logged, and shown as `internal` only. */
export function problem(c: Context<AppEnv>, thrown: unknown): Reply {
  const error = thrown instanceof DomainError ? thrown : unexpected(c, thrown);
  const { status, title } = ERRORS[error.code];
  c.set("code", error.code);
  const headers: Record<string, string> = { ...error.headers };
  if (status === 401) headers["WWW-Authenticate"] = 'Basic realm="edgepress", charset="UTF-8", Token realm="edgepress"';
  const body = {
    type: `${new URL(c.req.url).origin}/docs/errors#${error.code}`,
    title,
    status,
    code: error.code,
    detail: error.message,
    requestId: c.get("requestId"),
    ...(error.errors && { errors: error.errors }),
  };
  return jsonReply(status, body, headers);
}

function unexpected(c: Context<AppEnv>, thrown: unknown): DomainError {
  const { message, stack } = described(thrown);
  log({ level: "error", requestId: c.get("requestId"), message, stack });
  if (message.includes("no such table")) {
    return new DomainError("not_ready", "The database has no schema yet: run `npm run migrate`.");
  }
  return new DomainError("internal");
}
