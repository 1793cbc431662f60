/** Every request gets an id, one line in the log, and its durations outside production. */
import type { MiddlewareHandler } from "hono";
import { routePath } from "hono/route";
import { newId } from "../lib/ids.ts";
import { log } from "../lib/log.ts";
import { settingsOf, type Settings } from "../env.ts";
import type { AppEnv } from "./app-env.ts";

/** Names the request, and says afterwards how it ended. */
export const observe: MiddlewareHandler<AppEnv> = async (c, next) => {
  const started = Date.now();
  const requestId = newId();
  c.set("requestId", requestId);
  c.set("settings", settingsFor(c.env));
  c.set("timings", {});
  await next();
  const durationMs = Date.now() - started;
  const { headers } = c.res;
  headers.set("X-Request-Id", requestId);
  headers.set("X-Content-Type-Options", "nosniff");
  if (!headers.has("Cache-Control")) headers.set("Cache-Control", "no-store");
  if (!c.get("settings").production) headers.set("Server-Timing", timing({ ...c.get("timings"), total: durationMs }));
  log({
    level: c.res.status >= 500 ? "error" : "info",
    requestId,
    method: c.req.method,
    route: routePath(c, -1),
    status: c.res.status,
    durationMs,
    organization: c.get("organizationId") ?? null,
  });
};

const parsed = new WeakMap<Env, Settings>();

function settingsFor(env: Env): Settings {
  const known = parsed.get(env) ?? settingsOf(env);
  parsed.set(env, known);
  return known;
}

const timing = (durations: Readonly<Record<string, number>>): string =>
  Object.entries(durations)
    .map(([name, ms]) => `${name};dur=${ms}`)
    .join(", ");
