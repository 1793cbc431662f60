import { Hono, type Context } from "hono";
import type { Arrival } from "./request/arrival.ts";
import { wantsEvents } from "./request/events.ts";
import { enforceFrequentReadLimit, enforceSearchLimit } from "./request/strangers.ts";
import { invoke } from "../operations/invoke.ts";
import type { AppEnv } from "./rest/app-env.ts";
import { makeArrival, withCaller, type Following } from "./rest/caller.ts";
import { answerOtherMethod } from "./rest/cross-origin.ts";
import { makeInputReader } from "./rest/input.ts";
import { observe } from "./rest/observe.ts";
import type { Reply } from "./rest/reply.ts";
import { streamEvents } from "./rest/stream.ts";
import { toReply } from "./rest/respond.ts";
import { routes, type LoadedRoute, type Route } from "./rest/routes.ts";

type Handle = (c: Context<AppEnv>) => Promise<Reply | Response>;

/** Pages and documents outside the API, by path. They are loaded on first use. */
const documents: Readonly<Record<string, Handle>> = {
  "/": async () => ({ status: 302, headers: { Location: "/docs" }, body: null }),
  "/openapi.json": async (c) => (await import("./rest/openapi/openapi.ts")).serveOpenApi(c),
  "/healthz": async (c) => (await import("./rest/health.ts")).serveHealth(c),
  "/media/:id": async (c) => (await import("./rest/media.ts")).serveMedia(c),
  "/blogs/:blogId/feed.xml": async (c) => (await import("./site/feeds.ts")).serveFeed(c, "feed.xml"),
  "/blogs/:blogId/atom.xml": async (c) => (await import("./site/feeds.ts")).serveFeed(c, "atom.xml"),
  "/blogs/:blogId/feed.json": async (c) => (await import("./site/feeds.ts")).serveFeed(c, "feed.json"),
  "/blogs/:blogId/sitemap.xml": async (c) => (await import("./site/sitemap.ts")).serveSitemap(c),
  "/blogs/:blogId/llms.txt": async (c) => (await import("./site/texts.ts")).serveLlmsTxt(c),
  "/blogs/:blogId/articles/:file": async (c) => (await import("./site/texts.ts")).serveMarkdown(c),
};

/** These pages answer all methods. */
const SUBSCRIBING = [
  "/blogs/:blogId/subscribe",
  "/blogs/:blogId/subscribe/:token",
  "/blogs/:blogId/unsubscribe/:token",
];
const subscribing: Handle = async (c) => (await import("./site/subscribing.tsx")).serveSubscribing(c);

/** Another surface. It answers all methods at and below its path, and is loaded on first use. */
export type Surface = {
  readonly path: string;
  readonly load: () => Promise<(request: Request, arrival: Arrival) => Response | Promise<Response>>;
};

export function createApp(surfaces: readonly Surface[] = []): Hono<AppEnv> {
  const app = new Hono<AppEnv>();
  for (const { path, load } of surfaces) {
    const handle = observe(`${path}/*`, async (c) => (await load())(c.req.raw, makeArrival(c)));
    app.all(path, handle).all(`${path}/*`, handle);
  }
  for (const [path, handle] of Object.entries(documents)) app.get(path, observe(path, handle));
  for (const path of SUBSCRIBING) app.all(path, observe(path, subscribing));
  for (const route of routes) app.on(route.method, route.path, observe(route.path, makeHandler(route)));
  // With a route for "*", every path would match two routes, and Hono would run its middleware chain.
  const unknown = observe("*", handleNoRoute);
  app.notFound((c) => unknown(c, async () => undefined) as Promise<Response>);
  return app;
}

/** Returns a handler that loads the route's operation with the first request. */
function makeHandler(route: Route): Handle {
  let handle: Handle | undefined;
  return async (c) => {
    handle ??= makeLoadedHandler({ ...route, operation: await route.load() });
    return handle(c);
  };
}

function makeLoadedHandler(route: LoadedRoute): Handle {
  const read = makeInputReader(route);
  const answerCall = async (c: Context<AppEnv>, following: Following = {}): Promise<Reply> => {
    const isRead = route.method === "get";
    return withCaller(c, { ...following, isRead }, async (call) => {
      const isAnonymous = call.principal.kind === "anonymous";
      if (isAnonymous && route.operation.anonymous) {
        await enforceFrequentReadLimit(makeArrival(c), c.req.raw);
        if (route.operation.searches) await enforceSearchLimit(makeArrival(c), c.req.raw);
      }
      const started = Date.now();
      const answer = await invoke(route.operation, call, () => read(c));
      c.get("timings")["operation"] = Date.now() - started;
      return toReply(c, route, answer, isAnonymous);
    });
  };
  if (route.operation.waits) return (c) => answerCall(c, { signal: c.req.raw.signal });
  if (!route.operation.lengthy) return answerCall;
  return (c) => {
    const leaving = new AbortController();
    const left = () => leaving.abort();
    c.req.raw.signal.addEventListener("abort", left);
    const { signal } = leaving;
    if (wantsEvents(c.req.header("Accept"))) return streamEvents(c, (tell) => answerCall(c, { tell, signal }), left);
    const work = answerCall(c, { signal });
    // The work continues after the caller has left, because it must record how it ended.
    c.executionCtx.waitUntil(work.catch(() => undefined));
    return work;
  };
}

type Known = { readonly pattern: RegExp; readonly methods: Set<string> };

let known: readonly Known[] | undefined;

function listKnownPaths(): readonly Known[] {
  const byShape = new Map<string, Known>();
  for (const { path, method } of [...routes, ...Object.keys(documents).map((path) => ({ path, method: "get" }))]) {
    // Paths that differ only in the names of parameters are the same.
    const shape = path.replaceAll(".", String.raw`\.`).replaceAll(/:\w+/g, "[^/]+");
    const entry = byShape.get(shape) ?? { pattern: new RegExp(`^${shape}$`), methods: new Set() };
    entry.methods.add(method.toUpperCase());
    if (method === "get") entry.methods.add("HEAD");
    byShape.set(shape, entry);
  }
  return [...byShape.values()];
}

async function handleNoRoute(c: Context<AppEnv>): Promise<Reply> {
  // Several patterns can match: /api/articles/generate also matches /api/articles/:idOrSlug.
  known ??= listKnownPaths();
  const found = known.filter(({ pattern }) => pattern.test(c.req.path));
  if (found.length === 0) {
    // A blog's site is at its vanityId, which is never the name of a route.
    return (await import("./site/site.ts")).serveSite(c);
  }
  return answerOtherMethod(c.req.method, [...new Set(found.flatMap(({ methods }) => Array.from(methods))), "OPTIONS"]);
}
