/** A local server with a webhook receiver (contract 11.5) and a feed for topic ideas. */
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { buffer } from "node:stream/consumers";
import * as z from "zod";
import { judgeSignature } from "../../packages/client/src/signature.ts";
import { parseJson } from "../../src/lib/json.ts";
import { demoFeed } from "../demo/feed.ts";

export type Delivery = {
  readonly event: string;
  /** The title, name or e-mail address in the payload; "" if it has none. */
  readonly subject: string;
  readonly verified: boolean;
};

export type Receiver = {
  readonly url: string;
  readonly feedUrl: string;
};

/** Collects deliveries until the banner has been printed. After that, it shows them and each new one. */
export class Deliveries {
  readonly first: Promise<void>;
  #announceFirst: () => void = () => undefined;
  #kept: Delivery[] = [];
  #show: (delivery: Delivery) => void = (delivery) => void this.#kept.push(delivery);

  constructor() {
    this.first = new Promise((resolve) => (this.#announceFirst = resolve));
  }

  add(delivery: Delivery): void {
    this.#show(delivery);
    this.#announceFirst();
  }

  showFrom(show: (delivery: Delivery) => void): void {
    this.#kept.forEach(show);
    this.#show = show;
  }
}

type Options = {
  /** The preferred port. If it cannot be used, the receiver listens on any free port. */
  readonly port: number;
  /** Returns the subscription's secret, or null before the subscription exists. */
  readonly secret: () => string | null;
  readonly onDelivery: (delivery: Delivery) => void;
};

const PATH = "/edgepress-receiver";
const FEED_PATH = "/edgepress-feed.xml";

export async function startReceiver({ port, secret, onDelivery }: Options): Promise<Receiver> {
  const server = createServer((request, response) => {
    receive(request, response, secret(), onDelivery).catch(() => response.destroy());
  });
  await listen(server, port).catch(() => listen(server, 0));
  const { port: taken } = server.address() as AddressInfo;
  const origin = `http://127.0.0.1:${taken}`;
  return { url: `${origin}${PATH}`, feedUrl: `${origin}${FEED_PATH}` };
}

/** Returns true for the URL of such a receiver, on any port. */
export const isReceiverUrl = (url: string): boolean => isLocalUrl(url, PATH);

/** Returns true for the URL of the demo's feed, on any port. */
export const isFeedUrl = (url: string): boolean => isLocalUrl(url, FEED_PATH);

function isLocalUrl(url: string, path: string): boolean {
  const { hostname, pathname } = new URL(url);
  return hostname === "127.0.0.1" && pathname === path;
}

async function receive(
  request: IncomingMessage,
  response: ServerResponse,
  secret: string | null,
  onDelivery: (delivery: Delivery) => void,
): Promise<void> {
  if (request.method === "GET" && request.url === FEED_PATH) {
    response.writeHead(200, { "Content-Type": "application/rss+xml; charset=utf-8" }).end(demoFeed(new Date()));
    return;
  }
  if (request.method !== "POST" || request.url !== PATH) {
    response.writeHead(404).end("This is the webhook receiver of `npm start`.\n");
    return;
  }
  const body = await buffer(request);
  const { "x-service-signature": signature } = request.headers;
  const header = typeof signature === "string" ? signature : "";
  const verified =
    secret !== null && (await judgeSignature([secret], { header, body }, Date.now() / 1000)) === "genuine";
  response.writeHead(verified ? 204 : 401).end();
  onDelivery({ ...parseContent(body), verified });
}

const payload = z.object({
  event: z.string(),
  data: z.object({ title: z.string(), name: z.string(), email: z.string() }).partial(),
});

/** Returns the event "unreadable" if the body is not a valid payload. */
function parseContent(body: Buffer): { event: string; subject: string } {
  const parsed = payload.safeParse(parseJson(body.toString("utf8")));
  if (!parsed.success) return { event: "unreadable", subject: "" };
  const { event, data } = parsed.data;
  return { event: toPrintable(event), subject: toPrintable(data.title ?? (data.name || data.email) ?? "") };
}

/** Removes control characters, because every local program can post here. Returns at most 80 UTF-16 units. */
const toPrintable = (text: string): string => text.replaceAll(/\p{C}/gu, "").slice(0, 80);

function listen(server: Server, port: number): Promise<void> {
  return new Promise((resolve, reject) => {
    const fail = (error: Error) => reject(error);
    server.once("error", fail).listen(port, "127.0.0.1", () => {
      server.off("error", fail);
      resolve();
    });
  });
}
