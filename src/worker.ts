import { getAsyncLocalStorage } from "@better-auth/core/async_hooks";
import { createApp } from "./surfaces/app.ts";
import { LIMITS } from "./domain/limits.ts";
import type * as Queues from "./background/queues.ts";

// better-auth keeps a promise from node:async_hooks for all requests. If a request created it, other requests would hang
// after that request (architecture, "Reads on the nearest replica"). An import alone would not do: the package declares
// that it has no side effects, so the bundler would drop it.
void getAsyncLocalStorage();

const oauth = async () => (await import("./surfaces/oauth/app.ts")).handle;

const mcp = async () => (await import("./surfaces/mcp/app.ts")).handle;

const app = createApp([
  { path: "/console", load: async () => (await import("./surfaces/console/app.tsx")).handle },
  { path: "/previews", load: async () => (await import("./surfaces/console/reader-pages/previews.tsx")).handle },
  { path: "/mcp", load: mcp },
  { path: "/.well-known/ai-catalog.json", load: mcp },
  { path: "/oauth", load: oauth },
  { path: "/.well-known/oauth-authorization-server", load: oauth },
  { path: "/.well-known/oauth-protected-resource", load: oauth },
]);

/** wrangler's types only know the value in wrangler.toml. */
type Settable = Omit<Env, "BASE_URL"> & { readonly BASE_URL: string };

/** Returns the site of a blog if the host is a blog's, otherwise the service. */
async function findApp(request: Request, env: Settable) {
  const { findHostApp } = await import("./surfaces/site/hosts.ts");
  return (await findHostApp(request, env as Env)) ?? app;
}

/** Milliseconds to read the rest of a body that nobody needs. */
const REST_MS = 1000;

/** Reads the rest of a body, at most the size of an upload, without keeping it. */
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
 * Returns the response to a request whose body was not read to its end, and reads the rest. Otherwise workerd closes the
 * connection without telling the client (a Worker cannot send `Connection: close`), and the client's next request is lost.
 * A refusal is sent at once, but its stream ends only after the body was read.
 */
async function answerAndReadRest(body: ReadableStream<Uint8Array>, response: Response): Promise<Response> {
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
  // Fails if the client has left.
  void send().catch(() => undefined);
  return new Response(readable, response);
}

let queues: typeof Queues | undefined;

export default {
  async fetch(request: Request, env: Settable, context: ExecutionContext): Promise<Response> {
    const isOwn = request.url.startsWith(`${env.BASE_URL}/`);
    const response = await (isOwn ? app : await findApp(request, env)).fetch(request, env, context);
    // A body that was read to its end stays locked.
    const { body } = request;
    return body === null || body.locked ? response : answerAndReadRest(body, response);
  },

  async queue(batch, env, context) {
    queues ??= await import("./background/queues.ts");
    await queues.consumeBatch(batch, env, context);
  },

  async scheduled(_controller, env) {
    queues ??= await import("./background/queues.ts");
    await queues.queueCron(env);
  },
} satisfies ExportedHandler<Env, Queues.QueueMessage>;
