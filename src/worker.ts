/** The Worker's entry point: passes requests to the application, and messages of queues and the cron to queues.ts. */
import { getAsyncLocalStorage } from "@better-auth/core/async_hooks";
import { createApp } from "./http/app.ts";
import { bytesWithin } from "./lib/body.ts";
import { within } from "./lib/within.ts";
import type * as Queues from "./queues.ts";

// better-auth keeps a promise from node:async_hooks for all requests. Create it here: if a request created it, other
// requests would hang after that request has ended (architecture, "Reads on the nearest replica"). The function has to be
// called, because the package declares that it has no side effects, so a bundler would drop a plain import.
void getAsyncLocalStorage();

const subscribing = async () => (await import("./console/reader-pages/subscribing.tsx")).handle;
const oauth = async () => (await import("./oauth/app.ts")).handle;

const app = createApp([
  { path: "/console", load: async () => (await import("./console/app.tsx")).handle },
  { path: "/previews", load: async () => (await import("./console/reader-pages/previews.tsx")).handle },
  { path: "/blogs/:blogId/subscribe", load: subscribing },
  { path: "/blogs/:blogId/unsubscribe", load: subscribing },
  { path: "/mcp", load: async () => (await import("./mcp/app.ts")).handle },
  { path: "/oauth", load: oauth },
  { path: "/.well-known/oauth-authorization-server", load: oauth },
  { path: "/.well-known/oauth-protected-resource", load: oauth },
]);

/** The bindings, of which wrangler's types know the values in wrangler.toml only. */
type Settable = Omit<Env, "BASE_URL"> & { readonly BASE_URL: string };

/** Returns the application that answers a request: the service, or the site of a blog that has this host. */
async function appOf(request: Request, env: Settable) {
  // The service's own address is compared first: only other hosts may be those of blogs.
  if (request.url.startsWith(`${env.BASE_URL}/`)) return app;
  const { appOfHost } = await import("./http/site/hosts.ts");
  return (await appOfHost(request, env as Env)) ?? app;
}

/** The longest body that is read although nobody needs it, in bytes, and how long that may take, in milliseconds. */
const REST = { bytes: 64 * 1024, ms: 1000 };

/**
 * Reads the body of a request that was refused without it. Otherwise workerd closes the connection, and the client's next
 * request may be lost on it. A body that is large, slow to come or of an unknown length is left.
 */
async function readRest(request: Request): Promise<void> {
  if (request.body === null || request.bodyUsed || !request.headers.has("Content-Length")) return;
  await within(REST.ms, bytesWithin(request, REST.bytes)).catch(() => null);
}

let queues: typeof Queues | undefined;

export default {
  async fetch(request: Request, env: Settable, context: ExecutionContext): Promise<Response> {
    const response = await (await appOf(request, env)).fetch(request, env, context);
    await readRest(request);
    return response;
  },

  async queue(batch, env, context) {
    queues ??= await import("./queues.ts");
    await queues.consume(batch, env, context);
  },

  async scheduled(_controller, env) {
    queues ??= await import("./queues.ts");
    await queues.queueCron(env);
  },
} satisfies ExportedHandler<Env, Queues.QueueMessage>;
