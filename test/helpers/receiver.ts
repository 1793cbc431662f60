/**
 * A real HTTP server that receives webhooks, in Node outside of the Worker under test. A path is `/<behaviour>/<name>`,
 * such as `/status-500/<name>`. `/_seen/<name>` returns the requests of a name.
 */
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import { createServer as createTcpServer, type AddressInfo, type Socket } from "node:net";
import type { TestProject } from "vitest/node";

export type Seen = { headers: Record<string, string>; body: string; at: number };

const seen = new Map<string, Seen[]>();
const answered = new Map<string, number>();

type Behaviour = (response: ServerResponse, socket: Socket, name: string) => void;

const behaviours: Record<string, Behaviour> = {
  ok: (response) => response.writeHead(200).end("thanks"),
  hang: () => undefined,
  "drip-headers": (_, socket) => drip(socket, "HTTP/1.1 200 OK\r\nX-Slow: ", "a"),
  "drip-body": (response, socket) => {
    response.writeHead(200).write("x");
    drip(socket, "", "1\r\nx\r\n");
  },
  reset: (_, socket) => socket.resetAndDestroy(),
  close: (_, socket) => socket.end(),
  garbage: (_, socket) => socket.end("SMTP 220 hello\r\n\r\n"),
  "huge-headers": (_, socket) =>
    socket.end(`HTTP/1.1 200 OK\r\nX-Huge: ${"a".repeat(300_000)}\r\nContent-Length: 0\r\n\r\n`),
  slow: (response) => setTimeout(() => response.writeHead(200).end(), 700),
  late: (response) => setTimeout(() => response.writeHead(200).end(), 1300),
  /** Answers after the delivery has timed out. */
  overdue: (response) => setTimeout(() => response.writeHead(200).end(), 7000),
};

function drip(socket: Socket, first: string, next: string): void {
  if (first !== "") socket.write(first);
  const timer = setInterval(() => socket.write(next), 200);
  socket.on("close", () => clearInterval(timer)).on("error", () => clearInterval(timer));
}

function behave(kind: string, name: string, response: ServerResponse, socket: Socket): void {
  const [, word, number] = /^(status|fail|redirect)-(\d+)$/.exec(kind) ?? [];
  if (word === "status") return void response.writeHead(Number(number)).end();
  if (word === "redirect") return void response.writeHead(Number(number), { Location: `/ok/redirected-${name}` }).end();
  if (word === "fail") {
    const times = (answered.get(name) ?? 0) + 1;
    answered.set(name, times);
    return void response.writeHead(times <= Number(number) ? 500 : 200).end();
  }
  const behaviour = behaviours[kind];
  if (behaviour === undefined) response.writeHead(404).end();
  else behaviour(response, socket, name);
}

async function bodyOf(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks).toString("utf8");
}

async function handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
  const [, kind = "", name = ""] = (request.url ?? "").split("/");
  if (kind === "_seen") {
    response.writeHead(200, { "Content-Type": "application/json" }).end(JSON.stringify(seen.get(name) ?? []));
    return;
  }
  const body = await bodyOf(request);
  const headers = Object.fromEntries(Object.entries(request.headers).map(([key, value]) => [key, String(value)]));
  seen.set(name, [...(seen.get(name) ?? []), { headers, body, at: Date.now() }]);
  behave(kind, name, response, request.socket);
}

/** Starts the receiver and provides its URL, and the URL of a port that refuses connections. */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const server = createServer((request, response) => void handle(request, response).catch(() => response.destroy()));
  server.requestTimeout = 0;
  // The server never closes an idle connection: a client that uses it at that moment would fail.
  server.keepAliveTimeout = 0;
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const closed = createTcpServer();
  await new Promise<void>((resolve) => closed.listen(0, "127.0.0.1", resolve));
  const refusing = (closed.address() as AddressInfo).port;
  await new Promise((resolve) => closed.close(resolve));
  const { port } = server.address() as AddressInfo;
  project.provide("receiver", { url: `http://127.0.0.1:${port}`, refusing: `http://127.0.0.1:${refusing}` });
  return async () => {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  };
}

declare module "vitest" {
  export interface ProvidedContext {
    receiver: { url: string; refusing: string };
  }
}
