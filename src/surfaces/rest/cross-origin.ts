/** CORS. Pages of any origin may read, because the API uses no cookies. They may not write. */
import { DomainError } from "../../domain/errors.ts";
import { PREFLIGHT_HEADERS, READ_HEADERS } from "../request/cross-origin.ts";
import type { Reply } from "./reply.ts";

export const getCorsHeaders = (method: string): Readonly<Record<string, string>> =>
  method === "GET" || method === "HEAD" ? READ_HEADERS : {};

/** Answers OPTIONS, which may be a browser's preflight. Throws `method_not_allowed` for other methods. */
export function answerOtherMethod(method: string, allowed: readonly string[]): Reply {
  if (method === "OPTIONS") {
    const readable = allowed.includes("GET") ? PREFLIGHT_HEADERS : {};
    return { status: 204, headers: { Allow: allowed.join(", "), ...readable }, body: null };
  }
  const detail = `${method} is not allowed. Use one of ${allowed.join(", ")}.`;
  throw new DomainError("method_not_allowed", detail, { allowedMethods: allowed });
}
