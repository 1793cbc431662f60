/** Servers that behave badly, at `/<behaviour>/<name>`. */
import type { ServerResponse } from "node:http";
import type { Socket } from "node:net";
import { createGzip, gzipSync } from "node:zlib";
import type { Call } from "./server.ts";

/** Returns a valid feed with one item of this title. */
const feedOf = (title: string): string =>
  `<?xml version="1.0"?><rss version="2.0"><channel><title>Small</title><link>https://small.example.com/</link>` +
  `<item><title>${title}</title><link>https://small.example.com/1</link></item></channel></rss>`;

const XML = { "Content-Type": "application/rss+xml" };

/** Behaves as the path says. Returns false if the path names no behaviour. */
export function behaveBadly(call: Call): boolean {
  const [, kind = "", name = ""] = call.url.pathname.split("/");
  const [, word = "", number = ""] = /^([a-z-]+?)-(\d+)$/.exec(kind) ?? [];
  const behaviour = BEHAVIOURS[kind] ?? NUMBERED[word];
  if (behaviour === undefined) return false;
  behaviour(call, decodeURIComponent(name), Number(number));
  return true;
}

type Behaviour = (call: Call, name: string, number: number) => void;

const BEHAVIOURS: Readonly<Record<string, Behaviour>> = {
  hang: () => undefined,
  "drip-headers": ({ request }) => drip(request.socket, "HTTP/1.1 200 OK\r\nX-Slow: ", "a"),
  "drip-body": ({ request, response }) => {
    response.writeHead(200, XML).write("<rss>");
    drip(request.socket, "", "1\r\n \r\n");
  },
  reset: ({ request }) => request.socket.resetAndDestroy(),
  close: ({ request }) => request.socket.end(),
  garbage: ({ request }) => request.socket.end("SMTP 220 hello\r\n\r\n"),
  "breaks-off": ({ response }) => {
    response.writeHead(200, { ...XML, "Content-Length": "100000" }).write(feedOf("cut").slice(0, 60));
    setTimeout(() => response.destroy(), 50);
  },
  endless: ({ response }) => {
    response.writeHead(200, XML).write("<rss><channel>");
    flood(response, `<item><title>${"more ".repeat(2000)}</title></item>`);
  },
  "gzip-bomb": ({ response }) => {
    response.writeHead(200, { ...XML, "Content-Encoding": "gzip" });
    const gzip = createGzip();
    gzip.pipe(response);
    response.on("close", () => gzip.destroy());
    flood(gzip, " ".repeat(65_536));
  },
  gzip: ({ response }) =>
    response.writeHead(200, { ...XML, "Content-Encoding": "gzip" }).end(gzipSync(feedOf("Zipped"))),
  "broken-gzip": ({ response }) =>
    response.writeHead(200, { ...XML, "Content-Encoding": "gzip" }).end("not gzip at all"),
  "five-megabytes": ({ response }) => {
    response.writeHead(200, XML).end(feedOf("x").replace("</channel>", `${"<item/>".repeat(750_000)}</channel>`));
  },
  "redirect-loop": ({ response }, name) => redirect(response, `/redirect-loop/${name}`),
  "redirect-to": ({ response }, address) => redirect(response, address),
  "redirect-relative": ({ response }, name) => redirect(response, `../feeds/rss-2.0.xml?${name}#part`),
  "redirect-without-location": ({ response }) => void response.writeHead(302).end(),
  "always-304": ({ response }) => response.writeHead(304).end(),
  "ask-to-wait": ({ response }) => response.writeHead(503, { "Retry-After": "120" }).end("busy"),
  "odd-validators": ({ response }) => {
    response.writeHead(200, { ...XML, ETag: `"${"x".repeat(2000)}"`, "Last-Modified": "\u00e9" }).end(feedOf("Odd"));
  },
  /** Says that it has fewer bytes than it sends in pieces, which count (RFC 9112, 6.3). */
  understated: ({ request }) => {
    const head = "HTTP/1.1 200 OK\r\nContent-Type: application/rss+xml\r\nContent-Length: 70000";
    const text = feedOf("More").replace("</channel>", `${" ".repeat(200_000)}</channel>`);
    const piece = `${text.length.toString(16)}\r\n${text}\r\n0\r\n\r\n`;
    request.socket.end(`${head}\r\nTransfer-Encoding: chunked\r\nConnection: close\r\n\r\n${piece}`);
  },
  empty: ({ response }) => response.writeHead(200, XML).end(),
  deep: ({ response }) => response.writeHead(200, XML).end(`<rss><channel>${"<a>".repeat(600_000)}`),
  "hanging-error": ({ response }) => response.writeHead(500, XML).write("<p>"),
};

const NUMBERED: Readonly<Record<string, Behaviour>> = {
  status: ({ response }, _, status) => response.writeHead(status, { "Content-Type": "text/html" }).end("<h1>No</h1>"),
  /** As many redirects as the number says, with different statuses, and then a feed. */
  redirects: ({ response }, name, left) => {
    const status = [301, 302, 303, 307, 308][left % 5] ?? 302;
    if (left === 0) response.writeHead(200, XML).end(feedOf("Arrived"));
    else redirect(response, `/redirects-${left - 1}/${name}`, status);
  },
};

function redirect(response: ServerResponse, location: string, status = 302): void {
  response.writeHead(status, { Location: location, "Content-Type": "text/html" }).end("<p>Elsewhere</p>");
}

/** Writes a little every 200 milliseconds, so that a limit for the time between two bytes is never reached. */
function drip(socket: Socket, first: string, next: string): void {
  if (first !== "") socket.write(first);
  const timer = setInterval(() => socket.write(next), 200);
  socket.on("close", () => clearInterval(timer)).on("error", () => clearInterval(timer));
}

/** Writes without end, as fast as the client reads. */
function flood(stream: NodeJS.WritableStream, chunk: string): void {
  stream.on("error", () => undefined);
  const write = (): void => {
    while ((stream as { destroyed?: boolean }).destroyed !== true && stream.write(chunk));
  };
  stream.on("drain", write);
  write();
}
