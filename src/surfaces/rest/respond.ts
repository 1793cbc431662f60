import type { Context } from "hono";
import { findBaseUrl } from "../request/base-url.ts";
import type { Answer } from "../../operations/invoke.ts";
import type { AppEnv } from "./app-env.ts";
import { makeEtag, matchesIfNoneMatch } from "./conditional.ts";
import { toJsonReply, type Reply } from "./reply.ts";
import type { MovedTo } from "../../store/articles/moved.ts";
import type { LoadedRoute } from "./routes.ts";

/** Caching of responses for anonymous callers. Browsers always revalidate; the edge caches for a minute. */
export const SHARED_CACHING = {
  "Cache-Control": "public, max-age=0, must-revalidate",
  "Cloudflare-CDN-Cache-Control": "max-age=60, stale-while-revalidate=30, stale-if-error=300",
  // The cache key does not include Authorization: without `Vary`, an anonymous reader could get a cached draft.
  Vary: "Authorization",
} as const;

/** Returns the reply to a successful call: a 304 if the caller has the current version. */
export async function toReply(
  c: Context<AppEnv>,
  route: LoadedRoute,
  answer: Answer,
  anonymous: boolean,
): Promise<Reply> {
  const headers: Record<string, string> =
    answer.shared !== undefined
      ? { ...SHARED_CACHING, "Cache-Tag": answer.shared.join(",") }
      : anonymous
        ? {}
        : { "Cache-Control": "private, no-store" };
  if (answer.replayed) headers["Idempotent-Replayed"] = "true";
  if (answer.movedTo !== undefined) headers["Content-Location"] = buildContentLocation(c, answer.movedTo);
  if (answer.next !== undefined) headers["Link"] = `<${buildNextLink(c, route, answer.next)}>; rel="next"`;
  if (answer.version !== undefined) {
    const etag = await makeEtag(answer.version, answer.state);
    headers["ETag"] = etag;
    if (route.method === "get" && matchesIfNoneMatch(c.req.header("If-None-Match"), etag)) {
      return { status: 304, headers, body: null };
    }
  }
  return toJsonReply(route.status ?? 200, answer.value, headers);
}

/** Returns the current URL of an article that was found by a previous slug (RFC 9110, 8.7). */
function buildContentLocation(c: Context<AppEnv>, { slug, locale, blogId }: MovedTo): string {
  const place = new URL(c.req.url);
  const baseUrl = findBaseUrl({ settings: c.get("settings"), origin: place.origin });
  place.pathname = `/api/articles/${encodeURIComponent(slug)}`;
  place.searchParams.delete("moved");
  place.searchParams.set("blogId", blogId);
  place.searchParams.set("locale", locale);
  return `${baseUrl ?? ""}${place.pathname}${place.search}`;
}

/**
 * Returns the URL of the next page. It begins with the base URL, because caches share the response between hosts. Without
 * a base URL it is a path (RFC 8288, 3.1: relative to the request's URL).
 */
function buildNextLink(c: Context<AppEnv>, { operation }: LoadedRoute, cursor: string): string {
  const next = new URL(c.req.url);
  const baseUrl = findBaseUrl({ settings: c.get("settings"), origin: next.origin });
  next.searchParams.delete("skip");
  next.searchParams.set("after" in operation.input.shape ? "after" : "cursor", cursor);
  return `${baseUrl ?? ""}${next.pathname}${next.search}`;
}
