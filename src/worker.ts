/** The Worker's entry point: passes requests to the application, and messages of queues and the cron to queues.ts. */
import { getAsyncLocalStorage } from "@better-auth/core/async_hooks";
import { createApp } from "./surfaces/app.ts";
import { LIMITS } from "./domain/limits.ts";
import type * as Queues from "./background/queues.ts";

// better-auth keeps a promise from node:async_hooks for all requests. Create it here: if a request created it, other
// requests would hang after that request has ended (architecture, "Reads on the nearest replica"). The function has to be
// called, because the package declares that it has no side effects, so a bundler would drop a plain import.
void getAsyncLocalStorage();

const oauth = async () => (await import("./surfaces/oauth/app.ts")).handle;

const app = createApp([
  { path: "/console", load: async () => (await import("./surfaces/console/app.tsx")).handle },
  { path: "/previews", load: async () => (await import("./surfaces/console/reader-pages/previews.tsx")).handle },
  { path: "/mcp", load: async () => (await import("./surfaces/mcp/app.ts")).handle },
  { path: "/oauth", load: oauth },
  { path: "/.well-known/oauth-authorization-server", load: oauth },
  { path: "/.well-known/oauth-protected-resource", load: oauth },
]);

/** The bindings, of which wrangler's types know the values in wrangler.toml only. */
type Settable = Omit<Env, "BASE_URL"> & { readonly BASE_URL: string };

/** Returns the application for a host that may be a blog's: its site, or the service. */
async function appOfOther(request: Request, env: Settable) {
  const { appOfHost } = await import("./surfaces/site/hosts.ts");
  return (await appOfHost(request, env as Env)) ?? app;
}

/** How long a body is read that nobody needs, in milliseconds. */
const REST_MS = 1000;

/** Reads what is left of a body, as much as an upload may have, and holds nothing of it. */
async function readRest(body: ReadableStream<Uint8Array>): Promise<void> {
  let left: number = LIMITS.uploadBytes;
  const rest = new WritableStream<Uint8Array>({
    write({ byteLength }) {
      if ((left -= byteLength) < 0) throw new RangeError("The body is too large.");
    },
  });
  await body.pipeTo(rest, { signal: AbortSignal.timeout(REST_MS) }).catch(() => undefined);
}

/**
 * Returns the response to a request whose body nobody has read to its end, and reads the rest. Otherwise workerd closes the
 * connection, without saying so (a Worker cannot send `Connection: close`), and the client's next request is lost on it. A
 * refusal is sent at once, as a whole, and ends with the body.
 */
async function besideRest(body: ReadableStream<Uint8Array>, response: Response): Promise<Response> {
  if (response.ok || response.body === null) {
    await readRest(body);
    return response;
  }
  const bytes = new Uint8Array(await response.arrayBuffer());
  const { readable, writable } = new FixedLengthStream(bytes.byteLength);
  const writer = writable.getWriter();
  const send = async () => {
    await writer.write(bytes);
    await readRest(body);
    await writer.close();
  };
  // It fails if the client has left.
  void send().catch(() => undefined);
  return new Response(readable, response);
}

let queues: typeof Queues | undefined;

export default {
  async fetch(request: Request, env: Settable, context: ExecutionContext): Promise<Response> {
    const isOwn = request.url.startsWith(`${env.BASE_URL}/`);
    const response = await (isOwn ? app : await appOfOther(request, env)).fetch(request, env, context);
    // Whoever has read it to its end keeps it locked.
    const { body } = request;
    return body === null || body.locked ? response : besideRest(body, response);
  },

  async queue(batch, env, context) {
    queues ??= await import("./background/queues.ts");
    await queues.consume(batch, env, context);
  },

  async scheduled(_controller, env) {
    queues ??= await import("./background/queues.ts");
    await queues.queueCron(env);
  },
} satisfies ExportedHandler<Env, Queues.QueueMessage>;
