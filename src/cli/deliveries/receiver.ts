/** A receiver of deliveries on loopback. */
import { createServer, type IncomingHttpHeaders, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { jsonOrNull } from "../../lib/json.ts";
import { CliError, EXIT } from "../failure.ts";
import { judge, type Verdict } from "./signature.ts";

export type Delivery = {
  /** As the signed body has it; as the header has it where the delivery is not genuine. */
  readonly event: string;
  readonly verdict: Verdict;
  readonly body: Buffer;
  /** The body of a genuine one as JSON; otherwise null. */
  readonly payload: unknown;
  /** What is passed on with it. */
  readonly headers: Readonly<Record<string, string>>;
};

type Options = {
  /** 0 for any that is free. */
  readonly port: number;
  readonly now: () => Date;
  /** Called for each delivery, genuine or not; returns the status to answer with. */
  readonly onDelivery: (delivery: Delivery) => Promise<number>;
};

export type Receiver = {
  readonly url: string;
  /** Says what deliveries are signed with. Those that come earlier are held for a while, then answered with 503. */
  verifyWith(secret: string): void;
  close(): void;
};

/** The only path that takes deliveries. */
export const PATH = "/webhooks";
const EVENT = "x-service-event";
/** An article has a MiB of content at most, of which JSON can make six. */
const MOST_BYTES = 8 * 1024 * 1024;
/** Deliveries that wait for the secret; their bodies are not read yet. */
const MOST_HELD = 20;
/** Less than the service waits for an answer, which may be that of whoever the delivery is forwarded to. */
const HOLD_MS = 3000;

/** Listens; throws where the port is in use. */
export async function openReceiver(options: Options): Promise<Receiver> {
  const { secret, verifyWith } = holding();
  const server = createServer((request, response) => {
    receive(request, response, { ...options, secret }).catch(() => response.destroy());
  });
  await new Promise<void>((resolve, reject) => {
    server.once("error", reject).listen(options.port, "127.0.0.1", resolve);
  }).catch((error: NodeJS.ErrnoException) => {
    const why = error.code === "EADDRINUSE" ? "is in use" : `cannot be used: ${error.message}`;
    throw new CliError("usage", `Port ${options.port} ${why}.`, EXIT.usage, { cause: error });
  });
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}${PATH}`,
    verifyWith,
    close() {
      server.close();
      server.closeAllConnections();
    },
  };
}

/** The secret once it is known; null for a delivery that cannot wait for it. */
function holding() {
  let known: string | null = null;
  const waiting = new Set<() => void>();
  return {
    verifyWith: (secret: string): void => {
      if (!secret) throw new CliError("invalid_answer", "There is no secret to verify deliveries with.");
      known = secret;
      for (const wake of waiting) wake();
    },
    secret: async (): Promise<string | null> => {
      if (known === null && waiting.size < MOST_HELD) {
        await new Promise<void>((resolve) => {
          const wake = () => {
            waiting.delete(wake);
            clearTimeout(limit);
            resolve();
          };
          const limit = setTimeout(wake, HOLD_MS);
          waiting.add(wake);
        });
      }
      return known;
    },
  };
}

type Receiving = Options & { readonly secret: () => Promise<string | null> };

async function receive(request: IncomingMessage, response: ServerResponse, options: Receiving): Promise<void> {
  if (request.method !== "POST" || request.url !== PATH) {
    response.writeHead(404).end("This is the receiver of `edgepress webhooks listen`.\n");
    return;
  }
  const secret = await options.secret();
  if (secret === null) {
    response.writeHead(503, { "Retry-After": "1", Connection: "close" }).end();
    return;
  }
  const body = await read(request);
  if (body === null) {
    response.writeHead(413, { Connection: "close" }).end();
    return;
  }
  const { "x-service-signature": signature, [EVENT]: event } = request.headers;
  const header = typeof signature === "string" ? signature : undefined;
  const verdict = judge(secret, header, body, Math.floor(options.now().getTime() / 1000));
  const payload = verdict === "genuine" ? jsonOrNull(body.toString("utf8")) : null;
  const named = String(event ?? "");
  const signed = verdict === "genuine" ? eventOf(payload) : named;
  const { [EVENT]: _, ...others } = headersOf(request.headers);
  // Headers are not signed: somebody else may have named another event.
  const headers = signed === named ? headersOf(request.headers) : others;
  const status = await options.onDelivery({ event: signed, verdict, body, payload, headers });
  response.writeHead(status).end();
}

const eventOf = (payload: unknown): string =>
  typeof payload === "object" && payload !== null && "event" in payload && typeof payload.event === "string"
    ? payload.event
    : "";

/** Those that the service gives a delivery; the others are about this connection. */
const headersOf = (headers: IncomingHttpHeaders): Record<string, string> =>
  Object.fromEntries(
    Object.entries(headers).filter(
      (header): header is [string, string] =>
        typeof header[1] === "string" && (header[0] === "content-type" || header[0].startsWith("x-service-")),
    ),
  );

/** The bytes of a body, or null where there are too many. */
async function read(request: IncomingMessage): Promise<Buffer | null> {
  const chunks: Buffer[] = [];
  let length = 0;
  for await (const chunk of request as AsyncIterable<Buffer>) {
    length += chunk.byteLength;
    if (length > MOST_BYTES) return null;
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}
