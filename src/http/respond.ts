/** From an answer to a reply: caching, conditional requests, paging. */
import type { Context } from "hono";
import { findBaseUrl } from "../request/base-url.ts";
import type { Answer } from "../operations/invoke.ts";
import type { AppEnv } from "./app-env.ts";
import { etagOf, noneMatch } from "./conditional.ts";
import { jsonReply, type Reply } from "./reply.ts";
import type { Route } from "./routes.ts";

/** Browsers ask again each time; the edge answers for a minute, and longer only while D1 fails. */
const SHARED = {
  "Cache-Control": "public, max-age=0, must-revalidate",
  "Cloudflare-CDN-Cache-Control": "max-age=60, stale-while-revalidate=30, stale-if-error=300",
  // The cache's key has no Authorization: without this, drafts could meet anonymous readers.
  Vary: "Authorization",
} as const;

/** The reply to a successful call. */
export async function respond(c: Context<AppEnv>, route: Route, answer: Answer, anonymous: boolean): Promise<Reply> {
  const headers: Record<string, string> =
    answer.shared !== undefined
      ? { ...SHARED, "Cache-Tag": answer.shared.join(",") }
      : anonymous
        ? {}
        : { "Cache-Control": "private, no-store" };
  if (answer.replayed) headers["Idempotent-Replayed"] = "true";
  if (answer.next !== undefined) headers["Link"] = `<${nextPage(c, answer.next)}>; rel="next"`;
  if (answer.version !== undefined) {
    const etag = await etagOf(answer.version);
    headers["ETag"] = etag;
    if (route.method === "get" && noneMatch(c.req.header("If-None-Match"), etag)) {
      return { status: 304, headers, body: null };
    }
  }
  return jsonReply(route.status ?? 200, answer.value, headers);
}

/**
 * At the service's own address, whatever host was asked: what caches hold is for all of them. Where that address is not
 * known, as a path (RFC 8288, 3.1: relative to what was asked for).
 */
function nextPage(c: Context<AppEnv>, cursor: string): string {
  const next = new URL(c.req.url);
  const baseUrl = findBaseUrl({ settings: c.get("settings"), origin: next.origin });
  next.searchParams.delete("skip");
  next.searchParams.set("cursor", cursor);
  return `${baseUrl ?? ""}${next.pathname}${next.search}`;
}
