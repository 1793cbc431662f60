import type { Context, Handler } from "hono";
import { listWrongSettings } from "../../domain/settings.ts";
import { listMissingSettings, parseSettings, type Settings } from "../../env.ts";
import { log } from "../../lib/log.ts";
import type { AppEnv } from "./app-env.ts";
import { releaseBody } from "../request/body.ts";
import { getCorsHeaders } from "./cross-origin.ts";
import { toProblemReply } from "./problem.ts";
import type { Reply } from "./reply.ts";

/** Wraps a handler for Hono. Exceptions become error responses. `route` is the pattern that the log shows. */
export function observe(route: string, handle: Handle): Handler<AppEnv> {
  return async (c) => {
    const started = Date.now();
    // Nothing sorts by it, and a UUIDv7 costs each read more CPU time.
    c.set("requestId", crypto.randomUUID());
    c.set("settings", getSettings(c.env));
    c.set("timings", {});
    const reply = await handleErrors(c, handle).finally(() => releaseBody(c.req.raw));
    const durationMs = Date.now() - started;
    const isError = reply.status >= 500;
    if (isError || Math.random() < c.get("settings").logShare) {
      log({
        level: isError ? "error" : "info",
        requestId: c.get("requestId"),
        method: c.req.method,
        route,
        status: reply.status,
        durationMs,
        organization: c.get("organizationId") ?? null,
        code: c.get("code"),
      });
    }
    if (reply instanceof Response) return withRequestId(c, reply, durationMs);
    const headers = { ...buildSharedHeaders(c, durationMs), ...getCorsHeaders(c.req.method), ...reply.headers };
    return new Response(reply.body, { status: reply.status, headers });
  };
}

/** The other surfaces (the console, /mcp, /oauth), files and streams return a Response, all other handlers a Reply. */
type Handle = (c: Context<AppEnv>) => Reply | Response | Promise<Reply | Response>;

async function handleErrors(c: Context<AppEnv>, handle: Handle): Promise<Reply | Response> {
  try {
    return await handle(c);
  } catch (error) {
    return toProblemReply(c, error);
  }
}

function buildSharedHeaders(c: Context<AppEnv>, durationMs: number): Record<string, string> {
  return {
    "X-Request-Id": c.get("requestId"),
    "X-Content-Type-Options": "nosniff",
    // Without this header, the platform caches a 200 for two hours.
    "Cache-Control": "no-store",
    ...(!c.get("settings").production && {
      "Server-Timing": formatServerTiming({ ...c.get("timings"), total: durationMs }),
    }),
  };
}

function withRequestId(c: Context<AppEnv>, response: Response, durationMs: number): Response {
  for (const [name, value] of Object.entries(buildSharedHeaders(c, durationMs))) {
    if (!response.headers.has(name)) response.headers.set(name, value);
  }
  return response;
}

const settingsCache = new WeakMap<Env, Settings>();

/** Returns the settings of an environment. Parses them once, and logs which are invalid or missing. */
export function getSettings(env: Env): Settings {
  const known = settingsCache.get(env);
  if (known !== undefined) return known;
  for (const { name, wanted } of listWrongSettings(env)) {
    log({ level: "error", message: `${name} is not ${wanted}, and is ignored` });
  }
  const settings = parseSettings(env);
  for (const setting of listMissingSettings(settings)) {
    log({ level: "error", message: `${setting} is not set, or invalid: what needs it answers 503` });
  }
  settingsCache.set(env, settings);
  return settings;
}

const formatServerTiming = (durations: Readonly<Record<string, number>>): string =>
  Object.entries(durations)
    .map(([name, ms]) => `${name};dur=${ms}`)
    .join(", ");
