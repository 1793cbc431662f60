/** Answers with the page that was made before, if nothing has changed since. */
import { defineMiddleware } from "astro:middleware";
import { changesSoFar, keepPage, keptPage } from "./kept";

export const onRequest = defineMiddleware(async ({ request, url }, next) => {
  if (request.method !== "GET" || url.pathname.startsWith("/preview/")) return next();
  const headers = { "Content-Type": "text/html; charset=utf-8" };
  const page = keptPage(url.pathname);
  if (page !== undefined) return new Response(page, { headers: { ...headers, "X-Kept": "true" } });
  const changes = changesSoFar();
  const response = await next();
  if (response.status !== 200 || response.headers.get("Content-Type")?.startsWith("text/html") !== true)
    return response;
  const text = await response.text();
  keepPage(url.pathname, text, changes);
  return new Response(text, { headers });
});
