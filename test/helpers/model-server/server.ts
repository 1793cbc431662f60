/** The routes of the test server, and what it stores for each name. */
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { complete, isKnown } from "./behaviours.ts";
import { apiError, type Call, isObject, json, type Script, type Seen } from "./call.ts";
import { draw, isKnownImage } from "./images.ts";
import { worded } from "./prompt.ts";
import { play } from "./recorded.ts";

export type ModelServer = { readonly url: string; readonly close: () => Promise<void> };

type Memory = { readonly seen: Seen[]; scripts: Script[]; held: PromiseWithResolvers<void> | null };

/** Starts the server on a free port of 127.0.0.1. */
export async function startModelServer(): Promise<ModelServer> {
  const memories = new Map<string, Memory>();
  const memoryOf = (name: string): Memory => {
    const memory = memories.get(name) ?? { seen: [], scripts: [], held: null };
    memories.set(name, memory);
    return memory;
  };
  const server = createServer((request, response) => {
    handle(memoryOf, request, response).catch((error: unknown) => {
      if (response.headersSent) response.destroy();
      else json(response, 500, apiError(`the test server failed: ${String(error)}`));
    });
  });
  server.requestTimeout = 0;
  // The server never closes an idle connection: a client that uses it at that moment would fail.
  server.keepAliveTimeout = 0;
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    close: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

async function handle(
  memoryOf: (name: string) => Memory,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const [, first = "", name = "", ...rest] = new URL(request.url ?? "", "http://x").pathname.split("/");
  const memory = memoryOf(name);
  if (first === "_seen") return json(response, 200, memory.seen);
  const body = await bodyOf(request);
  if (first === "_script") {
    memory.scripts.push(...(JSON.parse(body) as Script[]));
    return json(response, 200, { waiting: memory.scripts.length });
  }
  if (first === "_hold" || first === "_release") {
    memory.held?.resolve();
    memory.held = first === "_hold" ? Promise.withResolvers() : null;
    return json(response, 200, { held: memory.held !== null });
  }
  const [, base, path = "/"] = /^(v1beta\/openai|v1)(\/.*)$/.exec(rest.join("/")) ?? [];
  const seen = see(memory, request, response, { path, body });
  if (base === undefined) return json(response, 404, apiError(`no such path: ${request.url ?? ""}`));
  const parts = first.split("+");
  const unknown = parts.map(behaviourOf).find((part) => !isKnown(part) && !isKnownImage(part));
  if (unknown !== undefined) return json(response, 404, apiError(`no such behaviour: ${unknown}`));
  if (request.method === "GET" && path === "/models") return json(response, 200, MODELS);
  if (request.method !== "POST") return json(response, 404, apiError("no such endpoint"));
  const parsed: unknown = JSON.parse(body);
  if (!isObject(parsed)) return json(response, 400, apiError("the body is no JSON object"));
  const times = memory.seen.filter((earlier) => earlier.method === "POST" && earlier.path === path).length;
  const behaviours = parts.filter((part) => times <= timesOf(part)).map(behaviourOf);
  await memory.held?.promise;
  return reply({ seen, body: parsed, response, behaviours, script: takeScript(memory, body) });
}

function reply(call: Call): void | Promise<void> {
  const { script, response, seen } = call;
  if (script?.recorded !== undefined) return play(response, script.recorded);
  for (const [header, value] of Object.entries(script?.headers ?? {})) response.setHeader(header, value);
  if (script?.status !== undefined && script.status >= 400)
    return json(response, script.status, isObject(script.answer) ? script.answer : apiError(worded(script.answer)));
  if (seen.path === "/chat/completions") return complete(call);
  if (seen.path === "/images/generations") return draw(call);
  json(response, 404, apiError("no such endpoint"));
}

/** Returns the first script that applies to the request, and removes it. */
function takeScript(memory: Memory, body: string): Script | undefined {
  const script = memory.scripts.find(({ match = "" }) => body.includes(match));
  memory.scripts = memory.scripts.filter((other) => other !== script);
  return script;
}

const MODELS = {
  object: "list",
  data: [
    { id: "test-model", object: "model", created: 1_790_000_000, owned_by: "test" },
    { id: "test-image-model", object: "model", created: 1_790_000_000, owned_by: "test" },
  ],
};

const TIMES = /-(?:once|(\d+)-times)$/;

const behaviourOf = (part: string): string => part.replace(TIMES, "");

/** Returns the number of requests to which a part of the path applies: `-once` is 1, `-3-times` is 3, otherwise all. */
function timesOf(part: string): number {
  const match = TIMES.exec(part);
  return match === null ? Infinity : Number(match[1] ?? 1);
}

/** Records a request, and later how its response ended. */
function see(
  memory: Memory,
  request: IncomingMessage,
  response: ServerResponse,
  { path, body }: { path: string; body: string },
): Seen {
  const { method = "", headers } = request;
  const seen: Seen = { method, path, headers, body, at: Date.now(), gone: false, answered: false };
  memory.seen.push(seen);
  response.on("finish", () => {
    seen.answered = true;
  });
  response.on("close", () => {
    seen.gone = !response.writableFinished;
  });
  return seen;
}

async function bodyOf(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks).toString("utf8");
}
