/** The server of feeds, forums and pictures that tests read from. */
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { serveDns } from "./dns.ts";
import { serveFixture } from "./fixtures.ts";
import { serveForum } from "./forums.ts";
import { behaveBadly } from "./hostile.ts";
import { serveOembed } from "./oembed.ts";
import { servePicture } from "./pictures.ts";
import { serveLinked, serveTold } from "./told.ts";
import { serveWritten } from "./written.ts";

export type Seen = {
  readonly method: string;
  readonly url: string;
  readonly headers: Record<string, string>;
  /** Bytes of the response, once it has ended; null until then. */
  sent: number | null;
};

/** One request. `url` is without a leading `/recent`, which sets `recent`. */
export type Call = {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  readonly url: URL;
  readonly recent: boolean;
};

export type FeedServer = {
  /** Without a slash at the end. */
  readonly url: string;
  readonly close: () => Promise<void>;
};

/** Starts a server on a free port of the loopback address. */
export async function startFeedServer(): Promise<FeedServer> {
  const seen: Seen[] = [];
  const server = createServer((request, response) => {
    const url = new URL(request.url ?? "/", `http://${request.headers.host ?? "127.0.0.1"}`);
    if (url.pathname.startsWith("/_seen/")) return answerJson(response, seenOf(seen, url.pathname.slice(7)));
    const headers = Object.fromEntries(Object.entries(request.headers).map(([name, value]) => [name, String(value)]));
    const call: Seen = { method: request.method ?? "", url: request.url ?? "", headers, sent: null };
    seen.push(call);
    const { bytesWritten } = request.socket;
    response.on("close", () => (call.sent = request.socket.bytesWritten - bytesWritten));
    const recent = url.pathname.startsWith("/recent/");
    if (recent) url.pathname = url.pathname.slice("/recent".length);
    void handle({ request, response, url, recent }).catch(() => response.destroy());
  });
  // The server never closes an idle connection: a client that uses it at that moment would fail.
  server.keepAliveTimeout = 0;
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  const close = async (): Promise<void> => {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  };
  return { url: `http://127.0.0.1:${port}`, close };
}

async function handle(call: Call): Promise<void> {
  if (call.url.pathname.startsWith("/feeds/")) return serveFixture(call, call.url.pathname.slice(1));
  if ((await serveWritten(call)) || (await serveDns(call)) || serveOembed(call)) return;
  if (serveTold(call) || serveLinked(call) || (await servePicture(call)) || (await serveForum(call))) return;
  if (!behaveBadly(call)) call.response.writeHead(404, { "Content-Type": "text/plain" }).end("not found");
}

const seenOf = (seen: readonly Seen[], name: string): Seen[] => seen.filter(({ url }) => url.includes(name));

function answerJson(response: ServerResponse, value: unknown): void {
  response.writeHead(200, { "Content-Type": "application/json" }).end(JSON.stringify(value));
}
