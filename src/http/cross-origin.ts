/** Cross-origin reads are allowed from everywhere: nothing here goes by cookies. Writes are not. */
import type { Context, MiddlewareHandler } from "hono";
import type { AppEnv } from "./app-env.ts";

/** Lets any page read the responses to GET and HEAD. */
export const crossOriginReads: MiddlewareHandler<AppEnv> = async (c, next) => {
  await next();
  if (c.req.method !== "GET" && c.req.method !== "HEAD") return;
  c.res.headers.set("Access-Control-Allow-Origin", "*");
  c.res.headers.set(
    "Access-Control-Expose-Headers",
    "ETag, Link, X-Request-Id, Retry-After, RateLimit-Policy, Server-Timing",
  );
};

/** The answer to OPTIONS, a browser's preflight included. */
export function options(c: Context<AppEnv>, allowed: readonly string[]): Response {
  const readable = allowed.includes("GET");
  return c.body(null, 204, {
    Allow: allowed.join(", "),
    "Cache-Control": "no-store",
    ...(readable && {
      "Access-Control-Allow-Origin": "*",
      "Access-Control-Allow-Methods": "GET, HEAD",
      "Access-Control-Allow-Headers": "Authorization, If-None-Match",
      "Access-Control-Max-Age": "86400",
    }),
  });
}
