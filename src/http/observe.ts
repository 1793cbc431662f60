/** Every request gets an id, the headers that all responses share, and one line in the log. */
import type { Context, Handler } from "hono";
import { settingsOf, type Settings } from "../env.ts";
import { newId } from "../lib/ids.ts";
import { log } from "../lib/log.ts";
import type { AppEnv } from "./app-env.ts";
import { crossOriginRead } from "./cross-origin.ts";
import { problem } from "./problem.ts";
import type { Reply } from "./reply.ts";

/** Runs a handler; what it throws becomes a problem. `route` is the pattern that the log names. */
export function observed(route: string, handle: (c: Context<AppEnv>) => Reply | Promise<Reply>): Handler<AppEnv> {
  return async (c) => {
    const started = Date.now();
    c.set("requestId", newId());
    c.set("settings", settingsFor(c.env));
    c.set("timings", {});
    const reply = await answered(c, handle);
    const durationMs = Date.now() - started;
    log({
      level: reply.status >= 500 ? "error" : "info",
      requestId: c.get("requestId"),
      method: c.req.method,
      route,
      status: reply.status,
      durationMs,
      organization: c.get("organizationId") ?? null,
    });
    const headers = { ...sharedHeaders(c, durationMs), ...reply.headers };
    return new Response(reply.body, { status: reply.status, headers });
  };
}

async function answered(c: Context<AppEnv>, handle: (c: Context<AppEnv>) => Reply | Promise<Reply>): Promise<Reply> {
  try {
    return await handle(c);
  } catch (error) {
    return problem(c, error);
  }
}

function sharedHeaders(c: Context<AppEnv>, durationMs: number): Record<string, string> {
  return {
    "X-Request-Id": c.get("requestId"),
    "X-Content-Type-Options": "nosniff",
    // Without it, the platform would keep a 200 for two hours.
    "Cache-Control": "no-store",
    ...crossOriginRead(c.req.method),
    ...(!c.get("settings").production && { "Server-Timing": timing({ ...c.get("timings"), total: durationMs }) }),
  };
}

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
