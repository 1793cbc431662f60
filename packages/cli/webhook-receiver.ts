/** An HTTP server on 127.0.0.1 that receives webhook deliveries and verifies their signatures. */
import { createServer, type IncomingHttpHeaders, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { buffer } from "node:stream/consumers";
import { judgeSignature, type Verdict } from "../client/src/signature.ts";
import { parseJson } from "../../src/lib/json.ts";
import { withTimeout } from "../../src/lib/within.ts";
import { CliError, EXIT } from "./failure.ts";

export type Delivery = {
  readonly event: string;
  readonly verdict: Verdict;
  readonly body: Buffer;
  /** The parsed JSON body of a genuine delivery, else null. */
  readonly payload: unknown;
  /** The headers to forward with the body. */
  readonly headers: Readonly<Record<string, string>>;
};

type Options = {
  readonly port: number;
  readonly now: () => Date;
  /** Called for each delivery, genuine or not. Returns the HTTP status to answer with. */
  readonly onDelivery: (delivery: Delivery) => Promise<number>;
};

export const PATH = "/webhooks";
const EVENT = "x-service-event";
/** Milliseconds to wait for the secret. The service gives up after 5 seconds, and forwarding takes some. */
const HOLD_MS = 3000;

/** Starts the server, which the caller must close. Throws a usage error if the port is in use. */
export async function openReceiver(options: Options) {
  let know: ((secret: string) => void) | undefined;
  const known = new Promise<string>((resolve) => (know = resolve));
  const secret = () => withTimeout(HOLD_MS, known);
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
    /** Sets the secret that deliveries are signed with. Throws `CliError` if it is empty. */
    verifyWith(secret: string): void {
      if (!secret) throw new CliError("invalid_answer", "There is no secret to verify deliveries with.");
      know?.(secret);
    },
    close(): void {
      server.close();
      server.closeAllConnections();
    },
  };
}

/** `secret` returns null if the secret is not known in time. */
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
  const body = await buffer(request);
  const { "x-service-signature": signature, [EVENT]: event } = request.headers;
  const header = typeof signature === "string" ? signature : "";
  const verdict = await judgeSignature([secret], { header, body }, options.now().getTime() / 1000);
  const payload = verdict === "genuine" ? parseJson(body.toString("utf8")) : null;
  const named = String(event ?? "");
  const signed = verdict === "genuine" ? getEvent(payload) : named;
  const { [EVENT]: _, ...others } = pickHeaders(request.headers);
  // Headers are not signed. This one is forwarded only if the signed body confirms it.
  const headers = signed === named ? pickHeaders(request.headers) : others;
  const status = await options.onDelivery({ event: signed, verdict, body, payload, headers });
  response.writeHead(status).end();
}

function getEvent(payload: unknown): string {
  const { event }: { readonly event?: unknown } = Object(payload);
  return typeof event === "string" ? event : "";
}

const pickHeaders = (headers: IncomingHttpHeaders): Record<string, string> =>
  Object.fromEntries(
    Object.entries(headers).filter(
      (header): header is [string, string] =>
        typeof header[1] === "string" && /^(?:content-type$|x-service-|webhook-)/.test(header[0]),
    ),
  );
