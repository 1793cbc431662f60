/** CORS: what pages of any origin may read (contract 2.7). */

export const READ_HEADERS = {
  "Access-Control-Allow-Origin": "*",
  "Access-Control-Expose-Headers":
    "ETag, Link, Content-Location, X-Request-Id, Retry-After, RateLimit-Policy, Server-Timing",
} as const;

export const PREFLIGHT_HEADERS = {
  "Access-Control-Allow-Origin": "*",
  "Access-Control-Allow-Methods": "GET, HEAD",
  "Access-Control-Allow-Headers": "Authorization, If-None-Match",
  "Access-Control-Max-Age": "86400",
} as const;
