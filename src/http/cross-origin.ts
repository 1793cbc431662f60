/** Cross-origin reads are allowed from everywhere: nothing here depends on cookies. Writes are not. */
import type { Reply } from "./reply.ts";

const READABLE = {
  "Access-Control-Allow-Origin": "*",
  "Access-Control-Expose-Headers": "ETag, Link, X-Request-Id, Retry-After, RateLimit-Policy, Server-Timing",
} as const;

/** The headers that let any page read the response to a GET or HEAD. */
export const crossOriginRead = (method: string): Readonly<Record<string, string>> =>
  method === "GET" || method === "HEAD" ? READABLE : {};

/** The answer to OPTIONS, a browser's preflight included. */
export function options(allowed: readonly string[]): Reply {
  const readable = allowed.includes("GET") && {
    "Access-Control-Allow-Origin": "*",
    "Access-Control-Allow-Methods": "GET, HEAD",
    "Access-Control-Allow-Headers": "Authorization, If-None-Match",
    "Access-Control-Max-Age": "86400",
  };
  return { status: 204, headers: { Allow: allowed.join(", "), ...readable }, body: null };
}
