/** Sets the headers of CORS. Reads are allowed from any origin, because the API uses no cookies. Writes are not. */
import { DomainError } from "../../domain/errors.ts";
import { MAY_READ, READABLE } from "../request/cross-origin.ts";
import type { Reply } from "./reply.ts";

/** Returns the headers that let pages of any origin read the response to a GET or HEAD. None for other methods. */
export const crossOriginRead = (method: string): Readonly<Record<string, string>> =>
  method === "GET" || method === "HEAD" ? READABLE : {};

/** Returns the response to a method that a path does not handle itself: OPTIONS. Throws `method_not_allowed` for others. */
export function otherMethod(method: string, allowed: readonly string[]): Reply {
  if (method === "OPTIONS") return options(allowed);
  const detail = `${method} is not allowed. Use one of ${allowed.join(", ")}.`;
  throw new DomainError("method_not_allowed", detail, { allowedMethods: allowed });
}

/** Returns the response to OPTIONS, which is also the response to a browser's preflight. */
function options(allowed: readonly string[]): Reply {
  const readable = allowed.includes("GET") ? MAY_READ : {};
  return { status: 204, headers: { Allow: allowed.join(", "), ...readable }, body: null };
}
