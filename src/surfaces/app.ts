import { Hono, type Context } from "hono";
import type { Arrival } from "./request/arrival.ts";
import { wantsEvents } from "./request/events.ts";
import { limitFrequentReaders, limitReaderSearches } from "./request/strangers.ts";
import { invoke } from "../operations/invoke.ts";
import type { AppEnv } from "./rest/app-env.ts";
import { arrivalOf, withCaller, type Following } from "./rest/caller.ts";
import { otherMethod } from "./rest/cross-origin.ts";
import { inputReader } from "./rest/input.ts";
import { observed } from "./rest/observe.ts";
import type { Reply } from "./rest/reply.ts";
import { eventStream } from "./rest/stream.ts";
import { respond } from "./rest/respond.ts";
import { routes, type LoadedRoute, type Route } from "./rest/routes.ts";

type Handle = (c: Context<AppEnv>) => Promise<Reply | Response>;

/** Pages and documents outside the API, by path. They are loaded on first use. */
const documents: Readonly<Record<string, Handle>> = {
  "/": async (c) => (await import("./rest/home.ts")).home(c),
  "/openapi.json": async (c) => (await import("./rest/openapi/openapi.ts")).openApi(c),
  "/healthz": async (c) => (await import("./rest/health.ts")).healthz(c),
  "/media/:id": async (c) => (await import("./rest/media.ts")).media(c),
  "/blogs/:blogId/feed.xml": async (c) => (await import("./site/feeds.ts")).feed(c, "feed.xml"),
  "/blogs/:blogId/atom.xml": async (c) => (await import("./site/feeds.ts")).feed(c, "atom.xml"),
  "/blogs/:blogId/feed.json": async (c) => (await import("./site/feeds.ts")).feed(c, "feed.json"),
  "/blogs/:blogId/sitemap.xml": async (c) => (await import("./site/sitemap.ts")).sitemap(c),
  "/blogs/:blogId/llms.txt": async (c) => (await import("./site/texts.ts")).llms(c),
  "/blogs/:blogId/articles/:file": async (c) => (await import("./site/texts.ts")).markdown(c),
};

/** These pages answer all methods. */
const SUBSCRIBING = [
  "/blogs/:blogId/subscribe",
  "/blogs/:blogId/subscribe/:token",
  "/blogs/:blogId/unsubscribe/:token",
];
const subscribing: Handle = async (c) => (await import("./site/subscribing.tsx")).subscribing(c);

/** Another surface. It answers all methods at and below its path, and is loaded on first use. */
export type Surface = {
  readonly path: string;
  readonly load: () => Promise<(request: Request, arrival: Arrival) => Response | Promise<Response>>;
};

export function createApp(surfaces: readonly Surface[] = []): Hono<AppEnv> {
  const app = new Hono<AppEnv>();
  for (const { path, load } of surfaces) {
    const handle = observed(`${path}/*`, async (c) => (await load())(c.req.raw, arrivalOf(c)));
    app.all(path, handle).all(`${path}/*`, handle);
  }
  for (const [path, handle] of Object.entries(documents)) app.get(path, observed(path, handle));
  for (const path of SUBSCRIBING) app.all(path, observed(path, subscribing));
  for (const route of routes) app.on(route.method, route.path, observed(route.path, handlerOf(route)));
  // With a route for "*", every path would match two routes, and Hono would run its middleware chain.
  const unknown = observed("*", noRoute);
  app.notFound((c) => unknown(c, async () => undefined) as Promise<Response>);
  return app;
}

/** Returns a handler that loads the route's operation with the first request. */
function handlerOf(route: Route): Handle {
  let handle: Handle | undefined;
  return async (c) => {
    handle ??= handlerOfLoaded({ ...route, operation: await route.load() });
    return handle(c);
  };
}

function handlerOfLoaded(route: LoadedRoute): Handle {
  const read = inputReader(route);
  const answered = async (c: Context<AppEnv>, following: Following = {}): Promise<Reply> => {
    if (route.operation.scope !== null) c.set("needs", route.operation.scope);
    const isRead = route.method === "get";
    return withCaller(c, { ...following, isRead }, async (call) => {
      const isAnonymous = call.principal.kind === "anonymous";
      if (isAnonymous && route.operation.anonymous) {
        await limitFrequentReaders(arrivalOf(c), c.req.raw);
        if (route.operation.searches) await limitReaderSearches(arrivalOf(c), c.req.raw);
      }
      const started = Date.now();
      const answer = await invoke(route.operation, call, () => read(c));
      c.get("timings")["operation"] = Date.now() - started;
      return respond(c, route, answer, isAnonymous);
    });
  };
  if (!route.operation.lengthy) return answered;
  return (c) => {
    const leaving = new AbortController();
    const left = () => leaving.abort();
    c.req.raw.signal.addEventListener("abort", left);
    const { signal } = leaving;
    if (wantsEvents(c.req.header("Accept"))) return eventStream(c, (tell) => answered(c, { tell, signal }), left);
    const work = answered(c, { signal });
    // The work continues after the caller has left, because it must record how it ended.
    c.executionCtx.waitUntil(work.catch(() => undefined));
    return work;
  };
}

type Known = { readonly pattern: RegExp; readonly methods: Set<string> };

let known: readonly Known[] | undefined;

function knownPaths(): readonly Known[] {
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

async function noRoute(c: Context<AppEnv>): Promise<Reply> {
  // Several patterns can match: /api/articles/generate also matches /api/articles/:idOrSlug.
  known ??= knownPaths();
  const found = known.filter(({ pattern }) => pattern.test(c.req.path));
  if (found.length === 0) {
    // A blog's site is at its vanityId, which is never the name of a route.
    return (await import("./site/site.ts")).siteReply(c);
  }
  return otherMethod(c.req.method, [...new Set(found.flatMap(({ methods }) => Array.from(methods))), "OPTIONS"]);
}
